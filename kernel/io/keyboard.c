/* SPDX-License-Identifier: MIT */
/* The keyboard as the line that is not there. */
#include "kernel/io/keyboard.h"

#include "drivers/keyboard.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/timer.h"

#define LOOK_US 10000u
#define CODES   16u /* a look at most: what a keyboard holds */

static struct scancode_keys keys; /* interrupts, as all here */

/* Called by the system clock. */
static void look(void)
{
    uint8_t code;

    for (unsigned i = 0; i < CODES && i8042_read(&code); i++) {
        char text[SCANCODE_TEXT];

        for (const char *c = scancode_take(&keys, code, text); *c != '\0'; c++)
            stream_uart_rx_put((uint8_t)*c);
    }
}

bool keyboard_start(void)
{
    if (!i8042_init())
        return false;
    timer_set_poll(look, timer_us_to_clocks(LOOK_US));
    return true;
}
