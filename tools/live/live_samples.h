/* SPDX-License-Identifier: MIT */
/*
 * The raw samples of the newest part of a live view's stream, kept as the frames that they came in, so that the code
 * of any task can be told.  Memory is bounded: half a megabyte to one, by tools/serve/line_history.h.  Host.
 */
#pragma once

#include "tools/model/stream_model.h"
#include "tools/serve/line_history.h"

/* All zeros at first. */
struct live_samples {
    struct stream_preface preface;
    struct line_history history;
    bool any; /* frames of samples came */
};

/* Keep an event's frame where it belongs to raw samples. */
void live_samples_add_event(struct live_samples *s, const struct stream_event *event);

/*
 * Read what is kept into a model, which the caller frees; its epoch `id` with the samples added up, or NULL: it has
 * none.  `told` of these counts from the first that is kept.
 */
struct epoch *live_samples_read(const struct live_samples *s, struct model *m, uint64_t id);

void live_samples_free(struct live_samples *s);
