/* SPDX-License-Identifier: MIT */
/* Draws the moments of samples and counts what they saw. */
#include "tools/hwmon/sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

const char *sampler_init(struct sampler *s, const struct schedule_request *request)
{
    s->request = *request;
    return schedule_init(&s->schedule, request);
}

/* The state of the schedule that the last sample leaves; then the next interval. */
static void draw(struct sampler *s)
{
    struct schedule_state state;

    schedule_save(&s->schedule, &state);
    s->state.generator = state.generator;
    s->state.intervals = s->schedule.sum;
    s->due += schedule_next(&s->schedule);
}

void sampler_begin(struct sampler *s, uint64_t time)
{
    schedule_init(&s->schedule, &s->request); /* sampler_init() found that it can be kept */
    s->state = (struct sampler_state){ .ticks = 0 };
    system_reserve(&s->state.hits, ROW_IDLE);
    s->count = 0;
    s->due = time;
    draw(s);
}

static void keep(struct sampler *s, const struct sample *sample)
{
    APPEND(s->kept, s->count, (struct sample_record){
        .time = sample->time, .pc = sample->pc, .tick = s->state.ticks, .task = sample->task,
        .mode = (uint8_t)sample->mode, .delay = DELAY_NONE,
    });
}

void sampler_take(struct sampler *s, const struct sample *sample)
{
    system_tick(&s->state.hits, sample, DELAY_NONE, s->schedule.pair);
    keep(s, sample);
    if (s->state.ticks++ == 0)
        s->state.first = sample->time;
    draw(s);
}

/* Writes the list of samples. */

bool sample_list_open(struct sample_list *list, const char *path)
{
    list->file = fopen(path, "w");
    if (list->file == NULL)
        fprintf(stderr, "hwmon: %s: %s\n", path, strerror(errno));
    else
        fputs("# ns, task, mode, address, code, address of data (- none)\n", list->file);
    return list->file != NULL;
}

void sample_list_add(struct sample_list *list, const struct sample *s, const char *task,
                     const struct insn *insn, bool accessed)
{
    if (list->file == NULL)
        return;
    fprintf(list->file, "%llu\t%s\t%s\t%#llx\t", (unsigned long long)s->time, task, mode_name(s->mode),
            (unsigned long long)insn->address);
    for (unsigned i = 0; i < insn->size; i++)
        fprintf(list->file, "%02x", insn->code[i]);
    if (accessed)
        fprintf(list->file, "\t%#llx\n", (unsigned long long)insn->data);
    else
        fputs("\t-\n", list->file);
}
