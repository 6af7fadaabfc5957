/* SPDX-License-Identifier: MIT */
/*
 * Ends the image, in the way that exit= says.  QEMU docs, isa-debug-exit: v gives status 2v+1;
 * Bochs manual, "unmapped" device; Intel ICH data sheets, "Reset control register"; IBM PC/AT, 8042 command 0xfe.
 */
#include "kernel/io/shutdown.h"

#include "drivers/io.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"

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

/*
 * End QEMU through isa-debug-exit, with status 33 after success and 35 after failure.  Returns where there is no such
 * device.
 */
static void exit_qemu(bool success)
{
    outb(DEBUG_EXIT, success ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* End Bochs; the exit status cannot be chosen.  Returns where there is no such port. */
static void exit_bochs(void)
{
    static const char word[] = "Shutdown";

    for (const char *c = word; *c != '\0'; c++)
        outb(BOCHS_SHUTDOWN, (uint8_t)*c);
}

/* Reset the board: by its chipset, then by the keyboard controller.  May return. */
static void reset_board(void)
{
    outb(RESET_CONTROL, RESET_SYSTEM);
    outb(RESET_CONTROL, RESET_SYSTEM | RESET_CPU);
    for (int i = 0; i < TRIES && inb(KEYBOARD_STATUS) & KEYBOARD_BUSY; i++)
        continue;
    outb(KEYBOARD_STATUS, KEYBOARD_RESET);
}

_Noreturn void shutdown(bool success)
{
    cpu_interrupts_off();
    screen_paint(); /* the last page stays */
    stream_uart_flush();
    if (run_config()->exit == EXIT_QEMU)
        exit_qemu(success);
    if (run_config()->exit == EXIT_BOCHS)
        exit_bochs();
    if (run_config()->exit == EXIT_REBOOT)
        reset_board();
    for (;;)
        __asm__ volatile("hlt");
}

_Noreturn void fatal_refusal(const struct refusal *why)
{
    fatal(refusal_text(why, (char[REFUSAL_TEXT]){ 0 }));
}
