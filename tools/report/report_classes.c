/* SPDX-License-Identifier: MIT */
/* The classes are read once more from the stream: their runs are summed and not kept. */
#include "tools/report/report_classes.h"

#include <string.h>

#include "tools/input/class_tree_input.h"

struct sums {
    int64_t time[CLASS_CODES]; /* clock units */
    uint64_t runs[CLASS_CODES];
    int64_t whole;
};

static void take_run(void *context, const struct class_run *run)
{
    struct sums *s = context;

    s->time[run->code] += run->time;
    s->runs[run->code]++;
    s->whole += run->time;
}

static void take_cut(void *context)
{
    (void)context;
}

static bool sum_classes(struct sums *s, struct class_tree *tree, struct timeline *t, const char *path)
{
    const struct class_receiver to = {take_run, take_cut, s};
    struct class_sequence sequence;
    struct timeline_item item;

    if (!timeline_has_classes(t) || !class_tree_of_image(tree, path, timeline_epoch(t)) ||
        !timeline_read_classes(t, true))
        return false;
    class_sequence_begin(&sequence, tree, timeline_epoch(t), &to);
    while (timeline_next(t, &item))
        class_sequence_add(&sequence, &item);
    class_sequence_end(&sequence);
    return s->whole > 0;
}

#define CLASS_MEMBERS(M, O)                                                         \
    M(TEXT, name, "name of the class")                                              \
    M(REAL, percent, "its share of the time, percent")                              \
    M(REAL, seconds, "time in it, s")                                               \
    M(COUNT, changes, "entries into it")
REPORT_SHARED(report_class, CLASS_MEMBERS)

static json_t *list(const struct sums *s, const struct class_tree *tree, double hz)
{
    json_t *array = json_array();

    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (s->runs[code])
            REPORT_ADD(array, report_class, .name = class_tree_name(tree, code),
                       .percent = 100.0 * (double)s->time[code] / (double)s->whole,
                       .seconds = (double)s->time[code] / hz, .changes = s->runs[code]);
    return array;
}

json_t *report_classes_json(const struct report_run *run)
{
    const struct timeline_request request = {.epoch = (unsigned long)(run->epoch - run->model->epoch) + 1};
    const double hz = (double)run->epoch->hello.clock_hz;
    struct sums sums = {.whole = 0};
    struct class_tree tree;
    struct timeline *t;
    json_t *classes = NULL;

    if (!run->epoch->states.frames || !(hz > 0.0) || !strcmp(run->path, "-"))
        return NULL;
    t = timeline_open(run->path, &request);
    if (!t)
        return NULL;
    if (sum_classes(&sums, &tree, t, run->path))
        classes = list(&sums, &tree, hz);
    timeline_close(t);
    return classes;
}
