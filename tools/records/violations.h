/* SPDX-License-Identifier: MIT */
/*
 * Counts contents of a stream that docs/PROTOCOL.md forbids although the checksums are right, by rule: the sender
 * is broken or hostile.  One message for each rule.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* rule: name, what the sentence says of it */
#define VIOLATION_RULES(R)                                                             \
    R(HELLO, "a HELLO contradicts the first one of its epoch")                         \
    R(VALUE, "a field has a value that it cannot have")                                \
    R(NAME_LENGTH, "a name has not 1 to 14 characters")                                \
    R(NAME_CHANGED, "a row id has another name or program than before")                \
    R(NAME_SHARED, "with identity=name two row ids have one name")                     \
    R(PROGRAM_CHANGED, "a program has another name or build id than before")           \
    R(SERIAL, "the serial of a snapshot is not above that of the one before")          \
    R(AFTER_FINAL, "a snapshot comes after the final one")                             \
    R(PARTS, "a snapshot has more rows, parts or regions than any has")                \
    R(PART_TWICE, "a part of a snapshot comes twice")                                  \
    R(ROW_TWICE, "a row stands twice in a snapshot")                                   \
    R(TIMES, "begin, first tick, end and sending of a snapshot are not in this order") \
    R(COUNTERS, "more samples, late or missed ticks or excess than there can be")                \
    R(BACKWARD, "a cumulative counter is below that of the snapshot before")           \
    R(BUCKETS, "the rows of LATENESS are not the late ticks")                          \
    R(LOST, "row LOST is not the samples that found no record")                        \
    R(CHANGES, "more pairs change than hits can")                                      \
    R(MONITOR, "the monitor had more time than the window")                            \
    R(EXACT, "exact times add up to more than the window less the monitor")            \
    R(REGION, "a region cannot be, or its parts contradict each other")                \
    R(DELTA, "a DELTA cannot be one to the whole snapshot that it names")               \
    R(SAMPLES, "a frame of raw samples or places cannot be the image's")               \
    R(TOLD, "more raw samples are told than ticks fired, or lost than told")           \
    R(LOG, "the log of changes contradicts itself or the exact table")                 \
    R(AMOUNT, "records are left out, since no more are kept in memory")

enum violation {
#define VIOLATION_NAME(NAME, what) VIOLATION_##NAME,
    VIOLATION_RULES(VIOLATION_NAME)
#undef VIOLATION_NAME
    VIOLATIONS
};

#define VIOLATION_WHERE 48 /* bytes of the position of a rule's first violation, with the zero */

struct violations {
    struct {
        uint64_t count;
        char where[VIOLATION_WHERE];
    } of[VIOLATIONS];
};

/*
 * Count a violation; *v is NULL before the first, and freed by the caller.  The position of a
 * rule's first violation is kept: a format as in printf().
 */
void violation_note(struct violations **v, enum violation rule, const char *where, ...)
    __attribute__((format(printf, 3, 4)));

/* Print a message for each violated rule on standard error; false: there was none. */
bool violations_print(const char *path, const struct violations *v);
