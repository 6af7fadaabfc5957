/* SPDX-License-Identifier: MIT */
/*
 * PROBE, the task that shows what the probe found: tables on the serial line or
 * frames, without suspending any other task.
 */
#ifndef KERNEL_REPORT_RUN_H
#define KERNEL_REPORT_RUN_H

#include <stdint.h>

#include <stdbool.h>

#include "kernel/source/sampler.h"
#include "probe/config/config.h"
#include "probe/stats/histogram.h"
#include "probe/stats/snapshot.h"

struct reconfiguration;

/* The course of the run; task PROBE. */
struct run {
    uint64_t begin;  /* TSC: seconds= counts from here; set at the start too */
    uint64_t end;    /* clock units: when it ends, whatever was seen by then */
    uint64_t second; /* of the run, from 1 */
};
extern struct run run;

/*
 * ---- for the shell and for commands (kernel/report/report_window.c); task PROBE ----
 *
 * What a tick of each source closed just now, one for each; NULL never: where no tick comes any more the run
 * ends.  It lasts until the next call.  The window goes on.
 */
struct snapshot *report_peek(void);

/* Show it, as frames or text. */
void report_show(void);

/* End the window, with a last tick. */
void report_stop_window(void);

/* When that was done last, TSC. */
uint64_t report_stopped_at(void);

/*
 * ---- the same (kernel/report/run.c) ----
 *
 * Begin another window, in an epoch of its own.
 */
void run_begin_epoch(const struct reconfiguration *c);

/*
 * End one and begin another with words that were judged (kernel/tick/reconfigure.h).  `shown`: show what the
 * first one counted.
 */
void run_change_config(const struct reconfiguration *c, bool shown);

/* Tell what is in force from here on. */
void report_config(const struct reconfiguration *c);

/* The run begins: set its end by seconds=. */
void run_set_end(void);

/*
 * Look after the rings: draw intervals ahead, send what the ring of raw samples holds.  Within so
 * many microseconds they want it again.  run_service() does both: it returns the clock at which
 * they want it, `until` at most.
 */
void run_service_rings(void);
uint64_t run_service_us(void);
uint64_t run_service(uint64_t until);

/* End the run: the last snapshot, and what END says of why it is over. */
_Noreturn void run_conclude(void);

/*
 * ---- the parts of PROBE; task PROBE ----
 *
 * Windows (kernel/report/report_window.c).  The next snapshot is number 1 of its epoch.
 */
void report_renumber(void);

/* Have one closed where it is to be `shown` or may be precise enough, which ends it; else it goes on. */
void report_periodic(bool shown);

/* Show what report_stop_window() closed, as the epoch's last. */
void report_show_last(void);

/* End it and show it, with all that was kept of it.  What END says: why it is over. */
const char *report_end_window(void);

/* Tell what tasks did (kernel/report/report_events.c); after `before`, false where there was nothing. */
void report_events(void);
void report_last_events(void); /* with nothing else to come: as long as five seconds */
bool report_task_events(void (*before)(void));

/* Tell what was received over the line, where it is more than was told; or at the end, with what was wrong
 * (kernel/report/report_received.c). */
void report_received(void);
void report_received_end(void);

/* Tell what tasks asked for in vain (kernel/report/report_denials.c). */
void report_denials(void);

/* End the run: say what was lost, and leave (kernel/report/report_finish.c).  `reason` is why it is over. */
_Noreturn void run_finish(bool success, const char *reason);

struct sampler; /* kernel/source/sampler.h */

/*
 * Make a snapshot of what a tick of this source closed, all but its number
 * (kernel/report/report_snapshot.c).  Task PROBE.
 */
void report_make_snapshot(struct snapshot *s, const struct sampler *sampler, bool final);

/*
 * Print snapshots as text, one for each source: tables, histograms and the alias
 * alarm; or the table of the first source alone.  Line by line through `line`
 * (kernel/report/report_text.c).  Task PROBE.
 */
void report_text(struct snapshot *s, void (*line)(void *context, const char *text));
void report_table(struct snapshot *s, void (*line)(void *context, const char *text));
void report_line(void *context, const char *text); /* to the serial line */

/* Print a region of it as a histogram (kernel/report/report_histogram.c).  Task PROBE. */
struct report_view {
    bool plain;   /* without the functions' names: the paper's Figure 4, not 5 */
    uint64_t min; /* as in struct histogram_options */
};
void report_histogram(const struct snapshot *s, uint32_t number, const struct report_view *view,
                       void (*line)(void *context, const char *text));

/*
 * The function that can have most hits: all those of the slots that it overlaps; false
 * where none has a name.  [low, high): these slots; `alone`: it shares none of the hits.
 */
struct report_hottest {
    struct histogram_symbol function;
    uint64_t low, high;
    bool alone;
};
bool report_hottest(const struct snapshot *s, uint32_t number, struct report_hottest *to);

/*
 * precision= (kernel/report/report_precision.c): whether the snapshot has reached it, with what END is
 * to say of that.  Task PROBE.
 */
bool report_precise(const struct snapshot *s, const char **reason);

/* Say who speaks, for each source (kernel/report/report_hello.c).  Task PROBE. */
void report_hello(void);

/* Send the snapshot of a source as frames (kernel/report/report_frames.c). Task PROBE. */
void report_frames(const struct sampler *sampler, const struct snapshot *s);
void report_end_record(bool success, const char *reason);

/*
 * Raw samples (kernel/report/report_samples.c).  Prepare once, after the schedule is
 * laid down and before its first tick.  Task PROBE: send what the ring holds;
 * send also what is less than a frame; send all, the window being closed.
 */
void report_samples_prepare(void);
void report_samples(void);
void report_samples_flush(void);
void report_samples_end(void);

/* account=log: send the log of the window that is closed (kernel/report/report_transitions.c).  Task PROBE. */
void report_transitions(void);

/* Within this many microseconds the ring is to be looked at again. */
uint64_t report_samples_service_us(void);

/* Clock units in a unit of the samples' time; 0: they have no times. */
uint64_t report_sample_time_unit(void);

#endif
