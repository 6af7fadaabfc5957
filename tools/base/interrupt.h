/* SPDX-License-Identifier: MIT */
/* The signals that ask a program to end, noted so that it can put things in order first. */
#ifndef TOOLS_BASE_INTERRUPT_H
#define TOOLS_BASE_INTERRUPT_H

#include <signal.h>

/* The number of the signal that came; 0: none did. */
extern volatile sig_atomic_t interrupted;

/*
 * Note SIGINT, SIGTERM and SIGHUP from here on, each once: a second one ends the
 * program.  A SIGHUP that is ignored, as nohup(1) has it, stays ignored.
 */
void interrupt_watch(void);

#endif
