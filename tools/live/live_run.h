/* SPDX-License-Identifier: MIT */
/*
 * Keeps a run as a live view sees it: the last snapshot, what happened since the one before, and the newest raw
 * samples.  Changes are not kept, and memory does not grow with the stream, whatever it holds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/table.h"
#include "tools/archive/stream_preface.h"
#include "tools/model/stream_model.h"
#include "tools/serve/line_history.h"

#define LIVE_TEXT 160 /* bytes of a sentence, its end included */

struct live_run {
    struct model model;     /* of the stream since `forgot`, without what grows with the run */
    struct stream_preface preface; /* what a model that begins anew is given */
    uint64_t forgot, heard; /* byte of the stream where the model began; bytes so far */

    bool has_whole, has_last;
    bool baseless;          /* no table yet, and what came only tells what changed since one */
    uint64_t epoch;         /* of `whole` */
    uint64_t epochs;        /* that began so far */
    uint64_t snapshots;     /* that arrived whole so far */
    struct snapshot *whole, *last, *before; /* since the epoch began; since the snapshot before; that one */
    struct table_options options; /* of both tables: the estimator of the epoch's policy */
    struct wire_hello hello; /* of the epoch; its texts are not valid */
    char source[16], policy[16]; /* of its ticks; "" where they are not told */
    char words[CONFIG_LINE];     /* its configuration */
    double mean;             /* interval of the ticks, clock units; 0: not known */
    /* of tick=A,B the source whose table is not shown, and where it differs most; "" there is none */
    char beside[LIVE_TEXT];
    uint64_t beside_of;      /* which of its snapshots that is of; 0: none */

    bool ended, ended_well;
    char reason[LIVE_TEXT];  /* of the end */
    char health[LIVE_TEXT];  /* of the source, as the image found it; "" not told */
    char said[LIVE_TEXT];    /* the image's last warning or error; "" none */
};

void live_run_init(struct live_run *r);
void live_run_free(struct live_run *r);

/* Take an event of the decoder.  True: another snapshot is in `whole`. */
bool live_run_add_event(struct live_run *r, const struct stream_event *event);

/* The epoch of `whole` as long as the model holds it, with its snapshot; NULL: it was forgotten. */
struct epoch *live_run_epoch(struct live_run *r);

/*
 * Copy the two tables of `r` and what they need; `to` is all zeros or such a copy, and is freed by live_run_free().
 */
void live_run_copy(struct live_run *to, const struct live_run *r);

/* Seconds of the run that `whole` is of, or `last`; 0 where the clock's rate is not known. */
double live_run_seconds(const struct live_run *r, const struct snapshot *s);

/*
 * The raw samples of the newest part of a live view's stream, kept as the frames that they came in, so that the code
 * of any task can be told.  Memory is bounded: half a megabyte to one, by tools/serve/line_history.h.
 */

/* All zeros at first. */
struct live_samples {
    struct stream_preface preface;
    struct line_history history;
    bool any; /* frames of samples came */
};

/* Keep an event's frame where it belongs to raw samples. */
void live_samples_add_event(struct live_samples *s, const struct stream_event *event);

/*
 * Read what is kept into a model of zeros, which the caller frees; its epoch `id` with the samples added up, or NULL:
 * it has none.  `told` of these counts from the first that is kept.
 */
struct epoch *live_samples_read(const struct live_samples *s, struct model *m, uint64_t id);

void live_samples_free(struct live_samples *s);
