/* SPDX-License-Identifier: MIT */
/* Counters are cumulative; a snapshot with many tasks has several frames of one head. */
#include "tools/records/procstat_records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/records/record_roles.h"

#define TIME_MOST (1ull << 62) /* clock units */
#define HZ_MOST   1000u
#define LOAD_MOST (1ull << 20)
#define NICE_LEAST (-20)
#define NICE_MOST  19

static bool is_possible(const struct wire_procstat *h)
{
    bool small = h->load1 <= LOAD_MOST && h->load5 <= LOAD_MOST && h->load15 <= LOAD_MOST;

    for (unsigned mode = 0; mode < TICK_MODES; mode++)
        small &= tick_usage_of(h)[mode] <= TICK_USAGE_MOST;
    return small && h->serial && h->begin <= h->end && h->hz && h->hz <= HZ_MOST;
}

/* No task has more ticks than all have together. */
static bool is_possible_task(const struct wire_procstat_row *r, const struct wire_procstat *h)
{
    const int64_t nice = wire_unzigzag(r->nice);

    return r->id <= UINT32_MAX && nice >= NICE_LEAST && nice <= NICE_MOST && r->user <= h->user + h->nice &&
           r->system <= h->system + h->irq;
}

static bool add_head(struct procstat_records *p, const struct wire_procstat *head, struct violations **v)
{
    const struct wire_procstat *const last = p->heads ? &p->head[p->heads - 1] : NULL;
    bool right = is_possible(head);

    if (!right)
        violation_note(v, VIOLATION_VALUE, "PROCSTAT of snapshot %" PRIu64, head->serial);
    if (right && last && memcmp(last, head, sizeof(*head)) == 0)
        return true; /* more tasks of the same */
    if (right && last && (!head_follows(WIRE_PROCSTAT, head, last) || head->serial == last->serial)) {
        violation_note(v, VIOLATION_BACKWARD, "PROCSTAT of snapshot %" PRIu64, head->serial);
        right = false;
    }
    if (!right)
        return false;
    GROW(p->head, p->heads);
    p->head[p->heads++] = *head;
    p->newest = p->tasks;
    return true;
}

size_t procstat_records_add(struct procstat_records *p, const struct wire_procstat *head, struct wire_reader *rows,
                            struct violations **v)
{
    const size_t heads = p->heads, tasks = p->tasks;
    struct procstat_task task = {.serial = head->serial};

    if (!add_head(p, head, v))
        return 0;
    while (wire_read_row(rows, &task.row)) {
        if (!is_possible_task(&task.row, head) || p->tasks - p->newest == PROCSTAT_TASKS) {
            violation_note(v, VIOLATION_VALUE, "PROCSTAT, task %" PRIu64, task.row.number);
            continue;
        }
        GROW(p->task, p->tasks);
        p->task[p->tasks++] = task;
    }
    return (p->heads - heads) * sizeof(*p->head) + (p->tasks - tasks) * sizeof(*p->task);
}

/* Each reading took the least at least, and bounds that keep sums in 64 bits. */
static bool is_possible_read(const struct wire_procreads_row *r)
{
    return r->file < TICK_USAGE_FILES && r->reads && r->reads <= TIME_MOST && r->time <= TIME_MOST && r->bytes <= TIME_MOST &&
           r->least <= r->time / r->reads;
}

size_t procstat_records_add_reads(struct procstat_records *p, const struct wire_procreads *head, struct wire_reader *rows,
                                  struct violations **v)
{
    struct wire_procreads_row row;

    if (head->serial <= p->reads_serial) {
        violation_note(v, head->serial ? VIOLATION_BACKWARD : VIOLATION_VALUE, "PROCREADS of snapshot %" PRIu64, head->serial);
        return 0;
    }
    p->reads_serial = head->serial;
    while (wire_read_row(rows, &row)) {
        if (!is_possible_read(&row))
            violation_note(v, VIOLATION_VALUE, "PROCREADS, file %" PRIu64, row.file);
        else if (p->reads[row.file].reads && !row_follows(WIRE_PROCREADS, &row, &p->reads[row.file]))
            violation_note(v, VIOLATION_BACKWARD, "PROCREADS, file %" PRIu64, row.file);
        else
            p->reads[row.file] = row;
    }
    return 0;
}

void procstat_records_free(struct procstat_records *p)
{
    free(p->head);
    free(p->task);
    *p = (struct procstat_records){0};
}
