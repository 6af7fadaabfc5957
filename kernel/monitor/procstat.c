/* SPDX-License-Identifier: MIT */
/* monitor=procstat. */
#include "kernel/monitor/procstat.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/idle_counters.h"
#include "kernel/monitor/proc_reads.h"
#include "kernel/sched/idle.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "probe/schedule/memory.h"

uint64_t procstat_ticks[TICK_MODES];

static bool stopping;       /* nohz=on */
static bool counting;       /* interrupts off, as all below */
static uint64_t begun;      /* TSC */
static uint64_t load[3];    /* times LOAD_ONE */
static uint64_t next_look;  /* TSC: when the load averages look at the run queue again */
static uint64_t between_looks;
static struct procstat_window closed;

static enum tick_mode mode_of(const struct cpu_frame *f, struct task *t)
{
    if (frame_ring(f->cs) != 0)
        return t->nice > 0 ? TICK_NICE : TICK_USER;
    if (frame_in_handler(frame_whole(f)))
        return TICK_IRQ;
    if (t == sched_idle())
        return idle_io_tasks != 0 ? TICK_IOWAIT : TICK_IDLE;
    return TICK_SYSTEM;
}

/* Looks that were missed found what this one finds. */
static void look_at_load(uint64_t now)
{
    static const uint64_t weight[] = { LOAD_WEIGHT1, LOAD_WEIGHT5, LOAD_WEIGHT15 };
    const uint64_t active = sched_runnable() + idle_io_tasks;

    for (; next_look <= now; next_look += between_looks)
        for (unsigned i = 0; i < 3; i++)
            load[i] = load_average_next(load[i], weight[i], active);
}

static void charge(const struct cpu_frame *f, uint64_t now)
{
    struct task *const t = current;
    enum tick_mode mode;

    if (!timer_is_tick(now))
        return;
    mode = mode_of(f, t);
    procstat_ticks[mode]++;
    if (mode == TICK_USER || mode == TICK_NICE)
        t->ticks.user++;
    else if (mode == TICK_SYSTEM || mode == TICK_IRQ)
        t->ticks.system++;
    if (__builtin_expect(next_look <= now, 0))
        look_at_load(now);
}

/* Whole ticks of a time in clock units, as that kernel makes them of microseconds: rounded up. */
static uint64_t ticks_of(uint64_t clocks)
{
    const uint64_t tick_us = 1000000 / timer_hz(), us = clocks / timer_us_to_clocks(1);

    return (us + tick_us - 1) / tick_us;
}

/* nohz=on: no tick finds the processor idle, and its idle time is that of the counter across HLT. */
static void compute_idle(struct procstat_totals *to, uint64_t now)
{
    const struct idle_counters idle = idle_read(now - account.nmi_time);

    to->ticks[TICK_IDLE] = ticks_of(idle.time - idle.io);
    to->ticks[TICK_IOWAIT] = ticks_of(idle.io);
}

static void stop_ticks(bool on)
{
    if (on == stopping)
        return;
    stopping = on;
    if (!on)
        timer_resume_ticks(rdtsc());
    idle_watch(on ? timer_pause_ticks : 0, on ? timer_resume_ticks : 0);
    idle_counters_use(MONITOR_PROCSTAT, on);
}

static void begin(uint64_t now)
{
    memset(procstat_ticks, 0, sizeof procstat_ticks);
    memset(load, 0, sizeof load);
    proc_reads_begin();
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        tasks[i].ticks = (struct task_ticks){ .user = 0 };
    begun = now;
    between_looks = (LOAD_LOOK_S * timer_hz() + 1) * (timer_period() >> 16);
    next_look = now + between_looks;
    counting = true;
    irq_watch(timer_vector(), charge);
    stop_ticks(run_config()->nohz == NOHZ_ON);
}

static void end(void)
{
    irq_watch(timer_vector(), 0);
    stop_ticks(false);
    counting = false;
}

void procstat_read(struct procstat_totals *to, uint64_t now)
{
    to->begin = begun;
    to->end = now;
    memcpy(to->ticks, procstat_ticks, sizeof to->ticks);
    memcpy(to->load, load, sizeof to->load);
    to->running = sched_runnable();
    to->blocked = idle_io_tasks;
    if (stopping)
        compute_idle(to, now);
}

static void close(uint64_t now)
{
    procstat_read(&closed.all, now);
    proc_reads_close();
    closed.rows = 0;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        const struct task *const t = &tasks[i];

        if (t->state != TASK_CLAIMED && t->ticks.user + t->ticks.system != 0)
            closed.row[closed.rows++] = (struct procstat_row){ t->number, t->id, t->nice, t->ticks };
    }
}

const struct software_monitor monitor_procstat = {
    .word = MONITOR_PROCSTAT, .begin = begin, .end = end, .close = close,
};

const struct procstat_window *procstat_closed(void)
{
    return &closed;
}

bool procstat_is_on(void)
{
    return counting;
}
