/* SPDX-License-Identifier: MIT */
/*
 * Gives one epoch of a stream, piece by piece to a sink: what exports and pages are made from.  Memory does not grow
 * with the length of the stream.
 *
 *     struct epoch_pass *p = epoch_pass_open(path, 0);
 *
 *     if (!p)
 *         return EXIT_NO_DATA;
 *     epoch_pass_run(p, &(struct epoch_sink){.context = &mine, .on_sample = put_sample});
 *     code = report_verdict(path, epoch_pass_stream(p), epoch_pass_model(p), epoch_pass_epoch(p));
 *     epoch_pass_close(p);
 *
 * The stream is read a first time by epoch_pass_open(): everything but samples, states and events is known from there
 * on, as names, words, programs and the last snapshot.  What cannot be read twice is copied to a temporary file
 * first.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/model/stream_model.h"
#include "tools/samples/sample_reader.h"
#include "tools/stream/frame_decoder.h"
#include "tools/timeline/timeline.h"

struct timeline;

/* Numbers of samples that did not arrive: lost by the image, or on the line. */
struct sample_gap {
    uint64_t first, count; /* count above 0 */
};

/* What is wanted; NULL: not that.  Pointers are valid during the call. */
struct epoch_sink {
    void *context;
    void (*on_epoch)(void *context, const struct epoch *e); /* first */
    /* Samples in the order of their ticks, with the gaps between them; snapshots in the order of arrival. */
    void (*on_sample)(void *context, const struct resolved_sample *s);
    void (*on_lost)(void *context, const struct sample_gap *gap); /* before the sample that follows it */
    void (*on_snapshot)(void *context, const struct wire_snapshot *head); /* whole or not */
    void (*on_change)(void *context, const struct transition *t); /* of account=log, by number, each once */
    /* After these, in time order: steps, events and gaps; then classes of states, where the image recorded them. */
    void (*on_item)(void *context, const struct timeline_item *item);
    void (*on_end)(void *context); /* last */
    bool second; /* samples and snapshots of the epoch's second source instead, which it has */
};

struct epoch_pass;

/*
 * Open the stream at `path` ("-": standard input) and find its epoch: 0 for the last complete one, as for reports.
 * NULL, with a message, if there is none.
 */
struct epoch_pass *epoch_pass_open(const char *path, unsigned long epoch);

/* Give the epoch to a sink; it may be called again.  False, with a message, if the file cannot be read again. */
bool epoch_pass_run(struct epoch_pass *p, const struct epoch_sink *sink);
void epoch_pass_close(struct epoch_pass *p);

/* For report_verdict(); with epoch_name_of() the epoch names tasks.  `e->samples` is NULL where it has no samples. */
struct epoch *epoch_pass_epoch(const struct epoch_pass *p);
const struct model *epoch_pass_model(const struct epoch_pass *p);
const struct frame_decoder *epoch_pass_stream(const struct epoch_pass *p);

/* Whether every reading came to the end of the file; else a message was printed. */
bool epoch_pass_read_well(const struct epoch_pass *p);

/*
 * The samples, gaps, snapshots and changes alone, from a timeline that is open; `e` is what a first reading of the
 * same records made of them.  timeline_rewind() before the next item.
 */
void epoch_sink_records(struct timeline *t, const struct epoch *e, const struct epoch_sink *sink);
