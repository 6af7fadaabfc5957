/* SPDX-License-Identifier: MIT */
/*
 * The protocol of tasks=messages, after the Multibus II's message passing (Thurner, "Performance Measurement
 * Using System Monitors", figure 6): a transfer is its start, one or more data, its end.  A word of it is a step
 * and a value; the user events of both tasks have the same numbers, which are the paper's classes.
 */
#pragma once

#include <stdint.h>

enum message_step {
    MESSAGE_IDLE = 0,
    MESSAGE_DATA = 1,  /* value: which datum of the transfer, from 1 */
    MESSAGE_START = 5, /* value: number of the transfer, from 1 */
    MESSAGE_END = 9,   /* value: the same */
};

#define MESSAGE_STEP_BITS 8 /* of a word and of the argument of a user event; the value is above them */
#define MESSAGE_WORD(step, value) ((uint64_t)(step) | (uint64_t)(value) << MESSAGE_STEP_BITS)

/* Argument of the sender: of 1000 transfers so many lack their end. */
#define SENDER_FAULTS 0xffffu
