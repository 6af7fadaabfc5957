/* SPDX-License-Identifier: MIT */
/*
 * A process: what a task has besides when it runs a program that was not made for this kernel, and how it gets its
 * program.  Its memory is two pages, which belong to the process, and the pages of its address space.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/mm/module_files.h"
#include "probe/text/refusal.h"

/*
 * The address space of a program that asks for memory itself: ranges of whole pages in the order of their addresses,
 * each with one kind of access.  A page gets memory at its first touch (process_memory.h).  Nothing is mapped here.
 * No I/O, no clocks: compiled for the host's tests too.  Any context in which nobody else changes the list.
 */

#define MEMORY_RANGES_MAX 130u

enum memory_access { MEMORY_READ = 1, MEMORY_WRITE = 2, MEMORY_CODE = 4 };

struct memory_range {
    uint64_t from, to; /* multiples of a page */
    uint32_t access;   /* enum memory_access bits; 0: none */
};

struct memory_ranges {
    uint32_t count;
    struct memory_range range[MEMORY_RANGES_MAX];
};

/* The range that holds the address; NULL: none does. */
const struct memory_range *ranges_find(const struct memory_ranges *r, uint64_t address);

/* Whether [from, to) touches a range; whether all of it is in ranges. */
bool ranges_meet(const struct memory_ranges *r, uint64_t from, uint64_t to);
bool ranges_cover(const struct memory_ranges *r, uint64_t from, uint64_t to);

/* The bits of access that some part of [from, to) has. */
uint32_t ranges_access(const struct memory_ranges *r, uint64_t from, uint64_t to);

/*
 * Make [from, to) a range, and none where it was one; the parts of other ranges in it are replaced.
 * False, and nothing has changed, where the list has no room.
 */
bool ranges_set(struct memory_ranges *r, uint64_t from, uint64_t to, uint32_t access);
bool ranges_clear(struct memory_ranges *r, uint64_t from, uint64_t to);

/* The highest gap of so many bytes within [low, high): its address; 0: there is none. */
uint64_t ranges_gap(const struct memory_ranges *r, uint64_t bytes, uint64_t low, uint64_t high);

/* The sum of all, bytes. */
uint64_t ranges_bytes(const struct memory_ranges *r);

#define PROCESS_FILES   16u /* descriptors */
#define PROCESS_UNKNOWN 16u /* kinds of calls that are not there and are counted each by itself */

/*
 * A descriptor: free; a module, which is read; the program's output, which is sent; /dev/null;
 * the one folder, of all modules.
 */
enum process_file_kind {
    PROCESS_FILE_FREE, PROCESS_FILE_INPUT, PROCESS_FILE_OUTPUT, PROCESS_FILE_NULL, PROCESS_FILE_FOLDER,
};
struct process_file {
    enum process_file_kind kind;
    uint32_t descriptor;              /* OUTPUT: 1 or 2, also of a duplicate */
    const struct module_file *module; /* INPUT; NULL: nothing to read */
    uint64_t at;                      /* INPUT: bytes from its begin; FOLDER: entries */
    uint32_t opened;                  /* the same in duplicates, which share `at`; 0: the standard descriptors */
};

/* As the program has it, struct stack_t. */
struct process_signal_stack {
    uint64_t base;
    uint32_t flags, pad;
    uint64_t bytes;
};

/* A call that is not there, and how often it was made; the last of the array also counts what found no place. */
struct process_unknown {
    uint64_t number, count;
};

struct process {
    struct memory_ranges ranges;
    uint64_t space;                /* physical address of its page tables */
    uint64_t base;                 /* what was added to the addresses of its file; 0 where it is not relocated */
    uint64_t heap_from, heap_end;  /* brk */
    uint64_t fs_base, gs_base;
    /* registers, while it does not run (kernel/cpu/extended_state.h); NULL: no XSAVE */
    void *vectors;
    const struct module_file *program;
    struct process_file file[PROCESS_FILES];
    struct process_unknown unknown[PROCESS_UNKNOWN];
    uint64_t drawn;                /* bytes of its random numbers (kernel/linux/linux_calls.h) */
    uint32_t generation;           /* of its code: counted up when code is mapped, unmapped or made writable */
    uint32_t program_number;       /* in the record PROGRAMS */
    uint64_t ignored, blocked, sent; /* signals, a bit each from 1 on; sent: until it is not blocked */
    struct process_signal_stack signal_stack;
    uint32_t opened;               /* files so far */
    int32_t status;                /* what it exited with */
    bool exited;                   /* by a call of its own */
    uint32_t thread_call;          /* the first call for a thread or a process, its number; 0: none */
    bool threads_told;             /* the log has a sentence of it; task PROBE */
    bool awaits_room;              /* it sleeps until there is room for its output */
};

/*
 * A new one with an empty address space, whose program gets the initial registers; NULL: out of memory.
 * Task context.
 */
struct process *process_new(void);

/* Free it and its address space, which is in no CR3.  Task context. */
void process_release(struct process *p);

/*
 * Its program gets the processor, and loses it: vector registers, FS and GS, and whether SYSCALL may be executed.
 * Interrupts off.
 */
void process_enter(const struct process *p);
void process_leave(struct process *p);

/* The descriptor of this number, if it is open, and if it is of this kind; NULL else.  The process' own task. */
static inline struct process_file *process_file_open(const struct process *p, uint64_t descriptor)
{
    const uint32_t number = (uint32_t)descriptor;

    return number < PROCESS_FILES && p->file[number].kind != PROCESS_FILE_FREE
               ? (struct process_file *)&p->file[number] : 0;
}

static inline struct process_file *process_file_at(const struct process *p, uint64_t descriptor,
                                                   enum process_file_kind kind)
{
    struct process_file *const f = process_file_open(p, descriptor);

    return f != 0 && f->kind == kind ? f : 0;
}

/* Count a call of this number that is not there.  The process' own task. */
void process_count_unknown(struct process *p, uint64_t number);

/*
 * ELF files of programs that were not made for this kernel, static ones and static-pie ones, into the address space
 * of a process.  Nothing in a file is believed before it has been checked.  System V gABI, chapters 4 and 5.
 */

#define PROGRAM_PIE_BASE 0x0000555555554000ull /* where the lowest segment of a program goes that can be anywhere */

/* Where things are in memory, for the start of the program. */
struct program_start {
    uint64_t entry, base;
    uint64_t segments; /* address of its table of segments; 0: no segment holds it */
    uint32_t segment_count;
};

/*
 * Map the program; what it has beyond its file gets memory at its first touch.  Sets the process' base and heap.
 * False and *why: it is no such program, or nothing that this kernel loads.  Task context.
 */
bool program_load(struct process *p, const void *file, uint64_t bytes, struct program_start *start,
                  struct refusal *why);

/*
 * The stack that a program finds at its start: arguments, environment, auxiliary vector.  System V ABI, AMD64
 * supplement, 3.4.1; getauxval(3).
 */

#define START_STACK_BYTES  (1ull << 20) /* of the stack; its pages get memory at their first touch */
#define START_RANDOM_BYTES 16u          /* AT_RANDOM */

struct start_words {
    const char *name;      /* argument 0 */
    const char *arguments; /* the others: blanks separate, single quotes keep together */
    uint8_t random[START_RANDOM_BYTES];
};

/*
 * Map the stack and write its top.  *rsp: what the program starts with, a multiple of 16.  False and *why: too many
 * arguments, or no memory.  Task context.
 */
bool start_stack_make(struct process *p, const struct program_start *start, const struct start_words *words,
                      uint64_t *rsp, struct refusal *why);
