/* SPDX-License-Identifier: MIT */
/*
 * Records into epochs: which frame belongs to which epoch, and what of it is
 * kept.  assembly.c puts snapshots together, epoch_facts.c answers what reports ask.
 */
#include "tools/model/stream_model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/model/snapshot_assembly.h"
#include "tools/model/snapshot_check.h"
#include "tools/model/transitions_check.h"

#define GROW(array, count) ((array) = xgrow((array), (count), sizeof(*(array))))

void model_init(struct model *m)
{
    memset(m, 0, sizeof(*m));
    m->replay = MODEL_REPLAY;
}

static struct wire_text keep(struct wire_text text)
{
    return (struct wire_text){printable_copy(text.bytes, text.length), text.length};
}

static void keep_text(struct wire_text *text)
{
    *text = keep(*text);
}

static void free_text(struct wire_text *text)
{
    free((char *)text->bytes);
}

/* keep_text() or free_text() on every text of a record's head, in place. */
static void each_text(enum wire_type type, void *head, void act(struct wire_text *text))
{
    const struct wire_record *record = wire_record(type);
    char *member = head;

    for (unsigned i = 0; i < record->heads; member += wire_member(&record->head[i++]))
        if (record->head[i].text)
            act((void *)member);
}

static void epoch_free(struct epoch *e)
{
    if (e->has_hello)
        each_text(WIRE_HELLO, &e->hello, free_text);
    for (size_t i = 0; i < e->fault_count; i++)
        each_text(WIRE_FAULT, &e->faults[i], free_text);
    for (size_t i = 0; i < e->report_count; i++)
        each_text(WIRE_REPORT, &e->reports[i], free_text);
    for (size_t i = 0; i < e->text_count; i++)
        each_text(WIRE_TEXT, &e->texts[i], free_text);
    free(e->faults);
    free(e->reports);
    free(e->texts);
    for (size_t i = 0; i < e->program_count; i++) {
        free((char *)e->programs[i].name.bytes);
        free((char *)e->programs[i].build.bytes);
    }
    for (size_t i = 0; i < e->health_count; i++) {
        free((char *)e->health[i].name.bytes);
        free((char *)e->health[i].value.bytes);
    }
    free(e->health);
    samples_free(e->samples);
    transitions_free(e->transitions);
    free(e->programs);
    free(e->names);
    free(e->reason);
    free(e->snapshot);
    free(e->heads);
    free(e->violations);
    index_free(&e->name_of);
    index_free(&e->program_of);
    index_free(&e->health_of);
    if (e->second_source)
        epoch_free(e->second_source);
    free(e->second_source);
}

void model_free(struct model *m)
{
    for (size_t i = 0; i < m->epochs; i++)
        epoch_free(&m->epoch[i]);
    free(m->epoch);
    model_init(m);
}

static struct epoch *begin_epoch(struct model *m, uint64_t id)
{
    struct epoch *e;

    GROW(m->epoch, m->epochs);
    e = &m->epoch[m->epochs++];
    memset(e, 0, sizeof(*e));
    e->id = id;
    m->kept += sizeof(*e);
    return e;
}

/* Of the epoch and of its second source no more parts will come. */
static void abandon(struct model *m, struct epoch *e)
{
    assembly_abandon(m, e);
    if (e->second_source)
        assembly_abandon(m, e->second_source);
}

/*
 * The epoch of a record that names `id`, begun where it is another than the
 * last; 0 is the one in force.  After an END the next record begins one, even
 * under the same identifier: two boots of a deterministic machine can share it.
 */
static struct epoch *first_of(struct model *m, uint64_t id)
{
    struct epoch *last = m->epochs ? &m->epoch[m->epochs - 1] : NULL;

    if (!last || last->ended)
        return begin_epoch(m, id);
    if (!last->id) /* what came without identifier belongs to what follows */
        last->id = id;
    if (id && id != last->id) {
        abandon(m, last);
        return begin_epoch(m, id);
    }
    return last;
}

/* The same, of whichever source. */
static struct epoch *epoch_of(struct model *m, uint64_t id)
{
    struct epoch *e = first_of(m, id & ~WIRE_SECOND);

    if (!(id & WIRE_SECOND))
        return e;
    if (!e->second_source) {
        e->second_source = xrealloc_array(NULL, 1, sizeof(*e->second_source));
        memset(e->second_source, 0, sizeof(*e->second_source));
        m->kept += sizeof(*e);
        e->second_source->id = id;
        e->second_source->second = true;
    }
    return e->second_source;
}

static void heard(struct epoch *e, uint64_t time)
{
    if (time > e->heard)
        e->heard = time;
}

/* What a field of HELLO may be in one epoch: another number each time, or one and the same. */
static bool may_change(const struct wire_field *field)
{
    return !strcmp(field->name, "now") || !strcmp(field->name, "clock_origin");
}

static bool same_text(const char *a, const char *b)
{
    struct wire_text one, other;

    memcpy(&one, a, sizeof(one));
    memcpy(&other, b, sizeof(other));
    return one.length == other.length && !memcmp(one.bytes, other.bytes, one.length);
}

/* The first field in which two HELLOs of one epoch contradict each other, NULL: none. */
static const char *hello_differs(const struct wire_hello *one, const struct wire_hello *other)
{
    const struct wire_record *record = wire_record(WIRE_HELLO);
    const char *a = (const char *)one, *b = (const char *)other;

    for (unsigned i = 0; i < record->heads; i++) {
        const struct wire_field *field = &record->head[i];
        const size_t bytes = wire_member(field);
        const bool same = field->text ? same_text(a, b) : !memcmp(a, b, bytes);

        if (!same && !may_change(field))
            return field->name;
        a += bytes;
        b += bytes;
    }
    return NULL;
}

/* The first one holds: what it told has been used. */
static void hear_hello_again(struct epoch *e, struct wire_hello *hello)
{
    const char *field = hello_differs(&e->hello, hello);

    if (field) {
        violation_note(&e->violations, VIOLATION_HELLO, "%s", field);
    } else {
        e->hello.now = hello->now;
        e->hello.clock_origin = hello->clock_origin;
    }
    each_text(WIRE_HELLO, hello, free_text);
}

/* What the schedule and the clock are made of has bounds. */
static bool hello_valid(const struct wire_hello *h)
{
    return h->epoch & ~WIRE_SECOND && h->minimum <= UINT32_MAX && h->clock_notes <= 3;
}

static void take_hello(struct model *m, struct wire_reader *r)
{
    struct wire_hello hello;
    struct epoch *e;
    struct refusal unused;

    wire_read_head(r, &hello);
    e = epoch_of(m, hello.epoch);
    each_text(WIRE_HELLO, &hello, keep_text);
    heard(e, hello.now);
    e->hellos++;
    if (e->has_hello) {
        hear_hello_again(e, &hello);
        return;
    }
    if (!hello_valid(&hello))
        violation_note(&e->violations, VIOLATION_VALUE, "HELLO");
    e->hello = hello;
    e->has_hello = true;
    config_default(&e->words);
    e->words_known = config_parse(&e->words, hello.words.bytes, &unused);
}

static void take_name(struct epoch *e, const struct wire_names_row *row)
{
    struct epoch_name name = {.id = (uint32_t)row->id, .program = row->program};
    const size_t known = index_find(&e->name_of, row->id);
    const struct wire_text text = keep(row->name);

    strncpy(name.name, text.bytes, NAME_SIZE - 1);
    free((char *)text.bytes);
    if (row->id > UINT32_MAX) {
        violation_note(&e->violations, VIOLATION_VALUE, "NAMES, id %" PRIu64, row->id);
        return;
    }
    if (!row->name.length || row->name.length >= NAME_SIZE)
        violation_note(&e->violations, VIOLATION_NAME_LENGTH, "id %" PRIu64, row->id);
    if (known != INDEX_NONE) {
        if (strcmp(e->names[known].name, name.name) || e->names[known].program != name.program)
            violation_note(&e->violations, VIOLATION_NAME_CHANGED, "id %" PRIu64, row->id);
        return;
    }
    GROW(e->names, e->name_count);
    index_put(&e->name_of, row->id, e->name_count);
    e->names[e->name_count++] = name;
}

static void take_names(struct model *m, struct wire_reader *r)
{
    struct wire_names names;
    struct wire_names_row row;
    struct epoch *e;

    wire_read_head(r, &names);
    e = epoch_of(m, names.epoch);
    while (wire_read_row(r, &row))
        take_name(e, &row);
}

static void take_text(struct model *m, struct wire_reader *r)
{
    struct wire_text_record text;
    struct epoch *e;

    wire_read_head(r, &text);
    e = epoch_of(m, text.epoch);
    if (text.severity > 2)
        violation_note(&e->violations, VIOLATION_VALUE, "TEXT, severity %" PRIu64, text.severity);
    if (text.text.length && text.text.bytes[text.text.length - 1] == '\n')
        text.text.length--;
    each_text(WIRE_TEXT, &text, keep_text);
    GROW(e->texts, e->text_count);
    e->texts[e->text_count++] = text;
}

static void take_fault(struct model *m, struct wire_reader *r)
{
    struct wire_fault fault;
    struct epoch *e;

    wire_read_head(r, &fault);
    e = epoch_of(m, fault.epoch);
    if (fault.id > UINT32_MAX || fault.mode > MODE_KERNEL)
        violation_note(&e->violations, VIOLATION_VALUE, "FAULT, id %" PRIu64, fault.id);
    each_text(WIRE_FAULT, &fault, keep_text);
    GROW(e->faults, e->fault_count);
    e->faults[e->fault_count++] = fault;
    heard(e, fault.time);
}

static void take_report(struct model *m, struct wire_reader *r)
{
    struct wire_report report;
    struct epoch *e;

    wire_read_head(r, &report);
    e = epoch_of(m, report.epoch);
    if (report.id > UINT32_MAX)
        violation_note(&e->violations, VIOLATION_VALUE, "REPORT, id %" PRIu64, report.id);
    each_text(WIRE_REPORT, &report, keep_text);
    GROW(e->reports, e->report_count);
    e->reports[e->report_count++] = report;
    heard(e, report.time);
}

static void take_program(struct epoch *e, const struct wire_programs_row *from)
{
    const size_t known = index_find(&e->program_of, from->number);
    struct wire_programs_row row = {from->number, keep(from->name), keep(from->build)};

    if (!from->number)
        violation_note(&e->violations, VIOLATION_VALUE, "PROGRAMS, number 0");
    if (known == INDEX_NONE) {
        GROW(e->programs, e->program_count);
        index_put(&e->program_of, row.number, e->program_count);
        e->programs[e->program_count++] = row;
        return;
    }
    if (strcmp(e->programs[known].name.bytes, row.name.bytes) ||
        strcmp(e->programs[known].build.bytes, row.build.bytes))
        violation_note(&e->violations, VIOLATION_PROGRAM_CHANGED, "number %" PRIu64, row.number);
    free_text(&row.name);
    free_text(&row.build);
}

static void take_programs(struct model *m, struct wire_reader *r)
{
    struct wire_programs programs;
    struct wire_programs_row row;
    struct epoch *e;

    wire_read_head(r, &programs);
    e = epoch_of(m, programs.epoch);
    while (wire_read_row(r, &row))
        take_program(e, &row);
}

/* The row of this name, made if it is new. */
static struct wire_health_row *health_row(struct epoch *e, struct wire_text name)
{
    struct wire_text kept = keep(name); /* as it is printed, for so are the others */
    const uint64_t key = index_key(kept.bytes, kept.length);
    const size_t known = index_find(&e->health_of, key);

    if (known != INDEX_NONE) {
        free_text(&kept);
        return &e->health[known];
    }
    GROW(e->health, e->health_count);
    index_put(&e->health_of, key, e->health_count);
    e->health[e->health_count] = (struct wire_health_row){.name = kept};
    return &e->health[e->health_count++];
}

static void take_health(struct model *m, struct wire_reader *r)
{
    struct wire_health health;
    struct wire_health_row from, *row;
    struct epoch *e;

    wire_read_head(r, &health);
    e = epoch_of(m, health.epoch);
    while (wire_read_row(r, &from)) {
        row = health_row(e, from.name);
        free_text(&row->value);
        row->value = keep(from.value);
    }
}

static void take_received(struct model *m, struct wire_reader *r)
{
    struct wire_received received;

    wire_read_head(r, &received);
    epoch_of(m, received.epoch)->received = received;
}

/* Between the host that asked and the image: no part of a run. */
static void take_talk(struct model *m, struct wire_reader *r)
{
    (void)m;
    (void)r;
}

static void take_end(struct model *m, struct wire_reader *r)
{
    struct wire_end end;
    struct epoch *e;

    wire_read_head(r, &end);
    e = epoch_of(m, end.epoch & ~WIRE_SECOND); /* END is the epoch's alone */
    if (end.epoch & WIRE_SECOND || end.status > 1)
        violation_note(&e->violations, VIOLATION_VALUE, "END");
    abandon(m, e);
    free(e->reason);
    e->ended = true;
    e->status = end.status;
    e->reason = (char *)keep(end.reason).bytes;
    if (e->second_source) {
        e->second_source->ended = true;
        e->second_source->status = end.status;
    }
}

static void take_head(struct model *m, struct wire_reader *r)
{
    struct wire_snapshot head;
    struct epoch *e;

    wire_read_head(r, &head);
    e = epoch_of(m, head.epoch);
    heard(e, head.made);
    snapshot_check_head(e, &head, e->head_count ? &e->heads[e->head_count - 1] : NULL);
    GROW(e->heads, e->head_count);
    e->heads[e->head_count++] = head;
    assembly_head(m, e, &head);
}

static void take_cells(struct model *m, struct wire_reader *r)
{
    struct wire_cells cells;

    wire_read_head(r, &cells);
    assembly_cells(m, epoch_of(m, cells.epoch), &cells, r);
}

static void take_exact(struct model *m, struct wire_reader *r)
{
    struct wire_exact exact;

    wire_read_head(r, &exact);
    assembly_exact(m, epoch_of(m, exact.epoch), &exact, r);
}

static void take_region(struct model *m, struct wire_reader *r)
{
    struct wire_region region;

    wire_read_head(r, &region);
    assembly_region(m, epoch_of(m, region.epoch), &region, r);
}

static void take_lateness(struct model *m, struct wire_reader *r)
{
    struct wire_lateness lateness;

    wire_read_head(r, &lateness);
    assembly_lateness(m, epoch_of(m, lateness.epoch), &lateness, r);
}

/* NULL where these words make no schedule. */
static struct samples *begin_samples(struct model *m, const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    struct sample_setting setting = {
        .source_clock = h->source_clock,
        .handler = h->lead,
        .stamp = h->stamp,
        .thin = h->thin < UINT32_MAX ? (uint32_t)h->thin : UINT32_MAX, /* is refused */
        .seed = h->seed,
    };

    if (!epoch_schedule(e, &setting.schedule))
        return NULL;
    return samples_new(&setting, &m->replay);
}

/*
 * Raw samples and what they mean.  Those before the first HELLO cannot be read:
 * their numbers are missing from what is told later.
 */
static void take_samples(struct model *m, struct wire_reader *r, size_t length)
{
    struct wire_reader frame = *r;
    struct epoch *e;
    size_t held;

    if (r->type == WIRE_SAMPLES) {
        struct wire_samples head;

        wire_read_head(r, &head);
        e = epoch_of(m, head.epoch);
    } else {
        struct wire_places head;

        wire_read_head(r, &head);
        e = epoch_of(m, head.epoch);
    }
    if (e->has_hello && !e->samples)
        e->samples = begin_samples(m, e);
    if (!e->samples)
        return;
    held = e->samples->held;
    samples_add_frame(e->samples, &frame, length);
    m->kept += e->samples->held - held;
}

static void take_transitions(struct model *m, struct wire_reader *r)
{
    struct wire_reader frame = *r;
    struct epoch *e;
    size_t ids;

    if (r->type == WIRE_TRANSITIONS) {
        struct wire_transitions head;

        wire_read_head(r, &head);
        e = epoch_of(m, head.epoch);
    } else {
        struct wire_logged head;

        wire_read_head(r, &head);
        e = epoch_of(m, head.epoch);
    }
    if (!e->transitions)
        e->transitions = transitions_new();
    ids = e->transitions->ids;
    if (!transitions_add_frame(e->transitions, &frame))
        violation_note(&e->violations, VIOLATION_VALUE, "LOGGED");
    m->kept += (e->transitions->ids - ids) * sizeof(*e->transitions->id);
}

/* Bounds before the work: a frame of some bytes can begin an epoch of a thousand. */
static bool is_full(struct model *m, uint64_t bytes)
{
    if (m->kept / MODEL_KEPT_PER_BYTE <= MODEL_KEPT / MODEL_KEPT_PER_BYTE + bytes || m->full)
        return m->full;
    violation_note(&m->epoch[m->epochs - 1].violations, VIOLATION_AMOUNT, "epoch %zu", m->epochs);
    m->full = true;
    return true;
}

void model_add_event(struct model *m, const struct stream_event *event)
{
    static void (*const take[])(struct model *m, struct wire_reader *r) = {
        [WIRE_HELLO] = take_hello,   [WIRE_NAMES] = take_names,
        [WIRE_SNAPSHOT] = take_head, [WIRE_CELLS] = take_cells,
        [WIRE_EXACT] = take_exact,   [WIRE_TEXT] = take_text,
        [WIRE_FAULT] = take_fault,   [WIRE_REPORT] = take_report,
        [WIRE_END] = take_end,       [WIRE_PROGRAMS] = take_programs,
        [WIRE_REGION] = take_region, [WIRE_LATENESS] = take_lateness,
        [WIRE_HEALTH] = take_health, [WIRE_TRANSITIONS] = take_transitions,
        [WIRE_LOGGED] = take_transitions,
        [WIRE_COMMAND] = take_talk,  [WIRE_ANSWER] = take_talk,
        [WIRE_RECEIVED] = take_received,
    };
    struct wire_reader r = event->reader;

    if (event->kind != STREAM_RECORD || is_full(m, event->offset + event->length))
        return;
    if (r.type == WIRE_SAMPLES || r.type == WIRE_PLACES)
        take_samples(m, &r, event->length + 2); /* and its two zeros */
    else
        take[r.type](m, &r);
}

/* With identity=name the name is the identity. */
static void check_shared_names(struct epoch *e)
{
    struct index seen = {0};

    for (size_t i = 0; i < e->name_count; i++) {
        const char *name = e->names[i].name;
        const uint64_t key = index_key(name, strlen(name));

        if (index_find(&seen, key) == INDEX_NONE)
            index_put(&seen, key, i);
        else
            violation_note(&e->violations, VIOLATION_NAME_SHARED, "%s", name);
    }
    index_free(&seen);
}

static void check_samples(struct epoch *e, const struct samples *s)
{
    if (s->damaged)
        violation_note(&e->violations, VIOLATION_SAMPLES, "%" PRIu64 " in all", s->damaged);
    if (s->lost > s->told || (e->snapshot && e->snapshot->final && s->told > e->snapshot->ticks))
        violation_note(&e->violations, VIOLATION_TOLD, "%" PRIu64 " told", s->told);
}

static void finish_epoch(struct epoch *e)
{
    if (e->words_known && e->words.identity == IDENTITY_NAME)
        check_shared_names(e);
    if (e->samples) {
        samples_finish(e->samples);
        check_samples(e, e->samples);
    }
    if (e->transitions) {
        transitions_finish(e->transitions);
        transitions_check(e);
    }
}

void model_finish(struct model *m)
{
    if (m->epochs)
        abandon(m, &m->epoch[m->epochs - 1]);
    for (size_t i = 0; i < m->epochs; i++)
        for (struct epoch *e = &m->epoch[i]; e; e = e->second_source)
            finish_epoch(e);
}
