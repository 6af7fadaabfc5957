/* SPDX-License-Identifier: MIT */
/*
 * Tells the boots of a board apart, which no field of HELLO names: one whose clock began anew, or that followed
 * the first message of a boot.  Both are needed: a board that is reset within its first second may have told no
 * later time than its next first HELLO does, and a first message may be damaged.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/stream/frame_decoder.h"

/* All zeros at first. */
struct boot_watch {
    uint64_t epoch; /* of the last HELLO; 0: none came */
    uint64_t now;   /* the latest time that the board told, clock units since its start */
    /* a message of no epoch came behind the last HELLO: only a boot before its first HELLO sends one */
    bool greeted;
};

/* Take the decoder's next event; whether it is the first HELLO of a boot. */
bool boot_watch_event(struct boot_watch *b, const struct stream_event *event);
