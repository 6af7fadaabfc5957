/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe states`: the states of a run in classes (Thurner, "Performance Measurement Using System
 * Monitors", 3.2): shares, the tree, and what an expression finds in their sequence.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/pager.h"
#include "tools/base/saturate.h"
#include "tools/cmd/commands.h"
#include "tools/draw/gantt.h"
#include "tools/input/class_tree_input.h"
#include "tools/input/timeline_input.h"
#include "tools/trace/class_match.h"
#include "tools/view/histogram_view.h"
#include "tools/view/states_report.h"

struct arguments {
    struct timeline_input in; /* first: its path */
    const char *classes, *svg;
    double linear; /* width of a bucket, seconds; 0: powers of two */
    bool tree, ascii;
    struct class_tree compiled;
    struct states states;
};

static const struct option_row options[] = {
    {"classes", 'c', "TREE", "the tree of classes, a text or @FILE; else the image's (monitor=states), or that of "
     "account=log", SET_TEXT(classes)},
    {"match", 0, "REGEX", "search the sequence of classes for this expression, a letter a change",
     SET_TEXT(states.expression)},
    {"of", 0, "TASK", "the states of this task alone, by its name or row id (#00000001)", SET_TEXT(states.task)},
    {"hits", 0, NULL, "with --match: list all hits, not the first 10", SET_FLAG(states.all_hits)},
    {"linear", 0, "SECONDS", "with --match: a histogram in steps of this length, not by powers of two",
     SET_SECONDS(linear)},
    {"show", 0, "N", "with --match: draw hit N", SET_NUMBER(states.show, 1, UINT32_MAX)},
    {"tree", 0, NULL, "draw the tree with its shares", SET_FLAG(tree)},
    {"svg", 0, "OUT.svg", "draw the tree as SVG, to this file; '-' is standard output", SET_TEXT(svg)},
    OPTION_ASCII(ascii, "letters"),
    {"json", 'j', NULL, "print JSON, an object a line (docs/JSON.md)", SET_FLAG(states.json)},
    {0},
};

static const struct option_rule rules[] = {
    {"hits|linear|show", .needs = "match", .refusal = "--hits, --linear and --show need --match"},
    {"json", .excludes = "tree|show", .refusal = "--json draws nothing"},
    {0},
};

/* ---- what comes ---- */

/* A length as stamp=us would send it, in microseconds, for the tally; a file may claim one that is past 2^63 us. */
static uint64_t whole_us(int64_t time, double hz)
{
    return (uint64_t)saturate_round(trunc((double)time / hz * 1e6));
}

static void take_run(void *context, const struct class_run *run)
{
    struct states *s = context;

    duration_histogram_add(&s->of[run->code], run->begin, run->time);
    s->total += run->time;
    entropy_tally_add(&s->codes, run->code);
    entropy_tally_add(&s->lengths, (uint64_t)run->time);
    entropy_tally_add(&s->lengths_us, whole_us(run->time, s->in->hz));
    if (s->match)
        class_match_run(s->match, run);
}

static void take_cut(void *context)
{
    struct states *s = context;

    if (s->match)
        class_match_cut(s->match);
}

static void keep_shown(struct states *s, const struct class_hit *hit)
{
    s->shown = xrealloc_array(NULL, hit->runs, sizeof(*s->shown));
    s->shown_runs = hit->runs;
    memcpy(s->shown, hit->run, hit->runs * sizeof(*s->shown));
}

static void take_hit(void *context, const struct class_hit *hit)
{
    struct states *s = context;
    struct states_hit h = { hit->run[0].number, hit->run[0].begin, hit->run[hit->runs - 1].end, 0, hit->runs };

    for (size_t i = 0; i < hit->runs; i++)
        h.time += hit->run[i].time;
    if (s->hits.count < STATES_HITS)
        s->first[s->hits.count] = h;
    duration_histogram_add(&s->hits, h.begin, h.end - h.begin);
    if (s->hits.count == s->show)
        keep_shown(s, hit);
    if (s->all_hits)
        states_print_hit(s, s->hits.count, &h);
}

/* ---- one run ---- */

/* The row id of --of; false, with a message, where no task or several have this name. */
static bool find_task(struct states *s, const struct epoch *e)
{
    unsigned found = 0;

    for (size_t i = 0; i < e->name_count; i++) {
        char id[16];

        snprintf(id, sizeof(id), "#%08" PRIx32, e->names[i].id);
        if (strcmp(e->names[i].name, s->task) && strcmp(id, s->task))
            continue;
        s->sequence.of = e->names[i].id;
        found++;
    }
    s->sequence.of_one = true;
    if (!s->own_tree && timeline_has_classes(s->in->timeline) && !class_sequence_tells_tasks(s->tree)) {
        cli_error("%s: the image's tree does not tell tasks: each of its classes needs @task", s->in->path);
        return false;
    }
    if (found == 0)
        cli_error("%s: no task has the name '%s'", s->in->path, s->task);
    if (found > 1)
        cli_error("%s: %u tasks have the name '%s': give one by its row id, #00000001", s->in->path, found, s->task);
    return found == 1;
}

static bool begin(struct arguments *a)
{
    struct states *s = &a->states;
    const struct epoch *e = timeline_epoch(a->in.timeline);
    char why[256];

    class_sequence_begin(&s->sequence, &a->compiled, e, &(struct class_receiver){ take_run, take_cut, s });
    if (s->task && !find_task(s, e))
        return false;
    if (!s->expression)
        return true;
    if (a->linear > 0.0 && a->linear * a->in.hz < 1.0) {
        cli_error("--linear: this is less than a clock unit, %.3g s", 1.0 / a->in.hz);
        return false;
    }
    duration_histogram_begin(&s->hits, (uint64_t)(a->linear * a->in.hz + 0.5));
    s->match = class_match_new(s->expression, take_hit, s, why, sizeof(why));
    if (!s->match)
        cli_error("--match: %s", why);
    return s->match;
}

/* The part of a stretch that --from and --to leave; false: nothing. */
static bool clip(const struct timeline_input *in, int64_t *begin, int64_t *length)
{
    const int64_t end = *begin + *length;

    if (*begin >= in->to || (end <= in->from && in->from != INT64_MIN))
        return false;
    if (*begin < in->from)
        *begin = in->from;
    *length = (end < in->to ? end : in->to) - *begin;
    return true;
}

static bool clip_item(const struct timeline_input *in, struct timeline_item *item)
{
    switch (item->kind) {
    case TIMELINE_STEP: return clip(in, &item->step.begin, &item->step.length);
    case TIMELINE_CLASS: return clip(in, &item->class.begin, &item->class.length);
    default: return true;
    }
}

static void read_all(struct arguments *a)
{
    struct timeline_item item;

    if (a->states.all_hits && !a->states.json)
        puts("     hit     at second        length          runs   changes  first change");
    while (timeline_next(a->in.timeline, &item))
        if (clip_item(&a->in, &item))
            class_sequence_add(&a->states.sequence, &item);
    class_sequence_end(&a->states.sequence);
    if (a->states.match)
        class_match_end(a->states.match);
}

/* ---- what is shown ---- */

static bool draw_shown(struct arguments *a)
{
    struct states *s = &a->states;
    static const struct gantt_state in_class = { "in the class", "f0", "\u2588", '#', 34 };
    struct gantt g = { .hz = a->in.hz, .title = "", .ascii = a->ascii };
    struct time_grid grid;
    char (*name)[GANTT_NAME + 1];

    if (!s->shown) {
        cli_error("there is no hit %" PRIu64, s->show);
        return false;
    }
    time_grid_begin(&grid, s->shown[0].begin, s->shown[s->shown_runs - 1].end,
                    view_columns(VIEW_COLUMNS) - GANTT_BESIDE);
    for (size_t i = 0; i < s->shown_runs; i++)
        time_grid_add(&grid, s->shown[i].code, 0, s->shown[i].begin, s->shown[i].end);
    name = xrealloc_array(NULL, grid.rows, sizeof(*name));
    for (size_t r = 0; r < grid.rows; r++)
        snprintf(name[r], sizeof(name[r]), "%c %.*s", class_letter((unsigned)grid.row[r].key), GANTT_NAME - 2,
                 class_tree_name(s->tree, (unsigned)grid.row[r].key));
    g.grid = &grid;
    g.rows = g.guilty = grid.rows;
    g.name = name;
    g.state[0] = in_class;
    putchar('\n');
    gantt_print(&g, stdout);
    free(name);
    time_grid_free(&grid);
    return true;
}

static int show(struct arguments *a)
{
    struct states *s = &a->states;

    if (s->json || s->match || !(a->tree || a->svg))
        states_print(s);
    else if (a->tree)
        states_print_tree(s, a->ascii);
    if (s->show && !draw_shown(a))
        return EXIT_NO_DATA;
    return a->svg && !output_to_file(a->svg, states_svg_tree, s) ? EXIT_NO_DATA : EXIT_OK;
}

/* What was not searched, or not known: EXIT_DAMAGED then. */
static int judge(const struct states *s)
{
    uint64_t at = 0;
    const char *why = s->match ? class_match_given_up(s->match, &at) : NULL;
    int code = EXIT_OK;

    if (why) {
        cli_error("--match: given up at change %" PRIu64 ", %" PRIu64 " hits before: %s", at, s->hits.count, why);
        code = EXIT_DAMAGED;
    }
    if (!class_tree_was_known(s->in->path, &s->sequence))
        code = EXIT_DAMAGED;
    if (s->of[CLASS_REST].count)
        class_tree_warn_hole(s->tree);
    return code;
}

/* The tree of --classes, else that of the image where it recorded classes, else that of account=log. */
static bool choose_tree(struct arguments *a)
{
    a->states.own_tree = a->classes != NULL;
    if (a->classes)
        return true;
    if (!timeline_has_classes(a->in.timeline))
        return class_tree_input(&a->compiled, class_tree_default);
    return class_tree_of_image(&a->compiled, a->in.path, timeline_epoch(a->in.timeline)) &&
           timeline_read_classes(a->in.timeline, true);
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    int code = EXIT_NO_DATA, damage;

    a->states.in = &a->in;
    a->states.tree = &a->compiled;
    a->ascii = a->ascii || !pager_has_blocks();
    if (a->classes && !class_tree_input(&a->compiled, a->classes))
        return EXIT_USAGE;
    if (!choose_tree(a) || !begin(a))
        return EXIT_NO_DATA;
    read_all(a);
    if (!a->states.sequence.runs && !a->states.sequence.unknown)
        cli_error("%s holds no states%s", a->in.path, timeline_has_classes(a->in.timeline) && a->classes
                  ? " to put into another tree: without --classes it tells those of the image's tree"
                  : ": boot the image with monitor=states, account=log or monitor=events");
    else if ((code = show(a)) == EXIT_OK)
        code = judge(&a->states);
    damage = timeline_input_report(&a->in);
    class_match_free(a->states.match);
    entropy_tally_free(&a->states.codes);
    entropy_tally_free(&a->states.lengths);
    entropy_tally_free(&a->states.lengths_us);
    free(a->states.shown);
    return code == EXIT_OK ? damage : code;
}

const struct subcommand cmd_states = {
    .name = "states", .what = "print the time in each class of states, and find sequences",
    .run = report, .through = timeline_command, .bytes = sizeof(struct arguments),
    .own = {options, .rules = rules}, .shared = {{&timeline_options}}, .args_doc = "FILE",
    .json = {&states_hit_object, &states_object},
    .doc = "Print how long a run was in each class of states, draw the tree of classes, or find an expression in "
           "their sequence.\vTREE is [CLASS=][PARENT.]NAME:CONDITION,... with classes 0-9 and a-v; a condition is "
           "else, or KEY=VALUE/VALUE+KEY=VALUE... with the keys mode masked task nest call event.",
    .example = {"cpuprobe states --tree log.dump"},
};
