/* SPDX-License-Identifier: MIT */
/*
 * The task PROBE: it prints or sends what the probe found, while all other tasks run.
 * Context of all functions here: task PROBE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/sampler.h"
#include "probe/config/config.h"
#include "probe/stats/histogram.h"
#include "probe/stats/snapshot.h"
#include "probe/stats/table.h"
#include "probe/trace/event_ring.h"

struct reconfiguration;

/* The times of the run. */
struct run {
    uint64_t begin;  /* TSC: seconds= counts from here; set at the start too */
    uint64_t end;    /* TSC: when the run ends at the latest */
    uint64_t second; /* of the run, from 1 */
};
extern struct run run;

/*
 * ---- windows (kernel/report/window_control.c) ----
 *
 * Have a tick of each source close the window, and make a snapshot for each; the window goes on.  Where no tick
 * comes any more the run ends.  The snapshots are valid until the next call.
 */
struct snapshot *report_peek(void);

/* The same, and print or send them. */
void report_show(void);

/* End the window, with a last tick. */
void report_stop_window(void);

/* The TSC when that was done last. */
uint64_t report_stopped_at(void);

/*
 * ---- the run (kernel/report/run.c) ----
 *
 * Begin another window, in a new epoch.
 */
void run_begin_epoch(const struct reconfiguration *c);

/*
 * End the window and begin another with a new configuration, which was checked (kernel/tick/reconfigure.h).
 * `shown`: print or send what the old window counted.
 */
void run_change_config(const struct reconfiguration *c, bool shown);

/* Print or send the configuration that is in force from now on. */
void report_config(const struct reconfiguration *c);

/* Set the end of the run by seconds=, from its begin (kernel/report/run_times.c). */
void run_set_end(void);

/*
 * Service the rings: draw intervals ahead, and send what the ring of raw samples holds.  run_service_us(): after so
 * many microseconds that is due again.  run_service() does it, and returns the TSC at which it is due again,
 * `until` at most.
 */
void run_service_rings(void);
uint64_t run_service_us(void);
uint64_t run_service(uint64_t until);

/* End the run with a last snapshot. */
_Noreturn void run_conclude(void);

/*
 * ---- the parts of PROBE ----
 *
 * Windows (kernel/report/window_control.c).  Number the next snapshot 1: it is the first of its epoch.
 */
void report_renumber(void);

/*
 * Close the window if there is `room` to show it and it is its turn, or it may have reached precision=,
 * which ends it.
 */
void report_periodic(bool room);

/* Print or send what report_stop_window() closed, as the last snapshot of the epoch. */
void report_show_last(void);

/* End the window, and print or send it with its log.  Appends why the run is over, for the record END. */
void report_end_window(struct text_buf *reason);

/* bytes that must be free for events: above the half that a snapshot waits for (is_shown in probe_task.c) */
#define REPORT_ROOM (STREAM_UART_TX_RING / 8 * 5)

/*
 * Print or send the events of tasks that wait (kernel/report/report_events.c).  The third: call before() first;
 * false, and not called, where there are none.
 */
void report_events(void);
void report_last_events(void); /* at the end of the run: for five seconds at most */
bool report_task_events(void (*before)(void));

/*
 * Print or send what processes wrote, as far as the line has room (kernel/report/report_events.c).  At the end of
 * the run: all of it.
 */
void report_task_notes(void);
void report_last_task_notes(void);

/*
 * Send the record of each task that runs a file, or print how it ended (kernel/report/report_processes.c).  Each
 * second, before ended tasks are reclaimed, and at the end of the run.
 */
void report_processes(void);

/*
 * Send the counts of what was received, if they have changed; at the end also log what was wrong (report_counters.c).
 */
void report_received(void);
void report_received_end(void);

/* End the run: log what was lost, and shut down (kernel/report/report_finish.c).  `reason`: why it is over. */
_Noreturn void run_finish(bool success, const char *reason);

/*
 * Print snapshots, one for each source, as text: tables, histograms and the alias alarm; or only the table of the
 * first source (kernel/report/report_text.c).
 */
void report_text(struct snapshot *s, void (*line)(void *context, const char *text));
void report_table(struct snapshot *s, void (*line)(void *context, const char *text));
void report_line(void *context, const char *text); /* to the serial line, and to the screen where it is in use */

/*
 * Draw the page of the screen (kernel/report/report_page.c): the table of the first source with its intervals as
 * bars.  It sorts the snapshot's rows.  `over`: the window has ended.
 */
void report_page(struct snapshot *s, bool over);

/* The snapshot of the page that was drawn last; NULL: there was none. */
struct snapshot *report_page_snapshot(void);

/*
 * The result at the end of the run, for who has only a photograph of the screen (kernel/report/report_code.c): where
 * there is room a code of it (docs/PROTOCOL.md, "Codes"); last, what the code is for, the machine, and what the table
 * means.  Nothing where no page is shown.
 */
void report_code(bool success, const char *reason);
void report_result(void);

/* The options of a source's table, for a snapshot of it; and those of the first one's. */
struct table_options report_options_of(const struct sampler *sampler, const struct snapshot *s);
struct table_options report_table_options(const struct snapshot *s);

/* Print a region of a snapshot as a histogram (kernel/report/report_histogram.c). */
struct report_view {
    bool plain;   /* without names of functions: the paper's Figure 4, not 5 */
    uint64_t min; /* as in struct histogram_options */
};
void report_histogram(const struct snapshot *s, uint32_t number, const struct report_view *view,
                      void (*line)(void *context, const char *text));

/*
 * The function that may have the most hits: those of all slots that it overlaps.  [low, high): these slots;
 * `alone`: no other function overlaps them.  False where no function is known.
 */
struct report_hottest {
    struct histogram_symbol function;
    uint64_t low, high;
    bool alone;
};
bool report_hottest(const struct snapshot *s, uint32_t number, struct report_hottest *to);

/*
 * Whether the snapshot has reached precision=; appends a text about it for the record END
 * (kernel/report/report_precision.c).
 */
bool report_precise(const struct snapshot *s, struct text_buf *reason);

/* Send the counters of the disk, once it was used (report_counters.c). */
void report_disk(void);

/* Send what instrumented programs have counted, in frames (report_counters.c). */
void report_calls(void);

/* Send HELLO for each source, or PROGRAMS (kernel/report/report_hello.c). */
void report_hello(void);
void report_programs(void);

/* HELLO of the first source, without the words that have their standard. */
void report_hello_short(void);

/*
 * Snapshots as frames (kernel/report/report_snapshot_frames.c).  Begin an epoch: the next one is whole.  A second has
 * passed: if the line has room send HELLO or PROGRAMS in their turn; whether it is that of a snapshot.  Send those of
 * all sources: in full, with HELLO, PROGRAMS and NAMES, or what is due of them, and otherwise what has changed.
 */
void report_turns_begin(void);
bool report_turns_second(bool room);
void report_snapshots_in_full(const struct snapshot *s);
void report_snapshots_in_turn(const struct snapshot *s);

/* Send the record END. */
void report_end_record(bool success, const char *reason);

/*
 * Raw samples (kernel/report/report_samples.c).  Prepare once for each window, after its schedule was made and
 * before its first tick.  Then: send full frames of what the ring holds; send also a part of a frame; send all that
 * is left, after the window was closed.
 */
void report_samples_prepare(void);
void report_samples(void);
void report_samples_flush(void);
void report_samples_end(void);

/*
 * Events (kernel/report/report_trace.c).  Prepare once for each window, before it begins.  Then: send what the line
 * has room for; send all that is left, after the window was closed; print or send the counters.
 * report_trace_service_us(): after so many microseconds the buffer must be emptied again.
 */
void report_trace_prepare(void);
void report_trace(void);
void report_trace_end(void);
void report_trace_counts(void);
void report_trace_sync(void); /* a SYNC event, where these are recorded: at the begin, and each second */
uint64_t report_trace_service_us(void);

/* Have the buffer sent or printed as it is, and record on; what comes meanwhile is told as lost. */
void report_trace_write(void);

/*
 * Rules about events (kernel/report/report_rules.c).  Prepare once for each window.  Then: whether they
 * look at shares; look at those of this snapshot; print or send what they have counted.
 */
void report_rules_prepare(void);
bool report_rules_watch_shares(void);
void report_rules_look(const struct snapshot *s);
void report_rules_counts(void);

/* Clock units in a unit of the times of events and states: one, unless stamp= says otherwise; 0: no times. */
uint64_t report_time_unit(void);

/*
 * Classes of states (kernel/report/report_states.c), where they are monitored.  Prepare once for each window, before
 * it begins; take each event, with its number in the buffer; send what waits, each second; the window was
 * closed at `at`, TSC, and events after it do not count; send the rest.
 */
void report_states_prepare(void);
void report_states_take(const struct event_record *e, uint64_t number);
void report_states_flush(void);
void report_states_close(uint64_t at);
void report_states_end(void);

/* With account=log: send the log of the closed window (kernel/report/report_transitions.c). */
void report_transitions(void);

/* After so many microseconds the ring must be emptied again. */
uint64_t report_samples_service_us(void);

/* TSC clocks in a unit of the samples' times; 0: samples have no times. */
uint64_t report_sample_time_unit(void);
