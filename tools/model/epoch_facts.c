/* SPDX-License-Identifier: MIT */
/* What reports need to know of an epoch: whether it is complete, its names, its schedule. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/stats/table_sort.h"
#include "probe/text/radix50.h"
#include "tools/model/stream_model.h"

const struct record_store *epoch_kept_of(const struct epoch *e, enum wire_type type, uint32_t id)
{
    const struct record_store *s = NULL;

    while ((s = record_store_next(&e->kept, type, s)) && record_head_id(s) != id)
        ;
    return s;
}

bool epoch_complete(const struct epoch *e)
{
    if (e->second_source ? !epoch_complete(e->second_source) : e->words_known && e->words.second_tick != TICK_AUTO)
        return false;
    return e->has_hello && e->snapshot && e->snapshot->final && e->adds_up && e->ended &&
           !e->status && !e->violations;
}

struct epoch *model_choose(struct model *m, unsigned long wanted)
{
    if (wanted)
        return wanted <= m->epochs ? m->epoch[wanted - 1] : NULL;
    for (size_t i = m->epochs; i; i--)
        if (m->epoch[i - 1]->ended && !m->epoch[i - 1]->status && m->epoch[i - 1]->snapshot)
            return m->epoch[i - 1];
    for (size_t i = m->epochs; i; i--)
        if (m->epoch[i - 1]->snapshot)
            return m->epoch[i - 1];
    return m->epochs ? m->epoch[m->epochs - 1] : NULL;
}

void epoch_name_of(const struct epoch *e, uint32_t id, char name[NAME_SIZE])
{
    static const char hex[] = "0123456789abcdef";

    const size_t known = index_find(&e->name_of, id);

    if (known != INDEX_NONE) {
        memcpy(name, e->names[known].name, NAME_SIZE);
        return;
    }
    if (e->words_known && e->words.identity == IDENTITY_NAME && radix50_unpack(id, name))
        return;
    memcpy(name, "#00000000", 10);
    for (unsigned i = 0; i < 8; i++)
        name[8 - i] = hex[id >> 4 * i & 15];
}

void epoch_name_rows(struct epoch *e)
{
    for (uint32_t r = 0; e->snapshot && r < e->snapshot->rows; r++)
        epoch_name_of(e, e->snapshot->row[r].id, e->snapshot->row[r].name);
    if (e->snapshot)
        table_sort(e->snapshot);
    if (e->second_source)
        epoch_name_rows(e->second_source);
}

uint64_t epoch_unit_65536(const struct epoch *e)
{
    return e->hello.unit ? e->hello.unit << 16 : e->hello.source_clock;
}

double epoch_window_seconds(const struct epoch *e)
{
    return (double)(e->snapshot->end - e->snapshot->begin) / (double)e->hello.clock_hz;
}

double epoch_mean(const struct epoch *e)
{
    double units = (double)e->hello.mean / 65536.0;

    return e->has_hello ? units * (double)epoch_unit_65536(e) / 65536.0 : 0.0;
}

uint64_t epoch_age(const struct epoch *e)
{
    return e->snapshot && e->heard > e->snapshot->made ? e->heard - e->snapshot->made : 0;
}

bool epoch_policy_known(const struct epoch *e)
{
    return e->has_hello && e->words_known && config_given(&e->words, CONFIG_INTERVAL);
}

bool epoch_schedule(const struct epoch *e, struct schedule *s)
{
    const struct wire_hello *h = &e->hello;
    const struct schedule_request request = {
        .policy = e->words.interval,
        .rng = e->words.rng,
        .mean = h->mean,
        .minimum = (uint32_t)h->minimum,
        .spread = (uint32_t)e->words.spread,
        .seed = h->seed,
    };

    return epoch_policy_known(e) && !schedule_init(s, &request);
}

static const char *build_of_program(const struct epoch *e, uint64_t number)
{
    const size_t known = index_find(&e->program_of, number);

    return known != INDEX_NONE && e->programs[known].build.length ? e->programs[known].build.bytes : NULL;
}

/* Ring 1 runs the image's code, as ring 0 does. */
const char *epoch_build(const struct epoch *e, uint32_t id, enum mode mode)
{
    const char *image = e->has_hello && e->hello.build.length ? e->hello.build.bytes : NULL;
    const size_t known = index_find(&e->name_of, id);

    if (mode != MODE_USER || id == ROW_MASKED || id == ROW_STOLEN)
        return image; /* the image's code ends masking */
    if (known == INDEX_NONE)
        return NULL;
    return e->names[known].program ? build_of_program(e, e->names[known].program) : image;
}

uint64_t epoch_program_base(const struct epoch *e, uint32_t id)
{
    const struct record_store *const s = epoch_kept_of(e, WIRE_PROCESS, id);

    return s ? ((const struct wire_process *)record_last(s))->base : 0;
}

bool epoch_has_events(const struct epoch *e)
{
    return e->events || epoch_event_counts(e);
}

const struct wire_event_counts *epoch_event_counts(const struct epoch *e)
{
    return record_last(epoch_kept(e, WIRE_EVENT_COUNTS));
}

uint64_t epoch_events_recorded(const struct epoch *e)
{
    const struct wire_event_counts *const counts = epoch_event_counts(e);

    return counts && counts->recorded > e->events_end ? counts->recorded : e->events_end;
}

struct event_key epoch_event_key(const struct epoch *e, const struct event_sent *sent)
{
    const struct wire_event_keys_row *row;
    struct event_key key = {sent->argument, sent->class};

    if (sent->index == DICTIONARY_NONE)
        return key;
    row = record_row_of(epoch_kept(e, WIRE_EVENT_KEYS), sent->index);
    return row && event_read_key(row, &key) ? key : (struct event_key){0};
}

uint32_t epoch_event_classes(const struct epoch *e)
{
    const struct record_store *const keys = epoch_kept(e, WIRE_EVENT_KEYS);
    uint32_t classes = 0;

    for (size_t i = 0; i < keys->row.count; i++) {
        const struct wire_event_keys_row *const row = record_row(keys, i);

        if (row->class < TRACE_CLASSES_END)
            classes |= trace_bit((unsigned)row->class);
    }
    return classes;
}

bool epoch_has_calls(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_CALL_STACKS);
    const struct wire_call_stacks *const head = record_last(s);

    for (size_t i = 0; i < s->row.count; i++)
        if (((const struct wire_call_stacks_row *)record_row(s, i))->mode != MODE_USER)
            return true;
    return head && (!epoch_walks(e) || head->outside || head->lost || head->lost_returns);
}

uint64_t stack_pc(const struct wire_call_stacks_row *r, unsigned n)
{
    uint64_t pc = 0;

    for (size_t i = (n + 1) * sizeof(pc); i-- > n * sizeof(pc);)
        pc = pc << 8 | (uint8_t)r->pcs.bytes[i];
    return pc;
}

const char *epoch_walks_text(const struct epoch *e)
{
    static char text[200]; /* five numbers of 20 digits */
    const struct wire_stack_walks *const w = epoch_walks(e);

    if (!w)
        return "";
    snprintf(text, sizeof(text), "%" PRIu64 " whole, %" PRIu64 " cut, %" PRIu64 " broken, %" PRIu64
                                 " absent; %" PRIu64 " lost", w->whole, w->cut, w->broken, w->absent, w->lost);
    return text;
}

bool epoch_walks_lost(const struct epoch *e)
{
    const struct wire_stack_walks *const w = epoch_walks(e);

    return w && (w->cut || w->broken || w->absent || w->lost);
}

/* The rows that the epoch has of a record, as far as there is room for them. */
static unsigned take_rows(const struct epoch *e, enum wire_type type, void *to, size_t room)
{
    const struct record_list *const l = &epoch_kept(e, type)->row;
    const size_t count = l->count < room ? l->count : room;

    if (count)
        memcpy(to, l->bytes, count * l->size);
    return (unsigned)count;
}

bool epoch_survey(const struct epoch *e, struct survey *s)
{
    const struct wire_survey *const head = record_last(epoch_kept(e, WIRE_SURVEY));

    if (!head)
        return false;
    s->head = *head;
    s->lengths = take_rows(e, WIRE_SURVEY, s->length, GAP_BUCKETS);
    s->clocks = take_rows(e, WIRE_SURVEY_CLOCKS, s->clock, SURVEY_CLOCKS);
    s->times = take_rows(e, WIRE_SURVEY_TIMES, s->time, SURVEY_TIMES);
    return true;
}
