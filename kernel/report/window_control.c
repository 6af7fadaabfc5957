/* SPDX-License-Identifier: MIT */
/*
 * Windows: has a tick of each source close one, makes snapshots of what was closed, prints or sends them, and
 * resumes or ends the window.
 */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/schedule/memory.h"
#include "probe/stats/hello.h"
#include "probe/stats/snapshot_frames.h"

/* Snapshots, from which tables and frames are made, of what a tick closed. */
_Static_assert(LATENESS_BUCKETS == SNAPSHOT_BUCKETS, "a snapshot has the probe's histogram");

/* The row of a slot; a row that is being retired belongs to ENDED already. */
static struct snapshot_row *row_of(struct snapshot *s, const struct closed_row *from, uint64_t retiring)
{
    const bool ended = from->id == ROW_ENDED || (retiring != 0 && from->id == (uint32_t)retiring);
    struct snapshot_row *row = snapshot_row(s, ended ? ROW_ENDED : from->id);

    if (row != 0 && row->name[0] == '\0')
        string_copy(row->name, ended ? ROW_ENDED_NAME : from->name, NAME_SIZE);
    return row;
}

/* Each task has a row, sampled or not; tasks with one id share a row. */
static void add_tasks(struct snapshot *s, const struct probe *p, uint64_t retiring)
{
    const struct closed_row *from;

    for (uint32_t i = 0; (from = window_closed_row(p, i)) != 0; i++) {
        struct snapshot_row *row = from->id != 0 ? row_of(s, from, retiring) : 0;

        for (unsigned m = 0; row != 0 && account_on && m < MODES; m++) {
            row->time[m] += from->exact.time[m][0];
            row->masked[m] += from->exact.time[m][1];
        }
    }
}

/* The samples of all rows; those of retired rows go to ENDED. */
static void add_records(struct snapshot *s, const struct system_monitor *closed)
{
    struct system_record ended = closed->ended;

    ended.key = ROW_ENDED | SYSTEM_USED;
    for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
        if (closed->record[i].key != 0)
            snapshot_add_record(s, &closed->record[i]);
    if (snapshot_find_row(s, ROW_ENDED) != 0)
        snapshot_add_record(s, &ended);
}

static void add_region(struct snapshot_region *to, const struct probe *p, uint32_t number)
{
    const struct wire_region head = region_head_of(p, number);

    snapshot_take_region(to, &head);
    memcpy(to->hits, p->closed.region[number].hits, sizeof to->hits);
    memcpy(to->changes, p->closed.region[number].changes, sizeof to->changes);
}

/* A snapshot of what a tick of this source closed, except its number. */
static void make_snapshot(struct snapshot *s, const struct sampler *sampler, bool final)
{
    static struct system_monitor closed; /* task PROBE */
    const struct probe *const p = sampler->probe;
    const struct probe_closed *c = &p->closed;
    const struct wire_snapshot head = snapshot_head_of(p, run_state->start);

    memset(s, 0, sizeof *s);
    snapshot_take_head(s, &head);
    memcpy(s->bucket, c->counters.bucket, sizeof s->bucket);
    s->exact = account_on;
    s->final = final;
    closed = c->system;
    system_settle(&closed);
    add_tasks(s, p, closed.retiring);
    add_records(s, &closed);
    snapshot_add_total(s, ROW_MASKED, "MASKED", &c->system.masked);
    snapshot_add_total(s, ROW_STOLEN, "STOLEN", &c->system.stolen);
    snapshot_add_total(s, ROW_LOST, "LOST", &c->system.lost);
    s->regions = p->regions;
    for (uint32_t i = 0; i < p->regions; i++)
        add_region(&s->region[i], p, i);
    s->made = rdtsc() - run_state->start;
}

#define LOOK_US     20000u /* longest sleep between two looks for the closing tick */
#define SOON_US     1000u  /* the first one */
#define QUIET_LOOKS 500u   /* looks without a tick: the source is dead */

static struct snapshot snapshots[SAMPLERS]; /* task PROBE, as all below */
static uint64_t serial_number;
static uint64_t stopped_at; /* TSC */

void report_renumber(void)
{
    serial_number = 0;
    report_turns_begin();
}

static void read_closed(unsigned number, bool final)
{
    const struct sampler sampler = sampler_at(number);
    uint32_t state;

    do { /* a last tick may close the window again while it is being read */
        state = sampler.probe->close;
        make_snapshot(&snapshots[number], &sampler, final);
        snapshots[number].serial = serial_number;
    } while (sampler.probe->close != state);
}

/* As frames: what is due, or all of it where somebody asked, and at the end. */
enum showing { SHOW_TURN, SHOW_ASKED, SHOW_FINAL };

static void show_frames(enum showing how)
{
    if (how == SHOW_TURN)
        report_snapshots_in_turn(snapshots);
    else
        report_snapshots_in_full(snapshots);
}

static void show(enum showing how)
{
    const bool final = how == SHOW_FINAL;

    serial_number++;
    for (unsigned i = 0; i < samplers(); i++)
        read_closed(i, final);
    software_monitors_settle();
    if (run_in_frames())
        show_frames(how);
    else
        report_text(snapshots, report_line);
    software_monitors_report((struct monitor_turn){ serial_number, run.second, .final = final }, report_line);
    report_disk();
    report_trace_counts();
    report_rules_counts();
    report_states_flush();
    if (run_in_frames())
        report_calls();
}

/* Whether all sources have closed the window; `stopped`: and will tick no more. */
static bool are_closed(bool stopped)
{
    bool all = true;

    for (unsigned i = 0; i < samplers(); i++) {
        const uint32_t close = sampler_at(i).probe->close;

        all &= close == PROBE_STOPPED || (close == PROBE_CLOSED && !stopped);
    }
    return all;
}

/*
 * Wait for the ticks; where none comes any more the run ends.
 * The first looks come soon: somebody may wait for the answer.
 */
static void await(bool stopped)
{
    uint32_t look = SOON_US;

    for (unsigned looks = 0; !are_closed(stopped); looks++) {
        if (looks == QUIET_LOOKS)
            run_finish(false, "the tick source stopped: no tick for ten seconds");
        timer_sleep_us(look);
        look = 2 * look < LOOK_US ? 2 * look : LOOK_US;
    }
}

/* Have a tick close the window. */
static void close_window(enum probe_close how)
{
    if (!tick_facts.ticks) {
        irq_disable();
        window_close_without_ticks();
        irq_enable();
        return;
    }
    irq_disable(); /* the last tick may come just now */
    for (unsigned i = 0; i < samplers(); i++)
        probe_request_close(sampler_at(i).probe, how);
    irq_enable();
    await(false);
}

static void resume(void)
{
    irq_disable();
    for (unsigned i = 0; i < samplers(); i++)
        probe_resume(sampler_at(i).probe);
    irq_enable();
}

struct snapshot *report_peek(void)
{
    close_window(PROBE_CLOSE_REQUESTED);
    for (unsigned i = 0; i < samplers(); i++)
        read_closed(i, false);
    resume();
    return snapshots;
}

/* On the screen, from the snapshot that was made last. */
static void put_page(bool over)
{
    if (screen_has_page())
        report_page(&snapshots[0], over);
}

void report_show(void)
{
    close_window(PROBE_CLOSE_REQUESTED);
    show(SHOW_ASKED);
    resume();
    put_page(false);
}

void report_show_last(void)
{
    show(SHOW_FINAL);
}

void report_stop_window(void)
{
    close_window(PROBE_STOP_REQUESTED);
    stopped_at = rdtsc();
    report_samples_end();
    report_trace_end();
}

uint64_t report_stopped_at(void)
{
    return stopped_at;
}

/* Whether the closed window has reached precision=; then it ends, without a last tick. */
static bool is_enough(void)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf unused = TEXT_BUF(text);

    if (run_config()->precision == 0)
        return false;
    read_closed(0, false);
    if (!report_precise(&snapshots[0], &unused))
        return false;
    irq_disable();
    for (unsigned i = 0; i < samplers(); i++)
        probe_finish(sampler_at(i).probe);
    irq_enable();
    await(true);
    return true;
}

void report_periodic(bool room)
{
    const bool shares = report_rules_watch_shares(), turn = !run_in_frames() || report_turns_second(room);
    const bool shown = room && turn;

    if (!shown && run_config()->precision == 0 && !shares && !screen_has_page())
        return;
    close_window(PROBE_CLOSE_REQUESTED);
    if (is_enough())
        return;
    if (shares) {
        read_closed(0, false);
        report_rules_look(&snapshots[0]);
    }
    if (shown)
        show(SHOW_TURN);
    else if (screen_has_page())
        read_closed(0, false);
    resume();
    put_page(false);
}

void report_end_window(struct text_buf *reason)
{
    report_stop_window();
    show(SHOW_FINAL);
    put_page(true);
    report_transitions();
    if (run_config()->precision == 0) {
        buf_text(reason, "complete");
        return;
    }
    report_precise(&snapshots[0], reason);
    if (!run_in_frames())
        log_line(LOG_NOTE, reason->text);
}
