/* SPDX-License-Identifier: MIT */
/*
 * Ending the image.  QEMU docs, isa-debug-exit: v gives status 2v+1;
 * Bochs manual, "unmapped" device; Intel ICH data sheets, "Reset control register"; IBM PC/AT, 8042 command 0xfe.
 */
#include "drivers/reset.h"

#include "drivers/io.h"

#define DEBUG_EXIT   0xf4
#define EXIT_SUCCESS 0x10
#define EXIT_FAILURE 0x11

#define BOCHS_SHUTDOWN 0x8900

#define RESET_CONTROL 0xcf9
#define RESET_SYSTEM  0x02 /* select a hard reset */
#define RESET_CPU     0x04 /* its rising edge starts the reset */
#define KEYBOARD_STATUS  0x64
#define KEYBOARD_BUSY    0x02
#define KEYBOARD_RESET   0xfe
#define TRIES            100000

void reset_exit_qemu(bool success)
{
    outb(DEBUG_EXIT, success ? EXIT_SUCCESS : EXIT_FAILURE);
}

void reset_exit_bochs(void)
{
    static const char word[] = "Shutdown";

    for (const char *c = word; *c != '\0'; c++)
        outb(BOCHS_SHUTDOWN, (uint8_t)*c);
}

void reset_board(void)
{
    outb(RESET_CONTROL, RESET_SYSTEM);
    outb(RESET_CONTROL, RESET_SYSTEM | RESET_CPU);
    for (int i = 0; i < TRIES && inb(KEYBOARD_STATUS) & KEYBOARD_BUSY; i++)
        continue;
    outb(KEYBOARD_STATUS, KEYBOARD_RESET);
}
