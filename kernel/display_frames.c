/* SPDX-License-Identifier: MIT */
/* Snapshots as frames (docs/PROTOCOL.md). */
#include "drivers/io.h"
#include "drivers/pit.h"
#include "kernel/cpu.h"
#include "kernel/display.h"
#include "kernel/link.h"
#include "kernel/options.h"
#include "kernel/serial.h"
#include "kernel/text.h"

static struct wire_writer writer; /* task PROBE */
static char words[WORDS_LINE];    /* task PROBE */

extern const uint8_t build_id[]; /* linker.ld: the note that ld made */

#define NOTE_HEAD 16 /* bytes of an ELF note before the hash: sizes, type, "GNU\0" */
#define ID_BYTES  20 /* SHA-1 */

static struct wire_text text(const char *t)
{
    return (struct wire_text){ t, text_length(t) };
}

static struct wire_text build_text(void)
{
    static char hex[2 * ID_BYTES];

    for (unsigned i = 0; i < ID_BYTES; i++) {
        const uint8_t byte = build_id[NOTE_HEAD + i];

        hex[2 * i] = "0123456789abcdef"[byte >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[byte & 15];
    }
    return (struct wire_text){ hex, sizeof hex };
}

void display_hello(void)
{
    const struct display_facts *f = &display_facts;
    const struct calibration *c = &f->calibration;

    words_print(&options.words, words);
    link_send_head(WIRE_HELLO, &(struct wire_hello){
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = options.epoch,
        .build = build_text(), .words = text(words),
        .clock_hz = c->rate.clock_hz,
        .clock_notes = (cpu.invariant_tsc ? 0 : 1) | (c->tsc_stops ? 2 : 0),
        .source_hz = PIT_HZ_NOMINAL * 1000ull, .source_clock = c->per_65536,
        .mean = f->mean, .minimum = f->minimum,
        .handler = f->cost.handler, .entry = c->entry, .stub = c->stub,
        .floor = c->running.floor, .halt_floor = c->halted.floor, .late = c->running.late,
        .seed = options.seed, .now = rdtsc() - options.start,
        .source = text(f->source), .door = text(options.boot->door),
        .machine = text(cpu.brand),
        .line = text(serial_name()),
    });
}

union row {
    struct wire_names_row name;
    struct wire_cells_row cells;
    struct wire_exact_row exact;
};

static void name_row(const struct snapshot_row *r, union row *to)
{
    to->name = (struct wire_names_row){ .id = r->id, .name = text(r->name) };
}

static void cells_row(const struct snapshot_row *r, union row *to)
{
    to->cells = (struct wire_cells_row){
        .id = r->id,
        .user = r->hits[MODE_USER], .supervisor = r->hits[MODE_SUPERVISOR],
        .kernel = r->hits[MODE_KERNEL], .interrupt = r->hits[MODE_INTERRUPT],
        .total = r->total,
        .changes_user = r->changes[MODE_USER],
        .changes_supervisor = r->changes[MODE_SUPERVISOR],
        .changes_kernel = r->changes[MODE_KERNEL],
        .changes_interrupt = r->changes[MODE_INTERRUPT],
        .changes_total = r->total_changes,
    };
}

static void exact_row(const struct snapshot_row *r, union row *to)
{
    to->exact = (struct wire_exact_row){
        .id = r->id,
        .user = r->time[MODE_USER], .supervisor = r->time[MODE_SUPERVISOR],
        .kernel = r->time[MODE_KERNEL], .interrupt = r->time[MODE_INTERRUPT],
        .masked_user = r->masked[MODE_USER],
        .masked_supervisor = r->masked[MODE_SUPERVISOR],
        .masked_kernel = r->masked[MODE_KERNEL],
        .masked_interrupt = r->masked[MODE_INTERRUPT],
    };
}

/*
 * The rows of a snapshot in frames of this type, as many to a frame as fit.
 * `part` is the frame's number, a member of `head`.  Returns the number of
 * frames; `sent` false only counts them, with the very same splits.
 */
static unsigned put_rows(const struct snapshot *s, enum wire_type type, const void *head,
                         uint64_t *part, void (*fill)(const struct snapshot_row *, union row *),
                         bool sent)
{
    union row row;
    unsigned frames = 0;

    for (uint32_t i = 0; i < s->rows; i++) {
        fill(&s->row[i], &row);
        if (frames != 0 && wire_row(&writer, type, &row))
            continue;
        if (frames != 0 && sent)
            link_send(&writer);
        *part = frames++;
        wire_begin(&writer, type, head);
        wire_row(&writer, type, &row);
    }
    if (frames != 0 && sent)
        link_send(&writer);
    return frames;
}

static struct wire_snapshot head_of(const struct snapshot *s)
{
    return (struct wire_snapshot){
        .epoch = options.epoch, .serial = s->serial, .final = s->final,
        .ticks = s->ticks, .samples = s->samples, .late = s->late, .excess = s->excess,
        .missed_overrun = s->missed_overrun, .missed_source = s->missed_source,
        .lost_table = s->lost_table, .lost_ring = s->lost_ring,
        .begin = s->begin, .end = s->end, .made = s->made,
        .monitor = s->monitor, .transitions = s->transitions,
        .generator = s->generator, .intervals = s->intervals,
        .changes_user = s->mode_changes[MODE_USER],
        .changes_supervisor = s->mode_changes[MODE_SUPERVISOR],
        .changes_kernel = s->mode_changes[MODE_KERNEL],
        .changes_interrupt = s->mode_changes[MODE_INTERRUPT],
    };
}

void display_frames(const struct snapshot *s)
{
    struct wire_names names = { .epoch = options.epoch };
    struct wire_cells cells = { .epoch = options.epoch, .serial = s->serial };
    struct wire_exact exact = { .epoch = options.epoch, .serial = s->serial };
    struct wire_snapshot head = head_of(s);
    uint64_t unused;

    put_rows(s, WIRE_NAMES, &names, &unused, name_row, true);
    head.cells = put_rows(s, WIRE_CELLS, &cells, &cells.part, cells_row, false);
    if (s->exact)
        head.exacts = put_rows(s, WIRE_EXACT, &exact, &exact.part, exact_row, false);
    link_send_head(WIRE_SNAPSHOT, &head);
    put_rows(s, WIRE_CELLS, &cells, &cells.part, cells_row, true);
    if (s->exact)
        put_rows(s, WIRE_EXACT, &exact, &exact.part, exact_row, true);
}

void display_end(bool success, const char *reason)
{
    link_send_head(WIRE_END, &(struct wire_end){
        .epoch = options.epoch, .status = success ? 0 : 1, .reason = text(reason),
    });
}
