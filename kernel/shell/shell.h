/* SPDX-License-Identifier: MIT */
/*
 * The monitor's shell: a prompt on the serial line, with output=text.  PROBE runs it, so that the line and the
 * snapshot have one owner.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/command.h"

/*
 * Serve the terminal, and execute the line `first` first.  Returns when output=frames; ends the run when the TSC
 * reads *end.  If seconds= was not given, *end becomes UINT64_MAX: the run lasts until `end` is typed.  Task PROBE.
 */
void shell_run(uint64_t *end, const char *first);

/*
 * Execute pat, plt or mps (kernel/shell/shell_measure.c): measure a window with the monitors that it needs, print
 * it, and restore the configuration.  Ctrl-C ends the window, and what was counted until then is printed.  False if
 * it is refused.  Task PROBE.
 */
bool shell_measure(const struct command *c, struct refusal *why);

/*
 * Execute top (kernel/shell/shell_top.c): draw the tasks by their share each second, until a key is pressed that is
 * no order, or the run ends.  Nothing is reconfigured.  False if it is refused.  Task PROBE.
 */
bool shell_top(const struct command *c, struct refusal *why);

/*
 * The terminal of the shell: prints lines page by page and reads keys.  While it waits it serves the rings of
 * PROBE; it never suspends another task.  Task PROBE.
 */

/* The end of the run, TSC: no wait is longer.  Call it first; the pointer is kept. */
void console_until(const uint64_t *end);

uint64_t console_end(void);

/* Rows of a page; 0: no pages.  What was set. */
void console_rows(uint32_t rows);
uint32_t console_page(void);

/* Put bytes on the line, waiting for room. */
void console_put(const char *bytes, unsigned length);

/* Put a text into the row of the cursor, in the place of what is there; "" clears it.  No line begins. */
void console_row(const char *text);

/* Begin an answer, on a new page. */
void console_begin(void);

/*
 * Print a line of the answer, given without its end.  After a page it waits for a key: space prints another
 * page, Enter another line, q and Ctrl-C nothing more.  `context` is unused.
 */
void console_line(void *context, const char *text);

/* When the first line of the answer was printed, TSC; 0: none was. */
uint64_t console_began(void);

/* Whether the user ended the answer with q or Ctrl-C. */
bool console_enough(void);

/*
 * Wait for a key; false if none came until the TSC reads `until`.  If a message is printed meanwhile, `show`
 * prints again what was in the row.
 */
bool console_key(uint64_t until, uint8_t *key, void (*show)(void));

/*
 * Wait until the TSC reads `until` or the run ends; false if Ctrl-C came.  Other keys are kept.  A message that is
 * printed meanwhile takes the place of what is in the row.
 */
bool console_wait(uint64_t until);

/*
 * Executes commands, for the shell and for a host.  pat, plt and mps, which wait for a window, are the shell's
 * own (kernel/shell/shell_measure.c).
 */

/* What remains to be done after the answer was sent. */
enum command_followup { AFTER_NOTHING, AFTER_CHANGE, AFTER_SNAPSHOT, AFTER_END, AFTER_REBOOT };

struct command_result {
    bool refused;
    struct refusal why; /* where it is refused */
    enum command_followup after;
};

/* Who asks, and what takes the answer: at once, line by line, without line ends. */
struct command_asker {
    void (*line)(void *context, const char *text);
    void *context;
    bool shell; /* it is the shell, which can do more than a host */
};

/* Carry a command out.  Task PROBE. */
struct command_result command_execute(const struct command *c, const struct command_asker *asker);

/*
 * Do what remains of the last command; does not return if it ends the run.  `shown`: a change of the
 * configuration prints the window that it ends; in the shell the user asks for it.  Task PROBE.
 */
void command_complete(enum command_followup after, bool shown);

/* The command ps: the tasks, and what each has used of the time since it was asked last. */

/* Task PROBE. */
void command_ps(const struct command_asker *asker);

/*
 * The receiver of the serial line while no shell is open: takes lines of a person and COMMAND frames of a host,
 * has kernel/shell/commands.c execute them, and answers at once.
 */

/* The epoch of now identifies the boot from here on.  Once, task PROBE. */
void host_link_init(void);

/*
 * Take the bytes that have come in, up to one whole line or command, execute and answer it.  One at a time,
 * because PROBE has rings to serve.  It may end the run or begin another epoch.  Task PROBE.
 */
void host_link_poll(void);

/*
 * The line with which a person opens the shell (shell=auto), empty or a command; NULL: there is none.  It stays
 * until host_link_call_taken().
 */
const char *host_link_shell_call(void);
void host_link_call_taken(void);

/* The task PROBE, which reports what the probe counted, and suspends no other task. */

/* Make the task.  False where it cannot be made.  Once, before tasks run. */
bool probe_task_start(void);
