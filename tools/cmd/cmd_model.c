/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe model`: demands of tasks, and the response times that follow from them, beside those that were measured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/trace/run_model.h"
#include "tools/view/model_view.h"
#include "tools/input/timeline_input.h"

#define CHANGES_MOST 16
#define FACTOR_MOST  1e6
#define TASKS_MOST   1000
#define CPU_CHOICES  "shared|fifo" /* in the order of enum queueing_discipline */
#define AS_THE_RUN   2

/* "disk=2": that station is twice as fast; "ROGUE=3": there are three of that task. */
struct change {
    bool scales;
    const char *text;
    size_t name; /* bytes of `text` before the sign */
    double value;
};

struct arguments {
    struct timeline_input in; /* first: its path */
    bool json;
    struct change change[CHANGES_MOST];
    unsigned changes;
    char what[512]; /* the changes as text */
    unsigned cpu; /* enum queueing_discipline, or AS_THE_RUN */
    struct waits waits;
    struct run_model model, changed;
};

static void add_change(struct arguments *a, bool scales, const char *text, struct argp_state *state)
{
    const char *sign = strrchr(text, '=');
    struct change *c = &a->change[a->changes];
    char *end;

    if (a->changes == CHANGES_MOST)
        argp_error(state, "at most %u changes", CHANGES_MOST);
    if (!sign || sign == text)
        argp_error(state, "'%s' is not NAME=NUMBER", text);
    *c = (struct change){.scales = scales, .text = text, .name = (size_t)(sign - text),
                         .value = strtod(sign + 1, &end)};
    if (end == sign + 1 || *end || !(c->value > 0.0) || c->value > (scales ? FACTOR_MOST : TASKS_MOST) ||
        (!scales && c->value != (double)(unsigned)c->value))
        argp_error(state, "'%s': %s", text, scales ? "a factor is above 0 and at most 1000000"
                                                   : "tasks are 1 to 1000");
    snprintf(a->what + strlen(a->what), sizeof(a->what) - strlen(a->what), "%s%.64s", a->changes ? ", " : "", text);
    a->changes++;
}

static void take_scale(void *input, char *text, struct argp_state *state)
{
    add_change(input, true, text, state);
}

static void take_tasks(void *input, char *text, struct argp_state *state)
{
    add_change(input, false, text, state);
}

static const struct option_row options[] = {
    {"scale", 0, "STATION=FACTOR", "what if the cpu or the disk were so many times as fast; may be repeated",
     CALL(take_scale)},
    {"tasks", 0, "NAME=N", "what if there were N tasks of this name; may be repeated", CALL(take_tasks)},
    {"cpu", 0, CPU_CHOICES, "how the scheduler shares the processor (what the run says: does it take it away?)",
     SET_WORD(cpu)},
    OPTION_JSON(json),
    {0},
};

/* ---- changes ---- */

static bool is_named(const struct change *c, const char *name)
{
    return strlen(name) == c->name && !memcmp(name, c->text, c->name);
}

static bool scale(struct run_model *m, const struct change *c)
{
    for (enum run_station s = 0; s < RUN_STATIONS; s++)
        if (is_named(c, run_station_name(s))) {
            for (size_t k = 0; k < m->customers; k++) {
                m->class[k].at[s].service /= c->value;
                m->class[k].at[s].residual /= c->value;
            }
            return true;
        }
    cli_error("--scale %s: the stations are cpu and disk", c->text);
    return false;
}

static bool populate(const struct arguments *a, struct run_model *m, const struct change *c)
{
    for (size_t k = 0; k < m->customers; k++) {
        char name[NAME_SIZE];

        epoch_name_of(timeline_epoch(a->in.timeline), m->customer[k].id, name);
        if (is_named(c, name)) {
            m->class[k].population = (unsigned)c->value;
            return true;
        }
    }
    cli_error("--tasks %s: no task of this name ran", c->text);
    return false;
}

static bool make(const struct arguments *a, struct run_model *m)
{
    if (!run_model_make(m, &a->waits, a->in.hz))
        return false;
    if (a->cpu != AS_THE_RUN)
        m->model.discipline[STATION_CPU] = (enum queueing_discipline)a->cpu;
    return true;
}

/* The model of what was asked for. */
static bool change(struct arguments *a)
{
    if (!make(a, &a->changed))
        return false;
    for (unsigned i = 0; i < a->changes; i++)
        if (!(a->change[i].scales ? scale(&a->changed, &a->change[i]) : populate(a, &a->changed, &a->change[i])))
            return false;
    return run_model_solve(&a->changed);
}

/* ---- report ---- */

static void read_waits(struct arguments *a)
{
    struct timeline_item item;

    waits_begin(&a->waits);
    while (timeline_input_next(&a->in, &item))
        waits_take(&a->waits, &item);
    waits_finish(&a->waits);
}

static int show(struct arguments *a)
{
    struct model_view v = {.in = &a->in, .waits = &a->waits, .model = &a->model, .changes = a->what};

    if (a->changes && !change(a))
        return EXIT_USAGE;
    if (a->changes)
        v.changed = &a->changed;
    model_view_print(&v, a->json);
    return EXIT_OK;
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    int code = EXIT_NO_DATA, damage;

    read_waits(a);
    if (!timeline_counts(a->in.timeline)->events || !make(a, &a->model) || !run_model_solve(&a->model))
        cli_error("%s holds no switches of tasks to make a model of: boot the image with monitor=events", a->in.path);
    else
        code = show(a);
    damage = timeline_input_report(&a->in);
    waits_free(&a->waits);
    run_model_free(&a->model);
    run_model_free(&a->changed);
    return code == EXIT_OK ? damage : code;
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {.cpu = AS_THE_RUN};

    return timeline_command(&cmd_model, argc, argv, &a, report);
}

const struct subcommand cmd_model = {
    .name = "model", .what = "predict response times by a queueing model", .run = run_command,
    .own = {options}, .shared = {{&timeline_options}}, .args_doc = "FILE", .json = {&model_object},
    .doc = "Print what each task demands of the processor and of the disk in a cycle and how long it thinks, and the "
           "response times that a closed queueing network predicts from that, beside the measured ones.  It needs a "
           "run with monitor=events.",
    .example = {"cpuprobe model --scale cpu=2 events.dump"},
};
