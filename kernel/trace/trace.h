/* SPDX-License-Identifier: MIT */
/*
 * The event monitor's hooks (monitor=events): later rooms call them where something happens.
 * What is taken is in one word: an event of a class that is off costs a test and a branch.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/text/refusal.h"
#include "probe/trace/class_tree.h"
#include "probe/trace/event_ring.h"

extern struct event_ring trace_ring; /* interrupts off; restartably in stubs */

/*
 * What is done with events of classes that have rules (kernel/tick/trace_rules.h), which are known in a later room.
 * put: where one happens; put_late: of user events that are known late, as event_ring_put(), until settle().
 * Interrupts off.
 */
struct trace_ruler {
    void (*put)(enum trace_class class, uint64_t time, uint64_t argument);
    void (*put_late)(uint64_t time, uint64_t argument);
    void (*settle)(void);
};
extern const struct trace_ruler *trace_ruler; /* set once */
void trace_set_ruler(const struct trace_ruler *ruler);

/*
 * Something happened at `time`: the account's clock (kernel/account/exact_time.h), and where it
 * is a change of cell the moment of that change, account.last.  Interrupts off.
 *
 * These are macros, not functions, so that what an event says is worked out only where it is recorded.
 */
#define trace_event(class, time, argument) \
    do { \
        if (__builtin_expect(trace_ring.mask & trace_bit(class), 0)) \
            TRACE_PUT(class, time, argument); \
    } while (0)

/* The same of code at `site` that was interrupted, or that calls.  Interrupts off. */
#define trace_event_at(class, time, argument, site) \
    do { \
        if (__builtin_expect(trace_ring.mask & trace_bit(class), 0) && event_ring_is_site(&trace_ring, class, site)) \
            TRACE_PUT(class, time, argument); \
    } while (0)

/*
 * The same of an event about a task other than the running one,
 * of which the classes in `traced` are taken.  Interrupts off.
 */
#define trace_event_of(class, traced, time, argument) \
    do { \
        if (__builtin_expect(trace_ring.open & trace_bit(class), 0) && (traced) & trace_bit(class)) \
            TRACE_PUT(class, time, argument); \
    } while (0)

/* An event that is taken. */
#define TRACE_PUT(class, time, argument) \
    do { \
        if (__builtin_expect(trace_ring.ruled & trace_bit(class), 0)) \
            trace_ruler->put(class, time, argument); \
        else if (event_ring_count(&trace_ring, class)) \
            event_ring_record(&trace_ring, time, event_record_code(class, argument)); \
    } while (0)

/* Another task runs, of which the classes in `traced` are taken.  Interrupts off. */
static inline void trace_set_task(uint32_t traced)
{
    trace_ring.mask = traced & trace_ring.open;
}

/* Whether events of this class of the running task are taken, for code that is more than a hook.  Interrupts off. */
bool trace_takes(enum trace_class class);

/*
 * The number of the last SYNC event: an observer outside of the machine that records stores to
 * this word (hwmon's sync=) has that event too.  Interrupts off.
 */
extern volatile uint64_t trace_sync_word;

/* A device begins request `number`, or ends it; the device is a byte.  Interrupts off. */
#define TRACE_DEVICE_DISK 1u
static inline uint64_t trace_io_argument(unsigned device, uint64_t number)
{
    return device | (number << 8 & TRACE_ARGUMENT_MAX);
}
static inline void trace_io_start(uint64_t time, unsigned device, uint64_t number)
{
    trace_event(TRACE_IO_START, time, trace_io_argument(device, number));
}
static inline void trace_io_end(uint64_t time, unsigned device, uint64_t number)
{
    trace_event(TRACE_IO_END, time, trace_io_argument(device, number));
}

/*
 * Which events are taken of which task: events= and when= of the configuration in force by the task's name, and what
 * the tree of monitor=states needs of any task.
 */

/* Whether events are taken in this window, and to say so.  Any context; interrupts off. */
bool trace_is_on(void);
void trace_set_on(bool on);

/*
 * The classes that these words take of a task of this name.  Where times are recorded its switches are with them:
 * they tell which of its events happened when.  Any context.
 */
uint32_t trace_classes_by(const struct config *w, const char *name);

/* The same of any task. */
uint32_t trace_classes_of_any(const struct config *w);

/* The same of the words in force; 0 where no events are taken. */
uint32_t trace_classes_of(const char *name);

/* The rules of when= that are about a task of this name, as a mask; 0 where no events are taken. */
uint8_t trace_rules_about(const char *name);

/* The class tree of monitor=states: classes= of the configuration, compiled. */

/*
 * Compile the tree of these words, where they have monitor=states; false, with line and column, where it is none.
 * The one in force stays until trace_tree_apply().  `why` points into the words.  The start, and task PROBE.
 */
bool trace_tree_plan(const struct config *w, struct refusal *why);

/* The planned tree is in force where it is that of these words; a plan for other words is forgotten.  As above. */
void trace_tree_apply(const struct config *w);

/* The one in force; void where there is none.  Any context, but it is changed by PROBE. */
const struct class_tree *trace_tree(void);

/* The classes of events that the tree in force needs, where these words have monitor=states; else 0.  Any context. */
uint32_t trace_tree_classes(const struct config *w);
