/* SPDX-License-Identifier: MIT */
/*
 * Tells the boots of a board apart, which no field of HELLO names: one whose clock began anew, or that followed the
 * first message of a boot.  Both are needed: a board that is reset within its first second may have told no later
 * time than its next first HELLO does, and a first message may be damaged.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
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

/*
 * Why an image gives up before its run: the sentence "cpuprobe: error: ...", plain
 * text or a TEXT record, that comes before any HELLO.  An image that refuses a
 * configuration word ends so, whatever form of output was asked for, and then says
 * nothing more.  Each message is printed on standard error at once.
 */

#define REFUSAL_SENTENCE 512 /* kernel/io/log.h cuts at 440 characters */

struct image_refusal {
    bool has_hello;       /* a HELLO came: later messages belong to a run */
    unsigned sentences; /* how many came */

    /* the rest is private to boot_watch.c */
    unsigned matched; /* characters of the opening */
    uint64_t column;  /* bytes since the line began */
    bool after_zero;  /* a zero came before the line, so it may be a frame */
    char line[REFUSAL_SENTENCE];
    size_t length;
};

/* Take received bytes; the struct is all zeros at first. */
void refusal_add_bytes(struct image_refusal *r, const uint8_t *bytes, size_t length);

/* Take the decoder's event for the same bytes. */
void refusal_add_event(struct image_refusal *r, const struct stream_event *event);

/* The line has ended, perhaps within a message. */
void refusal_finish(struct image_refusal *r);

/* Whether the image printed an error message and has not begun a run since. */
bool refusal_is_given(const struct image_refusal *r);
