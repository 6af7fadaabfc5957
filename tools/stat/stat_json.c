/* SPDX-License-Identifier: MIT */
/* Makes the JSON of `cpuprobe stat`, schema cpuprobe-stat-1, of its sections. */
#include "tools/analysis/plausible.h"
#include "tools/analysis/report.h"
#include "tools/base/report_object.h"
#include "tools/json/report_json.h"
#include "tools/records/plain_report.h"
#include "tools/stat/stat_report.h"

#define STAT_EPOCH_MEMBERS(M, O)                                                    \
    M(COUNT, number, "its number in the stream, from 1")                            \
    M(COUNT, of, "epochs of the stream")                                            \
    M(ADDRESS, id, "its identifier")                                                \
    M(FLAG, ended, "its END arrived")                                               \
    M(COUNT_OR_NULL, status, "status of END: 0 well")                               \
    M(TEXT, reason, "reason of END")                                                \
    M(TEXT, build, "build id of the image")                                         \
    M(TEXT, door, "the way into the image")                                         \
    M(TEXT, machine, "the processor, as it names itself")                           \
    M(COUNT_OR_NULL, snapshot, "serial of the snapshot in the report")              \
    M(COUNT, snapshots, "complete snapshots")                                       \
    M(COUNT, unfinished, "snapshots that are not complete")
REPORT_OBJECT(stat_epoch, STAT_EPOCH_MEMBERS)

#define ALIAS_CELL_MEMBERS(M, O)                                                    \
    M(TEXT, name, "name of the row")                                                \
    M(TEXT, mode, "mode of the cell")                                               \
    M(REALS, percent, "its shares by the two sources, percent, that of the first source first") \
    M(REALS, exact, "its truths in the two windows, percent of tau")                \
    M(REAL, z, "difference in standard deviations")
REPORT_OBJECT(alias_cell, ALIAS_CELL_MEMBERS)

#define ALIAS_MEMBERS(M, O)                                                         \
    M(COUNT, compared, "cells that were compared")                                  \
    M(COUNT, differ, "cells that differ")                                           \
    M(REAL, limit, "limit of |z|")                                                  \
    M(REAL, most, "the largest |z|")                                                \
    M(TEXTS, wrong, "names of the wrong sources; empty: none, or not known")        \
    M(FLAG_OR_NULL, measured, "the exact table says so; false: a judgement; null: nothing differs") \
    O(LIST, cells, alias_cell, "the 16 cells with the largest |z|")
REPORT_OBJECT(alias, ALIAS_MEMBERS)

#define DAMAGE_MEMBERS(M, O)                                                        \
    O(PART, stream, stream_counts, "")                                              \
    M(FLAG_OR_NULL, adds_up, "the rows of the snapshot add up to its samples")
REPORT_OBJECT(damage, DAMAGE_MEMBERS)

#define STAT_MEMBERS(M, O)                                                          \
    M(FLAG, complete, "HELLO, a final snapshot whose rows add up, and a good END arrived") \
    O(OBJECT, epoch, stat_epoch, "the epoch of the report")                         \
    O(PART, table, stat_table, "")                                                  \
    O(OBJECT_OR_NULL, beside, stat_table, "the same of the second source of tick=A,B; null: there is none") \
    O(OBJECT_OR_NULL, alias, alias, "the comparison of the two; null: there are not two tables") \
    O(PART, monitors, stat_monitors, "")                                            \
    O(LIST, faults, fault, "each task that a fault ended")                          \
    O(LIST, reports, task_report, "each number that a task reported")               \
    O(LIST, texts, message, "each message of the image")                            \
    O(OBJECT_OR_NULL, events, stat_events, "monitor=events: how many events there were; else null") \
    M(ANY_IF, records, "records without a report of their own, in lists by their names: members by the " \
                       "names of their fields, rows in rows; left out where none came") \
    O(OBJECT, damage, damage, "what did not arrive, of the whole stream")
REPORT_WHOLE(stat, "cpuprobe-stat-1", STAT_MEMBERS)

static json_t *epoch_json(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;

    return REPORT_MAKE(stat_epoch, .number = e->number, .of = r->model->epochs, .id = e->id,
                       .ended = e->ended, .status = REPORT_KNOWN_IF(e->ended, e->status), .reason = e->reason,
                       .build = e->has_hello ? e->hello.build.bytes : NULL,
                       .door = e->has_hello ? e->hello.door.bytes : NULL,
                       .machine = e->has_hello ? e->hello.machine.bytes : NULL,
                       .snapshot = REPORT_KNOWN_IF(e->snapshot, e->snapshot->serial), .snapshots = e->snapshots,
                       .unfinished = e->unfinished);
}

static json_t *alias_json(const struct alias_compare *from)
{
    const struct alias *a;
    json_t *cells, *wrong;

    if (!from)
        return NULL;
    a = &from->alias;
    cells = json_array();
    wrong = json_array();
    for (unsigned i = 0; i < a->cells; i++) {
        const struct alias_cell *c = &a->cell[i];

        REPORT_ADD(cells, alias_cell, .name = c->row->name, .mode = mode_name(c->mode),
                   .percent = json_reals(c->percent, 2), .exact = json_reals(c->exact, 2), .z = c->z);
    }
    for (unsigned i = 0; i < 2; i++)
        if (a->wrong[i])
            json_array_append_new(wrong, json_text_or_null(from->side[i].source));
    return REPORT_MAKE(alias, .compared = a->compared, .differ = a->differ, .limit = a->limit, .most = a->most,
                       .wrong = wrong, .measured = REPORT_KNOWN_IF(a->differ, a->measured), .cells = cells);
}

json_t *stat_json_object(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;

    return REPORT_MAKE(
        stat, .complete = epoch_complete(e), .epoch = epoch_json(r), .table = stat_json_table(r),
        .beside = r->second_source ? stat_json_table(r->second_source) : NULL, .alias = alias_json(r->alias),
        .monitors = stat_json_monitors(e), .faults = stat_json_faults(e), .reports = stat_json_reports(e),
        .texts = stat_json_texts(e), .events = stat_json_events(e),
        .records = plain_json(&e->kept),
        .damage = REPORT_MAKE(damage, .stream = stream_json(&r->stream->stats),
                              .adds_up = REPORT_KNOWN_IF(e->snapshot, e->adds_up)));
}

void stat_json(const struct stat_report *r)
{
    json_print(stat_json_object(r), JSON_INDENT(1) | JSON_REAL_PRECISION(STAT_JSON_DIGITS));
}

/* A second source has words and a table of its own, and so its own estimator. */

void stat_report_make(struct stat_report_parts *p, const struct frame_decoder *stream, const struct model *model,
                      const struct epoch *epoch)
{
    *p = (struct stat_report_parts){
        .whole = {.stream = stream, .model = model, .epoch = epoch, .options = &p->table[0]},
        .table = {report_options(epoch)},
    };
    if (!epoch->second_source)
        return;
    p->second = p->whole;
    p->second.epoch = epoch->second_source;
    p->table[1] = report_options(epoch->second_source);
    p->second.options = &p->table[1];
    p->whole.second_source = &p->second;
    p->whole.alias = alias_compare_make(&p->beside, epoch) ? &p->beside : NULL;
}
