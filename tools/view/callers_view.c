/* SPDX-License-Identifier: MIT */
/* Calls, most time first.  Samples and ticks become time as shares of the window without its ticks (tau). */
#include "tools/view/callers_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/json/report_json.h"
#include "tools/view/histogram_view.h"

/* Seconds that so many samples stand for; NaN where there is no snapshot with exact times. */
static double sampled_time(const struct epoch *e, uint64_t samples)
{
    const struct snapshot *s = e->snapshot;

    if (!s || !s->exact || !s->samples || !e->hello.clock_hz)
        return NAN;
    return (double)samples * (double)snapshot_tau(s) / (double)s->samples / (double)e->hello.clock_hz;
}

static double seconds(const struct epoch *e, uint64_t clocks)
{
    return e->hello.clock_hz ? (double)clocks / (double)e->hello.clock_hz : NAN;
}

static uint64_t truth_of(const struct wire_call_stacks_row *r)
{
    return r->unmasked + r->masked;
}

static int most_first(const void *a, const void *b)
{
    const struct wire_call_stacks_row *const x = *(const struct wire_call_stacks_row *const *)a,
                              *const y = *(const struct wire_call_stacks_row *const *)b;
    const uint64_t of_x = truth_of(x), of_y = truth_of(y);

    if (of_x != of_y)
        return of_x < of_y ? 1 : -1;
    if (x->samples != y->samples)
        return x->samples < y->samples ? 1 : -1;
    return (x > y) - (x < y);
}

/* Those of the task in that order, for the caller to free. */
static const struct wire_call_stacks_row **sorted(const struct epoch *e, uint32_t task, size_t *count)
{
    const struct record_store *const s = epoch_kept(e, WIRE_CALL_STACKS);
    const struct wire_call_stacks_row **list = xrealloc_array(NULL, s->row.count + 1, sizeof(*list)), *r;

    *count = 0;
    for (size_t i = 0; i < s->row.count; i++)
        if ((r = record_row(s, i))->mode != MODE_USER && (task == ROW_ANY || r->id == task))
            list[(*count)++] = r;
    qsort(list, *count, sizeof(*list), most_first);
    return list;
}

/* The function of a return address, which is that of the instruction after the call; NULL: not known. */
static const struct symbol *caller_at(const struct code_files *names, uint64_t pc)
{
    return names ? code_file_symbol(code_file_at(names, pc - 1), pc - 1) : NULL;
}

#define CALL_STACK_MEMBERS(M, O)                                                    \
    M(TEXT, name, "name of the task")                                               \
    M(COUNT, id, "identifier of the task")                                          \
    M(TEXT, mode, "mode of the call")                                               \
    M(ADDRESSES, pcs, "return addresses, innermost first")                          \
    M(COUNT, samples, "samples in the call")                                        \
    M(COUNT, calls, "calls that returned")                                          \
    M(COUNT, ticks, "ticks between entry and return")                               \
    M(REAL, sampled_s, "time by samples, s")                                        \
    M(REAL, ticks_s, "time by the difference of ticks, s")                          \
    M(REAL, time_s, "time by the difference of times, s")                           \
    M(REAL, kernel_s, "time in truth: unmasked_s and masked_s, s")                  \
    M(REAL, unmasked_s, "of this with interrupts on, s")                            \
    M(REAL, masked_s, "of this with interrupts off, s")
REPORT_OBJECT(call_stack, CALL_STACK_MEMBERS)

#define NAMED_CALL_STACK_MEMBERS(M, O)                                              \
    O(PART, stack, call_stack, "")                                                  \
    M(TEXTS, callers, "the function of each return address; null: not known")
REPORT_OBJECT(named_call_stack, NAMED_CALL_STACK_MEMBERS)

#define CALLERS_COUNT_MEMBERS(M)                                                    \
    M(COUNT, outside, "samples in the kernel, on no way from a call")               \
    M(COUNT, lost, "samples that found no room in the table")                       \
    M(COUNT, lost_returns, "returns that found no room in the table")

#define CALLERS_MEMBERS(M, O)                                                       \
    CALLERS_COUNT_MEMBERS(M)                                                        \
    O(LIST, rows, call_stack, "calls by their return addresses")
REPORT_SHARED(callers, CALLERS_MEMBERS)

static const char *const schema_word[] = {"cpuprobe-histogram-1", NULL}, *const by_word[] = {"call", NULL};

#define HISTOGRAM_CALLERS_MEMBERS(M, O)                                             \
    CALLERS_COUNT_MEMBERS(M)                                                        \
    O(LIST, rows, named_call_stack, "calls by their return addresses, most time first") \
    O(WORD, schema, schema_word, "of the report")                                   \
    O(WORD, by, by_word, "what a row is")
REPORT_SHARED(histogram_callers, HISTOGRAM_CALLERS_MEMBERS)

static json_t *row_json(const struct epoch *e, const struct wire_call_stacks_row *r)
{
    json_t *pcs = json_array();
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)r->id, name);
    for (unsigned i = 0; i < stack_depth(r); i++)
        json_array_append_new(pcs, json_address(stack_pc(r, i)));
    return REPORT_MAKE(call_stack, .name = name, .id = r->id, .mode = mode_name((enum mode)r->mode),
                       .pcs = pcs, .samples = r->samples, .calls = r->calls, .ticks = r->ticks,
                       .sampled_s = sampled_time(e, r->samples), .ticks_s = sampled_time(e, r->ticks),
                       .time_s = seconds(e, r->time), .kernel_s = seconds(e, truth_of(r)),
                       .unmasked_s = seconds(e, r->unmasked), .masked_s = seconds(e, r->masked));
}

json_t *callers_json(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_CALL_STACKS);
    const struct wire_call_stacks *const h = record_last(s);
    const struct wire_call_stacks_row *r;
    json_t *rows;

    if (!epoch_has_calls(e))
        return NULL;
    rows = json_array();
    for (size_t i = 0; i < s->row.count; i++)
        if ((r = record_row(s, i))->mode != MODE_USER)
            json_array_append_new(rows, row_json(e, r));
    return REPORT_MAKE(callers, h->outside, h->lost, h->lost_returns, rows);
}

/* The function of each return address; as text with the distance from its begin. */
static json_t *callers_of(const struct wire_call_stacks_row *r, const struct code_files *names, bool as_json)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < stack_depth(r); i++) {
        const uint64_t pc = stack_pc(r, i);
        const struct symbol *const s = caller_at(names, pc);
        const char *const name = s ? symbols_display_name(s) : NULL, *const before = i ? " < " : " ";

        json_array_append_new(list, as_json ? json_text_or_null(name) :
                              s ? json_sprintf("%s%s+0x%" PRIx64, before, view_name(name, 0), pc - s->start) :
                              json_sprintf("%s0x%" PRIx64, before, pc));
    }
    return list;
}

static const char text[] =
    "                                   Milliseconds by             Truth   of it\n"
    "Task               Calls  Samples   Samples     Ticks      Time        ms   masked  Return address\n"
    "[rows:{name|-14s} {calls|9d} {samples|8d} {sampled_s*1000|9.3f|n.a.}[mode=kernel? {ticks_s*1000|9.3f|n.a.} "
    "{time_s*1000|9.3f|n.a.} {kernel_s*1000|9.3f|n.a.} {masked_s*1000|8.3f|n.a.} ]"
    "[mode=kernel!   service                              ][callers:{.}]\n]"
    "outside  {outside} samples in the kernel, on no way from a call\n"
    "lost     {lost} samples, {lost_returns} returns: no room in the table\n";

bool callers_print(const struct epoch *e, uint32_t task, const struct code_files *names, bool as_json)
{
    const struct wire_call_stacks *const h = record_last(epoch_kept(e, WIRE_CALL_STACKS));
    json_t *rows;
    const struct wire_call_stacks_row **list;
    size_t count;

    if (!epoch_has_calls(e)) {
        cli_error("the run has no calls by caller: boot the image with monitor=callers");
        return false;
    }
    rows = json_array();
    list = sorted(e, task, &count);
    for (size_t i = 0; i < count; i++)
        REPORT_ADD(rows, named_call_stack, row_json(e, list[i]), callers_of(list[i], names, as_json));
    free(list);
    report_print(REPORT_MAKE(histogram_callers, h->outside, h->lost, h->lost_returns, rows, *schema_word, *by_word),
                 text, as_json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    return true;
}
