/* SPDX-License-Identifier: MIT */
/*
 * Mutations that know the table of records and the roles of their fields: frames of any type are made as an image
 * could have sent them next, or with fields that lie each in the way of its role; and the times of a stream are
 * moved.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/mutate.h"

#define TYPES_MOST 64
#define KNOWN_MOST 64
#define BURST_MOST 200

/* What the frames before a place tell. */
struct known {
    uint64_t epoch, serial, time, hz;
    uint64_t id[KNOWN_MOST];
    struct wire_text text[KNOWN_MOST];
    unsigned ids, texts;
    struct fuzz_item last[TYPES_MOST]; /* of each type; `at` NULL: there is none */
};

/* A frame that is being made. */
struct maker {
    struct known *k;
    uint32_t lie;    /* one field in so many does; 0: none */
    uint64_t fresh;  /* the next key that never was */
    uint64_t step;   /* of its times */
    size_t rows;     /* that it is to have */
    const struct fuzz_item *before; /* NULL: the first of its type */
    struct fuzz_place place[FUZZ_FIELDS_MOST]; /* of that */
    size_t places;
};

static bool is_called(const struct wire_field *f, const char *name)
{
    return !strcmp(f->name, name);
}

static bool is_time(const struct wire_field *f)
{
    return !f->text && (f->role == WIRE_ROLE_TIME || f->role == WIRE_ROLE_MOMENT ||
                        strstr(f->what, "clock units since start"));
}

/* ---- what is known ---- */

static void know_number(struct known *k, const struct wire_field *f, uint64_t n)
{
    if (is_called(f, "epoch"))
        k->epoch = n;
    else if (is_called(f, "serial"))
        k->serial = n;
    else if (is_called(f, "clock_hz"))
        k->hz = n;
    else if (is_called(f, "id"))
        k->id[k->ids++ % KNOWN_MOST] = n;
    else if (is_time(f) && n > k->time && n < k->time + (UINT64_C(1) << 50))
        k->time = n;
}

static void know(struct known *k, const struct fuzz_item *item)
{
    static struct fuzz_place place[FUZZ_FIELDS_MOST];
    const struct wire_record *r = wire_record(item->type);
    const size_t count = r ? fuzz_find_fields(item, place) : 0;
    uint64_t n;

    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = item->at + place[i].at;

        if (place[i].text && !fuzz_field(r, i)->bytes)
            k->text[k->texts++ % KNOWN_MOST] = (struct wire_text){(const char *)at, place[i].length};
        else if (!place[i].text && fuzz_number_at(at, item->at + item->length, &n))
            know_number(k, fuzz_field(r, i), n);
    }
    if (count && item->type < TYPES_MOST)
        k->last[item->type] = *item;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static uint64_t some_id(const struct known *k)
{
    return k->ids && fuzz_draw(8) ? k->id[fuzz_draw(least(k->ids, KNOWN_MOST))] : fuzz_draw(300);
}

/* ---- numbers ---- */

/* Of the field in the frame before, in its row where it has so many. */
static bool number_before(const struct maker *m, size_t i, uint64_t *n)
{
    *n = 0;
    return i < m->places && !m->place[i].text &&
           fuzz_number_at(m->before->at + m->place[i].at, m->before->at + m->before->length, n);
}

static uint64_t next_time(struct maker *m)
{
    return m->k->time += fuzz_draw(1000) * m->step;
}

/* As an image could send it. */
static uint64_t plain_number(struct maker *m, const struct wire_field *f, size_t i)
{
    uint64_t before;
    const bool known = number_before(m, i, &before);

    if (is_called(f, "epoch"))
        return m->k->epoch;
    if (is_called(f, "serial"))
        return m->k->serial;
    if (is_time(f) && f->role != WIRE_ROLE_SAME)
        return next_time(m);
    if (is_called(f, "first"))
        return before;
    switch (f->role) {
    case WIRE_ROLE_KEY: return known && fuzz_draw(3) ? before : fuzz_draw(3) ? m->fresh++ : fuzz_draw(8);
    case WIRE_ROLE_ID: return some_id(m->k);
    case WIRE_ROLE_SUM: case WIRE_ROLE_MOST: return before + (fuzz_draw(3) ? fuzz_draw(1000) : 0);
    case WIRE_ROLE_LEAST: return known ? before : fuzz_draw(100);
    case WIRE_ROLE_FLAG: return fuzz_draw(2);
    case WIRE_ROLE_SIGNED: return fuzz_draw(5);
    case WIRE_ROLE_ROWS: return m->rows;
    default: break;
    }
    if (known && fuzz_draw(4))
        return before;
    if (is_called(f, "id") || is_called(f, "task"))
        return some_id(m->k);
    return fuzz_draw(fuzz_draw(2) ? 4 : 1000);
}

/* Its lie: it goes back, is days away, at an end of the numbers, of another epoch, or contradicts its frame. */
static uint64_t false_number(struct maker *m, const struct wire_field *f, size_t i)
{
    const uint64_t day = 86400 * (m->k->hz ? m->k->hz : 1000000000);
    uint64_t before;

    number_before(m, i, &before);
    switch (fuzz_draw(12)) {
    case 0: return before - 1 - fuzz_draw(1000);
    case 1: return before / 2;
    case 2: return (is_time(f) ? m->k->time : before) + day * fuzz_draw(100);
    case 3: return (UINT64_C(1) << 63) - 2 + fuzz_draw(4);
    case 4: return UINT64_MAX - fuzz_draw(3);
    case 5: return before ^ WIRE_SECOND;
    case 6: return m->rows + fuzz_draw(3) - 1;
    case 7: return 0;
    case 8: return m->fresh++;
    case 9: return (UINT64_C(1) << 53) + fuzz_draw(3) - 1;
    case 10: return wire_zigzag(fuzz_draw(2) ? INT64_MIN : INT64_MAX - fuzz_draw(3));
    default: return fuzz_some_number(before, m->k->time);
    }
}

/* ---- texts ---- */

static const char *const words[] = {
    "", "a", "IDLE", "MASKED", "LOST", "MONITOR", "ANY", "#1", "AU", "...LDR", "a,b", "a\"b", "a;b c", "<b>&amp;",
    "a\\", "-o", "\n", "a\nb\n", "\t", "\x1b[31m", "\x01\x7f", "\xc3", "\xe2\x82", "\xf0\x9f\x98",
    "\xed\xa0\x80", "\xff\xfe", "\xc3\xa9t\xc3\xa9", "\xe2\x80\xae", "{\"a\":1}", "%s%n", "0123abcd",
    "tasks=faults", "interval=random", "interval=fixed", "interval=stratified", "monitor=system,samples,events",
    "rate=0", "rate=10000 seconds=1",
    "classes=", "region=ROGUE:user:0-100", "thin=8", "account=log", "account=on", "acct=1", "delivery=nmi", "stack=8",
    "tick=pit,slu-timeout", "clock=rtc", "when=+", "windows=100",
};

#define WORDS (sizeof(words) / sizeof(words[0]))

static void put_text(struct fuzz_output *out, const char *bytes, size_t length)
{
    fuzz_put_number(out, length);
    fuzz_put(out, bytes, length);
}

/* One word, or several; or so many that no more have room. */
static void put_words(struct fuzz_output *out)
{
    char text[WIRE_FIELDS_MAX];
    const size_t most = fuzz_draw(8) ? 64 : fuzz_draw(sizeof(text));
    size_t length = 0;

    do {
        const char *word = words[fuzz_draw(WORDS)];

        if (length)
            text[length++] = ' ';
        for (; *word && length < most; word++)
            text[length++] = *word;
    } while (length + 1 < most && (most > 64 || !fuzz_draw(3)));
    put_text(out, text, length);
}

/* A text that was there, cut or not. */
static void put_known(struct fuzz_output *out, const struct known *k)
{
    const struct wire_text text = k->text[fuzz_draw(least(k->texts, KNOWN_MOST))];

    put_text(out, text.bytes, fuzz_draw(4) ? text.length : fuzz_draw((uint32_t)text.length + 1));
}

static void put_codes(struct fuzz_output *out, size_t most)
{
    uint8_t bytes[WIRE_FIELDS_MAX];
    const uint32_t mask = fuzz_draw(2) ? 0x1f : 0xff;

    for (size_t i = 0; i < most; i++)
        bytes[i] = fuzz_draw(256) & mask;
    put_text(out, (const char *)bytes, most);
}

static void put_bytes(struct fuzz_output *out, const struct wire_field *f)
{
    if (is_called(f, "pcs"))
        put_codes(out, 8 * (1 + fuzz_draw(8)));
    else
        put_codes(out, fuzz_draw(fuzz_draw(8) ? 40 : WIRE_FIELDS_MAX));
}

static void put_some_text(struct fuzz_output *out, struct maker *m, const struct wire_field *f, size_t i, bool lies)
{
    const bool known = i < m->places && m->place[i].text;

    if (known && !lies && fuzz_draw(4))
        put_text(out, (const char *)m->before->at + m->place[i].at, m->place[i].length);
    else if (f->bytes)
        put_bytes(out, f);
    else if (m->k->texts && fuzz_draw(3))
        put_known(out, m->k);
    else
        put_words(out);
}

/* ---- frames ---- */

static void put_field(struct fuzz_output *out, struct maker *m, const struct wire_field *f, size_t i)
{
    const bool lies = m->lie && !fuzz_draw(m->lie);

    if (f->text)
        put_some_text(out, m, f, i, lies);
    else
        fuzz_put_number(out, lies ? false_number(m, f, i) : plain_number(m, f, i));
}

static void put_fields(struct fuzz_output *out, struct maker *m, const struct wire_record *r)
{
    const size_t start = out->length;

    for (size_t i = 0; i < r->heads; i++)
        put_field(out, m, &r->head[i], i);
    for (size_t row = 0; row < m->rows; row++) {
        const size_t end = out->length;

        for (size_t i = 0; i < r->rows; i++)
            put_field(out, m, &r->row[i], r->heads + row * r->rows + i);
        if (out->length - start > WIRE_FIELDS_MAX) {
            out->length = end;
            return;
        }
    }
}

static size_t some_rows(void)
{
    switch (fuzz_draw(8)) {
    case 0: return 0;
    case 1: return fuzz_draw(40);
    case 2: return FUZZ_FIELDS_MOST;
    default: return 1 + fuzz_draw(4);
    }
}

static void choose(struct maker *m, const struct wire_record *r)
{
    static const uint32_t lies[] = {0, 0, 0, 40, 10, 10, 3, 1};

    m->lie = lies[fuzz_draw(8)];
    m->rows = r->rows ? some_rows() : 0;
    m->before = m->k->last[r->type].at ? &m->k->last[r->type] : NULL;
    m->places = m->before ? fuzz_find_fields(m->before, m->place) : 0;
}

static struct fuzz_item make(struct maker *m, const struct wire_record *r, struct fuzz_output *arena)
{
    const size_t start = arena->length;
    struct fuzz_item item;

    choose(m, r);
    put_fields(arena, m, r);
    item = (struct fuzz_item){(uint8_t)r->type, arena->bytes + start, arena->length - start};
    if (item.length > WIRE_FIELDS_MAX)
        item.length = WIRE_FIELDS_MAX;
    return item;
}

static const struct wire_record *some_record(void)
{
    unsigned count = 0;

    while (wire_record_at(count))
        count++;
    return wire_record_at(fuzz_draw(count));
}

static unsigned some_frames(void)
{
    return fuzz_draw(4) ? 1 + fuzz_draw(6) : 1 + fuzz_draw(BURST_MOST);
}

static void open_gap(struct fuzz_list *l, size_t at, size_t count)
{
    memmove(&l->item[at + count], &l->item[at], (l->count - at) * sizeof(l->item[0]));
    l->count += count;
}

/* Frames of one type, or of any, with keys and times that go on from one to the next. */
void fuzz_insert_records(struct fuzz_list *l, struct fuzz_output *arena)
{
    static const uint64_t steps[] = {0, 1, 1000, 1000, 1000000, 1000000, UINT64_C(86400000000), UINT64_C(1) << 40};
    static struct maker m;
    static struct known k;
    const size_t at = fuzz_draw((uint32_t)l->count + 1);
    const struct wire_record *r = some_record();
    const bool mixed = !fuzz_draw(4);
    size_t frames = some_frames();

    k = (struct known){0};
    m = (struct maker){.k = &k, .fresh = fuzz_draw(4) ? 1000 : UINT64_MAX - 1000, .step = steps[fuzz_draw(8)]};
    for (size_t i = 0; i < at; i++)
        know(&k, &l->item[i]);
    if (frames > FUZZ_ITEMS_MOST - l->count)
        frames = FUZZ_ITEMS_MOST - l->count;
    open_gap(l, at, frames);
    for (size_t i = 0; i < frames; i++) {
        l->item[at + i] = make(&m, mixed ? some_record() : r, arena);
        know(&k, &l->item[at + i]);
        k.serial += !fuzz_draw(3);
    }
}

/* Events or states, as an image that had recorded none before. */
void fuzz_insert_items(struct fuzz_list *l, struct fuzz_output *arena)
{
    static struct fuzz_item made[BURST_MOST];
    static struct known k;
    const size_t at = fuzz_draw((uint32_t)l->count + 1);
    uint64_t id[6];
    size_t count;

    k = (struct known){0};
    for (size_t i = 0; i < at; i++)
        know(&k, &l->item[i]);
    for (size_t i = 0; i < 6; i++)
        id[i] = some_id(&k);
    count = fuzz_make_items(k.epoch, k.time, id, made, BURST_MOST, arena);
    if (count > FUZZ_ITEMS_MOST - l->count)
        return;
    open_gap(l, at, count);
    memcpy(&l->item[at], made, count * sizeof(made[0]));
}

/* ---- times of a whole stream ---- */

struct move {
    uint64_t factor, distance;
    bool lengths; /* amounts of clock units too, not only moments */
    bool flat;    /* each moment is the first one: windows without a length */
    uint64_t first;
};

static bool is_length(const struct wire_field *f)
{
    return !f->text && !is_time(f) && strstr(f->what, "clock units");
}

static uint64_t moved(struct move *v, uint64_t n)
{
    if (!n)
        return 0;
    if (v->flat)
        return v->first ? v->first : (v->first = n);
    return n * v->factor + v->distance;
}

static struct fuzz_item move_item(struct move *v, const struct fuzz_item *item, struct fuzz_output *arena)
{
    static struct fuzz_place place[FUZZ_FIELDS_MOST];
    const struct wire_record *r = wire_record(item->type);
    const size_t count = r ? fuzz_find_fields(item, place) : 0, start = arena->length;
    size_t from = 0;
    uint64_t n;

    for (size_t i = 0; i < count; i++) {
        const struct wire_field *f = fuzz_field(r, i);

        if (!is_time(f) && !(v->lengths && is_length(f)))
            continue;
        fuzz_put(arena, item->at + from, place[i].start - from);
        fuzz_number_at(item->at + place[i].at, item->at + item->length, &n);
        fuzz_put_number(arena, is_time(f) ? moved(v, n) : n * v->factor);
        from = place[i].at + place[i].length;
    }
    fuzz_put(arena, item->at + from, item->length - from);
    return (struct fuzz_item){item->type, arena->bytes + start, arena->length - start};
}

/* From some frame on, or of all. */
void fuzz_move_times(struct fuzz_list *l, struct fuzz_output *arena)
{
    static const uint64_t factors[] = {1, 2, 60, 3600, 86400, 1000000, UINT64_C(1) << 32, UINT64_MAX};
    const uint64_t day = UINT64_C(86400) * 1000000000;
    struct move v = {.factor = 1, .lengths = fuzz_draw(2), .flat = !fuzz_draw(6)};

    if (fuzz_draw(2))
        v.factor = factors[fuzz_draw(8)];
    else
        v.distance = fuzz_draw(2) ? day * (1 + fuzz_draw(400)) : (UINT64_C(1) << 63) - 10 * day + fuzz_draw(20) * day;
    for (size_t i = fuzz_draw(2) ? 0 : fuzz_draw((uint32_t)l->count); i < l->count; i++)
        if (arena->most - arena->length > 2 * WIRE_FIELDS_MAX)
            l->item[i] = move_item(&v, &l->item[i], arena);
}
