/* SPDX-License-Identifier: MIT */
/*
 * A profile of pprof: a gzip'd protocol buffer (github.com/google/pprof, proto/profile.proto, whose field numbers
 * these are).  Task and mode are the outer frames and labels too, so that both `-top` and `-tagfocus` find them.
 * Losses and intervals are comments.
 */
#include <stdlib.h>
#include <zlib.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/base/text_set.h"
#include "tools/export/export.h"
#include "tools/export/protobuf.h"

enum profile_field {
    PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
    PROFILE_STRINGS = 6, PROFILE_DURATION = 10, PROFILE_PERIOD_TYPE = 11, PROFILE_PERIOD = 12, PROFILE_COMMENT = 13,
};
enum value_type_field { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum mapping_field {
    MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_BUILD = 6, MAPPING_FUNCTIONS = 7, MAPPING_FILES = 8, MAPPING_LINES = 9,
    MAPPING_INLINED = 10,
};
enum location_field { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum line_field { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

struct pprof {
    const struct export_run *run;
    struct protobuf out;
    struct text_set strings; /* "" is number 0 */
    struct index location_of, function_of; /* their ids less 1 */
    struct index share_of; /* strings by task and mode; 0: it has no interval */
    uint64_t locations, functions;
};

static uint64_t string(struct pprof *p, const char *text)
{
    return text_set_number(&p->strings, text);
}

static void put_value_type(struct pprof *p, enum profile_field field, const char *type, const char *unit)
{
    struct protobuf message = {0};

    protobuf_number(&message, VALUE_TYPE, string(p, type));
    protobuf_number(&message, VALUE_UNIT, string(p, unit));
    protobuf_message(&p->out, field, &message);
}

/* Names are whole: pprof is to look for no file. */
static void put_mapping(struct pprof *p)
{
    const struct epoch *e = p->run->epoch;
    struct protobuf message = {0};

    protobuf_number(&message, MAPPING_ID, 1);
    protobuf_number(&message, MAPPING_FILE, string(p, "cpuprobe"));
    protobuf_number(&message, MAPPING_BUILD, string(p, e->has_hello ? e->hello.build.bytes : ""));
    for (unsigned field = MAPPING_FUNCTIONS; field <= MAPPING_INLINED; field++)
        protobuf_number(&message, field, 1);
    protobuf_message(&p->out, PROFILE_MAPPING, &message);
}

/* The id of a function, from 1; it is written when it is first needed. */
static uint64_t function_id(struct pprof *p, uint32_t name, uint32_t file)
{
    const uint64_t key = (uint64_t)name << 32 | file;
    size_t found = index_find(&p->function_of, key);
    struct protobuf message = {0};
    uint64_t text;

    if (found != INDEX_NONE)
        return found + 1;
    index_put(&p->function_of, key, p->functions++);
    text = string(p, stack_text(&p->run->stacks, name));
    protobuf_number(&message, FUNCTION_ID, p->functions);
    protobuf_number(&message, FUNCTION_NAME, text);
    protobuf_number(&message, FUNCTION_SYSTEM_NAME, text);
    protobuf_number(&message, FUNCTION_FILE, string(p, stack_text(&p->run->stacks, file)));
    protobuf_message(&p->out, PROFILE_FUNCTION, &message);
    return p->functions;
}

static void put_line(struct protobuf *location, uint64_t function, unsigned number)
{
    struct protobuf line = {0};

    protobuf_number(&line, LINE_FUNCTION, function);
    protobuf_number(&line, LINE_NUMBER, number);
    protobuf_message(location, LOCATION_LINE, &line);
}

/* A new location: of one frame, or of all that are at one address, the innermost first. */
static uint64_t put_location(struct pprof *p, const struct stack *of, uint32_t from, uint32_t end, uint64_t address)
{
    const struct stacks *s = &p->run->stacks;
    const struct stack_frame *last = stack_frame(s, of, end - 1);
    const bool lined = last->kind == FRAME_LINE;
    struct protobuf message = {0};

    protobuf_number(&message, LOCATION_ID, ++p->locations);
    protobuf_number(&message, LOCATION_MAPPING, 1);
    protobuf_number(&message, LOCATION_ADDRESS, address);
    for (uint32_t n = lined ? end - 1 : end; n-- > from;) {
        const bool inner = lined && n == end - 2;

        put_line(&message, function_id(p, stack_frame(s, of, n)->name, inner ? last->file : 0),
                 inner ? last->line : 0);
    }
    protobuf_message(&p->out, PROFILE_LOCATION, &message);
    return p->locations;
}

/* Tasks, modes and callers have a location each. */
static uint64_t outer_location(struct pprof *p, const struct stack *of, uint32_t n)
{
    const uint64_t key = p->run->stacks.id[of->first + n];
    const size_t found = index_find(&p->location_of, key);

    if (found != INDEX_NONE)
        return found + 1;
    index_put(&p->location_of, key, p->locations);
    return put_location(p, of, n, n + 1, 0);
}

static void put_label(struct pprof *p, struct protobuf *sample, const char *key, uint64_t text)
{
    struct protobuf label = {0};

    protobuf_number(&label, LABEL_KEY, string(p, key));
    protobuf_number(&label, LABEL_TEXT, text);
    protobuf_message(sample, SAMPLE_LABEL, &label);
}

static uint64_t share(struct pprof *p, uint32_t task, enum mode mode)
{
    const uint64_t key = (uint64_t)task << 32 | mode;
    const size_t found = index_find(&p->share_of, key);
    char *text;
    uint64_t number;

    if (found != INDEX_NONE)
        return found;
    text = export_share(p->run, task, mode);
    number = text ? string(p, text) : 0;
    index_put(&p->share_of, key, number);
    free(text);
    return number;
}

static void put_share(struct pprof *p, struct protobuf *sample, const char *key, uint32_t task, enum mode mode)
{
    const uint64_t text = share(p, task, mode);

    if (text)
        put_label(p, sample, key, text);
}

static uint32_t labels_of(const struct stacks *s, const struct stack *of)
{
    uint32_t n = 0;

    while (n < of->depth && stack_frame(s, of, n)->kind <= FRAME_MODE)
        n++;
    return n;
}

static void put_sample(struct pprof *p, const struct stack *of)
{
    const struct stacks *s = &p->run->stacks;
    const uint32_t labels = labels_of(s, of);
    const uint32_t outer = of->code > labels ? of->code : labels; /* frames before the code at the address */
    struct protobuf sample = {0}, locations = {0}, values = {0};

    if (outer < of->depth)
        protobuf_varint(&locations, put_location(p, of, outer, of->depth, of->at.pc));
    for (uint32_t n = outer; n-- > 0;)
        protobuf_varint(&locations, outer_location(p, of, n));
    protobuf_varint(&values, of->hits);
    protobuf_varint(&values, of->hits * export_period(p->run));
    protobuf_message(&sample, SAMPLE_LOCATIONS, &locations);
    protobuf_message(&sample, SAMPLE_VALUES, &values);
    for (uint32_t n = 0; n < labels; n++)
        put_label(p, &sample, n ? "mode" : "task", string(p, stack_text(s, stack_frame(s, of, n)->name)));
    if (of->at.known)
        put_share(p, &sample, "task_share", of->at.task, MODES);
    if (of->at.known && of->at.mode < MODES)
        put_share(p, &sample, "mode_share", of->at.task, of->at.mode);
    protobuf_message(&p->out, PROFILE_SAMPLE, &sample);
}

static void put_comments(struct pprof *p)
{
    struct protobuf comments = {0};

    for (unsigned i = 0; i < HEAD_LINES; i++)
        if (p->run->head[i])
            protobuf_varint(&comments, string(p, p->run->head[i]));
    protobuf_message(&p->out, PROFILE_COMMENT, &comments);
}

static void make(struct pprof *p)
{
    string(p, "");
    put_value_type(p, PROFILE_SAMPLE_TYPE, "samples", "count");
    put_value_type(p, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
    put_mapping(p);
    for (size_t i = 0; i < p->run->stacks.count; i++)
        if (p->run->stacks.stack[i].hits)
            put_sample(p, &p->run->stacks.stack[i]);
    protobuf_number(&p->out, PROFILE_DURATION, export_duration(p->run));
    put_value_type(p, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
    protobuf_number(&p->out, PROFILE_PERIOD, export_period(p->run));
    put_comments(p);
    for (size_t i = 0; i < p->strings.count; i++)
        protobuf_text(&p->out, PROFILE_STRINGS, p->strings.text[i]);
}

/* gzip's header of zlib has no time and no name: the same profile gives the same bytes. */
static bool put_gzip(const struct protobuf *p, FILE *out)
{
    z_stream z = {.next_in = p->byte, .avail_in = (uInt)p->count};
    uint8_t bytes[1 << 14];
    int done = Z_OK;

    if (p->count > (uInt)-1 ||
        deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    while (done == Z_OK) {
        z.next_out = bytes;
        z.avail_out = sizeof(bytes);
        done = deflate(&z, Z_FINISH);
        fwrite(bytes, 1, sizeof(bytes) - z.avail_out, out);
    }
    deflateEnd(&z);
    return done == Z_STREAM_END && !ferror(out);
}

bool export_pprof(const struct export_run *run, FILE *out)
{
    struct pprof p = {.run = run};
    bool written;

    make(&p);
    written = put_gzip(&p.out, out);
    protobuf_free(&p.out);
    text_set_free(&p.strings);
    index_free(&p.location_of);
    index_free(&p.function_of);
    index_free(&p.share_of);
    return written;
}
