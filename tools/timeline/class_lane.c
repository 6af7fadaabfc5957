/* SPDX-License-Identifier: MIT */
/* What is missing, by cause: numbers that are skipped did not arrive; runs of class CLASS_GAP tell the rest. */
#include "tools/timeline/class_lane.h"

/* the account may be ahead of the clock by some instructions, not by a millisecond */
#define BACK_MOST_PER_SECOND 1000

void class_lane_begin(struct class_lane *l, const struct epoch *e)
{
    l->epoch = e;
    l->batch.count = l->at = 0;
    l->entered = true;
    l->expected = l->late = 0;
    l->time = e->head_count && e->first_head.begin < CLASS_TIME_END ? (int64_t)e->first_head.begin : 0;
    l->any = l->ended = false;
    l->back_most = (int64_t)(e->hello.clock_hz / BACK_MOST_PER_SECOND);
}

void class_lane_frame(struct class_lane *l, const struct wire_reader *frame)
{
    struct wire_reader r = *frame;

    l->at = 0;
    l->entered = !class_decode(&l->batch, &r);
    l->any = true;
}

static bool put_gap(struct timeline_item *to, int64_t begin, int64_t end, uint64_t missing, enum gap_cause cause)
{
    *to = (struct timeline_item){TIMELINE_GAP, .gap = {begin, end > begin ? end : begin, missing, cause}};
    return true;
}

/* A gap before the batch, if there is one.  Runs that came already are left out. */
static bool enter_batch(struct class_lane *l, struct timeline_item *to)
{
    struct class_batch *b = &l->batch;
    const int64_t begin = l->time;

    if (b->first > l->expected) {
        const uint64_t missing = b->first - l->expected;

        l->expected = b->first;
        l->time = (int64_t)b->time;
        return put_gap(to, begin, l->time, missing, GAP_FRAMES);
    }
    l->entered = true;
    while (l->at < b->count && b->first + l->at < l->expected) {
        l->at++;
        l->late++;
    }
    return false;
}

static bool put_stretch(struct timeline_item *to, const struct class_stretch *run)
{
    static const enum gap_cause cause[] = {
        [CLASS_GAP_PAUSED] = GAP_PAUSED, [CLASS_GAP_NO_ROOM] = GAP_NO_ROOM,
        [CLASS_GAP_OVERWRITTEN] = GAP_OVERWRITTEN, [CLASS_GAP_UNKNOWN] = GAP_UNKNOWN,
    };
    const int64_t begin = (int64_t)run->begin, end = (int64_t)run->end;

    if (run->code == CLASS_GAP)
        return put_gap(to, begin, end, class_gap_missing(run->attribute), cause[class_gap_cause(run->attribute)]);
    *to = (struct timeline_item){
        TIMELINE_CLASS, .class = {begin, end - begin, run->attribute, run->code, run->attributed},
    };
    return true;
}

static bool next_run(struct class_lane *l, struct timeline_item *to)
{
    const struct class_stretch *run = &l->batch.run[l->at];
    const int64_t before = l->time;

    l->time = (int64_t)run->end;
    l->expected++;
    l->at++;
    if ((int64_t)run->begin < before - l->back_most || run->end + (uint64_t)l->back_most < run->begin)
        return put_gap(to, before, before, 1, GAP_BACKWARDS);
    return put_stretch(to, run);
}

bool class_lane_next(struct class_lane *l, struct timeline_item *to)
{
    if (!l->entered && enter_batch(l, to))
        return true;
    if (l->at < l->batch.count)
        return next_run(l, to);
    if (!l->ended || !l->any)
        return false;
    l->any = false;
    return !l->epoch->states.told && put_gap(to, l->time, l->time, 0, GAP_CUT);
}
