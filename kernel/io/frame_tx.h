/* SPDX-License-Identifier: MIT */
/* Frames on the serial line: sequence numbers, and what found no room. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"

/*
 * End the frame and put it on the line.  False, and counted, where there was no
 * room: its sequence number is used up, so that the host sees the gap.  One task
 * at a time (PROBE; before it runs, the start of the image).
 */
bool frame_tx_send(struct wire_writer *w);

/* Memory for a frame that is begun and sent before the next one of this room. */
struct wire_writer *frame_tx_writer(void);

/* The same, as the encoders of probe/ call it with each frame. */
void frame_tx_take(void *context, struct wire_writer *w);

/* The identifier of the epoch in which frames are sent: drawn at the start, then by task PROBE. */
uint64_t frame_tx_epoch(void);
void frame_tx_set_epoch(uint64_t identifier);

/* Begin an epoch: its frames count from 0.  Task PROBE. */
void frame_tx_restart(void);

/* A frame with a head and no rows. */
bool frame_tx_send_head(enum wire_type type, const void *head);

/*
 * A record with rows, in as many frames as it needs (probe/stream/record_frames.h): begin, put its rows, end; or end
 * without a frame where there was no row.  One record at a time.
 */
void frame_tx_begin(enum wire_type type, const void *head);
bool frame_tx_row(const void *row);
void frame_tx_end(void);
void frame_tx_end_rows(void);

/*
 * The row at `*at`, 0 for the first, or behind it; `*at` is moved past it.  NULL: no more.
 * Valid until the next call.
 */
typedef const void *frame_tx_rows(uint32_t *at);

/* A record of a snapshot, whose epoch and serial are set here, with all its rows; NULL: it has none. */
void frame_tx_record(enum wire_type type, void *head, uint64_t serial, frame_tx_rows *rows);

/* The number of its own that the next TEXT, FAULT, REPORT or OUTPUT has. */
uint64_t frame_tx_number(enum wire_type type);

/* SENT: how many frames the epoch has so far. */
void frame_tx_send_counts(void);

/*
 * From now on frames go into this memory instead, numbered from 0 and counted there; NULL: to the line again.  `cut`:
 * one found no room.  Task PROBE.
 */
struct frame_capture {
    uint8_t *bytes;
    size_t size, length;
    struct wire_sent sent;
    bool cut;
};
void frame_tx_capture(struct frame_capture *to);

/* Bytes of all frames that found room. */
uint64_t frame_tx_bytes(void);

/* Frames that found no room. */
uint64_t frame_tx_dropped(void);
