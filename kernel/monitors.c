/* SPDX-License-Identifier: MIT */
/*
 * The monitors of a run.  Raw samples must fit the line: what it carries is
 * known before they are taken.
 */
#include "kernel/monitors.h"

#include "kernel/options.h"
#include "kernel/say.h"
#include "kernel/task.h"
#include "kernel/text.h"
#include "kernel/tick.h"
#include "probe/thin.h"

/*
 * Bytes that 100 samples take on the line at most, with and without times: what
 * tools/bench holds the coding to (docs/PROTOCOL.md, "Raw samples").
 */
#define BYTES_TIMED   280u
#define BYTES_UNTIMED 220u
#define BITS_A_BYTE   10u /* 8 data, start and stop */

static uint32_t thin = 1; /* set once */

uint32_t monitors_thin(void)
{
    return thin;
}

/* Bytes a second that are left for raw samples: an eighth is for all other frames. */
static uint64_t line_room(void)
{
    return options.words.line.baud / BITS_A_BYTE * 7 / 8;
}

static uint64_t hundred(void)
{
    return options.words.stamp == STAMP_US ? BYTES_TIMED : BYTES_UNTIMED;
}

static bool fit_line(void)
{
    const uint64_t rate = options.words.rate, room = line_room();
    const uint64_t wanted = rate * hundred() / 100;

    thin = (uint32_t)((wanted + room - 1) / room);
    if (thin <= 1) {
        thin = 1;
        return true;
    }
    if (options.words.thin == THIN_AUTO && thin <= THIN_MAX) {
        say(SAY_NOTE, "raw samples at ", DECIMAL(rate), " Hz take ", DECIMAL(wanted),
            " bytes/s; the line carries ", DECIMAL(room), " of them: two of each ",
            DECIMAL(2 * (uint64_t)thin), " are told");
        return true;
    }
    say(SAY_ERROR, "raw samples at ", DECIMAL(rate), " Hz take ", DECIMAL(wanted),
        " bytes/s; the line carries ", DECIMAL(room), " of them: rate=",
        DECIMAL(room * 100 / hundred()), " at most, or a faster serial=, or thin=auto");
    return false;
}

bool monitors_begin(void)
{
    const struct words *w = &options.words;

    _Static_assert((int)PROBE_SYSTEM == (int)MONITOR_SYSTEM &&
                   (int)PROBE_REGION == (int)MONITOR_REGION &&
                   (int)PROBE_SAMPLES == (int)MONITOR_SAMPLES, "a word is a monitor");
    for (uint64_t i = 0; i < w->regions; i++)
        probe.watched[i] = (struct region_request){
            .task = ROW_ANY, .mode = (enum mode)w->region[i].mode,
            .low = w->region[i].low, .high = w->region[i].high,
        };
    probe.regions = (uint32_t)w->regions;
    probe_watch(&probe, (uint32_t)w->monitor);
    return !(w->monitor & MONITOR_SAMPLES) || fit_line();
}

static bool find_task(const char *name, uint32_t *id)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (text_equal(tasks[i].name, name)) {
            *id = tasks[i].id;
            return true;
        }
    return false;
}

bool monitors_find_tasks(void)
{
    const struct words *w = &options.words;

    for (uint64_t i = 0; i < w->regions; i++) {
        const char *name = w->region[i].task;

        if (text_equal(name, "*") || find_task(name, &probe.watched[i].task))
            continue;
        say(SAY_ERROR, "region=", name, ": no task of tasks=", w->tasks, " has this name");
        return false;
    }
    return true;
}
