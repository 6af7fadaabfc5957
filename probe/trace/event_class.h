/* SPDX-License-Identifier: MIT */
/*
 * The classes of events: what an event monitor records (Thurner, "Performance Measurement Using
 * System Monitors", section 3: event-driven monitors).  The numbers are those of the stream
 * (probe/stream/event_encode.h) and of a mask of classes; they are never given anew.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/text_span.h"

/*
 * class: NAME, number, name of its group, name, what it is; the argument is in the last.  "The
 * task" is the running one.  "A task" is trace_task(): its row id, as in the stream's NAMES, and
 * its number, by which two tasks of one row are told apart.  A cell is trace_cell().
 */
#define TRACE_CLASSES(C)                                                                                   \
    C(SWITCH, 1, "switch", "switch", "another task runs, in kernel mode with interrupts off: the task")  \
    C(READY, 2, "ready", "ready", "a task that lost the processor is ready: the task")                   \
    C(SLEEP, 3, "sleep", "sleep", "the task goes to sleep: the task")                                    \
    C(WAKE, 4, "wake", "wake", "a sleep is over and its task is ready: the task")                        \
    C(START, 5, "start", "start", "a new task is ready: the task")                                       \
    C(END, 6, "end", "end", "a task has ended: the task")                                                \
    C(IRQ_ENTER, 7, "irq", "irq-enter", "an interrupt's handler is entered: vector")                       \
    C(IRQ_EXIT, 8, "irq", "irq-exit", "the handler is over: vector, and the cell after it")                \
    C(RESUME, 9, "switch", "resume", "the task goes on, with nothing to return from: the cell") \
    C(SYSCALL_ENTER, 10, "syscall", "syscall-enter", "a system call begins: its number")                   \
    C(SYSCALL_EXIT, 11, "syscall", "syscall-exit", "a system call returns: its number, and the cell after it") \
    C(SERVICE_ENTER, 12, "service", "service-enter", "a supervisor service begins: its number")            \
    C(SERVICE_EXIT, 13, "service", "service-exit",                                                         \
      "a supervisor service returns: its number, and the cell after it")                                   \
    C(FAULT, 14, "fault", "fault",                                                                         \
      "a fault of the task: vector; where it does not end, but a page of it is mapped, RESUME follows")    \
    C(IO_START, 15, "io", "io-start", "a device begins a request: device, a byte, and its number")         \
    C(IO_END, 16, "io", "io-end", "the request is over: the same")                                         \
    C(USER, 17, "user", "user", "monitor(event, value): event, a byte, and value")                         \
    C(TIMER, 18, "timer", "timer", "the monitor's own timer: its expiries so far")                         \
    C(MASK, 19, "mask", "mask", "interrupts are switched off in a section of the kernel: 0")               \
    C(UNMASK, 20, "mask", "unmask", "they are on again: 0")                                                \
    C(TICK_ENTER, 21, "tick", "tick-enter", "a tick's handler begins, row MONITOR: 0")                     \
    C(TICK_EXIT, 22, "tick", "tick-exit", "it is over: 0")                                                 \
    C(SYNC, 23, "sync", "sync", "the moment that another recorder has too: its number")                    \
    C(PAUSE, 24, "control", "pause", "nothing is recorded from here on: enum trace_pause")                 \
    C(CONTINUE, 25, "control", "continue",                                                                 \
      "from here on it is; the argument is the task that runs, in kernel mode with interrupts off")        \
    C(TRIGGER, 26, "control", "trigger", "an action was triggered: its number")                            \
    C(LOST, 27, "control", "lost", "from here on so many events found no room: their number")

enum trace_class {
#define TRACE_NUMBER(NAME, number, group, name, what) TRACE_##NAME = number,
    TRACE_CLASSES(TRACE_NUMBER)
#undef TRACE_NUMBER
    TRACE_CLASSES_END, /* one more than the highest number; all are below 32 */
};

/* Why nothing is recorded: the argument of PAUSE. */
enum trace_pause {
    TRACE_PAUSED_BY_COMMAND,
    TRACE_PAUSED_BY_ACTION,
    TRACE_PAUSED_BY_FILL, /* the buffer is full, and so told */
    TRACE_PAUSED_BY_LINE, /* the line cannot carry them */
};

/* The argument of an event has 56 bits; of USER and of I/O the low byte names the event or the device. */
#define TRACE_ARGUMENT_BITS 56
#define TRACE_ARGUMENT_MAX  (((uint64_t)1 << TRACE_ARGUMENT_BITS) - 1)

/* A task as an argument: its row id, and its number in the image. */
static inline uint64_t trace_task(uint32_t row, uint32_t number)
{
    return row | (uint64_t)(number & 0xff) << 32;
}
static inline uint32_t trace_task_row(uint64_t task)
{
    return (uint32_t)task;
}
static inline uint32_t trace_task_number(uint64_t task)
{
    return (uint32_t)(task >> 32) & 0xff;
}

/*
 * The cell of the exact table, 2 * mode (probe/core/mode.h), plus 1 with interrupts off: after an
 * exit it is in bits 32 to 39 of the argument.
 */
static inline uint64_t trace_exit(uint32_t number, unsigned cell)
{
    return number | (uint64_t)cell << 32;
}
static inline unsigned trace_cell(uint64_t argument)
{
    return (unsigned)(argument >> 32) & 0xff;
}

/* An event, wherever it is in memory; its task is that of the last SWITCH or CONTINUE before it. */
struct trace_event {
    uint64_t time;     /* clock units since start; in the image the account's clock */
    uint64_t argument; /* at most TRACE_ARGUMENT_MAX */
    uint64_t task;     /* trace_task() of the running task; of a SWITCH the one that is left */
    uint8_t class;     /* enum trace_class */
};

/* The bit of a class in a mask. */
static inline uint32_t trace_bit(enum trace_class class)
{
    return 1u << class;
}

/* A class's own name; NULL: there is no class of this number.  Any context. */
const char *trace_class_name(unsigned class);

/* The classes of a group's or a class's name, as a mask; 0: there is no such name.  Any context. */
uint32_t trace_classes_named(struct span name);

/* The name of a group that has these classes, of those `within`; else of a class; "": there is none.  Any context. */
const char *trace_classes_name(uint32_t mask, uint32_t within);
