/* SPDX-License-Identifier: MIT */
/* Declares the JSON of a profile, for what adds rows of its own to it. */
#pragma once

#include "tools/analysis/breakdown.h"
#include "tools/base/report_object.h"
#include "tools/view/histogram_view.h"

#define HISTOGRAM_SHARE_MEMBERS(M, O)                                               \
    M(COUNT, hits, "samples in it")                                                 \
    M(COUNT, changes, "pairs (stratified: of one stratum; random: of neighbours) with exactly one sample in it") \
    M(REAL, percent, "hits divided by all samples, percent")                        \
    M(REAL, low, "lower end of its 95 % interval, percent; null: there is none")    \
    M(REAL, high, "upper end of its 95 % interval, percent; null: there is none")
#define HISTOGRAM_ROW_MEMBERS(M, O)                                                 \
    HISTOGRAM_SHARE_MEMBERS(M, O)                                                   \
    M(TEXT, name, "function, file:line, or function+offset; of a step what is there; null: not known, or a slot") \
    M(ADDRESS, start, "its first address")                                          \
    M(ADDRESS, end, "the address behind it")                                        \
    M(TEXT, code, "the instruction; null: not known, or it is none")                \
    M(COUNT_IF, samples, "of a step of `cpuprobe zoom`: all samples of its window") \
    M(COUNT_IF, slot, "of a step: bytes of a slot of the region monitor over its addresses") \
    O(WORD_IF, found, histogram_found, "of a step: what is at its addresses; range: not narrowed to one thing yet; " \
                                       "functions: several that share slots")
extern const char *const histogram_found[];
REPORT_DECLARE(histogram_row, HISTOGRAM_ROW_MEMBERS)

/* How intervals are made; NULL and why: there are none. */
#define HISTOGRAM_INTERVAL_MEMBERS(M, O)                                            \
    M(TEXT, interval, "how intervals are made; null: there are none")               \
    M(TEXT, interval_reason, "why there are no intervals; null: there are")
const char *histogram_interval(const struct histogram_view *v);
const char *histogram_interval_reason(const struct histogram_view *v);

/* The share of a row and its addresses, [start, end). */
struct histogram_row_value histogram_row(const struct histogram_view *v, const struct tally *t, uint64_t start,
                                         uint64_t end);

/* In the order of enum breakdown_by from HISTOGRAM_BY_BREAKDOWN on. */
enum histogram_by {
    HISTOGRAM_BY_SLOT, HISTOGRAM_BY_BREAKDOWN, HISTOGRAM_BY_STEP = HISTOGRAM_BY_BREAKDOWN + BREAKDOWN_INSTRUCTION + 1,
};

/* Print the object: `by` is what a row is, `slot` its bytes (0: single addresses); `rows` is released. */
void histogram_print_json(const struct histogram_view *v, enum histogram_by by, uint64_t slot, json_t *rows);
extern const struct report_object histogram_object;
