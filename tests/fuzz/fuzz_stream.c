/* SPDX-License-Identifier: MIT */
/*
 * The decoder of the stream, the model of its epochs, and what reports make of
 * them.  The input is a stream, or frames that get their checksums here
 * (tests/fuzz/frames.h).
 */
#include "tests/fuzz/fuzz.h"

#include "probe/stats/table.h"
#include "tests/fuzz/encode.h"
#include "tests/fuzz/lines.h"
#include "tools/analysis/plausible.h"
#include "tools/analysis/report.h"
#include "tools/analysis/share_diff.h"
#include "tools/cmd/commands.h"
#include "tools/model/stream_model.h"
#include "tools/stat/stat_report.h"
#include "tools/view/histogram_view.h"

#define EPOCHS_MOST 4 /* that are reported */
#define CHUNK_MOST  256

/* ---- the decoder: the same events by chunks and by bytes ---- */

struct decoders {
    struct frame_decoder chunks, single;
};

static bool has_frame(const struct stream_event *e)
{
    return e->kind == STREAM_RECORD || e->kind == STREAM_UNKNOWN;
}

static void check_same(const struct stream_event *a, const struct stream_event *b)
{
    size_t length = has_frame(a) ? (size_t)(a->reader.end - a->reader.at) : 0;

    FUZZ_CHECK(a->kind == b->kind && a->skipped == b->skipped && a->unsure == b->unsure);
    if (a->kind == STREAM_NOTHING)
        return;
    FUZZ_CHECK(a->offset == b->offset && a->length == b->length);
    if (a->kind == STREAM_NOISE || a->kind == STREAM_DAMAGED)
        FUZZ_CHECK(a->damage == b->damage);
    if (a->kind == STREAM_VERSION)
        FUZZ_CHECK(a->major == b->major);
    if (!has_frame(a))
        return;
    FUZZ_CHECK(a->reader.type == b->reader.type && a->reader.sequence == b->reader.sequence);
    FUZZ_CHECK(length == (size_t)(b->reader.end - b->reader.at));
    FUZZ_CHECK(!memcmp(a->reader.at, b->reader.at, length));
}

/* What was taken at once, byte by byte: nothing but the last one ends a stretch. */
static void follow(struct decoders *d, const uint8_t *bytes, size_t taken,
                   const struct stream_event *event)
{
    struct stream_event single = {.kind = STREAM_NOTHING};

    for (size_t i = 0; i < taken; i++) {
        FUZZ_CHECK(single.kind == STREAM_NOTHING);
        decoder_feed(&d->single, &bytes[i], 1, &single);
    }
    check_same(event, &single);
}

static void check_end(const struct decoders *d, size_t length)
{
    const struct stream_stats *stats = &d->chunks.stats;

    FUZZ_CHECK(!memcmp(stats, &d->single.stats, sizeof(*stats)));
    FUZZ_CHECK(d->chunks.state == d->single.state);
    FUZZ_CHECK(d->chunks.looks_like_text == d->single.looks_like_text);
    FUZZ_CHECK(stats->bytes == length);
    FUZZ_CHECK(stats->preamble + stats->damaged_bytes <= stats->bytes);
}

static void decode(struct decoders *d, const struct dump *stream, struct model *m)
{
    struct stream_event event, single;
    uint32_t chunk = 1;

    decoder_init(&d->chunks);
    decoder_init(&d->single);
    *m = (struct model){0};
    for (size_t at = 0; at < stream->length;) {
        size_t rest = stream->length - at, taken;

        chunk = chunk * 1664525 + 1013904223;
        rest = rest < 1 + chunk % CHUNK_MOST ? rest : 1 + chunk % CHUNK_MOST;
        taken = decoder_feed(&d->chunks, stream->bytes + at, rest, &event);
        FUZZ_CHECK(taken > 0 && taken <= rest);
        follow(d, stream->bytes + at, taken, &event);
        model_add_event(m, &event);
        at += taken;
    }
    decoder_finish(&d->chunks, &event);
    decoder_finish(&d->single, &single);
    check_same(&event, &single);
    model_add_event(m, &event);
    model_finish(m);
    check_end(d, stream->length);
}

/* ---- the reports ---- */

static const struct code_files no_symbols;

static void throw_away(void *context, const char *text)
{
    FUZZ_CHECK(strlen(text) < TEXT_BUF_SIZE);
    (void)context;
}

static void check_table(struct decoders *d, struct model *m, struct epoch *e)
{
    struct table_options options = report_options(e);
    struct alias_compare beside;
    const bool compared = alias_compare_make(&beside, e);

    epoch_name_rows(e);
    if (compared)
        alias_print(&beside.alias, beside.side, throw_away, NULL);
    for (unsigned all = 0; all < 2; all++) {
        options.wald = options.exact = options.cells = all;
        if (e->snapshot)
            table_print(e->snapshot, &options, throw_away, NULL);
        stat_json(&(struct stat_report){
            .stream = &d->chunks, .model = m, .epoch = e, .options = &options, .alias = compared ? &beside : NULL,
        });
    }
    report_verdict("input", &d->chunks, m, e);
}

/* One address may be in the programs of several tasks. */
static bool in_order(const struct profile_atom *a, const struct profile_atom *b, bool several)
{
    return a->address < b->address || (several && a->address == b->address && a->code < b->code);
}

/* Hits by address are those of the task in the mode, less those outside. */
static void check_profile(const struct profile *p)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < p->atoms; i++) {
        FUZZ_CHECK(p->atom[i].hits);
        FUZZ_CHECK(!i || in_order(&p->atom[i - 1], &p->atom[i], p->several));
        hits += p->atom[i].hits;
    }
    if (p->sums)
        FUZZ_CHECK(hits + p->below + p->above == p->active.hits);
}

static void check_groups(const struct profile *p)
{
    struct breakdown b;
    uint64_t sum = 0;

    if (!breakdown_make(&b, p, &no_symbols, BREAKDOWN_FUNCTION))
        return;
    for (size_t i = 0; i < p->atoms; i++)
        sum += p->atom[i].hits;
    for (size_t r = 0; r < b.rows; r++)
        sum -= b.row[r].tally.hits;
    FUZZ_CHECK(sum == 0);
    breakdown_free(&b);
}

static void view(const struct profile *p, unsigned columns, bool other)
{
    const struct histogram_view v = {
        .profile = p, .symbols = &no_symbols, .names = other, .octal = other, .wald = other,
        .min = other ? 2 : 0, .columns = columns,
    };

    view_slots(&v, p->request.low, p->request.high);
    for (unsigned by = BREAKDOWN_FUNCTION; by <= BREAKDOWN_INSTRUCTION; by++)
        view_breakdown(&v, (enum breakdown_by)by);
    view_zoom(&v, other ? ZOOM_TO_FUNCTION : ZOOM_TO_INSTRUCTION, other ? 95 : 100);
}

/* Where it has addresses, the middle of them once more. */
static void check_request(const struct epoch *e, struct profile_request q, bool again)
{
    struct profile p;

    if (!profile_make(&p, e, &q))
        return;
    check_profile(&p);
    check_groups(&p);
    view(&p, again ? HISTOGRAM_NARROW : 80, again);
    if (again && p.atoms) {
        q.low = p.atom[p.atoms / 4].address + (p.slot > 1); /* through a slot */
        q.high = p.atom[p.atoms - 1].end;
    }
    profile_free(&p);
    if (again && q.low < q.high)
        check_request(e, q, false);
}

static void check_task(const struct epoch *e, uint32_t task)
{
    char name[NAME_SIZE];
    uint32_t id;

    snprintf(name, sizeof(name), "#%x", task);
    FUZZ_CHECK(profile_task(e, name, &id));
    epoch_name_of(e, task, name);
    if (*name)
        profile_task(e, name, &id); /* two rows may have one name */
}

static void check_profiles(const struct epoch *e)
{
    struct profile_request q = {.mode = MODE_USER};

    if (profile_default_task(e, &q.task)) {
        q.mode = profile_default_mode(e, q.task);
        epoch_build(e, q.task, q.mode);
        check_task(e, q.task);
        check_request(e, q, true);
        q.from_region = true;
        check_request(e, q, true);
    }
    q = (struct profile_request){.task = ROW_ANY, .all_modes = true};
    check_request(e, q, true);
}

static void check_samples(const struct samples *s)
{
    const struct sample_sums *sums = s->sums;
    uint64_t hits = 0;

    for (size_t i = 0; sums && i < sums->places; i++)
        hits += sums->place[i].hits;
    for (size_t i = 0; sums && i < sums->pairs; i++)
        FUZZ_CHECK(sums->pair[i].a < sums->places && sums->pair[i].b < sums->places &&
                   sums->pair[i].a != sums->pair[i].b);
    FUZZ_CHECK(hits == s->count && s->count <= s->told && samples_unresolved(s) <= s->count);
    samples_entropy(s);
}

/* ---- two epochs as `diff` compares them ---- */

struct half {
    struct profile profile;
    struct breakdown rows;
};

/* False, and nothing to free, where the epoch tells no addresses. */
static bool open_half(struct half *h, const struct epoch *e)
{
    const struct profile_request q = {.task = ROW_ANY, .all_modes = true};

    if (!profile_make(&h->profile, e, &q))
        return false;
    FUZZ_CHECK(breakdown_make(&h->rows, &h->profile, &no_symbols, BREAKDOWN_FUNCTION));
    return true;
}

static void close_half(struct half *h)
{
    breakdown_free(&h->rows);
    profile_free(&h->profile);
}

static struct share_diff_run run_of(const struct half *h)
{
    return (struct share_diff_run){h->profile.estimator, h->profile.samples, h->profile.unresolved};
}

static void compare_halves(const struct half *a, const struct half *b)
{
    struct share_diff c = {.a = run_of(a), .b = run_of(b)};

    for (size_t r = 0; r < a->rows.rows; r++)
        share_diff_add(&c, a->rows.row[r].name)->a = a->rows.row[r].tally;
    for (size_t r = 0; r < b->rows.rows; r++)
        share_diff_add(&c, b->rows.row[r].name)->b = b->rows.row[r].tally;
    share_diff_reason(&c);
    share_diff_finish(&c);
    for (size_t r = 0; r < c.rows; r++)
        FUZZ_CHECK(!(c.row[r].p < 0 || c.row[r].p > 1) && !(c.row[r].low > c.row[r].high));
    share_diff_free(&c);
}

static void compare_epochs(const struct epoch *a, const struct epoch *b)
{
    struct half one, other;

    if (!open_half(&one, a))
        return;
    if (open_half(&other, b)) {
        compare_halves(&one, &other);
        close_half(&other);
    }
    close_half(&one);
}

static void report(struct decoders *d, struct model *m)
{
    struct epoch *chosen = model_choose(m, 0);

    FUZZ_CHECK(!chosen == !m->epochs);
    for (size_t i = 0; i < m->epochs && i < EPOCHS_MOST; i++) {
        struct epoch *e = i ? model_choose(m, i) : chosen;

        check_table(d, m, e);
        check_profiles(e);
        if (e->samples)
            check_samples(e->samples);
    }
    if (chosen)
        compare_epochs(m->epoch[0], chosen);
}

/* ---- a whole command ---- */

static const struct subcommand *const fuzzed[] = {&cmd_info, &cmd_samples, &cmd_stat, &cmd_idle, &cmd_ps,
                                                  &cmd_intercept, &cmd_acct, &cmd_profile};
#define FUZZED (sizeof(fuzzed) / sizeof(fuzzed[0]))

static void run_line(size_t line, const struct dump *stream)
{
    const int file = memfd_create("stream", MFD_CLOEXEC);
    char path[32];
    const char *wrong;
    int status;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    FUZZ_CHECK(write(file, stream->bytes, stream->length) == (ssize_t)stream->length);
    wrong = fuzz_line_run(line, path, &status);
    close(file);
    if (!wrong)
        return;
    dprintf(STDERR_FILENO, "%s: status %d, and %s\n", fuzz_line_words(line), status, wrong);
    FUZZ_CHECK(!"what a command printed");
}

static void run_command(size_t which, const struct dump *stream)
{
    if (which < FUZZED)
        fuzz_run(fuzzed, FUZZED, which, stream->bytes, stream->length);
    else if (which - FUZZED < fuzz_lines())
        run_line(which - FUZZED, stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct decoders decoders;
    static struct model model; /* too large for a stack */
    struct dump stream;

    if (!size)
        return 0;
    stream = fuzz_encode(data, size);
    decode(&decoders, &stream, &model);
    report(&decoders, &model);
    model_free(&model);
    if (stream.length)
        run_command(data[0] >> 1, &stream);
    free(stream.bytes);
    return 0;
}
