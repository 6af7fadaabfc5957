/* SPDX-License-Identifier: MIT */
#include "tools/export/export_samples.h"

bool export_has_samples(const struct epoch *e)
{
    return e->samples && e->samples->count;
}

bool export_has_times(const struct epoch *e)
{
    return export_has_samples(e) && e->samples->timed && e->hello.clock_hz;
}

static struct sample_where where(const struct sample_place *place)
{
    struct sample_where at = {.pc = place->pc, .task = place->task, .code = place->task, .mode = place->mode, .known = true};

    if (!place->known || place->mode >= MODES)
        return (struct sample_where){0};
    if (place->delay != DELAY_NONE)
        at.task = place->delay == DELAY_STOLEN ? ROW_STOLEN : ROW_MASKED;
    return at;
}

void export_samples_each(const struct epoch *e, export_sample_taker *take, void *context)
{
    const struct samples *s = e->samples;

    for (size_t i = 0; s && i < s->count; i++) {
        const struct raw_sample *raw = &s->sample[i];
        const struct export_sample sample = {
            .number = samples_number(s, i), .tick = samples_tick(s, i), .time = (int64_t)raw->time, .pair = raw->pair,
            .at = where(&s->place[raw->place]),
        };

        take(context, &sample);
    }
}
