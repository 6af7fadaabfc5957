/* SPDX-License-Identifier: MIT */
/*
 * What a task and the kernel share in the task's own memory, where its workload grants it
 * (SYS_MONITOR): user events, and calls and times by function.  The task may write anything here
 * at any time.  The kernel reads it only while the task does not run, believes nothing of it, and
 * keeps what it needs itself.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define MONITOR_PAGE    0x70000000u /* below 2 GiB: an address that fits into an instruction */
#define MONITOR_PAGES   5           /* this one, and CALL_TABLE */
#define MONITOR_RECORDS 128u        /* a power of two */

struct monitor_record {
    uint64_t time; /* TSC */
    uint64_t code; /* event, a byte, and the value times 256 */
};

struct monitor_page {
    uint64_t put;   /* records so far, the task's; record n is in record[n % MONITOR_RECORDS] */
    uint64_t limit; /* the kernel's: at so many the task makes the call SYS_MONITOR, which takes them */
    uint64_t away;  /* the kernel's: TSC less this is the time for which the task has run, TSC clocks */
    uint64_t window; /* monitor_out() stores here; the kernel never reads it */
    uint64_t unused[4];
    struct monitor_record record[MONITOR_RECORDS];
};

/*
 * Calls by function, of a program that was built with -finstrument-functions
 * (kernel/tasks/runtime/instrument.c).  Times are TSC clocks while the task ran, in any mode, with the
 * interrupts that came meanwhile.
 */
#define CALL_TABLE      (MONITOR_PAGE + 4096u)
#define CALL_ROWS       256u /* a power of two; row 0 is the head */
#define CALL_COST_CALLS 1024u

struct call_head {
    uint64_t since;   /* TSC: when counting began; 0: it has not */
    uint64_t cost;    /* what the instrumentation of CALL_COST_CALLS calls takes */
    uint64_t inside;  /* of it the part that is counted as time of the called function */
    uint64_t first;   /* time of the task when counting began, */
    uint64_t last;    /* and at the last call or return */
    uint64_t deep;    /* calls too deep for the stack of the instrumentation: neither counted nor timed */
    uint64_t lost;    /* calls of functions for which there was no row */
    uint64_t unused;
};

struct call_row {
    uint64_t function;  /* its address; 0: no row */
    uint64_t calls;     /* of it */
    uint64_t made;      /* calls of others that it made */
    uint64_t inclusive; /* time from call to return; of a recursion that of the outermost call */
    uint64_t exclusive; /* the same without the functions that it called */
    uint64_t entered;   /* time of the task at the outermost call that has not returned; 0: none */
    uint64_t unused[2];
};

struct call_table {
    struct call_head head;
    struct call_row row[CALL_ROWS - 1];
};

/* Where an observer outside of the machine watches stores (hwmon's window=). */
#define MONITOR_WINDOW (MONITOR_PAGE + 24u)

_Static_assert(offsetof(struct monitor_page, window) == MONITOR_WINDOW - MONITOR_PAGE, "documented in TOOL.md");
_Static_assert(sizeof(struct call_head) == 64 && sizeof(struct call_row) == 64, "a row is in one page");
_Static_assert(sizeof(struct monitor_page) <= 4096, "a page");
_Static_assert(sizeof(struct call_table) == (MONITOR_PAGES - 1) * 4096, "its pages");
