/* SPDX-License-Identifier: MIT */
/* monitor=procstat. */
#include "kernel/monitor/procstat.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/run_state.h"
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
static struct wire_procstat closed;
static struct wire_procstat_row row[TASKS_MAX]; /* of it: tasks with a tick */
static uint32_t rows;
static struct wire_procreads_row reads[PROC_KINDS], closed_reads[PROC_KINDS]; /* what readings of the texts cost */

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
static void compute_idle(struct wire_procstat *to, uint64_t now)
{
    const struct idle_counters idle = idle_read(now - account.nmi_time);

    to->idle = ticks_of(idle.time - idle.io);
    to->iowait = ticks_of(idle.io);
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
    memset(reads, 0, sizeof reads);
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

void procstat_read(struct wire_procstat *to, uint64_t now)
{
    const uint64_t *const n = procstat_ticks;

    *to = (struct wire_procstat){
        .begin = begun - run_state->start, .end = now - run_state->start, .hz = timer_hz(), .user = n[TICK_USER],
        .nice = n[TICK_NICE], .system = n[TICK_SYSTEM], .idle = n[TICK_IDLE], .iowait = n[TICK_IOWAIT],
        .irq = n[TICK_IRQ], .running = sched_runnable(), .blocked = idle_io_tasks, .load1 = load[0], .load5 = load[1],
        .load15 = load[2],
    };
    if (stopping)
        compute_idle(to, now);
}

static void close(uint64_t now)
{
    procstat_read(&closed, now);
    memcpy(closed_reads, reads, sizeof closed_reads);
    rows = 0;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        const struct task *const t = &tasks[i];

        if (t->state != TASK_CLAIMED && t->ticks.user + t->ticks.system != 0)
            row[rows++] = (struct wire_procstat_row){
                t->number, t->id, wire_zigzag(t->nice), t->ticks.user, t->ticks.system,
            };
    }
}

void procstat_count_read(enum proc_kind kind, uint64_t since, uint64_t bytes)
{
    struct wire_procreads_row *const r = &reads[kind];
    const uint64_t took = rdtsc() - since;

    r->file = kind;
    r->least = r->reads == 0 || took < r->least ? took : r->least;
    r->reads++;
    r->time += took;
    r->bytes += bytes;
}

/* ---- the report ---- */

static const void *next_row(uint32_t *at)
{
    return *at < rows ? &row[(*at)++] : 0;
}

/* Files that were read. */
static const void *next_read(uint32_t *at)
{
    while (*at < PROC_KINDS)
        if (closed_reads[(*at)++].reads != 0)
            return &closed_reads[*at - 1];
    return 0;
}

static void put_frames(const struct monitor_turn *t)
{
    frame_tx_record(WIRE_PROCSTAT, &closed, t->serial, next_row);
    frame_tx_record(WIRE_PROCREADS, &(struct wire_procreads){ .epoch = 0 }, t->serial, next_read);
}

/* Each mode in percent of all ticks, and the load averages. */
static void put_all(struct text_buf *b)
{
    const uint64_t *const ticks = tick_usage_of(&closed), sum = tick_usage_sum(ticks);

    buf_text(b, "procstat");
    for (unsigned mode = 0; mode < TICK_MODES; mode++)
        buf_parts(b, " ", tick_mode_name((enum tick_mode)mode), " ",
                  MILLI(sum != 0 ? ticks[mode] * 100000 / sum : 0));
    buf_parts(b, " % of ", DECIMAL(sum), " ticks; load");
    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        buf_char(b, ' ');
        load_average_print(b, load_averages_of(&closed)[i]);
    }
}

static void put_lines(monitor_line *line)
{
    const uint64_t us = timer_us_to_clocks(1);
    const struct wire_procreads_row *read;
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    put_all(&b);
    line(0, text);
    for (uint32_t i = 0; i < rows; i++) {
        buf_reset(&b);
        buf_parts(&b, "procstat ", tasks[row[i].number].name, " user ", DECIMAL(row[i].user), " system ",
                  DECIMAL(row[i].system), " ticks");
        line(0, text);
    }
    for (uint32_t at = 0; (read = next_read(&at)) != 0;) {
        buf_reset(&b);
        buf_parts(&b, "procstat ", tick_usage_file((unsigned)read->file), " read ", DECIMAL(read->reads), " times, ",
                  MILLI(read->time * 1000 / us / read->reads), " us each, ", MILLI(read->least * 1000 / us),
                  " at least");
        line(0, text);
    }
}

const struct software_monitor monitor_procstat = {
    .word = MONITOR_PROCSTAT, .begin = begin, .end = end, .close = close, .put_frames = put_frames,
    .put_lines = put_lines,
};

bool procstat_is_on(void)
{
    return counting;
}
