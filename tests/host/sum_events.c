/* SPDX-License-Identifier: MIT */
/*
 * What the events of a dump add up to, apart from the host tool: sum_events DUMP [END].  The time
 * of each cell follows from the events alone (probe/trace/event_class.h), from the first CONTINUE
 * to END, clock units since start.  Prints:
 *   events NUMBER bytes BYTES lost NUMBER first-lost TIME untold NUMBER disordered NUMBER digest HEX
 *   class NAME NUMBER                  for each class that occurs
 *   cell ROW CELL CLOCK-UNITS          CELL: 2 * mode + masked, or 8: row MONITOR
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/event_decode.h"
#include "tools/base/cli.h"
#include "tools/stream/frame_decoder.h"

#define ROWS    256u
#define MONITOR 8u
#define CELLS   9u
#define MASKED  1u
#define KERNEL  4u
#define BACK    2000 /* clock units that an event may come before the last: the account is ahead at an exit */

static struct event_key keys[DICTIONARY_MAX];
static bool known[DICTIONARY_MAX];
static uint64_t counts[256], events, bytes, lost, lost_time, told, disordered, digest = 14695981039346656037u;

static struct {
    uint32_t id;
    uint64_t time[CELLS];
} rows[ROWS];
static unsigned row_count;

static struct {
    bool running; /* from the first CONTINUE on */
    uint64_t last, end;
    uint32_t row;
    unsigned cell, before_tick;
} now;

static uint64_t *cell_of(uint32_t id, unsigned cell)
{
    unsigned i = 0;

    while (i < row_count && rows[i].id != id)
        i++;
    if (i == row_count && row_count < ROWS - 1)
        rows[row_count++].id = id;
    return &rows[i].time[cell];
}

static unsigned cell_after(unsigned class, uint64_t argument)
{
    switch (class) {
    case TRACE_SWITCH:
    case TRACE_CONTINUE:
    case TRACE_FAULT:
    case TRACE_END:
        return KERNEL | MASKED;
    case TRACE_IRQ_ENTER:
        return 6 | MASKED;
    case TRACE_SYSCALL_ENTER:
        return KERNEL;
    case TRACE_SERVICE_ENTER:
        return 2;
    case TRACE_RESUME:
    case TRACE_IRQ_EXIT:
    case TRACE_SYSCALL_EXIT:
    case TRACE_SERVICE_EXIT:
        return trace_cell(argument) % MONITOR;
    case TRACE_MASK:
        return now.cell | MASKED;
    case TRACE_UNMASK:
        return now.cell & ~MASKED;
    case TRACE_TICK_ENTER:
        now.before_tick = now.cell;
        return MONITOR;
    case TRACE_TICK_EXIT:
        return now.before_tick;
    default:
        return now.cell;
    }
}

static void charge(uint64_t time)
{
    if (time > now.end)
        time = now.end;
    if (now.running)
        *cell_of(now.row, now.cell) += time - now.last; /* modulo 2^64: the account may go back a little */
    now.last = time;
}

/* An END may be another task's, which does not run. */
static bool is_own(unsigned class, uint64_t argument)
{
    return class != TRACE_END || trace_task_row(argument) == now.row;
}

static void take_event(uint64_t time, unsigned class, uint64_t argument)
{
    const uint64_t parts[] = {time, class, argument};

    for (unsigned i = 0; i < 3; i++)
        digest = (digest ^ parts[i]) * 1099511628211u;
    counts[class]++;
    events++;
    disordered += now.running && time + BACK < now.last && now.last != now.end;
    if (class == TRACE_LOST)
        told += argument;
    charge(time);
    now.running |= class == TRACE_CONTINUE;
    if (is_own(class, argument))
        now.cell = cell_after(class, argument);
    if (class == TRACE_SWITCH || class == TRACE_CONTINUE)
        now.row = trace_task_row(argument);
}

static void take_keys(struct wire_reader *r)
{
    struct wire_event_keys head;
    struct wire_event_keys_row row;
    struct event_key key;

    wire_read_head(r, &head);
    while (wire_read_row(r, &row))
        if (event_read_key(&row, &key)) {
            keys[row.index] = key;
            known[row.index] = true;
        }
}

static void take_events(struct wire_reader *r)
{
    static struct event_batch b;

    if (!event_decode(&b, r)) {
        puts("a frame cannot be decoded");
        exit(EXIT_DAMAGED);
    }
    lost = b.lost;
    lost_time = b.lost_time;
    if (b.first != events) {
        printf("events %" PRIu64 " to %" PRIu64 " are missing\n", events, b.first);
        events = b.first;
    }
    for (uint32_t i = 0; i < b.count; i++) {
        const struct event_sent *const e = &b.event[i];
        const bool full = e->index == DICTIONARY_NONE;

        if (!full && !known[e->index]) {
            puts("an index has no meaning");
            exit(EXIT_DAMAGED);
        }
        take_event(e->time, full ? e->class : keys[e->index].class, full ? e->argument : keys[e->index].argument);
    }
}

static void read_all(const char *path, bool meanings)
{
    static struct frame_decoder stream;
    FILE *const file = fopen(path, "rb");
    int c;

    if (!file)
        exit(EXIT_NO_DATA);
    decoder_init(&stream);
    while ((c = getc(file)) != EOF) {
        struct stream_event e;

        decoder_feed(&stream, &(uint8_t){(uint8_t)c}, 1, &e);
        if (e.kind != STREAM_RECORD)
            continue;
        bytes += !meanings && (event_is_frame(e.reader.type) || e.reader.type == WIRE_EVENT_KEYS) ? e.length + 2 : 0;
        if (meanings && e.reader.type == WIRE_EVENT_KEYS)
            take_keys(&e.reader);
        if (!meanings && event_is_frame(e.reader.type))
            take_events(&e.reader);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return EXIT_USAGE;
    now.end = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX;
    read_all(argv[1], true);
    read_all(argv[1], false);
    if (argc > 2)
        charge(now.end);
    printf("events %" PRIu64 " bytes %" PRIu64 " lost %" PRIu64 " first-lost %" PRIu64 " untold %" PRIu64
           " disordered %" PRIu64 " digest %" PRIx64 "\n", events, bytes, lost, lost_time, lost - told, disordered,
           digest);
    for (unsigned i = 0; i < TRACE_CLASSES_END; i++)
        if (counts[i])
            printf("class %s %" PRIu64 "\n", trace_class_name(i), counts[i]);
    for (unsigned i = 0; i < row_count; i++)
        for (unsigned cell = 0; cell < CELLS; cell++)
            if (rows[i].time[cell])
                printf("cell %" PRIu32 " %u %" PRIu64 "\n", rows[i].id, cell, rows[i].time[cell]);
    return EXIT_OK;
}
