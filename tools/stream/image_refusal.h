/* SPDX-License-Identifier: MIT */
/*
 * Tells why an image gives up before its run: the sentence "cpuprobe: error: ...", plain text or a TEXT record,
 * that comes before any HELLO.  An image that refuses a configuration word ends so, whatever form of output was
 * asked for, and then says nothing more.  Each message is printed on standard error at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/stream/frame_decoder.h"

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
