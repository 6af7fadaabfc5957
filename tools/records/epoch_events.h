/* SPDX-License-Identifier: MIT */
/*
 * What an epoch tells of its events besides the events themselves (monitor=events): the meaning of
 * their indexes, and their counts by class.  The events are read by tools/timeline/.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/event_decode.h"
#include "probe/trace/event_rules.h"

struct epoch_events {
    struct event_key *key; /* by index; of class 0: it did not arrive */
    size_t keys;
    struct wire_event_counts counts; /* the last that arrived */
    uint64_t count[TRACE_CLASSES_END]; /* the same by class */
    bool counted;                    /* one arrived */
    struct wire_rules rules;         /* the last that arrived; of epoch 0: none did */
    struct wire_rules_row rule[EVENT_RULES_MAX]; /* by the number of the rule */
    uint64_t recorded;               /* events that were recorded, as far as anything tells */
};

/* Begin.  Never NULL. */
struct epoch_events *epoch_events_new(void);
void epoch_events_free(struct epoch_events *e);

/* Take a frame of EVENTS, EVENT_KEYS, EVENT_COUNTS or RULES; false where it has a value that it cannot have. */
bool epoch_events_add_frame(struct epoch_events *e, struct wire_reader *r);

/*
 * The meaning of an event that was sent; its class is 0 where the key did not arrive.
 * e may be NULL: no record was taken.
 */
struct event_key epoch_events_key(const struct epoch_events *e, const struct event_sent *sent);
