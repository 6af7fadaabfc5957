/* SPDX-License-Identifier: MIT */
/*
 * PROBE, the task that shows what the probe found: tables on the serial line or
 * frames, without suspending any other task.
 */
#ifndef KERNEL_REPORT_RUN_H
#define KERNEL_REPORT_RUN_H

#include <stdint.h>

#include <stdbool.h>

#include "kernel/tick/sampler.h"
#include "probe/config/config.h"
#include "probe/stats/histogram.h"
#include "probe/stats/snapshot.h"

struct reconfiguration;

/* The course of the run; task PROBE. */
struct run {
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
struct snapshot *display_look(void);

/* Show it, as frames or text. */
void display_show(void);

/* End the window, with a last tick. */
void display_stop(void);

/* When that was done last, TSC. */
uint64_t display_stopped(void);

/*
 * ---- the same (kernel/report/run.c) ----
 *
 * Begin another window, in an epoch of its own.
 */
void display_go_on(const struct reconfiguration *c);

/*
 * End one and begin another with words that were judged (kernel/tick/reconfigure.h).  `shown`: show what the
 * first one counted.
 */
void display_change(const struct reconfiguration *c, bool shown);

/* Tell what is in force from here on. */
void display_tell_words(const struct reconfiguration *c);

/* The run begins: set its end by seconds=. */
void display_set_end(void);

/*
 * Look after the rings: draw intervals ahead, send what the ring of raw samples holds.  Within so
 * many microseconds they want it again.  display_tend() does both: it returns the clock at which
 * they want it, `until` at most.
 */
void display_look_after(void);
uint64_t display_look_us(void);
uint64_t display_tend(uint64_t until);

/* End the run: the last snapshot, and what END says of why it is over. */
_Noreturn void display_conclude(void);

/*
 * ---- the parts of PROBE; task PROBE ----
 *
 * Windows (kernel/report/report_window.c).  The next snapshot is number 1 of its epoch.
 */
void display_renumber(void);

/* Have one closed where it is to be `shown` or may be precise enough, which ends it; else it goes on. */
void display_meanwhile(bool shown);

/* Show what display_stop() closed, as the epoch's last. */
void display_show_last(void);

/* End it and show it, with all that was kept of it.  What END says: why it is over. */
const char *display_end_window(void);

/* Tell what tasks did (kernel/report/report_events.c); after `before`, false where there was nothing. */
void display_events(void);
void display_last_events(void); /* with nothing else to come: as long as five seconds */
bool display_tell(void (*before)(void));

/* Tell what was received over the line, where it is more than was told; or at the end, with what was wrong
 * (kernel/report/report_received.c). */
void display_received(void);
void display_received_end(void);

/* Tell what tasks asked for in vain (kernel/report/report_denials.c). */
void display_denials(void);

/* End the run: say what was lost, and leave (kernel/report/report_finish.c).  `reason` is why it is over. */
_Noreturn void display_finish(bool success, const char *reason);

struct sampler; /* kernel/tick/sampler.h */

/*
 * Make a snapshot of what a tick of this source closed, all but its number
 * (kernel/report/report_snapshot.c).  Task PROBE.
 */
void display_snapshot(struct snapshot *s, const struct sampler *sampler, bool final);

/*
 * Print snapshots as text, one for each source: tables, histograms and the alias
 * alarm; or the table of the first source alone.  Line by line through `line`
 * (kernel/report/report_text.c).  Task PROBE.
 */
void display_text(struct snapshot *s, void (*line)(void *context, const char *text));
void display_table(struct snapshot *s, void (*line)(void *context, const char *text));
void display_line(void *context, const char *text); /* to the serial line */

/* Print a region of it as a histogram (kernel/report/report_histogram.c).  Task PROBE. */
struct display_view {
    bool plain;   /* without the functions' names: the paper's Figure 4, not 5 */
    uint64_t min; /* as in struct histogram_options */
};
void display_histogram(const struct snapshot *s, uint32_t number, const struct display_view *view,
                       void (*line)(void *context, const char *text));

/*
 * The function that can have most hits: all those of the slots that it overlaps; false
 * where none has a name.  [low, high): these slots; `alone`: it shares none of the hits.
 */
struct display_hottest {
    struct histogram_symbol function;
    uint64_t low, high;
    bool alone;
};
bool display_hottest(const struct snapshot *s, uint32_t number, struct display_hottest *to);

/*
 * precision= (kernel/report/report_precision.c): whether the snapshot has reached it, with what END is
 * to say of that.  Task PROBE.
 */
bool display_precise(const struct snapshot *s, const char **reason);

/* Say who speaks, for each source (kernel/report/report_hello.c).  Task PROBE. */
void display_hello(void);

/* Send the snapshot of a source as frames (kernel/report/report_frames.c). Task PROBE. */
void display_frames(const struct sampler *sampler, const struct snapshot *s);
void display_end(bool success, const char *reason);

/*
 * Raw samples (kernel/report/report_samples.c).  Prepare once, after the schedule is
 * laid down and before its first tick.  Task PROBE: send what the ring holds;
 * send also what is less than a frame; send all, the window being closed.
 */
void display_samples_prepare(void);
void display_samples(void);
void display_samples_flush(void);
void display_samples_end(void);

/* account=log: send the log of the window that is closed (kernel/report/report_transitions.c).  Task PROBE. */
void display_transitions(void);

/* Within this many microseconds the ring is to be looked at again. */
uint64_t display_samples_look_us(void);

/* Clock units in a unit of the samples' time; 0: they have no times. */
uint64_t display_stamp(void);

#endif
