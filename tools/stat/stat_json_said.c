/* SPDX-License-Identifier: MIT */
/* Makes the JSON of what the image says beside its table: faults, reports, texts, events, profiles. */
#include "tools/stat/stat_report.h"

#include "tools/json/report_json.h"

#define FAULT_MEMBERS(M, O)                                                         \
    M(TEXT, name, "name of the task")                                               \
    M(COUNT, id, "its identifier")                                                  \
    M(TEXT, mode, "its mode")                                                       \
    M(COUNT, vector, "number of the exception")                                     \
    M(COUNT, error, "its error code")                                               \
    M(ADDRESS, pc, "address of the instruction")                                    \
    M(ADDRESS, address, "address that it asked for")                                \
    M(TEXT, cause, "what happened, in words")                                       \
    M(COUNT, time, "when, clock units since the start")
REPORT_SHARED(fault, FAULT_MEMBERS)

#define TASK_REPORT_MEMBERS(M, O)                                                   \
    M(TEXT, name, "name of the task")                                               \
    M(COUNT, id, "its identifier")                                                  \
    M(COUNT, value, "the number that it reported")                                  \
    M(COUNT, time, "when, clock units since the start")
REPORT_SHARED(task_report, TASK_REPORT_MEMBERS)

#define MESSAGE_MEMBERS(M, O)                                                       \
    M(COUNT, severity, "0 note, 1 warning, 2 error")                                \
    M(TEXT, text, "the message")
REPORT_SHARED(message, MESSAGE_MEMBERS)

#define STAT_EVENTS_MEMBERS(M, O)                                                   \
    M(COUNT, time, "when they were read, clock units since the start")              \
    M(COUNT, recorded, "events that were recorded")                                 \
    M(COUNT, overwritten, "of these, replaced by later ones")                       \
    M(COUNT, lost, "events that found no room")                                     \
    M(COUNT_OR_NULL, first_lost, "when the first of those happened, clock units since the start; null: none " \
                                 "was lost") \
    M(MAP_OF_COUNTS, classes, "events by class, recorded or not")
REPORT_SHARED(stat_events, STAT_EVENTS_MEMBERS)

#define PROFIL_MEMBERS(M, O)                                                        \
    M(TEXT, name, "name of the task")                                               \
    M(COUNT, id, "its identifier")                                                  \
    M(COUNT, number, "number of the task")                                          \
    M(FLAG, trap_a_tick, "each tick traps into the kernel")                         \
    M(COUNT, counted, "sum of the task's own counters")                             \
    M(COUNT, direct, "ticks that were counted by the tick itself")                  \
    M(COUNT, trapped, "ticks that were counted by a trap")                          \
    M(COUNT, touched, "pages that were first touched by a trap")                    \
    M(COUNT, calls, "ticks in the kernel, counted at the exit of a call for its caller") \
    M(COUNT, calls_touched, "pages that were first touched by these")               \
    M(COUNT, outside, "ticks of addresses without a counter")                       \
    M(COUNT, lost, "ticks whose counter was full, or that came while a trap was due") \
    M(FLAG, stopped, "its buffer was no memory of the task, and the profile is over") \
    M(COUNT, missing, "frames that did not arrive")
REPORT_SHARED(profil, PROFIL_MEMBERS)

json_t *stat_json_faults(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_FAULT);
    json_t *array = json_array();

    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_fault *f = record_head(s, i);

        REPORT_ADD(array, fault, .name = f->name.bytes, .id = f->id,
                   .mode = f->mode < MODES ? mode_name(f->mode) : NULL, .vector = f->vector, .error = f->error,
                   .pc = f->pc, .address = f->address, .cause = f->cause.bytes, .time = f->time);
    }
    return array;
}

json_t *stat_json_reports(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_REPORT);
    json_t *array = json_array();

    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_report *f = record_head(s, i);

        REPORT_ADD(array, task_report, f->name.bytes, f->id, f->value, f->time);
    }
    return array;
}

json_t *stat_json_texts(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_TEXT);
    json_t *array = json_array();

    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_text_record *const said = record_head(s, i);

        REPORT_ADD(array, message, said->severity, said->text.bytes);
    }
    return array;
}

json_t *stat_json_events(const struct epoch *e)
{
    const struct wire_event_counts *const from = epoch_event_counts(e);

    if (!from)
        return NULL;
    return REPORT_MAKE(stat_events, .time = from->time, .recorded = from->recorded, .overwritten = from->overwritten,
                       .lost = from->lost, .first_lost = REPORT_KNOWN_IF(from->lost, from->lost_time),
                       .classes = event_classes_json(e));
}

static json_t *profil_json(const struct epoch *e, const struct record_store *s)
{
    const struct wire_profil *const h = record_last(s);
    uint64_t counted = 0;
    char name[NAME_SIZE];

    for (size_t i = 0; i < s->row.count; i++)
        counted += ((const struct wire_profil_row *)record_row(s, i))->count;
    epoch_name_of(e, (uint32_t)h->id, name);
    return REPORT_MAKE(profil, .name = name, .id = h->id, .number = h->number, .trap_a_tick = h->flags & 1,
                       .counted = counted, .direct = h->direct, .trapped = h->trapped, .touched = h->touched,
                       .calls = h->calls, .calls_touched = h->calls_touched, .outside = h->outside, .lost = h->lost,
                       .stopped = h->stopped, .missing = s->missing);
}

json_t *stat_json_profils(const struct epoch *e)
{
    const struct record_store *s = NULL;
    json_t *array = json_array();

    while ((s = record_store_next(&e->kept, WIRE_PROFIL, s)))
        json_array_append_new(array, profil_json(e, s));
    return array;
}
