/* SPDX-License-Identifier: MIT */
/* The account log between two moments. */
#include "tools/analysis/acct_diff.h"

#include <stdlib.h>
#include <string.h>

#include "probe/core/mode.h"
#include "tools/analysis/monitor_times.h"
#include "tools/base/hash_index.h"

uint64_t acct_time(const struct wire_acct_row *r)
{
    return r->user + r->supervisor + r->kernel + r->interrupt;
}

/* The moment at or before `when`; 0: there is none. */
static uint64_t moment(const struct record_store *s, uint64_t when)
{
    uint64_t found = 0;

    for (size_t i = 0; i < s->row.count && record_time_of(s, i) <= when; i++)
        found = record_time_of(s, i);
    return found;
}

static struct acct_task *task_of(struct acct_diff *d, struct index *known, uint64_t number)
{
    return INDEX_ROW(known, number, d->task, d->tasks, NULL);
}

/* Counters of the same task: what is smaller later, which no image sends, counts as nothing. */
static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void subtract(struct wire_acct_row *r, const struct wire_acct_row *before)
{
    r->user = less(r->user, before->user);
    r->supervisor = less(r->supervisor, before->supervisor);
    r->kernel = less(r->kernel, before->kernel);
    r->interrupt = less(r->interrupt, before->interrupt);
    r->switches = less(r->switches, before->switches);
    r->calls = less(r->calls, before->calls);
    r->denied = less(r->denied, before->denied);
    r->io = less(r->io, before->io);
    r->io_time = less(r->io_time, before->io_time);
    r->activations = less(r->activations, before->activations);
    r->response = less(r->response, before->response);
}

static int by_number(const void *a, const void *b)
{
    const struct acct_task *x = a, *y = b;

    return x->used.task < y->used.task ? -1 : x->used.task > y->used.task;
}

/* Each task as it was last told up to the second moment; the difference to the first one. */
static void fill(struct acct_diff *d, const struct record_store *s)
{
    struct acct_diff old = {.task = NULL};
    struct index known = {0}, before = {0};

    for (size_t i = 0; i < s->row.count && record_time_of(s, i) <= d->to; i++) {
        const struct wire_acct_row *const row = record_row(s, i);

        if (record_time_of(s, i) <= d->from)
            task_of(&old, &before, row->task)->used = *row;
        else
            task_of(d, &known, row->task)->used = *row;
    }
    for (size_t i = 0; i < d->tasks; i++) {
        struct acct_task *t = &d->task[i];
        const size_t first = index_find(&before, t->used.task);

        t->is_new = first == INDEX_NONE;
        t->gone = t->used.ended;
        if (!t->is_new)
            subtract(&t->used, &old.task[first].used);
        t->touched = acct_time(&t->used) || t->used.calls || t->used.switches;
    }
    if (d->tasks)
        qsort(d->task, d->tasks, sizeof(*d->task), by_number);
    acct_diff_free(&old);
    index_free(&known);
    index_free(&before);
}

/* Of the log's moment at this time; 0: there is none. */
static uint64_t serial_at(const struct record_store *s, uint64_t time)
{
    const struct wire_acct *const head = record_head(s, 0);

    for (size_t i = 0; i < s->head.count; i++)
        if (head[i].time == time)
            return head[i].serial;
    return 0;
}

/* Ranges are read right after their moment, with its serial.  A counter does not go down. */
static void fill_ranges(struct acct_diff *d, const struct epoch *e, uint64_t begin)
{
    const struct record_store *const acct = epoch_kept(e, WIRE_ACCT), *const s = epoch_kept(e, WIRE_RANGES);
    const uint64_t from = serial_at(acct, d->from), to = serial_at(acct, d->to);
    struct wire_ranges_row old[WIRE_RANGE_MAX + 1] = {{.times = 0}};
    uint64_t first = begin, last = begin;

    for (size_t i = 0; i < s->row.count; i++) {
        const struct wire_ranges *const head = record_head(s, record_head_of(s, i));
        const struct wire_ranges_row *const row = record_row(s, i);

        if (head->serial > to)
            break;
        *(head->serial <= from ? &first : &last) = head->time;
        *(head->serial <= from ? &old[row->event] : &d->range[row->event]) = *row;
    }
    d->ranged = less(last, first);
    for (unsigned event = 0; event <= WIRE_RANGE_MAX; event++) {
        d->range[event].times = less(d->range[event].times, old[event].times);
        d->range[event].time = less(d->range[event].time, old[event].time);
    }
}

bool acct_diff_make(struct acct_diff *d, const struct epoch *e, uint64_t from, uint64_t to)
{
    const struct record_store *const s = epoch_kept(e, WIRE_ACCT);
    const uint64_t begin = epoch_window_begin(e);

    memset(d, 0, sizeof(*d));
    d->from = moment(s, from);
    d->to = moment(s, to);
    if (!d->to || d->to <= d->from)
        return false;
    fill(d, s);
    fill_ranges(d, e, begin);
    if (!d->from)
        d->from = begin;
    return true;
}

/* ---- moment by moment ---- */

/* A task at the moment in question and at the last one before that tells of it. */
struct acct_step {
    struct wire_acct_row used, before;
    size_t moment; /* index after the last entry of the moment that told it last */
};

/* Take the entries from `i` of one moment; returns the index after the last. */
static size_t take_moment(struct acct_step **step, size_t *steps, struct index *known,
                          const struct record_store *s, size_t i)
{
    size_t end = i;

    while (end < s->row.count && record_time_of(s, end) == record_time_of(s, i))
        end++;
    for (; i < end; i++) {
        const struct wire_acct_row *row = record_row(s, i);
        struct acct_step *const t = INDEX_ROW(known, row->task, *step, *steps, NULL);

        if (t->moment != end)
            t->before = t->used;
        t->used = *row;
        t->moment = end;
    }
    return end;
}

/* Add up the tasks that the moment tells, each once. */
static void add_moment(struct acct_stretch *l, struct acct_step *step, const struct index *known,
                       const struct record_store *s, size_t i, size_t end)
{
    for (; i < end; i++) {
        const struct wire_acct_row *const row = record_row(s, i);
        struct acct_step *const t = &step[index_find(known, row->task)];
        struct wire_acct_row used = t->used;
        uint64_t time;

        if (!t->moment)
            continue;
        t->moment = 0;
        subtract(&used, &t->before);
        time = acct_time(&used);
        l->all += time;
        l->idle += used.id == ROW_IDLE ? time : 0;
    }
}

void acct_each_stretch(const struct epoch *e, void each(void *context, const struct acct_stretch *l), void *context)
{
    const struct record_store *const s = epoch_kept(e, WIRE_ACCT);
    struct acct_step *step = NULL;
    struct index known = {0};
    size_t steps = 0;
    uint64_t from = 0;

    for (size_t i = 0, end; i < s->row.count; i = end) {
        struct acct_stretch l = {.from = from ? from : epoch_window_begin(e), .to = record_time_of(s, i)};

        end = take_moment(&step, &steps, &known, s, i);
        add_moment(&l, step, &known, s, i, end);
        if (l.to)
            each(context, &l);
        from = l.to;
    }
    index_free(&known);
    free(step);
}

void acct_diff_free(struct acct_diff *d)
{
    free(d->task);
}
