/* SPDX-License-Identifier: MIT */
/*
 * What a task reads of the tick counters: the texts of /proc/stat, /proc/loadavg and /proc/PID/stat as Linux
 * 2.6.2x to 3.x writes them, fields in their places, those that there are not 0 (proc(5)).  PID is the task's number.
 */
#include "drivers/io.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/procstat.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/timer.h"
#include "probe/text/text_buf.h"

#define CPU_FIELDS      10u /* user nice system idle iowait irq, then softirq steal guest guest_nice */
#define BEFORE_UTIME    8u  /* pgrp session tty_nr tpgid flags minflt cminflt majflt, and cmajflt after them */
#define BEFORE_STARTS   2u  /* num_threads and itrealvalue, of which the first is 1 */
#define AFTER_NICE      25u /* itrealvalue and all that follows, 44 fields in all */
#define PRIORITY_NICE_0 20

static void put_zeros(struct text_buf *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        buf_text(b, " 0");
}

static void put_cpu(struct text_buf *b, const char *name, const struct wire_procstat *t)
{
    buf_text(b, name);
    for (unsigned mode = 0; mode < TICK_MODES; mode++)
        buf_parts(b, " ", DECIMAL(tick_usage_told(tick_usage_of(t)[mode], timer_hz())));
    put_zeros(b, CPU_FIELDS - TICK_MODES);
    buf_char(b, '\n');
}

static void put_stat(struct text_buf *b, const struct wire_procstat *t)
{
    put_cpu(b, "cpu ", t);
    put_cpu(b, "cpu0", t);
    buf_parts(b, "intr 0\nctxt 0\nbtime 0\nprocesses ", DECIMAL(task_births()), "\nprocs_running ",
              DECIMAL(t->running), "\nprocs_blocked ", DECIMAL(t->blocked), "\n");
}

static void put_loadavg(struct text_buf *b, const struct wire_procstat *t)
{
    unsigned live = 0;

    for (uint32_t i = 1; i < TASKS_MAX; i++)
        live += tasks[i].state == TASK_READY || tasks[i].state == TASK_SLEEPING;
    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        load_average_print(b, load_averages_of(t)[i]);
        buf_char(b, ' ');
    }
    buf_parts(b, DECIMAL(t->running), "/", DECIMAL(live), " ", DECIMAL(task_births()), "\n");
}

static const char *state_of(const struct task *t)
{
    if (t->state == TASK_ENDED)
        return " Z ";
    if (t->state == TASK_SLEEPING)
        return t->io_request != 0 ? " D " : " S ";
    return " R ";
}

static void put_signed(struct text_buf *b, int n)
{
    buf_parts(b, n < 0 ? " -" : " ", DECIMAL((uint64_t)(n < 0 ? -n : n)));
}

static void put_task(struct text_buf *b, const struct task *t)
{
    buf_parts(b, DECIMAL(t->number), " (", t->name, ")", state_of(t),
              DECIMAL(t->parent != 0 ? t->parent->number : 0));
    put_zeros(b, BEFORE_UTIME + 1);
    buf_parts(b, " ", DECIMAL(tick_usage_told(t->ticks.user, timer_hz())), " ",
              DECIMAL(tick_usage_told(t->ticks.system, timer_hz())));
    put_zeros(b, 2); /* of its children */
    put_signed(b, PRIORITY_NICE_0 + t->nice);
    put_signed(b, t->nice);
    buf_text(b, " 1");
    put_zeros(b, AFTER_NICE - 1);
    buf_char(b, '\n');
}

static bool put(struct text_buf *b, uint64_t file)
{
    struct wire_procstat t;
    bool known = true;

    irq_disable();
    procstat_read(&t, rdtsc());
    if (file == PROC_STAT)
        put_stat(b, &t);
    else if (file == PROC_LOADAVG)
        put_loadavg(b, &t);
    else if (file >= PROC_PID && file - PROC_PID < TASKS_MAX && tasks[file - PROC_PID].state > TASK_CLAIMED)
        put_task(b, &tasks[file - PROC_PID]);
    else
        known = false;
    irq_enable();
    return known;
}

static enum proc_kind kind_of(uint64_t file)
{
    return file == PROC_STAT ? PROC_KIND_STAT : file == PROC_LOADAVG ? PROC_KIND_LOADAVG : PROC_KIND_PID;
}

/*
 * The length of the text, without an end; SYSCALL_DENIED, which is not counted, where there is no such file, no such
 * task, monitor=procstat is off, or the task could not write there.
 */
uint64_t sys_proc(uint64_t file, uint64_t address)
{
    const uint64_t begin = rdtsc();
    char text[PROC_TEXT];
    struct text_buf b = { .text = text, .size = PROC_TEXT, .length = 0 };

    if (!procstat_is_on() || !put(&b, file) || !user_memory_write(current->space, address, text, b.length))
        return SYSCALL_DENIED;
    irq_disable();
    procstat_count_read(kind_of(file), begin, b.length);
    irq_enable();
    return b.length != 0 ? b.length : SYSCALL_DENIED;
}
