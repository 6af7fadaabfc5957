/* SPDX-License-Identifier: MIT */
/*
 * Profiles from raw samples: each address an atom, and every pair of samples
 * known, so that any group of addresses has its exact changes.
 */
#include "tools/analysis/profile_samples.h"

#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"

/* Classes of places without an atom. */
enum { ELSEWHERE = -1, BELOW = -2, ABOVE = -3, UNKNOWN = -4 };

static int by_address(const void *left, const void *right)
{
    const struct profile_atom *a = left, *b = right;

    return (a->address > b->address) - (a->address < b->address);
}

/* The rows of late samples: their addresses tell where the delay ended. */
static bool is_late_row(uint32_t task)
{
    return task == ROW_MASKED || task == ROW_STOLEN;
}

/* A late sample belongs to row MASKED or STOLEN, not to the task and code at its address. */
uint32_t profile_row_of(const struct sample_place *place)
{
    if (place->delay == DELAY_NONE)
        return place->task;
    return place->delay == DELAY_STOLEN ? ROW_STOLEN : ROW_MASKED;
}

static bool is_in_late_row(const struct sample_place *place, uint32_t task)
{
    return place->delay != DELAY_NONE && task == profile_row_of(place);
}

static bool is_asked(const struct profile_request *q, const struct sample_place *place)
{
    if (is_late_row(q->task) || place->delay != DELAY_NONE)
        return is_in_late_row(place, q->task);
    return (!q->masked || place->masked) && (q->task == ROW_ANY || place->task == q->task) &&
           (q->all_modes || place->mode == q->mode);
}

static int class_of(const struct profile_request *q, const struct sample_place *place)
{
    if (!place->known)
        return UNKNOWN;
    if (!is_asked(q, place))
        return ELSEWHERE;
    if (!q->low && !q->high)
        return 0;
    if (place->pc < q->low)
        return BELOW;
    return place->pc < q->high ? 0 : ABOVE;
}

/* One atom for each address of a place, sorted. */
static void make_atoms(struct profile *p, const struct samples *s, const int32_t *class)
{
    size_t kept = 0;

    p->atom = xrealloc_array(NULL, s->places + 1, sizeof(*p->atom));
    for (size_t i = 0; i < s->places; i++)
        if (class[i] == 0)
            p->atom[p->atoms++] = (struct profile_atom){
                .address = s->place[i].pc, .end = s->place[i].pc + 1};
    qsort(p->atom, p->atoms, sizeof(*p->atom), by_address);
    for (size_t i = 0; i < p->atoms; i++)
        if (!kept || p->atom[kept - 1].address != p->atom[i].address)
            p->atom[kept++] = p->atom[i];
    p->atoms = kept;
}

/* From the class of each place to its atom. */
static void find_atoms(const struct profile *p, const struct samples *s, int32_t *class)
{
    for (size_t i = 0; i < s->places; i++) {
        struct profile_atom wanted = {.address = s->place[i].pc}, *found;

        if (class[i] != 0)
            continue;
        found = bsearch(&wanted, p->atom, p->atoms, sizeof(wanted), by_address);
        class[i] = (int32_t)(found - p->atom);
    }
}

static void count_change(struct profile *p, int32_t a, int32_t b)
{
    if (a == UNKNOWN || b == UNKNOWN || a == b)
        return;
    if (a >= 0)
        p->atom[a].changes++;
    if (b >= 0)
        p->atom[b].changes++;
    p->active.changes += (a == ELSEWHERE) != (b == ELSEWHERE);
}

static void count(struct profile *p, int32_t where)
{
    p->active.hits += where >= 0 || where == BELOW || where == ABOVE;
    p->below += where == BELOW;
    p->above += where == ABOVE;
    if (where >= 0)
        p->atom[where].hits++;
}

bool profile_is_pair(const struct samples *s, size_t i)
{
    return i && s->sample[i].pair && samples_number(s, i) == samples_number(s, i - 1) + 1;
}

static void walk(struct profile *p, const struct samples *s, const int32_t *class)
{
    p->sequences = s->count;
    p->sequence = xrealloc_array(NULL, s->count + 1, sizeof(*p->sequence));
    p->pair = xrealloc_array(NULL, s->count + 1, sizeof(*p->pair));
    for (size_t i = 0; i < s->count; i++) {
        int32_t where = class[s->sample[i].place];

        count(p, where);
        p->sequence[i] = where < 0 ? -1 : where;
        p->pair[i] = profile_is_pair(s, i) && where != UNKNOWN &&
                     class[s->sample[i - 1].place] != UNKNOWN;
        if (p->pair[i])
            count_change(p, class[s->sample[i - 1].place], where);
    }
}

/* An index may be defined and used by no sample that arrived. */
static void drop_empty(struct profile *p)
{
    int32_t *moved = xrealloc_array(NULL, p->atoms + 1, sizeof(*moved));
    size_t kept = 0;

    for (size_t i = 0; i < p->atoms; i++) {
        moved[i] = (int32_t)kept;
        if (p->atom[i].hits)
            p->atom[kept++] = p->atom[i];
    }
    for (size_t i = 0; i < p->sequences; i++)
        if (p->sequence[i] >= 0)
            p->sequence[i] = moved[p->sequence[i]];
    p->atoms = kept;
    free(moved);
}

struct estimator profile_samples_estimator(const struct epoch *e)
{
    const struct estimator whole = report_options(e).estimator;

    /* two points form a stratum of their own */
    return e->hello.thin > 1 && !whole.reason ? (struct estimator){PAIR_STRATUM, 0, NULL} : whole;
}

void profile_from_samples(struct profile *p, const struct epoch *e)
{
    const struct samples *s = e->samples;
    int32_t *class = xrealloc_array(NULL, s->places + 1, sizeof(*class));

    p->samples = s->told;
    p->active.samples = s->told;
    p->unresolved = s->told - s->count + s->unresolved;
    p->estimator = profile_samples_estimator(e);
    for (size_t i = 0; i < s->places; i++)
        class[i] = class_of(&p->request, &s->place[i]);
    make_atoms(p, s, class);
    find_atoms(p, s, class);
    walk(p, s, class);
    drop_empty(p);
    free(class);
}

struct task_hits {
    uint32_t task;
    uint64_t hits;
};

static void add_hit(struct task_hits **tasks, size_t *count, uint32_t task)
{
    size_t i = 0;

    while (i < *count && (*tasks)[i].task != task)
        i++;
    if (i == *count) {
        *tasks = xrealloc_array(*tasks, *count + 1, sizeof(**tasks));
        (*tasks)[(*count)++] = (struct task_hits){task, 0};
    }
    (*tasks)[i].hits++;
}

bool profile_busiest_by_samples(const struct epoch *e, uint32_t *id)
{
    const struct samples *s = e->samples;
    struct task_hits *tasks = NULL;
    size_t count = 0, best = 0;

    for (size_t i = 0; s && i < s->count; i++) {
        const struct sample_place *place = &s->place[s->sample[i].place];

        if (place->known && place->task < ROW_IDLE)
            add_hit(&tasks, &count, place->task);
    }
    for (size_t i = 1; i < count; i++)
        if (tasks[i].hits > tasks[best].hits)
            best = i;
    if (count)
        *id = tasks[best].task;
    free(tasks);
    return count;
}

void profile_modes_by_samples(const struct epoch *e, uint32_t task, uint64_t hits[MODES])
{
    for (size_t i = 0; i < e->samples->count; i++) {
        const struct sample_place *place = &e->samples->place[e->samples->sample[i].place];

        if (!place->known || place->mode >= MODES)
            continue;
        if (is_late_row(task) || place->delay != DELAY_NONE ? is_in_late_row(place, task) :
            task == ROW_ANY || place->task == task)
            hits[place->mode]++;
    }
}
