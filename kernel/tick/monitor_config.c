/* SPDX-License-Identifier: MIT */
/*
 * The monitors of a run.  Raw samples must fit the serial line; whether they do is computed
 * before the first one is taken.
 */
#include "kernel/tick/monitor_config.h"

#include "drivers/io.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/sched/grants.h"
#include "kernel/sched/task.h"
#include "kernel/tick/window.h"
#include "probe/core/timed.h"
#include "probe/stream/decimate.h"

/*
 * Bytes that 100 samples take on the line at most, with and without times: twice what tools/bench holds
 * the coding to (docs/PROTOCOL.md, "Raw samples"), since a run that begins has more places that are new.
 */
#define BYTES_TIMED   280u
#define BYTES_UNTIMED 220u
#define BITS_A_BYTE   10u /* 8 data, start and stop */

static uint32_t thin = 1; /* in force */
static uint64_t system_clocks, region_clocks, samples_clocks; /* of one sample; set once */

uint32_t monitors_thin(void)
{
    return thin;
}

/* Bytes a second that are left for raw samples: an eighth of the line is for all other frames. */
static uint64_t line_room(void)
{
    return run_config()->serial.baud / BITS_A_BYTE * 7 / 8;
}

static uint64_t hundred(const struct config *w)
{
    return w->stamp == STAMP_US ? BYTES_TIMED : BYTES_UNTIMED;
}

/* Bytes a second that the raw samples take. */
static uint64_t line_load(const struct config *w)
{
    return w->rate * hundred(w) / 100;
}

static bool fit_line(struct monitor_plan *m, const struct config *w, struct refusal *why)
{
    const uint64_t room = line_room(), wanted = line_load(w);

    m->thin = (uint32_t)((wanted + room - 1) / room);
    if (m->thin <= 1) {
        m->thin = 1;
        return true;
    }
    if (w->thin == THIN_AUTO && m->thin <= DECIMATE_MAX)
        return true;
    return REFUSE_WITH(why, "raw samples at %1 Hz take %2 bytes/s; the line carries %3 of them: "
                       "rate=%4 at most, or a faster serial=, or thin=auto", REFUSAL_NUMBER(w->rate),
                       REFUSAL_NUMBER(wanted), REFUSAL_NUMBER(room), REFUSAL_NUMBER(room * 100 / hundred(w)));
}

bool monitors_plan(struct monitor_plan *m, const struct config *w, struct refusal *why)
{
    _Static_assert((int)PROBE_SYSTEM == (int)MONITOR_SYSTEM &&
                   (int)PROBE_REGION == (int)MONITOR_REGION &&
                   (int)PROBE_SAMPLES == (int)MONITOR_SAMPLES, "a word is a monitor");
    *m = (struct monitor_plan){
        .monitors = (uint32_t)(w->monitor & MONITOR_SAMPLED) |
                    (config_monitors(w) & MONITOR_WATCHED ? PROBE_WATCHED : 0), .thin = 1,
        .regions = (uint32_t)w->regions,
    };
    for (uint64_t i = 0; i < w->regions; i++)
        m->watched[i] = (struct region_request){
            .task = ROW_ANY, .mode = (enum mode)w->region[i].mode,
            .low = w->region[i].low, .high = w->region[i].high,
        };
    return !(w->monitor & MONITOR_SAMPLES) || fit_line(m, w, why);
}

static bool find_task(const char *name, uint32_t *id)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (string_equal(tasks[i].name, name)) {
            *id = tasks[i].id;
            return true;
        }
    return false;
}

/* Whether a task counts at idle priority, or will: none can be made while the image runs. */
static bool has_idle_task(void)
{
    bool has = false;

    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        has |= (tasks[i].grants & GRANT_CALL(SYS_IDLE_COUNT)) != 0 && tasks[i].state != TASK_ENDED;
    return has;
}

bool monitors_resolve_tasks(struct monitor_plan *m, const struct config *w, struct refusal *why)
{
    if (w->monitor & MONITOR_IDLETASK && !has_idle_task())
        return REFUSE(why,
                      "monitor=idletask needs its task, which calibrates itself alone: give the word at the boot");
    for (uint64_t i = 0; i < w->regions; i++) {
        const char *name = w->region[i].task;

        if (!string_equal(name, "*") && !find_task(name, &m->watched[i].task))
            return REFUSE_WITH(why, "region=%1: no task of tasks=%2 has this name", REFUSAL_STRING(name),
                               REFUSAL_STRING(w->tasks));
    }
    return true;
}

void monitors_apply(const struct monitor_plan *m)
{
    thin = m->thin;
    probe.regions = m->regions;
    for (uint32_t i = 0; i < m->regions; i++)
        probe.region_request[i] = m->watched[i];
    probe_set_monitors(&probe, m->monitors);
}

void monitors_report(const struct monitor_plan *m)
{
    if (m->thin > 1)
        log_line(LOG_NOTE, "raw samples at ", DECIMAL(run_config()->rate), " Hz take ",
                 DECIMAL(line_load(run_config())), " bytes/s; the line carries ", DECIMAL(line_room()),
                 " of them: two of each ", DECIMAL(2 * (uint64_t)m->thin), " are told");
}

static uint64_t took(void (*call)(const struct sample *s), const struct sample *s)
{
    const uint64_t begin = rdtsc();

    call(s);
    return rdtsc() - begin;
}

static uint64_t least_of(void (*call)(const struct sample *s), const struct sample *s)
{
    return TIMED_LEAST(took(call, s));
}

static void call_none(const struct sample *s)
{
    __asm__ volatile("" : : "r"(s));
}

static void call_system(const struct sample *s)
{
    system_tick(&probe.system, s, DELAY_NONE, true);
}

static void call_region(const struct sample *s)
{
    region_tick(&probe.region[0], s, false, true);
}

static void call_samples(const struct sample *s)
{
    *samples_place(probe.samples) = (struct sample_record){ .time = s->time, .pc = s->pc, .task = s->task,
                                                            .mode = (uint8_t)s->mode };
    samples_put(probe.samples);
}

void monitors_measure_cost(void)
{
    const struct sample s = { .time = rdtsc(), .task = 1, .mode = MODE_USER };
    const struct region_request all = { .task = ROW_ANY, .mode = MODE_USER, .high = UINT64_MAX };
    const uint64_t none = least_of(call_none, &s);

    system_init(&probe.system);
    system_tick(&probe.system, &s, DELAY_NONE, false); /* the first sample of a pair */
    region_init(&probe.region[0], &all);
    system_clocks = least_of(call_system, &s) - none;
    region_clocks = least_of(call_region, &s) - none;
    samples_clocks = least_of(call_samples, &s) - none;
}

uint64_t monitors_cost(const struct monitor_plan *m)
{
    return (m->monitors & PROBE_SYSTEM ? system_clocks : 0) +
           (m->monitors & PROBE_REGION ? m->regions * region_clocks : 0) +
           (m->monitors & PROBE_SAMPLES ? samples_clocks : 0);
}

static char letter(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool alike(const char *a, const char *b)
{
    while (*a != '\0' && letter(*a) == letter(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

const struct task *monitors_find_task(const char *name)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (alike(tasks[i].name, name))
            return &tasks[i];
    return 0;
}
