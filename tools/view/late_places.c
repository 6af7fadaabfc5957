/* SPDX-License-Identifier: MIT */
/* Raw samples are kept in memory here: the time of each is compared with the ends of stretches. */
#include "tools/view/late_places.h"

#include <string.h>

#define ENTRY_PER_SECOND 200000 /* a tick that waited arrives within 5 us of the end of a stretch */

void late_places_begin(struct late_places *p)
{
    memset(p, 0, sizeof(*p));
    model_init(&p->model);
    resolver_init(&p->naming);
}

static void take(void *context, const struct stream_event *event)
{
    model_add_event(context, event);
}

static bool has_late(const struct samples *s)
{
    for (size_t i = 0; i < s->places; i++)
        if (s->place[i].known && s->place[i].delay == DELAY_MASKED)
            return true;
    return false;
}

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
    e = p->model.epochs ? &p->model.epoch[0] : NULL;
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
    if (!p->any)
        profile_free(&p->profile);
}

/* The first sample at or after this time. */
static size_t sample_at(const struct samples *s, uint64_t time)
{
    size_t low = 0, high = s->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (s->sample[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t late_places_row(const struct late_places *p, int64_t end)
{
    const struct epoch *e = p->model.epochs ? &p->model.epoch[0] : NULL;
    const int64_t room = p->any && !p->nmi ? (int64_t)(e->hello.clock_hz / ENTRY_PER_SECOND) : 0;

    if (!p->any || p->nmi || !e->samples->timed || end < 0)
        return SIZE_MAX;
    for (size_t i = sample_at(e->samples, (uint64_t)end); i < e->samples->count && i < p->profile.sequences; i++) {
        if ((int64_t)e->samples->sample[i].time - end > room)
            return SIZE_MAX;
        if (p->profile.sequence[i] >= 0)
            return (size_t)p->rows.group[p->profile.sequence[i]];
    }
    return SIZE_MAX;
}

void late_places_streaks(const struct late_places *p, struct masked_streak *streak)
{
    const struct samples *s = p->model.epoch[0].samples;
    struct masked_streak now = {0};
    int32_t row = -1;

    memset(streak, 0, p->rows.rows * sizeof(*streak));
    for (size_t i = 0; i < s->count && i < p->profile.sequences; i++) {
        const int32_t atom = p->profile.sequence[i], of = atom < 0 ? -1 : p->rows.group[atom];

        if (of != row || (i && samples_number(s, i) != samples_number(s, i - 1) + 1))
            now = (struct masked_streak){.begin = s->sample[i].time};
        row = of;
        now.samples++;
        now.end = s->sample[i].time;
        if (row >= 0 && now.samples > streak[row].samples)
            streak[row] = now;
    }
}

void late_places_free(struct late_places *p)
{
    if (p->any) {
        breakdown_free(&p->rows);
        profile_free(&p->profile);
    }
    resolver_free(&p->naming);
    model_free(&p->model);
}
