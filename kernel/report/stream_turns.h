/* SPDX-License-Identifier: MIT */
/*
 * The turns of what is sent beside the samples (docs/PROTOCOL.md, "Turns"): who sends, names and programs, and
 * snapshots, whole or as deltas.  Whoever attaches at any time knows all of it within STREAM_TURN seconds and the
 * time that the line takes, and by the sizes of what was sent last all of it together stays below STREAM_BUDGET
 * bytes a second, unless that promise alone takes more.  Any context; nothing here waits or sends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STREAM_TURN   8u   /* seconds; a power of two */
#define STREAM_BUDGET 680u /* bytes a second */

enum stream_turn { STREAM_WHOLE, STREAM_HELLO, STREAM_NAMES, STREAM_PROGRAMS, STREAM_DELTA, STREAM_TURNS };

struct stream_turns {
    uint32_t since[STREAM_TURNS]; /* seconds since it was sent */
    uint32_t bytes[STREAM_TURNS]; /* that it took when it was sent last; 0: not known */
};

/* An epoch begins with all of it; HELLO and PROGRAMS have been sent. */
void stream_turns_begin(struct stream_turns *t);

/* A second has passed. */
void stream_turns_second(struct stream_turns *t);

/* Whether it is due.  STREAM_DELTA: a snapshot is, whole or as a delta. */
bool stream_turns_due(const struct stream_turns *t, enum stream_turn what);

/* It was sent. */
void stream_turns_sent(struct stream_turns *t, enum stream_turn what, uint64_t bytes);

/* Seconds from one snapshot to the next: 1, 2 or 4. */
uint32_t stream_turns_interval(const struct stream_turns *t);
