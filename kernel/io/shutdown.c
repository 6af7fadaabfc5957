/* SPDX-License-Identifier: MIT */
/* The end of the image, in the way that exit= says. */
#include "kernel/io/shutdown.h"

#include "drivers/reset.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"

_Noreturn void shutdown(bool success)
{
    cpu_interrupts_off();
    screen_paint(); /* the last page stays */
    stream_uart_flush();
    if (run_config()->exit == EXIT_QEMU)
        reset_exit_qemu(success);
    if (run_config()->exit == EXIT_BOCHS)
        reset_exit_bochs();
    if (run_config()->exit == EXIT_REBOOT)
        reset_board();
    for (;;)
        __asm__ volatile("hlt");
}

_Noreturn void fatal_refusal(const struct refusal *why)
{
    fatal(refusal_text(why, (char[REFUSAL_TEXT]){ 0 }));
}
