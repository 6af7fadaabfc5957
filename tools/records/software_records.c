/* SPDX-License-Identifier: MIT */
/* The records of the software monitors. */
#include "tools/records/software_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/records/record_roles.h"

/* An interrupt may end a halt a little after the reading of the clock that closed the window. */
static bool is_possible(const struct wire_idle *i)
{
    return i->begin <= i->end && i->idle <= i->end - i->begin && i->io <= i->idle;
}

static bool follows(const struct wire_idle *i, const struct wire_idle *before)
{
    return head_follows(WIRE_IDLE, i, before) && i->idle - before->idle <= i->end - before->end;
}

size_t software_add_idle(struct software_records *s, const struct wire_idle *from, struct violations **v)
{
    if (!is_possible(from)) {
        violation_note(v, VIOLATION_VALUE, "IDLE of snapshot %" PRIu64, from->serial);
        return 0;
    }
    if (s->idle_count && !follows(from, &s->idle[s->idle_count - 1])) {
        violation_note(v, VIOLATION_BACKWARD, "IDLE of snapshot %" PRIu64, from->serial);
        return 0;
    }
    GROW(s->idle, s->idle_count);
    s->idle[s->idle_count++] = *from;
    return sizeof(*from);
}

size_t software_add_disk(struct software_records *s, const struct wire_disk *from, struct violations **v)
{
    if (from->done > from->requests || from->busy > from->time) {
        violation_note(v, VIOLATION_VALUE, "DISK");
        return 0;
    }
    if (s->disk_count && !head_follows(WIRE_DISK, from, &s->disk[s->disk_count - 1])) {
        violation_note(v, VIOLATION_BACKWARD, "DISK");
        return 0;
    }
    GROW(s->disk, s->disk_count);
    s->disk[s->disk_count++] = *from;
    return sizeof(*from);
}

/* Find or make the vector. */
static struct intercept_vector *vector_of(struct software_records *s, uint64_t vector)
{
    for (size_t i = 0; i < s->vector_count; i++)
        if (s->vector[i].row.vector == vector)
            return &s->vector[i];
    GROW(s->vector, s->vector_count);
    memset(&s->vector[s->vector_count], 0, sizeof(*s->vector));
    s->vector[s->vector_count].row.vector = vector;
    return &s->vector[s->vector_count++];
}

static bool is_possible_vector(const struct wire_intercept_row *r, const struct wire_intercept *head)
{
    const uint64_t window = head->end - head->begin;

    return r->vector < 256 && r->tick <= 1 && r->count && r->latencies <= r->count && r->greatest <= r->time &&
           r->latency_greatest <= r->latency && r->time <= window;
}

static void keep_name(struct intercept_vector *to, struct wire_text name)
{
    const size_t length = name.length < sizeof(to->name) - 1 ? name.length : sizeof(to->name) - 1;

    for (size_t i = 0; i < length; i++)
        to->name[i] = name.bytes[i] >= ' ' && name.bytes[i] <= '~' ? name.bytes[i] : '?';
    to->name[length] = '\0';
}

static void add_vector(struct software_records *s, const struct wire_intercept_row *from, struct violations **v)
{
    struct intercept_vector *const to = vector_of(s, from->vector);

    if (!row_follows(WIRE_INTERCEPT, from, &to->row)) {
        violation_note(v, VIOLATION_BACKWARD, "INTERCEPT, vector %" PRIu64, from->vector);
        return;
    }
    to->row = *from;
    keep_name(to, from->name);
    to->row.name = (struct wire_text){NULL, 0};
}

size_t software_add_intercept(struct software_records *s, const struct wire_intercept *head, struct wire_reader *rows,
                              struct violations **v)
{
    const size_t before = s->vector_count;
    struct wire_intercept_row row;

    if (!head->serial || head->begin > head->end || head->serial < s->intercept.serial) {
        violation_note(v, VIOLATION_VALUE, "INTERCEPT of snapshot %" PRIu64, head->serial);
        return 0;
    }
    s->intercept = *head;
    while (wire_read_row(rows, &row)) {
        if (is_possible_vector(&row, head))
            add_vector(s, &row, v);
        else
            violation_note(v, VIOLATION_VALUE, "INTERCEPT, vector %" PRIu64, row.vector);
    }
    return (s->vector_count - before) * sizeof(*s->vector);
}

static bool is_possible_task(const struct wire_acct_row *r, uint64_t time)
{
    return r->task && r->ended <= 1 && r->id <= UINT32_MAX && r->denied <= r->calls && r->faults <= 1 && r->user <= time &&
           r->supervisor <= time && r->kernel <= time && r->interrupt <= time && r->response_greatest <= r->response;
}

size_t software_add_acct(struct software_records *s, const struct wire_acct *head, struct wire_reader *rows,
                         struct violations **v)
{
    const size_t before = s->acct_count, tasks = s->acct_of.count;
    struct acct_entry entry = {.serial = head->serial, .time = head->time};

    if (!head->serial || (before && (head->time < s->acct[before - 1].time || head->serial < s->acct[before - 1].serial))) {
        violation_note(v, VIOLATION_BACKWARD, "ACCT of snapshot %" PRIu64, head->serial);
        return 0;
    }
    s->acct_lost = head->lost;
    while (wire_read_row(rows, &entry.row)) {
        if (!is_possible_task(&entry.row, head->time)) {
            violation_note(v, VIOLATION_VALUE, "ACCT, task %" PRIu64, entry.row.task);
            continue;
        }
        index_put(&s->acct_of, entry.row.task, s->acct_count);
        GROW(s->acct, s->acct_count);
        s->acct[s->acct_count++] = entry;
    }
    return (s->acct_count - before) * sizeof(*s->acct) +
           (s->acct_of.count - tasks) * INDEX_BYTES;
}

/* The last entry of an event; NULL: there is none. */
static const struct range_entry *range_before(const struct software_records *s, uint64_t event)
{
    const size_t last = s->range_last ? s->range_last[event] : 0;

    return last ? &s->range[last - 1] : NULL;
}

static bool is_possible_range(const struct wire_ranges_row *r, uint64_t time)
{
    return r->event <= WIRE_RANGE_MAX && r->times && r->time <= time;
}

/* No counter goes down, and no more time is added than has passed. */
static bool goes_on(const struct software_records *s, const struct range_entry *e)
{
    const struct range_entry *before = range_before(s, e->row.event);

    return !before || (row_follows(WIRE_RANGES, &e->row, &before->row) &&
                       e->row.time - before->row.time <= e->time - before->time);
}

static void keep_range(struct software_records *s, const struct range_entry *e)
{
    if (!s->range_last) {
        s->range_last = xrealloc_array(NULL, WIRE_RANGE_MAX + 1, sizeof(*s->range_last));
        memset(s->range_last, 0, (WIRE_RANGE_MAX + 1) * sizeof(*s->range_last));
    }
    GROW(s->range, s->range_count);
    s->range[s->range_count++] = *e;
    s->range_last[e->row.event] = s->range_count;
}

size_t software_add_ranges(struct software_records *s, const struct wire_ranges *head, struct wire_reader *rows,
                           struct violations **v)
{
    const size_t before = s->range_count;
    struct range_entry entry = {.serial = head->serial, .time = head->time};

    if (!head->serial || (before && head->time < s->range[before - 1].time)) {
        violation_note(v, VIOLATION_BACKWARD, "RANGES of snapshot %" PRIu64, head->serial);
        return 0;
    }
    while (wire_read_row(rows, &entry.row)) {
        if (!is_possible_range(&entry.row, head->time))
            violation_note(v, VIOLATION_VALUE, "RANGES, event %" PRIu64, entry.row.event);
        else if (!goes_on(s, &entry))
            violation_note(v, VIOLATION_BACKWARD, "RANGES, event %" PRIu64, entry.row.event);
        else
            keep_range(s, &entry);
    }
    return (s->range_count - before) * sizeof(*s->range) + (before ? 0 : (WIRE_RANGE_MAX + 1) * sizeof(*s->range_last));
}

void software_records_free(struct software_records *s)
{
    free(s->idle);
    free(s->disk);
    free(s->vector);
    free(s->acct);
    index_free(&s->acct_of);
    free(s->range);
    free(s->range_last);
    memset(s, 0, sizeof(*s));
}
