/* SPDX-License-Identifier: MIT */
/* Stores the number of a signal in its handler. */
#include "tools/base/interrupt.h"

volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    interrupted = number;
}

void interrupt_watch(void)
{
    const struct sigaction on_signal = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    sigaction(SIGINT, &on_signal, NULL);
    sigaction(SIGTERM, &on_signal, NULL);
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &on_signal, NULL);
}
