/* SPDX-License-Identifier: MIT */
/* An index never changes its meaning in an epoch: the first definition stays. */
#include "tools/records/epoch_events.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

struct epoch_events *epoch_events_new(void)
{
    struct epoch_events *e = xrealloc_array(NULL, 1, sizeof(*e));

    memset(e, 0, sizeof(*e));
    return e;
}

void epoch_events_free(struct epoch_events *e)
{
    if (!e)
        return;
    free(e->key);
    free(e);
}

static bool take_key(struct epoch_events *e, size_t index, struct event_key key)
{
    while (e->keys <= index) {
        GROW(e->key, e->keys);
        e->key[e->keys++] = (struct event_key){0};
    }
    if (!e->key[index].class)
        e->key[index] = key;
    return e->key[index].class == key.class && e->key[index].argument == key.argument;
}

static bool take_keys(struct epoch_events *e, struct wire_reader *r)
{
    struct wire_event_keys head;
    struct wire_event_keys_row row;
    struct event_key key;
    bool sound = true;

    wire_read_head(r, &head);
    while (wire_read_row(r, &row))
        sound &= event_read_key(&row, &key) && key.class && take_key(e, row.index, key);
    return sound;
}

static void note_recorded(struct epoch_events *e, uint64_t recorded)
{
    if (recorded > e->recorded && recorded < EVENT_NUMBER_MAX)
        e->recorded = recorded;
}

/* Counters never go down.  A class of a later version has no counter here. */
static bool take_counts(struct epoch_events *e, struct wire_reader *r)
{
    struct wire_event_counts head;
    struct wire_event_counts_row row;
    bool sound;

    wire_read_head(r, &head);
    sound = head.overwritten <= head.recorded && head.recorded < EVENT_NUMBER_MAX &&
            (!e->counted || (head.recorded >= e->counts.recorded && head.lost >= e->counts.lost));
    e->counts = head;
    e->counted = true;
    note_recorded(e, head.recorded);
    while (wire_read_row(r, &row)) {
        if (row.class >= TRACE_CLASSES_END)
            continue;
        sound &= row.count >= e->count[row.class];
        e->count[row.class] = row.count;
    }
    return sound;
}

/* Hits never get fewer. */
static bool take_rules(struct epoch_events *e, struct wire_reader *r)
{
    struct wire_rules_row row;
    bool sound = true;

    wire_read_head(r, &e->rules);
    while (wire_read_row(r, &row)) {
        if (row.rule >= EVENT_RULES_MAX)
            return false;
        sound &= row.hits >= e->rule[row.rule].hits;
        e->rule[row.rule] = row;
    }
    return sound;
}

bool epoch_events_add_frame(struct epoch_events *e, struct wire_reader *r)
{
    struct wire_events head; /* of either kind of frame: PACKED_EVENTS has the same fields */

    if (r->type == WIRE_EVENT_KEYS)
        return take_keys(e, r);
    if (r->type == WIRE_EVENT_COUNTS)
        return take_counts(e, r);
    if (r->type == WIRE_RULES)
        return take_rules(e, r);
    wire_read_head(r, &head);
    if (head.first < EVENT_NUMBER_MAX && head.count <= EVENT_FRAME_MAX)
        note_recorded(e, head.first + head.count);
    return head.first < EVENT_NUMBER_MAX && head.count <= EVENT_FRAME_MAX;
}

struct event_key epoch_events_key(const struct epoch_events *e, const struct event_sent *sent)
{
    if (sent->index == DICTIONARY_NONE)
        return (struct event_key){sent->argument, sent->class};
    return e != NULL && sent->index < e->keys ? e->key[sent->index] : (struct event_key){0};
}
