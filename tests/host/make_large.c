/* SPDX-License-Identifier: MIT */
/*
 * Writes a stream on standard output whose frames tell as much as their bytes can: make_large KIND [BYTES], the kinds
 * being those of the table below; about 5 MB where no size is given.  KIND may be a record, as ACCT: frames of it
 * alone, with another key in each row; or same:ACCT: the same with one head.  Of `figure3` BYTES is a number of
 * samples, 1000 a second.  Memory does not grow with the size.
 */
#include <stdio.h>
#include <string.h>

#include "probe/core/call_stacks.h"
#include "probe/stream/event_encode.h"
#include "probe/stream/sample_encode.h"
#include "probe/stream/wire_fields.h"
#include "tests/host/dump.h"
#include "tools/records/record_store.h"

#define PIECE ((size_t)1 << 20) /* bytes that are written at once */
#define FEW   64 /* bytes of a frame of samples, in which it is small */

enum { EPOCH = 0x1111, STAMP = 1000 };

static uint64_t wanted = 5000000, written; /* bytes */

static void write_out(struct dump *d)
{
    if (fwrite(d->bytes, 1, d->length, stdout) != d->length)
        exit(1);
    written += d->length;
    d->length = 0;
}

/* Whether the stream is still too short. */
static bool goes_on(struct dump *d)
{
    if (d->length >= PIECE)
        write_out(d);
    return written + d->length < wanted;
}

static void greet(struct dump *d, uint64_t epoch, uint64_t stamp)
{
    struct wire_hello hello = dump_hello_head(epoch, "interval=fixed output=frames", DUMP_MEAN);

    hello.stamp = stamp;
    dump_head(d, WIRE_HELLO, &hello);
}

static void put_samples(struct dump *d, uint64_t first, const char *codes, size_t length, bool timed)
{
    static char steps[SAMPLE_FRAME_MAX / 4];
    const uint32_t count = codes[0] == (char)SAMPLE_FULL ? (uint32_t)length / 9 : (uint32_t)length;
    const struct wire_samples head = {
        .epoch = EPOCH, .first = first, .count = count, .generator = 1, .time = timed,
        .codes = {codes, length}, .steps = {steps, timed ? (count + 2) / 4 : 0},
    };

    memset(steps, 0x55, sizeof(steps)); /* SAMPLE_STEP_NONE */
    if (timed && (count - 1) % 4)
        steps[(count + 2) / 4 - 1] &= (char)((1 << 2 * ((count - 1) % 4)) - 1);
    dump_head(d, WIRE_SAMPLES, &head);
}

/* Frames of samples of one byte each; `turned`: each two change places. */
static void samples(struct dump *d, size_t count, bool timed, bool turned)
{
    char codes[SAMPLE_FRAME_MAX];

    for (size_t i = 0; i < count; i++)
        codes[i] = (char)(1 + i % SAMPLE_SHORT);
    greet(d, EPOCH, timed ? STAMP : 0);
    for (uint64_t frame = 0; goes_on(d); frame++)
        put_samples(d, (turned ? frame ^ 1 : frame) * count, codes, count, timed);
}

static void untimed(struct dump *d)
{
    samples(d, SAMPLE_FRAME_MAX, false, false);
}

static void turned(struct dump *d)
{
    samples(d, SAMPLE_FRAME_MAX, false, true);
}

static void timed(struct dump *d)
{
    samples(d, SAMPLE_FRAME_MAX, true, false);
}

static void small(struct dump *d)
{
    samples(d, 2, true, true);
}

/* Places in full, no two alike: mode, four bytes of task, three of address. */
static void places(struct dump *d)
{
    uint32_t place = 0;

    greet(d, EPOCH, 0);
    for (uint64_t frame = 0; goes_on(d); frame++) {
        char codes[9 * FEW];

        for (unsigned i = 0; i < FEW; i++, place++) {
            const uint8_t full[9] = {SAMPLE_FULL, 1, 0x81, 0x81, 0x81, 1, (uint8_t)(0x80 | (place & 0x7f)),
                                     (uint8_t)(0x80 | (place >> 7 & 0x7f)), (uint8_t)(1 + (place >> 14))};

            memcpy(codes + 9 * i, full, sizeof(full));
        }
        put_samples(d, frame * FEW, codes, sizeof(codes), false);
    }
}

/* Epochs, each with the highest index of a place, and with the highest number of a task. */
static void epochs(struct dump *d)
{
    for (uint64_t epoch = 1; goes_on(d); epoch++) {
        const struct wire_places_row place = {.index = SAMPLE_PLACES_MAX - 1, .task = 5, .pc = 6};
        const struct wire_logged_row task = {.task = 4095, .id = 5};
        const struct wire_places meaning = {epoch};
        const struct wire_logged logged = {.epoch = epoch};
        struct wire_writer w;

        greet(d, epoch, 0);
        wire_begin(&w, WIRE_PLACES, &meaning);
        wire_row(&w, WIRE_PLACES, &place);
        dump_end_frame(d, &w);
        wire_begin(&w, WIRE_LOGGED, &logged);
        wire_row(&w, WIRE_LOGGED, &task);
        dump_end_frame(d, &w);
    }
}

#define CHANGES 200u /* they fit in a frame */

static void put_changes(struct dump *d, uint64_t frame, uint64_t rows)
{
    const struct wire_transitions head = {EPOCH, frame * rows};
    struct wire_writer w;

    wire_begin(&w, WIRE_TRANSITIONS, &head);
    for (uint64_t i = 0; i < rows; i++)
        wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){1 + i % 8, 2 + i % 100});
    dump_end_frame(d, &w);
}

/* A log of changes; each two frames have changed places. */
static void log_turned(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t frame = 0; goes_on(d); frame++)
        put_changes(d, frame ^ 1, CHANGES);
}

static void log_in_order(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t frame = 0; goes_on(d); frame++)
        put_changes(d, frame, CHANGES);
}

static void put_text(struct dump *d, uint64_t second)
{
    char text[32];

    snprintf(text, sizeof(text), "warning %llu", (unsigned long long)second);
    dump_head(d, WIRE_TEXT, &(struct wire_text_record){.epoch = EPOCH, .severity = 1, .text = dump_text(text)});
}

static void put_usage(struct dump *d, uint64_t second)
{
    const struct wire_acct head = {EPOCH, 1 + second, second * 1000000000, 0};
    struct wire_writer w;

    wire_begin(&w, WIRE_ACCT, &head);
    for (uint64_t task = 1; task <= 10; task++)
        wire_row(&w, WIRE_ACCT, &(struct wire_acct_row){.task = task, .id = task, .user = second * 1000});
    dump_end_frame(d, &w);
}

/* A text and the use of ten tasks each second. */
static void records(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t second = 0; goes_on(d); second++) {
        put_text(d, second);
        put_usage(d, second);
    }
}

/*
 * A task of as many as are told apart, with calls that it missed,
 * code that changes at another place each time, output.
 */
static void put_process(struct dump *d, uint64_t number)
{
    const uint64_t id = number % RECORD_ROWS;
    static const char name[] = "a system call that is not there";
    const struct wire_process head = {.epoch = EPOCH, .id = id, .program = 1, .name = {name, sizeof(name) - 1}};
    const struct wire_code code = {.epoch = EPOCH, .time = number, .id = id, .from = 16 * number,
                                   .to = 16 * number + 1, .name = head.name};
    struct wire_writer w;

    wire_begin(&w, WIRE_PROCESS, &head);
    for (uint64_t call = 0; call < 16; call++)
        wire_row(&w, WIRE_PROCESS, &(struct wire_process_row){.call = call, .name = head.name, .count = 1});
    dump_end_frame(d, &w);
    dump_head(d, WIRE_CODE, &code);
    dump_head(d, WIRE_OUTPUT, &(struct wire_output){.epoch = EPOCH, .time = number, .id = id, .bytes = head.name});
}

static void processes(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t number = 1; goes_on(d); number++)
        put_process(d, number);
}

/* ---- monitors: what is right alone, of more tasks or moments than there are ---- */

enum { ROWS = 200 }; /* of a frame, at most */

static void put_rows(struct dump *d, enum wire_type type, const void *head, const void *row, size_t bytes)
{
    struct wire_writer w;

    wire_begin(&w, type, head);
    for (size_t i = 0; i < ROWS && wire_row(&w, type, (const char *)row + i * bytes); i++)
        ;
    dump_end_frame(d, &w);
}

/* Another call stack in each row. */
static void call_stacks(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t number = 0; goes_on(d);) {
        struct wire_call_stacks_row row[ROWS];
        uint64_t pc[ROWS][CALL_STACK_DEPTH];

        for (size_t i = 0; i < ROWS; i++) {
            for (size_t n = 0; n < CALL_STACK_DEPTH; n++)
                pc[i][n] = ++number << 13;
            row[i] = (struct wire_call_stacks_row){.id = 1, .mode = MODE_KERNEL, .samples = 1,
                                                   .pcs = {(const char *)pc[i], sizeof(pc[i])}};
        }
        put_rows(d, WIRE_CALL_STACKS, &(struct wire_call_stacks){EPOCH, .serial = 1}, row, sizeof(row[0]));
    }
}

/* Profiles in two frames each, of as many tasks as are told apart. */
static void profils(struct dump *d)
{
    struct wire_profil_row row[ROWS];

    greet(d, EPOCH, 0);
    for (uint64_t number = 0; goes_on(d); number++)
        for (uint64_t part = 0; part < 2; part++) {
            for (size_t i = 0; i < ROWS; i++)
                row[i] = (struct wire_profil_row){.counter = part * ROWS + i, .count = 1};
            put_rows(d, WIRE_PROFIL, &(struct wire_profil){.epoch = EPOCH, .serial = 1 + number / RECORD_ROWS,
                                                           .id = number % RECORD_ROWS, .part = part, .bytes = 4096,
                                                           .number = number % RECORD_ROWS}, row, sizeof(row[0]));
        }
}

static void put_idle_tasks(struct dump *d, bool one)
{
    struct wire_idletask_row row[ROWS];

    greet(d, EPOCH, 0);
    for (uint64_t number = 0; goes_on(d);) {
        for (size_t i = 0; i < ROWS; i++)
            row[i] = (struct wire_idletask_row){.task = one ? 1 : ++number, .id = 1, .end = 1, .calibrated = 1,
                                                .took = 1};
        put_rows(d, WIRE_IDLETASK, &(struct wire_idletask){EPOCH, 1}, row, sizeof(row[0]));
    }
}

static void idle_tasks(struct dump *d)
{
    put_idle_tasks(d, false);
}

static void idle_task(struct dump *d)
{
    put_idle_tasks(d, true);
}

/* A moment of the log in each frame. */
static void moments(struct dump *d)
{
    greet(d, EPOCH, 0);
    dump_snapshot(d, EPOCH, 1, false, 10);
    for (uint64_t i = 1; goes_on(d); i++) {
        struct wire_writer w;

        wire_begin(&w, WIRE_ACCT, &(struct wire_acct){.epoch = EPOCH, .serial = i, .time = 2000000 + i * 1000});
        wire_row(&w, WIRE_ACCT, &(struct wire_acct_row){.task = 1, .id = 100, .user = i});
        dump_end_frame(d, &w);
    }
}

/* One reading of more tasks than there are. */
static void tick_tasks(struct dump *d)
{
    const struct wire_procstat head = {.epoch = EPOCH, .serial = 1, .begin = 1, .end = 1000000000, .hz = 100,
                                       .user = 500, .idle = 200};
    struct wire_procstat_row row[ROWS];

    greet(d, EPOCH, 0);
    for (uint64_t id = 0; goes_on(d);) {
        for (size_t i = 0; i < ROWS; i++, id++)
            row[i] = (struct wire_procstat_row){.number = id & 127, .id = id};
        put_rows(d, WIRE_PROCSTAT, &head, row, sizeof(row[0]));
    }
}

/* One table of more tasks than there are. */
static void process_table(struct dump *d)
{
    const struct wire_proctable head = {.epoch = EPOCH, .serial = 1, .time = 5000000, .passes = 5,
                                        .tasks = 1ull << 40};
    struct wire_proctable_row row[ROWS];

    greet(d, EPOCH, 0);
    for (size_t i = 0; i < ROWS; i++)
        row[i] = (struct wire_proctable_row){.task = 1 + i, .id = 1};
    while (goes_on(d))
        put_rows(d, WIRE_PROCTABLE, &head, row, sizeof(row[0]));
}

static void take_events(void *stream, struct wire_writer *w)
{
    dump_end_frame(stream, w);
}

/* Each task starts, waits, runs once and ends: no row and no number comes again soon. */
static void event_tasks(struct dump *d)
{
    static const enum trace_class classes[] = {TRACE_START, TRACE_SWITCH, TRACE_WAKE, TRACE_END};
    static struct event_encoder encoder;

    greet(d, EPOCH, 0);
    dump_snapshot(d, EPOCH, 1, false, 10);
    event_encoder_begin(&encoder, &(struct event_encoder_request){
        .epoch = EPOCH, .unit = 1, .send = take_events, .context = d}, trace_task(1, 1));
    for (uint32_t number = 2; goes_on(d); number++)
        for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
            event_encoder_put(&encoder, &(struct trace_event){
                .time = 2000000 + number * 1000 + i * 100, .argument = trace_task(number, number),
                .class = (uint8_t)classes[i]});
    event_encoder_end(&encoder);
}

/* ---- any record ---- */

static void fill(const struct wire_field *field, unsigned fields, void *into, uint64_t number)
{
    static char text[24];
    char *member = into;

    for (unsigned i = 0; i < fields; member += wire_member(&field[i++]))
        if (field[i].text)
            *(struct wire_text *)(void *)member =
                (struct wire_text){text, (size_t)sprintf(text, "n%llu", (unsigned long long)number)};
        else if (!strcmp(field[i].name, "epoch"))
            *(uint64_t *)(void *)member = EPOCH;
        else
            *(uint64_t *)(void *)member = number;
}

static bool any_record(struct dump *d, const char *name)
{
    const bool same = !strncmp(name, "same:", 5);
    const struct wire_record *record = NULL;
    union wire_head head;
    union wire_row row;

    for (unsigned i = 0; (record = wire_record_at(i)) && strcmp(record->name, name + (same ? 5 : 0)); i++)
        ;
    if (!record)
        return false;
    greet(d, EPOCH, 0);
    dump_snapshot(d, EPOCH, 1, false, 10);
    for (uint64_t number = 0, frame = 1; goes_on(d); frame++) {
        struct wire_writer w;

        fill(record->head, record->heads, &head, same ? 1 : frame);
        wire_begin(&w, record->type, &head);
        for (unsigned i = 0; record->rows && i < 20; i++) {
            fill(record->row, record->rows, &row, ++number);
            wire_row(&w, record->type, &row);
        }
        dump_end_frame(d, &w);
    }
    return true;
}

/* All kinds that grow with a run, mixed. */
static void mixed(struct dump *d)
{
    char codes[FEW];

    for (size_t i = 0; i < sizeof(codes); i++)
        codes[i] = (char)(1 + i % SAMPLE_SHORT);
    greet(d, EPOCH, STAMP);
    for (uint64_t second = 0; goes_on(d); second++) {
        put_samples(d, second * sizeof(codes), codes, sizeof(codes), true);
        put_changes(d, second, FEW);
        put_text(d, second);
        put_usage(d, second);
        put_process(d, second);
    }
}

/* ---- a run like that of figure3: 34 tasks in bursts, one of them with a fourth of the time ---- */

enum { TASKS = 34, CLOCK = 54925400, LEAD = 3000, FUNCTIONS = 4 };
#define RATE_MEAN (((uint64_t)1193182 << 16) / 1000)

static bool ended; /* the stream has its end already */

struct load {
    struct dump *d;
    uint64_t random, arming, hits[TASKS][MODES];
    unsigned task;
};

static uint64_t draw(struct load *l, uint64_t below)
{
    l->random = l->random * 6364136223846793005u + 1442695040888963407u;
    return (l->random >> 33) % below;
}

/* Of two numbers the lower: the first ones come most. */
static uint64_t draw_low(struct load *l, uint64_t below)
{
    const uint64_t a = draw(l, below), b = draw(l, below);

    return a < b ? a : b;
}

static void next_sample(struct load *l, struct schedule *s, struct sample_record *r)
{
    static const enum mode modes[] = {MODE_USER, MODE_USER, MODE_KERNEL, MODE_KERNEL, MODE_SUPERVISOR};
    const uint64_t function = draw_low(l, FUNCTIONS);

    r->time = l->arming + (schedule_next(s) * CLOCK >> 16);
    l->arming = r->time + LEAD;
    if (!draw(l, 4))
        l->task = draw(l, 4) ? (unsigned)draw_low(l, TASKS) : 0;
    r->task = 100 + l->task;
    r->mode = modes[draw(l, 5)];
    r->pc = (r->mode == MODE_KERNEL ? 0xffffffff80100000u : 0x401000u) + function * 4096 + 4 * draw(l, 4);
    l->hits[l->task][r->mode]++;
}

static void put_table(struct load *l)
{
    const struct wire_names names = {EPOCH};
    const struct wire_cells cells = {.epoch = EPOCH, .serial = 1};
    struct wire_writer name, cell;
    char text[8];

    wire_begin(&name, WIRE_NAMES, &names);
    wire_begin(&cell, WIRE_CELLS, &cells);
    for (unsigned t = 0; t < TASKS; t++) {
        const uint64_t *const hits = l->hits[t];

        snprintf(text, sizeof(text), "TASK%02u", t);
        wire_row(&name, WIRE_NAMES, &(struct wire_names_row){100 + t, dump_text(text), 0});
        wire_row(&cell, WIRE_CELLS, &(struct wire_cells_row){
            .id = 100 + t, .user = hits[MODE_USER], .supervisor = hits[MODE_SUPERVISOR], .kernel = hits[MODE_KERNEL],
            .total = hits[MODE_USER] + hits[MODE_SUPERVISOR] + hits[MODE_KERNEL]});
    }
    dump_end_frame(l->d, &name);
    dump_head(l->d, WIRE_SNAPSHOT, &(struct wire_snapshot){
        .epoch = EPOCH, .serial = 1, .cells = 1, .final = true, .ticks = wanted, .samples = wanted, .begin = 5000000,
        .end = l->arming, .made = l->arming + 1000});
    dump_end_frame(l->d, &cell);
    dump_end(l->d, EPOCH, 0, "the seconds are over");
    ended = true;
}

static void figure3(struct dump *d)
{
    static struct sample_encoder sender;
    struct load l = {.d = d, .random = 7, .arming = 5000000};
    const struct schedule_request request = {.policy = INTERVAL_STRATIFIED, .mean = RATE_MEAN, .minimum = 20,
                                             .spread = 2000, .seed = 7};
    struct sample_encoder_request sending = {
        .setting = {.source_clock = CLOCK, .handler = LEAD, .stamp = STAMP, .thin = 1, .seed = 7},
        .epoch = EPOCH, .send = take_events, .context = d};
    struct wire_hello hello = dump_hello_head(EPOCH, "rate=1000 seed=7 tasks=figure3 account=off "
                                              "monitor=system,samples output=frames", RATE_MEAN);
    struct schedule schedule;

    hello.stamp = STAMP;
    hello.lead = LEAD;
    hello.thin = 1;
    dump_head(d, WIRE_HELLO, &hello);
    schedule_init(&sending.setting.schedule, &request);
    schedule = sending.setting.schedule;
    sample_encoder_begin(&sender, &sending);
    for (uint64_t tick = 0; tick < wanted; tick++) {
        struct sample_record r = {.tick = tick};

        next_sample(&l, &schedule, &r);
        sample_encoder_put(&sender, &r);
        if (d->length >= PIECE)
            write_out(d);
    }
    sample_encoder_end(&sender, wanted);
    put_table(&l);
}

static const struct {
    const char *name;
    void (*make)(struct dump *d);
} kinds[] = {
    {"untimed", untimed}, {"turned", turned}, {"timed", timed}, {"small", small},
    {"places", places},   {"epochs", epochs}, {"log", log_in_order}, {"log-turned", log_turned},
    {"records", records}, {"processes", processes}, {"mixed", mixed}, {"call-stacks", call_stacks},
    {"profils", profils},
    {"idle-tasks", idle_tasks}, {"idle-task", idle_task}, {"moments", moments}, {"tick-tasks", tick_tasks},
    {"process-table", process_table}, {"event-tasks", event_tasks},
    {"figure3", figure3},
};

int main(int argc, char **argv)
{
    struct dump d = {0};

    if (argc == 3)
        wanted = strtoull(argv[2], NULL, 10);
    for (size_t i = 0; (argc == 2 || argc == 3) && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (!strcmp(argv[1], kinds[i].name))
            kinds[i].make(&d);
    if (argc > 1 && !d.bytes && !any_record(&d, argv[1])) {
        fprintf(stderr, "usage: make_large KIND [BYTES]\n");
        return 2;
    }
    if (!ended) {
        dump_snapshot(&d, EPOCH, 1, true, 10);
        dump_end(&d, EPOCH, 0, "60 seconds are over");
    }
    write_out(&d);
    free(d.bytes);
    return fflush(stdout) != 0;
}
