/* SPDX-License-Identifier: MIT */
/* Makes JSON of the records of software monitors. */
#include "tools/json/software_json.h"

#include "tools/analysis/monitor_times.h"

#define IDLE_READING_MEMBERS(M, O)                                                  \
    M(COUNT, serial, "number of the snapshot")                                      \
    M(COUNT, end, "time of the reading, clock units since the start")               \
    M(COUNT, idle, "increase of CNT1: idle time, clock units")                      \
    M(COUNT, clock, "increase of CNT2: all time, clock units")                      \
    M(COUNT, io, "part of the idle time in which a task waited for a device, clock units") \
    M(COUNT, halts, "increase of the count of halts")                               \
    M(REAL, load, "100 (1 - idle / clock), percent")
REPORT_OBJECT(idle_reading, IDLE_READING_MEMBERS)

#define IDLE_MEMBERS(M, O)                                                          \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    O(OBJECT, total, idle_reading, "from the beginning to the last reading")        \
    M(REAL, resolution, "halts times an empty interrupt, percent of CNT2")          \
    O(LIST, readings, idle_reading, "each reading against the one before")          \
    M(COUNT_OR_NULL, exact, "the exact time of IDLE in kernel mode with interrupts on at the last reading, " \
                            "clock units; null: it is not there")
REPORT_WHOLE(idle, "cpuprobe-idle-1", IDLE_MEMBERS)

static json_t *reading_json(const struct wire_idle *from, const struct wire_idle *to)
{
    const struct idle_load l = idle_between(from, to);

    return REPORT_MAKE(idle_reading, .serial = to->serial, .end = to->end, .idle = l.idle, .clock = l.clock,
                       .io = l.io, .halts = l.halts, .load = idle_load_busy(&l));
}

json_t *idle_json(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    const struct wire_idle *const last = s->idle_count ? &s->idle[s->idle_count - 1] : NULL;
    struct report_maybe exact = {0};
    json_t *readings;
    struct idle_load all;

    if (!last)
        return NULL;
    all = idle_between(NULL, last);
    readings = json_array();
    for (size_t i = 0; i < s->idle_count; i++)
        json_array_append_new(readings, reading_json(i ? &s->idle[i - 1] : NULL, &s->idle[i]));
    exact.known = idle_exact(e, last->serial, &exact.value);
    return REPORT_MAKE(idle, .clock_hz = e->hello.clock_hz, .total = reading_json(NULL, last),
                       .resolution = idle_load_resolution(&all, e->hello.entry), .readings = readings,
                       .exact = exact);
}

#define VECTOR_MEMBERS(M, O)                                                        \
    M(COUNT, vector, "number of the vector")                                        \
    M(TEXT, name, "what interrupts there")                                          \
    M(FLAG, tick, "it is that of ticks: its time is MONITOR's")                     \
    M(COUNT, count, "interrupts")                                                   \
    M(COUNT, time, "of the handler, without what interrupted it, clock units")      \
    M(COUNT, greatest, "time of one handler, clock units")                          \
    M(COUNT, latencies, "interrupts whose latency is known")                        \
    M(COUNT, latency, "from the moment that the device was armed for to the gate: of all, clock units") \
    M(COUNT, latency_greatest, "of one, clock units")
REPORT_OBJECT(vector, VECTOR_MEMBERS)

#define INTERCEPT_MEMBERS(M, O)                                                     \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    M(COUNT, begin, "when the first interrupt was counted, clock units since the start") \
    M(COUNT, end, "when the last one was, clock units since the start")             \
    M(COUNT, starts, "how often the gates were redirected")                         \
    M(COUNT, handlers, "time of all vectors but those of ticks, clock units")       \
    M(COUNT_OR_NULL, exact, "column Interrupt of the exact table at the same moment, masked time included; " \
                            "null: it covers something else") \
    O(LIST, vectors, vector, "those that interrupted, by their numbers")
REPORT_WHOLE(intercept, "cpuprobe-intercept-1", INTERCEPT_MEMBERS)

static json_t *vectors_json(const struct software_records *s)
{
    json_t *const list = json_array();

    for (size_t i = 0; i < s->vector_count; i++) {
        const struct wire_intercept_row *r = &s->vector[i].row;

        REPORT_ADD(list, vector, .vector = r->vector, .name = s->vector[i].name, .tick = r->tick, .count = r->count,
                   .time = r->time, .greatest = r->greatest, .latencies = r->latencies, .latency = r->latency,
                   .latency_greatest = r->latency_greatest);
    }
    return list;
}

json_t *intercept_json(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    struct report_maybe exact = {0};

    if (!s->vector_count)
        return NULL;
    exact.known = intercept_exact(e, &exact.value);
    return REPORT_MAKE(intercept, .clock_hz = e->hello.clock_hz, .begin = s->intercept.begin, .end = s->intercept.end,
                       .starts = s->intercept.starts, .handlers = intercept_handlers(s), .exact = exact,
                       .vectors = vectors_json(s));
}

#define ACCT_TASK_MEMBERS(M, O)                                                     \
    M(COUNT, task, "number of the task since the boot, from 1")                     \
    M(TEXT, name, "name of the row")                                                \
    M(COUNT, user, "time in user mode, clock units")                                \
    M(COUNT, supervisor, "time in supervisor mode, clock units")                    \
    M(COUNT, kernel, "time in the kernel, clock units")                             \
    M(COUNT, interrupt, "time in interrupt handlers, clock units")                  \
    M(COUNT, switches, "switches to it")                                            \
    M(COUNT, calls, "system calls")                                                 \
    M(COUNT, denied, "of these, denied")                                            \
    M(COUNT, faults, "1: a fault of its own ended it; no difference")               \
    M(COUNT, pages, "pages of memory that it was given; no difference")             \
    M(COUNT, io, "requests of devices that were done")                              \
    M(COUNT, io_time, "how long it waited for them, clock units")                   \
    M(COUNT, activations, "activations that have ended: from a wake to the next sleep") \
    M(COUNT, response, "time of these, clock units")                                \
    M(COUNT, response_greatest, "time of one, over its life, clock units")          \
    M(FLAG, new, "it began between the moments")                                    \
    M(FLAG, gone, "it ended between the moments")                                   \
    M(FLAG, touched, "it used time or made a call between the moments")
REPORT_OBJECT(acct_task, ACCT_TASK_MEMBERS)

#define ACCT_RANGE_MEMBERS(M, O)                                                    \
    M(COUNT, event, "number of the user event")                                     \
    M(COUNT, times, "how often it came")                                            \
    M(COUNT, time, "for how long tasks ran after it, until their next one, clock units")
REPORT_OBJECT(acct_range, ACCT_RANGE_MEMBERS)

#define ACCT_MEMBERS(M, O)                                                          \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    M(COUNT, from, "first of the two moments of the log, clock units since the start") \
    M(COUNT, to, "second of the two moments, clock units since the start")          \
    M(COUNT, lost, "records of ended tasks that found no room in the image")        \
    M(COUNT, ranged, "time between the readings of the ranges, clock units")        \
    O(LIST, ranges, acct_range, "by the user event before it the time of tasks")    \
    O(LIST, tasks, acct_task, "what each task used between the moments")
REPORT_WHOLE(acct, "cpuprobe-acct-1", ACCT_MEMBERS)

static json_t *task_json(const struct epoch *e, const struct acct_task *t)
{
    const struct wire_acct_row *r = &t->used;
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)r->id, name);
    return REPORT_MAKE(acct_task, .task = r->task, .name = name, .user = r->user, .supervisor = r->supervisor,
                       .kernel = r->kernel, .interrupt = r->interrupt, .switches = r->switches, .calls = r->calls,
                       .denied = r->denied, .faults = r->faults, .pages = r->pages, .io = r->io,
                       .io_time = r->io_time, .activations = r->activations, .response = r->response,
                       .response_greatest = r->response_greatest, .new = t->is_new, .gone = t->gone,
                       .touched = t->touched);
}

json_t *acct_json(const struct epoch *e, const struct acct_diff *d)
{
    json_t *ranges = json_array(), *tasks = json_array();

    for (unsigned event = 0; event <= WIRE_RANGE_MAX; event++)
        if (d->range[event].times || d->range[event].time)
            REPORT_ADD(ranges, acct_range, event, d->range[event].times, d->range[event].time);
    for (size_t i = 0; i < d->tasks; i++)
        json_array_append_new(tasks, task_json(e, &d->task[i]));
    return REPORT_MAKE(acct, .clock_hz = e->hello.clock_hz, .from = d->from, .to = d->to,
                       .lost = e->software.acct_lost, .ranged = d->ranged, .ranges = ranges, .tasks = tasks);
}

json_t *acct_json_whole(const struct epoch *e)
{
    struct acct_diff d;
    json_t *object;

    if (!acct_diff_make(&d, &e->software, epoch_window_begin(e), 0, UINT64_MAX))
        return NULL;
    object = acct_json(e, &d);
    acct_diff_free(&d);
    return object;
}

#define DISK_MEMBERS(M, O)                                                          \
    M(COUNT, time, "when the counters were read, clock units since the start")      \
    M(COUNT, requests, "requests that were taken since the boot")                   \
    M(COUNT, done, "of these, completed")                                           \
    M(COUNT, refused, "requests that found the queue full")                         \
    M(COUNT, blocks, "blocks that were moved")                                      \
    M(COUNT, busy, "time in which the device moved its arm or blocks, clock units") \
    M(COUNT, queue, "requests in the queue times how long they were there, clock units") \
    M(COUNT, waits, "of the completed ones the time from the call to the interrupt, clock units") \
    M(COUNT, longest, "most requests in the queue")
REPORT_SHARED(disk, DISK_MEMBERS)

json_t *disk_json(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    const struct wire_disk *const d = s->disk_count ? &s->disk[s->disk_count - 1] : NULL;

    if (!d)
        return NULL;
    return REPORT_MAKE(disk, .time = d->time, .requests = d->requests, .done = d->done, .refused = d->refused,
                       .blocks = d->blocks, .busy = d->busy, .queue = d->queue, .waits = d->waits,
                       .longest = d->longest);
}
