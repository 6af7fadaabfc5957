/* SPDX-License-Identifier: MIT */
/* Notes the signals that ask a program to end, so that it can clean up first. */
#pragma once

#include <signal.h>

/* The number of the signal that arrived; 0: none. */
extern volatile sig_atomic_t interrupted;

/*
 * Note SIGINT, SIGTERM and SIGHUP from now on, each once: the second signal ends the program.
 * SIGHUP stays ignored if it is, as under nohup(1).
 */
void interrupt_watch(void);
