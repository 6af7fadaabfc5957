/* SPDX-License-Identifier: MIT */
/* Sums of the samples name the functions; a second reading gives the times of those that are late. */
#include "tools/view/late_places.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/sorted.h"
#include "tools/timeline/epoch_pass.h"
#include "tools/timeline/timeline.h"

#define ENTRY_PER_SECOND 200000 /* a tick that waited arrives within 5 us of the end of a stretch */

static void take(void *context, const struct stream_event *event)
{
    model_add_event(context, event);
}

static bool has_late(const struct samples *s)
{
    for (size_t i = 0; s->sums && i < s->sums->places; i++)
        if (s->sums->place[i].place.known && s->sums->place[i].place.delay == DELAY_MASKED)
            return true;
    return false;
}

/* ---- the times of samples ---- */

static int32_t row_of(const struct late_places *p, const struct sample_place *place)
{
    const int32_t atom = profile_atom_of(&p->profile, place);

    return atom < 0 ? -1 : p->rows.group[atom];
}

static void take_late(struct late_places *p, const struct resolved_sample *s)
{
    const int32_t row = row_of(p, &s->place);

    if (row < 0)
        return;
    APPEND(p->late, p->lates, (struct late_tick){s->time, row});
}

static void take_streak(struct late_places *p, const struct resolved_sample *s)
{
    const int32_t row = row_of(p, &s->place);

    if (row != p->now_row || !s->follows)
        p->now = (struct masked_streak){.begin = s->time};
    p->now_row = row;
    p->now.samples++;
    p->now.end = s->time;
    if (row >= 0 && p->now.samples > p->streak[row].samples)
        p->streak[row] = p->now;
}

static void take_sample(void *context, const struct resolved_sample *s)
{
    struct late_places *p = context;

    if (p->nmi)
        take_streak(p, s);
    else
        take_late(p, s);
}

static void read_times(struct late_places *p, struct timeline *t, const struct epoch *e)
{
    p->now_row = -1;
    p->streak = xcalloc(p->rows.rows + 1, sizeof(*p->streak));
    epoch_sink_records(t, e, &(struct epoch_sink){.context = p, .on_sample = take_sample});
}

/* ---- the functions ---- */

/* What a run of ticks as NMI is asked for, or one of maskable ticks. */
static struct profile_request request_of(const struct late_places *p)
{
    return p->nmi ? (struct profile_request){.task = ROW_ANY, .all_modes = true, .masked = true} :
           (struct profile_request){.task = ROW_MASKED, .all_modes = true};
}

void late_places_read(struct late_places *p, struct timeline *t)
{
    struct profile_request request;
    struct epoch *e;

    p->model.skips_changes = true;
    timeline_records(t, take, &p->model);
    model_finish(&p->model);
    e = p->model.epochs ? p->model.epoch[0] : NULL;
    if (!e || !e->samples)
        return;
    p->nmi = e->samples->marked != 0;
    if (!p->nmi && !has_late(e->samples))
        return;
    request = request_of(p);
    epoch_name_rows(e);
    if (!profile_make(&p->profile, e, &request))
        return;
    resolver_choose(&p->naming, e, ROW_MASKED, true);
    p->any = breakdown_make(&p->rows, &p->profile, &p->naming.symbols, BREAKDOWN_FUNCTION);
    p->samples = p->nmi ? e->samples->marked : p->profile.samples;
    if (p->any)
        read_times(p, t, e);
    else
        profile_free(&p->profile);
}

/* The first late tick at or after this time. */
static size_t late_at(const struct late_places *p, uint64_t time)
{
    return SORTED_FROM(p->late, p->lates, time, time);
}

size_t late_places_row(const struct late_places *p, int64_t end)
{
    const struct epoch *e = p->model.epochs ? p->model.epoch[0] : NULL;
    size_t at;

    if (!p->any || p->nmi || !e->samples->timed || end < 0)
        return SIZE_MAX;
    at = late_at(p, (uint64_t)end);
    if (at == p->lates || (int64_t)p->late[at].time - end > (int64_t)(e->hello.clock_hz / ENTRY_PER_SECOND))
        return SIZE_MAX;
    return (size_t)p->late[at].row;
}

void late_places_streaks(const struct late_places *p, struct masked_streak *streak)
{
    memcpy(streak, p->streak, p->rows.rows * sizeof(*streak));
}

void late_places_free(struct late_places *p)
{
    if (p->any) {
        breakdown_free(&p->rows);
        profile_free(&p->profile);
    }
    free(p->late);
    free(p->streak);
    resolver_free(&p->naming);
    model_free(&p->model);
}
