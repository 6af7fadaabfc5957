/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe zoom`: the paper's "automatically repeat its monitoring with continually
 * smaller address limits", on the image that runs at the other end of a line.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/stats/histogram.h"
#include "probe/stats/zoom.h"
#include "tools/analysis/breakdown.h"
#include "tools/base/cli.h"
#include "tools/cmd/run_input.h"
#include "tools/stream/port.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/talk/command_client.h"

#define TIMEOUT  30.0
#define SECONDS   60      /* the paper's own default */
#define USER_END  ((uint64_t)1 << 47)
#define STEPS     64      /* more than 64 bits of address can need */
#define LINE_ROOM 256

enum until { UNTIL_FUNCTION, UNTIL_INSTRUCTION, UNTIL_PERCENT };

struct arguments {
    struct command_client talk;
    struct run_selection request;
    enum until until;
    unsigned percent, seconds;
    bool progress;
    struct symbol_resolver naming;
};

struct zoom {
    struct arguments *a;
    struct model model;
    struct profile_request where; /* the region of the next window */
    char task[NAME_SIZE];
    char before[CONFIG_LINE]; /* the monitors as they were, as a command; "": not changed */
    uint64_t epoch;          /* the one that the last window is of, or was before it */
    unsigned step;
    struct profile profile;  /* of the last window */
    bool profiled, named;
    uint64_t least;          /* --until PERCENT: hits that must stay, by the first window's share */
    char what[LINE_ROOM];    /* what the next region is; "": a narrower one */
    struct {
        double share; /* of all samples; 0: none */
        uint64_t low, high;
        char name[LINE_ROOM];
    } rival; /* the hottest function that had slots for itself where the hottest slots had several */
};

enum { OPTION_UNTIL = 256, OPTION_SECONDS };

static const struct argp_option options[] = {
    {"force", 'f', NULL, 0, "replace what FILE holds, once the first byte has come", 0},
    {"output", 'o', "FILE", 0, "keep in FILE what the image streams meanwhile", 0},
    {"progress", 'p', NULL, 0, "tell on standard error how far each window is", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "seconds of the image for each window, 60", 0},
    {"symbols", 's', "FILE|DIR", 0, "names from this file or folder; repeat it for more", 0},
    {"timeout", 't', "N", 0, "give up after N seconds without an answer, 30", 0},
    {"until", OPTION_UNTIL, "TO", 0, "where to end: at the hottest function (default) or "
     "instruction, or at the smallest addresses that keep so many percent of the hits", 0},
    {0},
};

static unsigned number(const char *text, unsigned most, struct argp_state *state)
{
    char *end;
    const unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || n < 1 || n > most)
        argp_error(state, "'%s' is no number from 1 to %u", text, most);
    return (unsigned)n;
}

static void take_until(struct arguments *a, const char *text, struct argp_state *state)
{
    a->until = UNTIL_PERCENT;
    if (!strcmp(text, "function"))
        a->until = UNTIL_FUNCTION;
    else if (!strcmp(text, "instruction"))
        a->until = UNTIL_INSTRUCTION;
    else
        a->percent = number(text, 100, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->request;
        state->child_inputs[1] = &a->talk.baud;
        return 0;
    case 'f': a->talk.force = true; return 0;
    case 'o': a->talk.keep = text; return 0;
    case 'p': a->progress = true; return 0;
    case OPTION_SECONDS: a->seconds = number(text, 1000000, state); return 0;
    case 't': a->talk.timeout = number(text, 1000000, state); return 0;
    case OPTION_UNTIL: take_until(a, text, state); return 0;
    case 's':
        if (!resolver_add(&a->naming, text))
            exit(EXIT_NO_DATA);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "one port at a time: '%s' is too much", text);
        a->talk.port = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->talk.port)
            argp_error(state, "which PORT?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the image ---- */

static struct epoch *last_epoch(struct zoom *z)
{
    return z->model.epochs ? &z->model.epoch[z->model.epochs - 1] : NULL;
}

static void take(void *context, const struct stream_event *event)
{
    model_add_event(&((struct zoom *)context)->model, event);
}

static bool is_known(void *context)
{
    const struct epoch *e = last_epoch(context);

    return e && e->has_hello && e->snapshot;
}

static double window_seconds(const struct epoch *e)
{
    return (double)(e->snapshot->end - e->snapshot->begin) / (double)e->hello.clock_hz;
}

static void show_progress(struct zoom *z, const struct epoch *e)
{
    static uint64_t shown;

    if (!z->a->progress || e->snapshot->serial == shown)
        return;
    shown = e->snapshot->serial;
    fprintf(stderr, "\rstep %u: %.0f of %u s, %" PRIu64 " samples ", z->step, window_seconds(e),
            z->a->seconds, e->snapshot->samples);
}

/* A snapshot of an epoch that is new, and long enough. */
static bool is_over(void *context)
{
    struct zoom *z = context;
    const struct epoch *e = last_epoch(z);

    if (!is_known(z) || e->id == z->epoch || !e->hello.clock_hz)
        return false;
    show_progress(z, e);
    return window_seconds(e) >= z->a->seconds;
}

/* False, with a sentence. */
static bool command(struct zoom *z, const char *line)
{
    struct command_client *t = &z->a->talk;
    char *text;
    const enum client_result end = client_command(t, line, &text);
    const bool done = end == CLIENT_ANSWERED && t->answer.status == ANSWER_DONE;

    client_print_error(t, end);
    if (end == CLIENT_ANSWERED && !done)
        cli_error("%s refused '%s': %s", t->port, line, text);
    if (end == CLIENT_ANSWERED)
        free(text);
    return done;
}

/* The words of the monitors that are in force, as a command that sets them again. */
static void remember(struct zoom *z, const struct epoch *e)
{
    char words[CONFIG_LINE], *save = NULL;

    snprintf(words, sizeof(words), "%s", e->hello.words.bytes);
    strcpy(z->before, "region=none");
    for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
        if ((!strncmp(w, "monitor=", 8) || !strncmp(w, "region=", 7)) && strcmp(w, "region=none") &&
            strlen(z->before) + strlen(w) + 2 < sizeof(z->before)) {
            strcat(z->before, " ");
            strcat(z->before, w);
        }
}

/* ---- a window ---- */

static bool take_window(struct zoom *z)
{
    char line[LINE_ROOM];
    struct epoch *e = last_epoch(z);

    z->step++;
    z->epoch = e->id;
    snprintf(line, sizeof(line), "monitor=system,region region=none region=%s:%s:0x%" PRIx64 "-0x%" PRIx64,
             z->where.task == ROW_ANY ? "*" : z->task, mode_name(z->where.mode), z->where.low, z->where.high);
    if (!command(z, line))
        return false;
    client_read(&z->a->talk, z->a->talk.timeout + 3.0 * z->a->seconds, is_over);
    if (z->a->progress)
        fputs("\r\x1b[K", stderr);
    if (!is_over(z)) {
        cli_error("%s: the window of %u s was not told: %s", z->a->talk.port, z->a->seconds,
                 z->a->talk.ended ? "the run ended" : z->a->talk.why[0] ? z->a->talk.why : "the line is silent");
        return false;
    }
    e = last_epoch(z);
    epoch_name_rows(e);
    if (z->profiled)
        profile_free(&z->profile);
    z->profiled = profile_make(&z->profile, e, &z->where);
    if (z->profiled && !z->named)
        resolver_choose(&z->a->naming, e, z->where.task, true);
    z->named = true;
    return z->profiled;
}

static const char *slot_of(uint64_t bytes)
{
    static char text[24];
    unsigned shift = 0;

    while (bytes >> (shift + 1))
        shift++;
    snprintf(text, sizeof(text), "2^%u", shift);
    return text;
}

/* A share of all samples, as the other reports have it. */
static void print_step(const struct zoom *z, uint64_t low, uint64_t high, const char *what)
{
    const struct profile *p = &z->profile;
    const struct histogram_rule rule = {p->estimator, false, p->samples, p->unresolved};
    const struct tally t = profile_between(p, low, high);
    const struct histogram_range r = histogram_range(&rule, t.hits, t.changes);
    const double percent = t.samples ? 100.0 / (double)t.samples : 0;
    char addresses[48];

    snprintf(addresses, sizeof(addresses), "0x%" PRIx64 "-0x%" PRIx64, low, high);
    printf("%4u %-34s %5s %8" PRIu64 " %7.2f", z->step, addresses, slot_of(p->slot), t.hits,
           percent * r.hits);
    if (!rule.estimator.reason)
        printf("  %.2f-%.2f", percent * r.low, percent * r.high);
    if (*what)
        printf("  %s", what);
    putchar('\n');
    fflush(stdout);
}

/* ---- where next ---- */

/* The paper's step; false where nothing can be left aside. */
static bool narrow(struct zoom *z, uint64_t least)
{
    const struct epoch *e = last_epoch(z);
    const struct snapshot_region *r = NULL;
    uint64_t low, high;

    for (uint32_t i = 0; i < e->snapshot->regions; i++)
        if (e->snapshot->region[i].low == z->where.low && e->snapshot->region[i].high == z->where.high)
            r = &e->snapshot->region[i];
    if (!r || !zoom_narrow(&(struct zoom_slots){r->hits, r->base, r->shift, r->low, r->high}, least,
                           &low, &high))
        return false;
    z->where.low = low;
    z->where.high = high;
    *z->what = '\0';
    return true;
}

static int32_t hottest(const struct breakdown *b)
{
    int32_t best = -1;

    for (size_t i = 0; i < b->rows; i++)
        if (best < 0 || b->row[i].tally.hits > b->row[best].tally.hits)
            best = (int32_t)i;
    return best;
}

/* The addresses of the slots that a row has. */
static void span_of(const struct profile *p, const struct breakdown *b, int32_t row, uint64_t *low,
                    uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (size_t i = 0; i < p->atoms; i++)
        if (b->group[i] == row) {
            *low = p->atom[i].address < *low ? p->atom[i].address : *low;
            *high = p->atom[i].end > *high ? p->atom[i].end : *high;
        }
}

static double share_of(const struct zoom *z, const struct breakdown_row *row)
{
    return (double)row->tally.hits / (double)(z->profile.samples ? z->profile.samples : 1);
}

/* Several functions together are the hottest: none of them need be. */
static void note_rival(struct zoom *z, const struct breakdown *b)
{
    for (size_t i = 0; i < b->rows; i++) {
        const struct breakdown_row *row = &b->row[i];

        if (!row->symbol || share_of(z, row) <= z->rival.share)
            continue;
        z->rival.share = share_of(z, row);
        z->rival.low = row->start;
        z->rival.high = row->end;
        snprintf(z->rival.name, sizeof(z->rival.name), "%s", row->name);
    }
}

static void go_to(struct zoom *z, uint64_t low, uint64_t high, const char *what, const char *name)
{
    z->where.low = low;
    z->where.high = high;
    snprintf(z->what, sizeof(z->what), "%s: %.200s", what, name);
}

/*
 * To the hottest function; where its slots hold others too, to these slots first.
 * *last: it is a function by itself, or nothing smaller can be told.
 */
static bool to_function(struct zoom *z, bool *last)
{
    const struct profile *p = &z->profile;
    uint64_t low, high;
    struct breakdown b;
    int32_t row;

    if (!p->atoms || !breakdown_make(&b, p, &z->a->naming.symbols, BREAKDOWN_FUNCTION))
        return false;
    row = hottest(&b);
    span_of(p, &b, row, &low, &high);
    *last = b.row[row].symbol;
    if (!*last) {
        note_rival(z, &b);
        *last = low == z->where.low && high == z->where.high;
        go_to(z, low, high, "hottest", b.row[row].name);
    } else if (z->rival.share > share_of(z, &b.row[row])) {
        go_to(z, z->rival.low, z->rival.high, "hottest function", z->rival.name);
    } else {
        go_to(z, b.row[row].start, b.row[row].end, "hottest function", b.row[row].name);
    }
    breakdown_free(&b);
    return true;
}

/* Of a function that is wider than 512 bytes the hottest slot first, and so on. */
static bool to_slot(struct zoom *z)
{
    const struct profile *p = &z->profile;
    size_t best = 0;

    for (size_t i = 0; i < p->atoms; i++)
        if (p->atom[i].hits > p->atom[best].hits)
            best = i;
    if (!p->atoms || p->slot <= 1)
        return false;
    z->where.low = p->atom[best].address;
    z->where.high = p->atom[best].end;
    strcpy(z->what, "hottest slot");
    return true;
}

static void print_instruction(struct zoom *z)
{
    struct breakdown b;
    const struct breakdown_row *row;
    char what[LINE_ROOM];

    if (!z->profile.atoms ||
        !breakdown_make(&b, &z->profile, &z->a->naming.symbols, BREAKDOWN_INSTRUCTION))
        return;
    row = &b.row[hottest(&b)];
    snprintf(what, sizeof(what), "hottest instruction: %s  %s", row->name, row->text ? row->text : "");
    print_step(z, row->start, row->end > row->start ? row->end : row->start + 1, what);
    breakdown_free(&b);
}

static uint64_t hits_here(const struct zoom *z)
{
    return z->profile.active.hits - z->profile.below - z->profile.above;
}

/* Windows until the end that was asked for. */
static bool run_steps(struct zoom *z)
{
    const enum until until = z->a->until;
    bool function = false;

    while (z->step < STEPS) {
        if (!take_window(z))
            return false;
        print_step(z, z->where.low, z->where.high, z->what);
        if (!hits_here(z)) {
            cli_error("no hit of task %s in %s mode fell there within %u s", z->task,
                     mode_name(z->where.mode), z->a->seconds);
            return false;
        }
        if (until == UNTIL_PERCENT) {
            if (!narrow(z, (z->profile.active.hits * z->a->percent + 99) / 100))
                return true;
            continue;
        }
        if (function && (until == UNTIL_FUNCTION || !to_slot(z)))
            break;
        if (!function && !(z->profile.slot > 1 && narrow(z, hits_here(z))) && !to_function(z, &function))
            return false;
    }
    if (until == UNTIL_INSTRUCTION)
        print_instruction(z);
    return true;
}

static bool find_task(struct zoom *z)
{
    struct epoch *e = last_epoch(z);

    epoch_name_rows(e);
    if (z->a->request.task ? !profile_task(e, z->a->request.task, &z->where.task)
                           : !profile_busiest(e, &z->where.task))
        return false;
    epoch_name_of(e, z->where.task, z->task);
    z->where.mode = z->a->request.mode == MODES ? MODE_USER : z->a->request.mode;
    z->where.low = z->a->request.low;
    z->where.high = z->a->request.high;
    z->where.from_region = true;
    if (!z->where.high) {
        z->where.low = z->where.mode == MODE_USER ? 0 : (uint64_t)-USER_END;
        z->where.high = z->where.mode == MODE_USER ? USER_END : UINT64_MAX;
    }
    return true;
}

static int run(struct zoom *z)
{
    struct command_client *t = &z->a->talk;
    const enum client_result end = client_attach(t, NULL, NULL);
    bool well;

    if (end != CLIENT_ANSWERED) {
        client_print_error(t, end);
        return client_exit_code(end);
    }
    client_read(t, t->timeout, is_known);
    if (!is_known(z)) {
        cli_error("%s: no snapshot came within %g s", t->port, t->timeout);
        return EXIT_NO_DATA;
    }
    if (!find_task(z))
        return EXIT_NO_DATA;
    remember(z, last_epoch(z));
    printf("Zoom into task %s, %s mode, %u s a step, shares of all samples\n\n"
           "Step %-34s %5s %8s %7s  %s\n", z->task, mode_name(z->where.mode), z->a->seconds,
           "Addresses", "Slot", "Hits", "Percent", "95 %");
    well = run_steps(z);
    if (!t->ended && !t->why[0])
        well = command(z, z->before) && well;
    return well ? EXIT_OK : z->step ? EXIT_DAMAGED : EXIT_NO_DATA;
}

int cmd_zoom(int argc, char **argv)
{
    static const struct argp_child children[] = {{&run_selection_argp, 0, NULL, 0}, {&port_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "PORT",
        .doc = "Have the image that runs at the other end of PORT watch a task's addresses, and ever "
               "fewer of them, down to where its time goes; print each step."
               "\vEach step is an epoch of its own. Afterwards the monitors and regions are set as they "
               "were before.",
    };
    struct arguments a = {.request.mode = MODES, .seconds = SECONDS, .talk = {.timeout = TIMEOUT}};
    struct zoom *z = xrealloc_array(NULL, 1, sizeof(*z));
    int code = EXIT_NO_DATA;

    memset(z, 0, sizeof(*z));
    resolver_init(&a.naming);
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    z->a = &a;
    a.talk.take = take;
    a.talk.context = z;
    model_init(&z->model);
    if (client_open(&a.talk)) {
        code = run(z);
        if (!client_close(&a.talk) && code == EXIT_OK)
            code = EXIT_DAMAGED;
    }
    if (z->profiled)
        profile_free(&z->profile);
    model_free(&z->model);
    resolver_free(&a.naming);
    free(z);
    return code;
}
