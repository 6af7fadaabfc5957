/* SPDX-License-Identifier: MIT */
/*
 * A window of runs and their letters.  PCRE2 tells a partial match where an attempt reached the end of the
 * window; then more runs are needed from where it began.  An attempt that fills CLASS_SPAN runs is decided
 * with these.  Work is bounded: for one attempt by PCRE2's limits, in all by a time that grows with the sequence.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "tools/trace/class_match.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/base/alloc.h"

#define WINDOW      (4 * CLASS_SPAN)
#define STEPS_MOST  2000000u /* of PCRE2's for one attempt; the longest plain ones need some for each run */
#define HEAP_MOST   262144u  /* KiB for its backtracking */
#define STARTS      256u     /* attempts between two looks at the time */
#define TOO_LONG    64u      /* attempts that fill CLASS_SPAN runs without a match */
#define WORK_LEAST  10.0     /* seconds of processor time that are always allowed, */
#define WORK_A_RUN  20e-6    /* and for each run */

struct class_match {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *limits;
    size_t before; /* runs that the expression looks at before its match */
    void (*hit)(void *context, const struct class_hit *hit);
    void *context;
    struct class_run *run; /* the window */
    char *letter;
    size_t runs;
    size_t at;      /* where the next attempt begins */
    bool begins;    /* the window begins where the sequence does, or behind what is missing */
    unsigned too_long;
    uint64_t taken; /* runs in all */
    clock_t work;
    const char *given_up;
    uint64_t given_up_at;
};

/* ---- the expression ---- */

/* Without its blanks; at[i] is where character i stood. */
static char *without_blanks(const char *expression, size_t **at)
{
    const size_t length = strlen(expression);
    char *to = xrealloc_array(NULL, length + 1, 1);
    size_t kept = 0;

    *at = xrealloc_array(NULL, length + 1, sizeof(**at));
    for (size_t i = 0; i <= length; i++)
        if (!isspace((unsigned char)expression[i])) {
            (*at)[kept] = i;
            to[kept++] = expression[i];
        }
    return to;
}

static pcre2_code *compile(const char *expression, char *why, size_t size)
{
    size_t *place, offset;
    char *text = without_blanks(expression, &place);
    int error;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
                                     PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C |
                                     PCRE2_USE_OFFSET_LIMIT, &error, &offset, NULL);

    if (!code) {
        PCRE2_UCHAR reason[128];

        pcre2_get_error_message(error, reason, sizeof(reason));
        snprintf(why, size, "character %zu of the expression: %s",
                 place[offset < strlen(text) ? offset : strlen(text)] + 1, (const char *)reason);
    }
    free(place);
    free(text);
    return code;
}

static size_t looks_before(const pcre2_code *code)
{
    uint32_t before = 0;

    pcre2_pattern_info(code, PCRE2_INFO_MAXLOOKBEHIND, &before);
    return before;
}

struct class_match *class_match_new(const char *expression, void (*hit)(void *context, const struct class_hit *hit),
                                    void *context, char *why, size_t size)
{
    pcre2_code *code = compile(expression, why, size);
    struct class_match *m;

    if (!code)
        return NULL;
    m = xrealloc_array(NULL, 1, sizeof(*m));
    *m = (struct class_match){
        .code = code, .data = pcre2_match_data_create(1, NULL), .limits = pcre2_match_context_create(NULL),
        .before = looks_before(code), .hit = hit, .context = context, .begins = true,
        .run = xrealloc_array(NULL, WINDOW, sizeof(*m->run)), .letter = xrealloc_array(NULL, WINDOW, 1),
    };
    pcre2_set_match_limit(m->limits, STEPS_MOST);
    pcre2_set_heap_limit(m->limits, HEAP_MOST);
    return m;
}

void class_match_free(struct class_match *m)
{
    if (!m)
        return;
    pcre2_match_data_free(m->data);
    pcre2_match_context_free(m->limits);
    pcre2_code_free(m->code);
    free(m->run);
    free(m->letter);
    free(m);
}

/* ---- the window ---- */

static void give_up(struct class_match *m, const char *why)
{
    m->given_up = why;
    m->given_up_at = m->at < m->runs ? m->run[m->at].number : m->runs ? m->run[m->runs - 1].number + 1 : 0;
    m->runs = m->at = 0;
}

/* Drop what no attempt from m->at on looks at. */
static void drop(struct class_match *m)
{
    const size_t from = m->at > m->before ? m->at - m->before : 0;

    m->runs -= from;
    m->at -= from;
    m->begins &= !from;
    memmove(m->run, m->run + from, m->runs * sizeof(*m->run));
    memmove(m->letter, m->letter + from, m->runs);
}

/* ---- attempts ---- */

static bool overworked(struct class_match *m, clock_t since)
{
    m->work += clock() - since;
    return (double)m->work / CLOCKS_PER_SEC > WORK_LEAST + WORK_A_RUN * (double)m->taken;
}

/* So many attempts, the first one at m->at, in the first `length` letters. */
static int attempt(struct class_match *m, size_t length, size_t starts, uint32_t options)
{
    pcre2_set_offset_limit(m->limits, m->at + starts - 1);
    return pcre2_match(m->code, (PCRE2_SPTR)m->letter, length, m->at,
                       options | PCRE2_NOTEMPTY | (m->begins ? 0 : PCRE2_NOTBOL), m->data, m->limits);
}

/* A match: tell it and go on behind it. */
static void take(struct class_match *m)
{
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(m->data);
    const size_t from = found[0], to = found[1];

    if (from < to && to <= m->runs)
        m->hit(m->context, &(struct class_hit){ m->run + from, to - from });
    m->at = to > m->at ? to : m->at + 1;
}

/* An attempt that reaches the last run of a full window: it has to do with CLASS_SPAN of them. */
static bool decide(struct class_match *m)
{
    const int got = attempt(m, m->at + CLASS_SPAN, 1, PCRE2_ANCHORED | PCRE2_NOTEOL);

    if (got >= 0)
        take(m);
    else if (got != PCRE2_ERROR_NOMATCH)
        give_up(m, "one attempt takes more than 2000000 steps: write the expression with fewer alternatives");
    else if (++m->too_long == TOO_LONG)
        give_up(m, "at 64 places a match would span more than 65536 changes: bound its repetitions, as in {1,100}");
    else
        m->at++;
    return !m->given_up;
}

/* One step of the search; false where it needs more runs, or has come to the end. */
static bool step(struct class_match *m, bool last)
{
    const size_t starts = m->runs - m->at < STARTS ? m->runs - m->at : STARTS;
    const clock_t since = clock();
    const int got = attempt(m, m->runs, starts, last ? 0 : PCRE2_PARTIAL_HARD);

    if (overworked(m, since)) {
        give_up(m, "it takes more than 20 us of work for each change: write the expression with fewer alternatives");
        return false;
    }
    if (got >= 0) {
        const PCRE2_SIZE *found = pcre2_get_ovector_pointer(m->data);

        if (found[1] <= found[0] || found[1] - found[0] <= CLASS_SPAN) {
            take(m);
            return true;
        }
        m->at = found[0];
        return decide(m);
    }
    if (got == PCRE2_ERROR_NOMATCH) {
        m->at += starts;
        return m->at < m->runs;
    }
    if (got == PCRE2_ERROR_PARTIAL) {
        m->at = pcre2_get_ovector_pointer(m->data)[0];
        return m->runs - m->at >= CLASS_SPAN && decide(m);
    }
    give_up(m, "one attempt takes more than 2000000 steps: write the expression with fewer alternatives");
    return false;
}

static void search(struct class_match *m, bool last)
{
    while (!m->given_up && m->at < m->runs && step(m, last))
        ;
}

void class_match_run(void *match, const struct class_run *run)
{
    struct class_match *m = match;

    m->taken++;
    if (m->given_up)
        return;
    if (m->runs == WINDOW) {
        search(m, false);
        drop(m);
    }
    if (m->given_up)
        return;
    m->run[m->runs] = *run;
    m->letter[m->runs++] = class_letter(run->code);
}

void class_match_cut(void *match)
{
    struct class_match *m = match;

    search(m, false);
    search(m, true);
    m->runs = m->at = 0;
    m->begins = true;
}

void class_match_end(struct class_match *m)
{
    class_match_cut(m);
}

const char *class_match_given_up(const struct class_match *m, uint64_t *at)
{
    *at = m->given_up_at;
    return m->given_up;
}
