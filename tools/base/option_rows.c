/* SPDX-License-Identifier: MIT */
/* Makes argp's options of rows, and stores, counts and checks what a command line gives. */
#include "tools/base/option_rows.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/text/nearest.h"
#include "tools/base/choice.h"

#define CHOICES_WIDE 48 /* of choices that a line of the help has room for */
#define NAME_SHOWN   16
#define KEY_FIRST 0x100 /* argp's keys of options without a letter: this and the index of the row */

struct parsing {
    const struct option_line *line;
    char *arguments;
    uint64_t given;                      /* bits of rows */
    const struct argument_row *rest;
    char *rest_input;
    const char *first;                   /* argument; NULL: none yet */
};

const struct option_row *option_line_row(const struct option_line *line, size_t index, const struct option_use **of)
{
    for (const struct option_use *u = line->use; u->set; u++)
        for (const struct option_row *r = u->set->rows; r && r->what; r++)
            if (!index--) {
                *of = u;
                return r;
            }
    return NULL;
}

/* ---- values ---- */

uint64_t option_number(const char *text, uint64_t least, uint64_t most, const char *refusal,
                       const struct argp_state *state)
{
    char *end;
    unsigned long long n;

    errno = 0;
    n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < least || n > most)
        argp_error(state, refusal ? refusal : "'%s' is not a number from %" PRIu64 " to %" PRIu64, text, least, most);
    return n;
}

static double real(const struct option_row *r, const char *text, const struct argp_state *state)
{
    char *end;
    const double n = strtod(text, &end);

    if (!*text || *end || !isfinite(n) || !(n > 0) || (r->most && n > (double)r->most))
        argp_error(state, r->refusal ? r->refusal : "'%s' is not a number of seconds", text);
    return n;
}

static const char *not_empty(const struct option_row *r, const char *text, const struct argp_state *state)
{
    if (!*text)
        argp_error(state, "--%s takes %s, not an empty text", r->name, r->argument);
    return text;
}

static void put_number(const struct option_row *r, void *to, uint64_t n)
{
    switch (r->kind) {
    case OPTION_NUMBER: *(unsigned *)to = (unsigned)n; break;
    case OPTION_LONG: *(unsigned long *)to = n; break;
    default: *(double *)to = (double)n; break;
    }
}

static void put(const struct option_row *r, void *to, char *text, struct argp_state *state)
{
    switch (r->kind) {
    case OPTION_CALL: r->take(to, text, state); break;
    case OPTION_FLAG: *(bool *)to = true; break;
    case OPTION_TEXT: *(const char **)to = not_empty(r, text, state); break;
    case OPTION_WORD: *(unsigned *)to = suggest_choice(text, r->argument, state); break;
    case OPTION_REAL: *(double *)to = real(r, text, state); break;
    default: put_number(r, to, option_number(text, r->least, r->most, r->refusal, state)); break;
    }
}

/* ---- misspelt options ---- */

/* Whether a row is meant by the first `length` bytes, as getopt takes them: any beginning; otherwise the nearest. */
static const struct option_row *row_begun(const struct option_line *line, const char *typed, size_t length,
                                          struct nearest *near)
{
    const struct option_use *of;
    const struct option_row *r;

    for (size_t i = 0; (r = option_line_row(line, i, &of)); i++) {
        if (r->name && !strncmp(r->name, typed, length))
            return r;
        if (r->name)
            nearest_offer(near, span_text(r->name));
    }
    return NULL;
}

/* Before argp sees them; what is near to nothing is left to its message. */
static void check_names(const struct option_line *line, struct argp_state *state)
{
    state->name = state->argv[0]; /* argp sets it later */
    for (int i = 1; i < state->argc && strcmp(state->argv[i], "--") != 0; i++) {
        const char *const text = state->argv[i], *const typed = text + 2;
        const struct option_row *r;
        struct nearest near;
        size_t length;

        if (strncmp(text, "--", 2) != 0) {
            if (line->flags & ARGP_IN_ORDER && *text != '-')
                return;
            continue;
        }
        length = strcspn(typed, "=");
        near = (struct nearest){.typed = {typed, length}};
        r = row_begun(line, typed, length, &near);
        if (r)
            i += r->argument && !(r->flags & OPTION_ARG_OPTIONAL) && !typed[length];
        else if (near.name.length)
            argp_error(state, "there is no option '--%.*s'; did you mean '--%.*s'?", (int)length, typed,
                       (int)near.name.length, near.name.at);
    }
}

/* ---- the parser ---- */

static void begin(const struct parsing *p, struct argp_state *state)
{
    const struct option_use *of;
    const struct option_row *r;

    for (size_t i = 0; (r = option_line_row(p->line, i, &of)); i++)
        if (r->otherwise)
            put_number(r, p->arguments + of->at + r->at, r->otherwise);
    if (p->line->suggests)
        check_names(p->line, state);
}

static error_t take_option(struct parsing *p, int key, char *text, struct argp_state *state)
{
    const struct option_use *of;
    const struct option_row *r;

    for (size_t i = 0; (r = option_line_row(p->line, i, &of)); i++)
        if (key == (r->letter ? r->letter : KEY_FIRST + (int)i)) {
            p->given |= UINT64_C(1) << i;
            put(r, p->arguments + of->at + r->at, text, state);
            if (r->step)
                put(r, p->arguments + of->at + r->at + r->step, text, state);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

static error_t take_argument(struct parsing *p, char *text, struct argp_state *state)
{
    const struct argument_row *a = p->rest;
    const unsigned number = state->arg_num;

    if (!a)
        return ARGP_ERR_UNKNOWN;
    if (number >= a->most)
        argp_error(state, a->many, text);
    for (unsigned i = 0; a->twice && !strcmp(text, "-") && i < number; i++)
        if (!strcmp(*(const char **)(p->rest_input + a->at + i * a->step), text))
            argp_error(state, "%s", a->twice);
    if (!number)
        p->first = text;
    if (!number || a->step)
        *(const char **)(p->rest_input + a->at + number * a->step) = text;
    if (a->count)
        *(unsigned *)(p->rest_input + a->count) = number + 1;
    if (a->kept)
        *(unsigned long *)(p->rest_input + a->kept + number * a->step) = *(unsigned long *)(p->rest_input + a->last);
    if (a->take)
        a->take(p->rest_input, text, state);
    return 0;
}

/* Whether one of "a|b" was given; NULL: none. */
static bool is_given(const struct parsing *p, const char *names)
{
    const struct option_use *of;
    const struct option_row *r;

    for (size_t length; names && *names; names += length + (names[length] == '|')) {
        length = strcspn(names, "|");
        if (p->first && !strncmp(names, "FILE", 4))
            return true;
        for (size_t i = 0; (r = option_line_row(p->line, i, &of)); i++)
            if (p->given >> i & 1 && r->name && strlen(r->name) == length && !memcmp(r->name, names, length))
                return true;
    }
    return false;
}

static void check_set(const struct parsing *p, const struct option_use *u, struct argp_state *state)
{
    for (const struct option_rule *r = u->set->rules; r && r->refusal; r++)
        if ((!r->of || is_given(p, r->of)) && ((r->needs && !is_given(p, r->needs)) || is_given(p, r->excludes)))
            argp_error(state, r->refusal, p->first);
    if (u->set->check)
        u->set->check(p->arguments + u->at, state);
}

static void finish(const struct parsing *p, struct argp_state *state)
{
    size_t uses = 0;

    if (p->rest && state->arg_num < p->rest->least)
        argp_error(state, "%s", p->rest->missing);
    while (p->line->use[uses].set)
        uses++;
    while (uses--)
        check_set(p, &p->line->use[uses], state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct parsing *p = state->input;

    switch (key) {
    case ARGP_KEY_INIT: begin(p, state); return 0;
    case ARGP_KEY_ARG: return take_argument(p, text, state);
    case ARGP_KEY_END: finish(p, state); return 0;
    default: return take_option(p, key, text, state);
    }
}

/* What the help shows behind an option: its choices, or where these are wide its name. */
static const char *shown_argument(const struct option_row *r, char name[NAME_SHOWN])
{
    size_t length = 0;

    if (!r->argument || strlen(r->argument) <= CHOICES_WIDE)
        return r->argument;
    for (; r->name[length] && length + 1 < NAME_SHOWN; length++)
        name[length] = (char)toupper((unsigned char)r->name[length]);
    name[length] = '\0';
    return name;
}

void option_line_parse(const struct option_line *line, int argc, char **argv, void *arguments)
{
    char shown[OPTIONS_MOST][NAME_SHOWN];
    struct argp_option option[OPTIONS_MOST + 1] = {0};
    const struct argp argp = {
        .options = option, .parser = parse, .args_doc = line->args_doc, .doc = line->doc, .help_filter = line->filter,
    };
    struct parsing p = {.line = line, .arguments = arguments};
    const struct option_use *u;
    const struct option_row *r;
    size_t made = 0;

    for (unsigned grouped = 0; grouped < 2; grouped++) /* argp takes a group of 0 as that of the option before */
        for (size_t i = 0; made < OPTIONS_MOST && (r = option_line_row(line, i, &u)); i++)
            if ((r->group != 0) == grouped) {
                option[made] = (struct argp_option){
                    r->name, r->letter ? r->letter : KEY_FIRST + (int)i, shown_argument(r, shown[made]), r->flags,
                    r->what, r->group,
                };
                made++;
            }
    for (u = line->use; u->set && !p.rest; u++) {
        p.rest = u->set->arguments;
        p.rest_input = p.arguments + u->at;
    }
    argp_parse(&argp, argc, argv, line->flags | ARGP_NO_HELP | (p.rest && p.rest->kept ? ARGP_IN_ORDER : 0), NULL,
               &p);
}

/* The options --from and --to of a report on differences. */

#undef OPTION_INPUT
#define OPTION_INPUT struct moments

static const struct option_row rows[] = {
    {"from", 0, "S", "the difference from S seconds of the run on", SET_SECONDS(from)},
    {"to", 0, "S", "up to S seconds of the run", SET_SECONDS(to)},
    {0},
};

static void check(void *input, struct argp_state *state)
{
    const struct moments *m = input;

    if (m->to > 0 && m->from >= m->to)
        argp_error(state, "--from must be before --to");
}

const struct option_set moments_options = {.rows = rows, .check = check};

uint64_t moments_clock(double seconds, uint64_t begin, uint64_t hz, uint64_t otherwise)
{
    return seconds > 0 ? begin + (uint64_t)(seconds * (double)hz) : otherwise;
}
