/* SPDX-License-Identifier: MIT */
/*
 * What a program can ask for, and what some calls write or read in its memory.  Number in RAX, arguments in RDI, RSI,
 * answer in RAX (RDX too where said); all other registers are kept.
 */
#pragma once

#include <stdint.h>

/* INT SYSCALL_VECTOR, from ring 3 or ring 1: runs at ring 0. */
#define SYSCALL_VECTOR 0x80

#define SYS_EXIT   0 /* end the task; no return */
#define SYS_SLEEP  1 /* RDI microseconds; RSI 1: on to the next clock tick after that */
#define SYS_PACE   2 /* next piece of work: answers enum pace_part RDI in units */
#define SYS_WORK   3 /* spin RDI units at ring 0 */
#define SYS_REST   4 /* sleep until the present period of the pace is over */
#define SYS_REPORT 5 /* put the number RDI on record */
#define SYS_CLOCK  6 /* clock units (TSC) since start */
#define SYS_FAULT  7 /* ring 0 does as enum fault_kind RDI says, for the tests */
#define SYS_MASK   8 /* spin RDI units at ring 0 with interrupts off */
#define SYS_UNTIL  9 /* sleep until SYS_CLOCK answers RDI */
#define SYS_TICK  10 /* clock units from one tick of the system clock to the next */
#define SYS_CLOCKS 11 /* RDI nanoseconds as clock units */
#define SYS_UNITS 12 /* RDI clock units of work, as units to spin */
#define SYS_TAKE  13 /* take resource RDI for ever; while another has it, a look takes RSI units */
#define SYS_SHADOW 14 /* go the path of kernel/load/loads.h, RDI units */
#define SYS_STORM 15 /* kernel/load/loads.h begins: RDI units an interrupt, RSI 1: interrupts let in */
#define SYS_CALM  16 /* it ends; answers how many interrupts there were */
#define SYS_SMI   17 /* an SMI of RDI clock units; answers the clock units of all so far */
#define SYS_DISK  18 /* move RSI blocks of the disk from block RDI on, and sleep meanwhile */
#define SYS_MONITOR 19 /* take the records of the monitor page (kernel/abi/monitor_page.h) */
#define SYS_EVENT 20 /* a user event: RDI is its number, a byte, and its value times 256 */
#define SYS_SEND  21 /* put the word RDI into the mailbox; answers 0, else it is full */
#define SYS_RECEIVE 22 /* take the word of the mailbox; answers all ones where there is none */
/* the text of enum proc_file RDI, or PROC_PID plus a task's number, into the PROC_TEXT bytes at RSI */
#define SYS_PROC  23
/* the counters of each processor (struct perf_counters) to RDI, RSI bytes: how many processors */
#define SYS_PERF  24
#define SYS_PS    25 /* the table of processes (probe/stats/process_entry.h) to RDI, RSI bytes: how many processes */
#define SYS_PRIORITY 26 /* lower the own priority to RDI, of kernel/abi/task_priority.h */
#define SYS_PROFIL 27 /* keep a profile as the struct profil_request at RDI says (kernel/abi/profil.h) */
#define SYS_IDLE_COUNT 28 /* the task counts its idle time in the struct idle_count at RDI */
#define SYSCALLS  29

/* INT SUPERVISOR_VECTOR, from ring 3: runs at ring 1. */
#define SUPERVISOR_VECTOR 0x81

#define SVC_WORK  0 /* spin RDI units at ring 1 */
#define SVC_FAULT 1 /* do as enum fault_kind RDI says */
#define SVC_SYNC  2 /* spin RDI units at ring 1, then as many at ring 0 by a system call */
#define SERVICES  3

/* What SYS_PROC writes (kernel/monitor/proc_files.c). */
#define PROC_TEXT 1024
#define PROC_PID  256
enum proc_file { PROC_STAT, PROC_LOADAVG };
/* of the files, those of all tasks are one */
enum proc_kind { PROC_KIND_STAT, PROC_KIND_LOADAVG, PROC_KIND_PID, PROC_KINDS };

/* What SYS_PERF writes for each processor: clock units, cumulative; time is the sum of the others. */
struct perf_counters {
    uint64_t time, idle, busy;
    uint64_t interrupt; /* handlers of devices, the probe's ticks among them */
};

/*
 * What a task that counts at idle priority keeps in its own memory, for monitor=idletask to read
 * (SYS_IDLE_COUNT): how far it got, and how far it gets where nothing else runs.
 */
struct idle_count {
    volatile uint64_t count;
    uint64_t calibrated, took; /* it counted so far in so many clock units, at time-critical priority */
};

/*
 * The protocol of tasks=messages, after the Multibus II's message passing (Thurner, "Performance Measurement
 * Using System Monitors", figure 6): a transfer is its start, one or more data, its end.  A word of it is a step
 * and a value; the user events of both tasks have the same numbers, which are the paper's classes.
 */
enum message_step {
    MESSAGE_IDLE = 0,
    MESSAGE_DATA = 1,  /* value: which datum of the transfer, from 1 */
    MESSAGE_START = 5, /* value: number of the transfer, from 1 */
    MESSAGE_END = 9,   /* value: the same */
};

#define MESSAGE_STEP_BITS 8 /* of a word and of the argument of a user event; the value is above them */
#define MESSAGE_WORD(step, value) ((uint64_t)(step) | (uint64_t)(value) << MESSAGE_STEP_BITS)

/* The parts of a period's work. */
enum pace_part { PACE_USER, PACE_SUPERVISOR, PACE_KERNEL };

/* The ways a test program does wrong. */
enum fault_kind {
    FAULT_BAD_READ,     /* an address that is not mapped */
    FAULT_BAD_WRITE,    /* a page that is read-only: its own code */
    FAULT_EXECUTE_DATA, /* a page that is no code */
    FAULT_KERNEL_READ,  /* kernel memory */
    FAULT_PRIVILEGED,   /* CLI */
    FAULT_PORT,         /* IN from the PIT */
    FAULT_DIVIDE,       /* by zero */
    FAULT_OPCODE,       /* UD2 */
    FAULT_RECURSION,    /* endless: the guard page under the stack */
    FAULT_STACK,        /* a stack pointer that is no address */
    FAULT_DESCRIPTOR,   /* SGDT: refused by UMIP */
    FAULT_SYSCALL,      /* a way into ring 0 that is closed: EFER.SCE */
    FAULT_SYSENTER,     /* another one: SYSENTER_CS, or no such instruction in long mode (AMD) */
    FAULT_CALL_GATE,    /* another one: a gate in an LDT that it can write */
    FAULT_XGETBV,       /* what saves AVX is off: CR4.OSXSAVE */
    FAULT_USER_READ,    /* a user's page without leave: refused by SMAP at ring 1 */
    FAULT_USER_EXECUTE, /* a user's code: refused by SMEP at ring 1 */
    FAULT_KINDS,
    FAULT_LOST_TASK = FAULT_KINDS /* ring 0 alone: the running task's own record is lost */
};

/* Arguments of the test programs: culprit's fault kind or'ed with the ring that errs ... */
#define CULPRIT_RING1 0x100u
#define CULPRIT_RING0 0x200u
#define CULPRIT_AC    0x400u /* with AC set, by which SMAP lets pass */
/* ... and sleeper's microseconds, or'ed with this to sleep on to a clock tick. */
#define SLEEPER_GRID  0x80000000u
/* Taker: resource n of a ring, each look so many thousandths of a clock tick. */
#define TAKER_RING  8
#define TAKER_SHARE 16
#define TAKER_ARGUMENT(n, ring, share) ((n) | (ring) << TAKER_RING | (share) << TAKER_SHARE)
/* Poller: thousandths of a clock tick, and shifted by this the ticks that it passes over in between. */
#define POLLER_SHARE  0xffffu
#define POLLER_PASSES 16
/*
 * Stretch: thousandths of a clock tick from a cycle's begin, shifted the thousandths that it lasts,
 * and the ticks of a cycle.
 */
#define STRETCH_BEGIN  0xffffu
#define STRETCH_LENGTH 16
#define STRETCH_CYCLE  32
/* Isochronous: nanoseconds of the period, and of the burst shifted by this. */
#define ISOCHRONOUS_PERIOD 0xffffffffu
#define ISOCHRONOUS_BURST  32
/* Hog: microseconds that it stops before a tick, or'ed with these. */
#define HOG_LEAD   0xffffu
#define HOG_TURNS  0x10000u /* each sleep lasts until the tick after the next */
#define HOG_SECOND 0x20000u /* it takes the turns between those of another */
#define HOG_SWEEP  0x40000u /* that lead at first, each thousand ticks a tenth of it less, down to a fifth */
#define HOG_FREE   0x80000u /* it sleeps so long, whoever else has turns; its first turn is at a tick that is drawn */
#define HOG_DRAWN  32       /* shifted by this: what the tick is drawn from */
/* Crashme: bytes that its parent draws, and how many of them, at first, are for registers and flags. */
#define CRASHME_BYTES 1024
#define CRASHME_HEAD  (18 * 8)
/* Diskuser: mean microseconds of work before a request, shifted milliseconds to think after it, or'ed with a flag. */
#define DISKUSER_COMPUTE 0xffffu
#define DISKUSER_THINK   16
#define DISKUSER_HOSTILE 0x1000000u /* it asks for any block */
#define DISKUSER_BLOCKS  1048576u   /* of the disk (kernel/load/loads.h) */
/* Meter: what it reads. */
#define METER_PERF 0
#define METER_PS   1
/* Profiled: which buffer it has its profile in, of enum profiled_buffer, or'ed with a flag: a trap at each tick. */
enum profiled_buffer {
    PROFILED_NONE, PROFILED_MAPPED, PROFILED_UNTOUCHED, /* its own data; pages that it never touches itself */
    /* and no memory of its own: nothing there, the kernel, its own code, half of it nothing, past the low half */
    PROFILED_NOWHERE, PROFILED_KERNEL, PROFILED_CODE, PROFILED_EDGE, PROFILED_NONCANONICAL,
    PROFILED_TOUCHED, /* pages that it touches first itself */
};
#define PROFILED_TRAP 0x100u
/*
 * Delayer: microseconds of a call, 0: it is refused; shifted the thousands of calls, and what it is drawn from,
 * of its phase in us.
 */
#define DELAYER_DELAY  0xffffu
#define DELAYER_TURNS  16
#define DELAYER_MOST   0xffffu
#define DELAYER_DRAWN  32
#define DELAYER_PHASES 1000
#define DELAYER_FIXED  8 /* equally spaced phases of workload delays-phases */
/* Procreader: nanoseconds between two reads, shifted of how many reads one is reported, or'ed with a flag. */
#define PROCREADER_PERIOD  0xffffffffu
#define PROCREADER_EVERY   32
#define PROCREADER_MOST    0xffffu /* 0: each change of the sum is user event PROCREADER_EVENT of the window */
#define PROCREADER_EVENT   1
#define PROCREADER_HOSTILE (1ull << 63)
/* all files, once in a period, as numbers: the file, the length, eight bytes each */
#define PROCREADER_TELLS   (1ull << 62)
#define PROCREADER_TOLD    8u           /* tasks whose files are told, by number from 0 */
/* Mixer: in each turn microseconds of loop, shifted refused calls, and microseconds of sleep, 0: none. */
#define MIXER_LOOP  0xffffu
#define MIXER_CALLS 16
#define MIXER_SLEEP 32
#define MIXER_MOST  0xffffu
/* Sender: of 1000 transfers so many lack their end. */
#define SENDER_FAULTS 0xffffu
/* Storm: nanoseconds of work an interrupt, or'ed with this to let interrupts in. */
#define STORM_OPEN 0x80000000u
