/* SPDX-License-Identifier: MIT */
/*
 * Profiles from regions, and what all profiles share: the choice of task and mode, the estimator,
 * the grouping of atoms.
 */
#include "tools/analysis/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stats/verdict.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"

/* The name from the stream, else from the table, else the number. */
static void name_of(const struct epoch *e, uint32_t id, char name[NAME_SIZE])
{
    const size_t known = index_find(&e->name_of, id);

    snprintf(name, NAME_SIZE, id == ROW_ANY ? "ANY" : "#%08" PRIx32, id);
    for (uint32_t r = 0; e->snapshot && r < e->snapshot->rows; r++)
        if (e->snapshot->row[r].id == id && e->snapshot->row[r].name[0])
            memcpy(name, e->snapshot->row[r].name, NAME_SIZE);
    if (known != INDEX_NONE)
        memcpy(name, e->names[known].name, NAME_SIZE);
}

static bool anywhere(const struct profile_request *q)
{
    return !q->low && !q->high;
}

/* A limit that was left open, at the first or the last address, is the region's limit. */
static bool holds(const struct snapshot_region *r, const struct profile_request *q)
{
    return r->task == q->task && r->mode == q->mode &&
           (anywhere(q) || ((r->low <= q->low || !q->low) &&
                            (q->high <= r->high || q->high == UINT64_MAX)));
}

/*
 * Of the regions that hold what is asked, the most useful one: the one with the smallest slots if
 * addresses are asked for, else the longest.
 */
static const struct snapshot_region *region_for(const struct epoch *e,
                                                const struct profile_request *q)
{
    const struct snapshot_region *best = NULL;

    for (uint32_t i = 0; e->snapshot && !q->all_modes && i < e->snapshot->regions; i++) {
        const struct snapshot_region *r = &e->snapshot->region[i];

        if (!holds(r, q))
            continue;
        if (!best || (anywhere(q) ? r->high - r->low > best->high - best->low
                      : r->shift < best->shift))
            best = r;
    }
    return best;
}

/* The addresses of a slot that the region counts. */
static struct profile_atom slot_atom(const struct snapshot_region *r, unsigned slot)
{
    struct profile_atom a = {
        .address = r->base + ((uint64_t)slot << r->shift),
        .hits = r->hits[slot],
        .changes = r->changes[slot],
    };

    a.end = a.address + ((uint64_t)1 << r->shift);
    if (a.end > r->high || a.end < a.address)
        a.end = r->high;
    if (a.address < r->low)
        a.address = r->low;
    return a;
}

static void warn_cut(uint64_t hits)
{
    if (hits)
        cli_error("note: %" PRIu64 " hits are in slots that --low or --high cuts; they count as "
                  "below or above", hits);
}

static void take_region(struct profile *p, const struct snapshot_region *r)
{
    const struct profile_request *q = &p->request;
    uint64_t cut = 0;

    p->atom = xrealloc_array(NULL, REGION_SLOTS, sizeof(*p->atom));
    p->below = r->below;
    p->above = r->above;
    p->active = (struct tally){r->active, p->samples, r->changes_active};
    p->slot = (uint64_t)1 << r->shift;
    p->base = r->base;
    for (unsigned i = 0; i < REGION_SLOTS; i++) {
        const struct profile_atom a = slot_atom(r, i);

        if (!a.hits)
            continue;
        if (anywhere(q) || (a.address >= q->low && a.end <= q->high)) {
            p->atom[p->atoms++] = a;
            continue;
        }
        *(a.address < q->low ? &p->below : &p->above) += a.hits;
        if (a.address < q->high && a.end > q->low)
            cut += a.hits;
    }
    if (p->request.low < r->low)
        p->request.low = r->low;
    if (!p->request.high || p->request.high > r->high)
        p->request.high = r->high;
    warn_cut(cut);
}

static bool complain_of(const struct epoch *e, const struct profile *p)
{
    uint32_t regions = e->snapshot ? e->snapshot->regions : 0;

    if (!regions && e->samples)
        cli_error("the run has raw samples and no region (monitor=region)");
    else if (!regions)
        cli_error("the run has no addresses: it had neither monitor=samples nor a region");
    else if (p->request.all_modes)
        cli_error("all modes together are known from raw samples only (monitor=samples)");
    else
        cli_error("none of the run's %" PRIu32 " regions holds these addresses of task %s in %s "
                  "mode", regions, p->task, mode_name(p->request.mode));
    return false;
}

bool profile_make(struct profile *p, const struct epoch *e, const struct profile_request *q)
{
    const struct snapshot_region *region = region_for(e, q);

    *p = (struct profile){
        .request = *q,
        .maskable = !e->words_known || e->words.delivery == DELIVERY_IRQ,
        .estimator = report_options(e).estimator,
    };
    name_of(e, q->task, p->task);
    if (e->samples && e->samples->told && !q->from_region) {
        profile_from_samples(p, e);
        return true;
    }
    if (!region)
        return complain_of(e, p);
    p->samples = e->snapshot->samples;
    take_region(p, region);
    return true;
}

void profile_free(struct profile *p)
{
    free(p->atom);
    free(p->atom_of);
    *p = (struct profile){0};
}

static int32_t group_of(const struct profile *p, const int32_t *group, uint32_t place)
{
    return p->atom_of[place] < 0 ? -1 : group[p->atom_of[place]];
}

static void group_pairs(const struct profile *p, const int32_t *group, struct tally *tally)
{
    for (size_t i = 0; i < p->sums->pairs; i++) {
        const struct place_pair *pair = &p->sums->pair[i];
        const int32_t a = group_of(p, group, pair->a), b = group_of(p, group, pair->b);

        if (a == b)
            continue;
        if (a >= 0)
            tally[a].changes += pair->count;
        if (b >= 0)
            tally[b].changes += pair->count;
    }
}

void profile_group(const struct profile *p, const int32_t *group, size_t groups,
                   struct tally *tally)
{
    for (size_t g = 0; g < groups; g++)
        tally[g] = (struct tally){.samples = p->samples};
    for (size_t i = 0; i < p->atoms; i++) {
        if (group[i] < 0)
            continue;
        tally[group[i]].hits += p->atom[i].hits;
        tally[group[i]].changes += p->sums ? p->atom[i].blurred : p->atom[i].changes;
    }
    if (p->sums)
        group_pairs(p, group, tally);
}

struct tally profile_between(const struct profile *p, uint64_t low, uint64_t high)
{
    int32_t *group = xrealloc_array(NULL, p->atoms + 1, sizeof(*group));
    struct tally tally;

    for (size_t i = 0; i < p->atoms; i++)
        group[i] = p->atom[i].address - low < high - low ? 0 : -1;
    profile_group(p, group, 1, &tally);
    free(group);
    return tally;
}

/* ---- tasks by name ---- */

static bool find_name(const struct epoch *e, const char *name,
                      int (*compare)(const char *a, const char *b), uint32_t *id)
{
    for (size_t i = 0; i < e->name_count; i++)
        if (!compare(e->names[i].name, name)) {
            *id = e->names[i].id;
            return true;
        }
    for (uint32_t r = 0; e->snapshot && r < e->snapshot->rows; r++)
        if (!compare(e->snapshot->row[r].name, name)) {
            *id = e->snapshot->row[r].id;
            return true;
        }
    return false;
}

bool profile_task(const struct epoch *e, const char *name, uint32_t *id)
{
    char *end;
    unsigned long number;

    if (find_name(e, name, strcmp, id) || find_name(e, name, strcasecmp, id))
        return true;
    if (!strcasecmp(name, "MASKED") || !strcasecmp(name, "STOLEN")) { /* accepted without such samples too */
        *id = strcasecmp(name, "MASKED") ? ROW_STOLEN : ROW_MASKED;
        return true;
    }
    if (!strcasecmp(name, "ANY") || !strcmp(name, "*")) { /* as in region= */
        *id = ROW_ANY;
        return true;
    }
    number = name[0] == '#' ? strtoul(name + 1, &end, 16) : 0;
    if (name[0] != '#' || !name[1] || *end || number > UINT32_MAX) {
        cli_error("there is no task '%s' in this run ('cpuprobe stat' lists them)", name);
        return false;
    }
    *id = (uint32_t)number;
    return true;
}

bool profile_busiest(const struct epoch *e, uint32_t *id)
{
    const struct snapshot_row *const most = e->snapshot ? verdict_lead(e->snapshot) : NULL;

    if (!most)
        return profile_busiest_by_samples(e, id);
    *id = most->id;
    return true;
}

static bool is_sampled(const struct epoch *e)
{
    return e->samples && e->samples->count;
}

bool profile_default_task(const struct epoch *e, uint32_t *id)
{
    const struct snapshot_region *best = NULL;

    for (uint32_t i = 0; e->snapshot && !is_sampled(e) && i < e->snapshot->regions; i++)
        if (!best || e->snapshot->region[i].active > best->active)
            best = &e->snapshot->region[i];
    if (best)
        *id = best->task;
    if (best || profile_busiest(e, id))
        return true;
    cli_error("no task has a sample: nothing to show");
    return false;
}

/* Hits by address of the task in each mode. */
static void count_modes(const struct epoch *e, uint32_t task, uint64_t hits[MODES])
{
    if (is_sampled(e)) {
        profile_modes_by_samples(e, task, hits);
        return;
    }
    for (uint32_t i = 0; e->snapshot && i < e->snapshot->regions; i++)
        if (e->snapshot->region[i].task == task)
            hits[e->snapshot->region[i].mode] += e->snapshot->region[i].active;
}

enum mode profile_default_mode(const struct epoch *e, uint32_t task)
{
    uint64_t hits[MODES] = {0};
    enum mode best = MODE_USER;

    count_modes(e, task, hits);
    for (unsigned m = MODE_SUPERVISOR; m < MODES && !hits[MODE_USER]; m++)
        if (hits[m] > hits[best])
            best = (enum mode)m;
    return best;
}
