/* SPDX-License-Identifier: MIT */
/*
 * The task PROBE.  It asks for the window to be closed, waits for the tick that
 * does it, and shows what was closed: a normal task, with a row of its own.
 */
#include "kernel/display.h"

#include "drivers/io.h"
#include "kernel/account.h"
#include "kernel/change.h"
#include "kernel/events.h"
#include "kernel/fault.h"
#include "kernel/health.h"
#include "kernel/interrupt.h"
#include "kernel/leave.h"
#include "kernel/link.h"
#include "kernel/nmi.h"
#include "kernel/options.h"
#include "kernel/say.h"
#include "kernel/sched.h"
#include "kernel/serial.h"
#include "kernel/text.h"
#include "kernel/source_pit.h"
#include "kernel/tick.h"
#include "kernel/workload.h"
#include "probe/memory.h"

#define SECOND_US    1000000u
#define EPOCH_STEP   6364136223846793005ull /* Knuth's multiplier: no epoch comes again */
#define LOOK_US      20000u /* how often a closing is looked for */
#define TEXT_SECONDS 60u    /* between tables of a run without end */
#define QUIET_LOOKS  500u   /* looks without a tick: the source is dead */

struct display_facts display_facts; /* legend in display.h */

_Static_assert(LATENESS_BUCKETS == SNAPSHOT_BUCKETS, "a snapshot has the probe's histogram");

static struct snapshot snapshot; /* task PROBE */
static uint64_t serial_number;

static bool frames(void)
{
    return options.words.output == OUTPUT_FRAMES;
}

static void sleep_us(uint64_t microseconds)
{
    timer_sleep_until(rdtsc() + timer_clocks(microseconds));
}

static void tell_fault(const struct event *e)
{
    const struct wire_fault f = {
        .epoch = options.epoch, .time = e->time - options.start, .id = e->task->id, .mode = e->mode,
        .vector = e->vector, .error = e->error, .pc = e->pc, .address = e->address,
        .name = { e->task->name, text_length(e->task->name) },
        .cause = { fault_name(e->vector), text_length(fault_name(e->vector)) },
    };

    if (frames())
        link_send_head(WIRE_FAULT, &f);
    else
        say(SAY_WARNING, "task ", e->task->name, " was ended in ",
            e->mode == MODE_USER ? "user" : "supervisor", " mode at ", HEX(e->pc), ": ",
            fault_name(e->vector), ", address ", HEX(e->address));
}

static void tell_report(const struct event *e)
{
    const struct wire_report r = {
        .epoch = options.epoch, .time = e->time - options.start, .id = e->task->id, .value = e->value,
        .name = { e->task->name, text_length(e->task->name) },
    };

    if (frames())
        link_send_head(WIRE_REPORT, &r);
    else
        say(SAY_NOTE, "task ", e->task->name, " reports ", DECIMAL(e->value));
}

static void drain_events(void)
{
    struct event e = { .task = 0 };

    while (events_take(&e)) {
        if (e.kind == EVENT_FAULT)
            tell_fault(&e);
        else
            tell_report(&e);
    }
}

static void add_system(struct snapshot *s, const struct system_record *r)
{
    struct snapshot_row *row = snapshot_row(s, (uint32_t)r->key);

    if (row == 0)
        return;
    for (unsigned m = 0; m < MODES; m++) {
        row->hits[m] += r->hits[m];
        row->changes[m] += r->changes[m];
        row->total += r->hits[m];
    }
    row->total_changes += r->total_changes;
}

static void add_without_modes(struct snapshot *s, uint32_t id, const char *name,
                              const struct system_record *r)
{
    struct snapshot_row *row;

    if (r->hits[MODES] == 0 || (row = snapshot_row(s, id)) == 0)
        return;
    text_copy(row->name, name, NAME_SIZE);
    row->total = r->hits[MODES];
    row->total_changes = r->total_changes;
}

static void name_row(struct snapshot_row *row, uint32_t number)
{
    if (row->name[0] == '\0')
        text_copy(row->name, tasks[number].name, NAME_SIZE);
}

/* Every task has a row, sampled or not; tasks of one identity share theirs. */
static void add_tasks(struct snapshot *s)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        struct snapshot_row *row = snapshot_row(s, tasks[i].id);
        struct account_row exact;

        if (row == 0)
            continue;
        name_row(row, i);
        if (!account_on)
            continue;
        tick_row(i, &exact);
        for (unsigned m = 0; m < MODES; m++) {
            row->time[m] += exact.time[m][0];
            row->masked[m] += exact.time[m][1];
        }
    }
}

static void add_region(struct snapshot_region *to, const struct region *from,
                       const struct region_request *watched)
{
    to->task = watched->task;
    to->mode = watched->mode;
    to->low = watched->low;
    to->high = watched->high;
    to->base = from->base;
    to->shift = from->shift;
    to->below = from->hits[REGION_BELOW];
    to->above = from->hits[REGION_ABOVE];
    to->active = region_active(from);
    to->changes_below = from->changes[REGION_BELOW];
    to->changes_above = from->changes[REGION_ABOVE];
    to->changes_active = from->changes_active;
    memcpy(to->hits, from->hits, sizeof to->hits);
    memcpy(to->changes, from->changes, sizeof to->changes);
}

static void build(struct snapshot *s, bool final)
{
    const struct probe_closed *c = &probe.closed;
    const uint64_t start = options.start;

    memset(s, 0, sizeof *s);
    s->serial = serial_number;
    s->ticks = c->counters.ticks;
    s->samples = probe.monitors != 0 ? c->counters.ticks : 0;
    s->late = c->counters.late;
    s->excess = c->counters.excess;
    s->missed_overrun = c->counters.missed_overrun;
    s->missed_source = c->counters.missed_source;
    s->lost_table = c->system.lost.hits[MODES];
    s->begin = c->counters.begin - start;
    s->end = c->counters.end - start;
    s->first = c->counters.first != 0 ? c->counters.first - start : 0;
    s->lateness = c->counters.lateness;
    memcpy(s->bucket, c->counters.bucket, sizeof s->bucket);
    s->monitor = c->monitor;
    s->transitions = c->transitions;
    s->generator = c->generator;
    s->intervals = c->intervals;
    s->exact = account_on;
    s->final = final;
    memcpy(s->mode_changes, c->system.mode_changes, sizeof s->mode_changes);
    add_tasks(s);
    for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
        if (c->system.record[i].key != 0)
            add_system(s, &c->system.record[i]);
    if (probe.unmasked)
        add_without_modes(s, ROW_STOLEN, "STOLEN", &c->system.masked);
    else
        add_without_modes(s, ROW_MASKED, "MASKED", &c->system.masked);
    add_without_modes(s, ROW_LOST, "LOST", &c->system.lost);
    s->lost_ring = c->lost_ring;
    s->regions = probe.regions;
    for (uint32_t i = 0; i < probe.regions; i++)
        add_region(&s->region[i], &c->region[i], &probe.watched[i]);
    s->made = rdtsc() - start;
}

static void read_closed(bool final)
{
    uint32_t state;

    do { /* a last tick may close the window again while it is being read */
        state = probe.close;
        build(&snapshot, final);
    } while (probe.close != state);
}

static void show(bool final)
{
    serial_number++;
    read_closed(final);
    if (frames()) {
        display_hello();
        display_frames(&snapshot);
    } else {
        display_text(&snapshot);
    }
}

static bool closed(void)
{
    return probe.close == PROBE_CLOSED || probe.close == PROBE_STOPPED;
}

static bool stopped(void)
{
    return probe.close == PROBE_STOPPED;
}

/* False where no tick comes any more that would do it. */
static bool await(bool (*done)(void))
{
    for (unsigned looks = 0; !done(); looks++) {
        if (looks == QUIET_LOOKS)
            return false;
        sleep_us(LOOK_US);
    }
    return true;
}

/* Have a tick close the window; false where no tick comes any more. */
static bool close_window(enum probe_close how)
{
    if (!display_facts.ticks) {
        masked_begin();
        tick_close_none();
        masked_end();
        return true;
    }
    masked_begin(); /* the last tick may come just now */
    probe_ask(&probe, how);
    masked_end();
    return await(closed);
}

/* Nothing of ours asked for them, and each took time that some task was charged. */
static void tell_interrupts(void)
{
    struct interrupt_counts counts;

    interrupt_read_counts(&counts);
    if (counts.spurious != 0)
        say(SAY_WARNING, DECIMAL(counts.spurious),
            counts.spurious == 1 ? " interrupt was spurious" : " interrupts were spurious");
    if (counts.unexpected != 0)
        say(SAY_WARNING, DECIMAL(counts.unexpected), counts.unexpected == 1 ?
            " interrupt has no handler" : " interrupts have no handler");
}

static _Noreturn void finish(bool success, const char *reason)
{
    drain_events();
    if (events_lost() != 0)
        say(SAY_WARNING, DECIMAL(events_lost()), " records of tasks found no room");
    if (source_pit_early() != 0)
        say(SAY_WARNING, DECIMAL(source_pit_early()), " interrupts of the PIT came before its time");
    if (source_pit_disagreements() != 0)
        say(SAY_WARNING, DECIMAL(source_pit_disagreements()),
            " ticks came at another time by the TSC than by the PIT");
    if (tick_source != 0 && tick_source->tell != 0)
        tick_source->tell();
    if (link_dropped() != 0)
        say(SAY_WARNING, DECIMAL(link_dropped()), " frames found no room on the line");
    if (serial_unread() != 0)
        say(SAY_WARNING, DECIMAL(serial_unread()), " bytes came in and were not read");
    if (source_pit_stray() + nmi_nested() != 0)
        say(SAY_WARNING, DECIMAL(source_pit_stray()), " NMIs were no ticks, and ", DECIMAL(nmi_nested()),
            " came during another");
    tell_interrupts();
    if (!success)
        say(SAY_ERROR, reason);
    if (frames()) {
        health_send();
        display_end(success, reason);
    }
    leave(success);
}

/* Within this many microseconds rings want to be looked after. */
static uint64_t look_us(void)
{
    const uint64_t us = AHEAD_ROOM / 2 * (uint64_t)SECOND_US / options.words.rate;
    const uint64_t samples = display_samples_look_us();

    return us < samples ? us : samples;
}

/* Draw intervals ahead, and send what the ring of raw samples holds. */
static void look_after(void)
{
    if (display_facts.ticks)
        ahead_fill(&probe.ahead, AHEAD_FULL);
    display_samples();
}

/*
 * Another tick from here on: the window is closed and shown, its epoch ends, and
 * the next one begins with a HELLO and counters of its own.
 */
static void change(const struct change *c)
{
    if (!close_window(PROBE_LAST))
        finish(false, "the tick source stopped: no tick for ten seconds");
    display_samples_end();
    show(true);
    if (frames())
        display_end(true, "the words were changed");
    options.words = c->words;
    options.seed = c->seed;
    options.epoch = options.epoch * EPOCH_STEP + 1;
    display_facts.source = c->source;
    probe.schedule = c->schedule;
    serial_number = 0;
    link_begin();
    display_samples_prepare();
    masked_begin();
    tick_begin();
    masked_end();
    if (frames())
        display_hello();
    else
        say(SAY_NOTE, "from here on rate=", DECIMAL(c->words.rate), " interval=",
            words_name(&c->words, "interval"), " seed=", DECIMAL(c->seed));
}

static void wait_second(uint64_t second, uint64_t end)
{
    const uint64_t until = options.begin + timer_clocks(second * SECOND_US);

    while (probe.close != PROBE_STOPPED && rdtsc() < until && rdtsc() < end) {
        const uint64_t look = options.words.samples != 0 ? LOOK_US : look_us();
        uint64_t wake = rdtsc() + timer_clocks(look);

        if (wake > until)
            wake = until;
        timer_sleep_until(wake < end ? wake : end);
        look_after();
    }
}

static const char no_tick[] = "the tick source stopped: no tick for ten seconds";

/* Whether something is shown while the run goes on: frames each second, as the line allows. */
static bool is_shown(uint64_t second)
{
    const bool endless = options.words.seconds == 0 && options.words.samples == 0 &&
                         options.words.precision == 0;

    return frames() ? serial_room() >= SERIAL_RING / 2 : endless && second % TEXT_SECONDS == 0;
}

/* What was closed is precise enough: it ends the run as it is, though a tick is still to come. */
static bool is_enough(void)
{
    const char *unused;

    if (options.words.precision == 0)
        return false;
    read_closed(false);
    if (!display_precise(&snapshot, &unused))
        return false;
    masked_begin();
    probe_enough(&probe);
    masked_end();
    if (!await(stopped))
        finish(false, no_tick);
    return true;
}

static void look_meanwhile(uint64_t second)
{
    const bool shown = is_shown(second);

    if (!shown && options.words.precision == 0)
        return;
    if (!close_window(PROBE_WANTED))
        finish(false, no_tick);
    if (is_enough())
        return;
    if (shown)
        show(false);
    masked_begin();
    probe_resume(&probe);
    masked_end();
}

/* The last snapshot, and what END says: why the run is over. */
static _Noreturn void conclude(void)
{
    const char *reason = "complete";

    if (!close_window(PROBE_LAST))
        finish(false, no_tick);
    display_samples_end();
    show(true);
    if (options.words.precision != 0) {
        display_precise(&snapshot, &reason);
        if (!frames())
            say(SAY_NOTE, reason);
    }
    finish(true, reason);
}

static _Noreturn void display_task(void)
{
    static struct change asked;
    const uint64_t seconds = options.words.seconds;
    uint64_t end = UINT64_MAX;
    bool over;

    if (frames()) {
        display_hello();
        health_send();
    }
    look_after();
    if (seconds != 0)
        end = options.begin + timer_clocks(seconds * SECOND_US);
    for (uint64_t second = 1;; second++) {
        wait_second(second, end);
        drain_events();
        display_samples_flush();
        if (probe.close != PROBE_STOPPED && change_asked(&asked))
            change(&asked);
        over = rdtsc() >= end || probe.close == PROBE_STOPPED;
        if (over)
            break;
        look_meanwhile(second);
        if (probe.close == PROBE_STOPPED)
            break;
    }
    conclude();
}

bool display_start(void)
{
    display_samples_prepare();
    return task_kernel("PROBE", workload_id("PROBE", "probe", TASKS_MAX), display_task) != 0;
}
