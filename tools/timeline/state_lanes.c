/* SPDX-License-Identifier: MIT */
/* Reads states frame by frame: classes from STATES, steps from TRANSITIONS, and the gaps in both. */
#include "tools/timeline/lanes.h"

/* What is missing, by cause: numbers that are skipped did not arrive; runs of class CLASS_GAP tell the rest. */

void class_lane_begin(struct class_lane *l, const struct epoch *e)
{
    l->epoch = e;
    l->batch.count = l->at = 0;
    l->entered = true;
    l->expected = l->late = 0;
    l->time = e->head_count && e->first_head.begin < CLASS_TIME_END ? (int64_t)e->first_head.begin : 0;
    l->any = l->ended = false;
    l->back_most = timeline_back_most(e);
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

/*
 * A change of cell ends a step; numbers that are skipped make a gap.  The log tells lengths only:
 * after a gap no time is known, and times count from where the gap began.
 */

#define CELLS (2u * MODES)

#define TIME_MAX ((int64_t)1 << 62) /* no run reaches it; differences of times fit in 64 bits */

void transition_steps_begin(struct transition_steps *s, const struct epoch *e)
{
    *s = (struct transition_steps){.meaning = e->transitions,
                                   .time_known = e->head_count && e->first_head.begin < TIME_MAX};
    if (s->time_known)
        s->time = (int64_t)e->first_head.begin;
    s->back_most = timeline_back_most(e);
}

void transition_steps_frame(struct transition_steps *s, const struct wire_reader *frame)
{
    struct wire_transitions head;

    s->rows = *frame;
    wire_read_head(&s->rows, &head);
    s->number = head.first;
    s->any = true;
    s->held = wire_read_row(&s->rows, &s->row);
}

static void put_step_gap(struct transition_steps *s, struct timeline_item *to, uint64_t missing, enum gap_cause cause)
{
    to->kind = TIMELINE_GAP;
    to->gap = (struct timeline_gap){s->time, s->time, missing, cause};
    s->expected += missing;
    s->time_known = false;
}

/* Changes up to this one are missing: those that the log dropped, then those that were lost on the way. */
static void put_missing(struct transition_steps *s, struct timeline_item *to, uint64_t up_to)
{
    const uint64_t dropped = s->meaning ? s->meaning->lost : 0;

    if (s->expected < dropped)
        put_step_gap(s, to, (up_to < dropped ? up_to : dropped) - s->expected, GAP_OVERWRITTEN);
    else
        put_step_gap(s, to, up_to - s->expected, GAP_FRAMES);
}

static void advance(struct transition_steps *s)
{
    s->number++;
    s->held = wire_read_row(&s->rows, &s->row);
}

static void skip_late(struct transition_steps *s)
{
    while (s->held && s->number < s->expected) {
        s->late++;
        advance(s);
    }
}

/* The image's interrupts do not nest. */
static void set_cell(struct timeline_step *step, const struct transitions *meaning, uint64_t cell)
{
    const uint64_t task = (cell - 1) / CELLS;

    step->monitor = !cell;
    if (step->monitor)
        return;
    step->mode = (enum mode)((cell - 1) % CELLS / 2);
    step->masked = (cell - 1) & 1;
    step->nesting = step->mode == MODE_INTERRUPT;
    step->known |= KNOWN_MODE | KNOWN_MASKED | KNOWN_NESTING;
    if (!meaning || task >= meaning->ids || meaning->id[task] == UINT64_MAX)
        return;
    step->task = (uint32_t)meaning->id[task];
    step->known |= KNOWN_TASK;
}

static void put_step(struct transition_steps *s, struct timeline_item *to)
{
    const int64_t length = wire_unzigzag(s->row.time);
    int64_t end;

    if (length < -s->back_most || __builtin_add_overflow(s->time, length, &end) || end >= TIME_MAX) {
        put_step_gap(s, to, 1, GAP_BACKWARDS);
        return;
    }
    s->expected++;
    to->kind = TIMELINE_STEP;
    to->step = (struct timeline_step){
        .begin = s->time, .length = length, .call = CALL_NONE, .known = s->time_known ? KNOWN_TIME : 0,
    };
    set_cell(&to->step, s->meaning, s->row.cell);
    s->time = end;
}

bool transition_steps_next(struct transition_steps *s, struct timeline_item *to)
{
    skip_late(s);
    if (s->held && s->number > s->expected) {
        put_missing(s, to, s->number);
        return true;
    }
    if (s->held) {
        put_step(s, to);
        advance(s);
        return true;
    }
    if (!s->ended || !s->any)
        return false;
    s->any = false;
    if (s->meaning && s->meaning->told > s->expected)
        put_missing(s, to, s->meaning->told);
    else if (!s->meaning || !s->meaning->told)
        put_step_gap(s, to, 0, GAP_CUT);
    else
        return false;
    return true;
}
