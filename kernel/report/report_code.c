/* SPDX-License-Identifier: MIT */
/*
 * The result as a code on the screen: the records of the last snapshot and of a survey, as the stream has them, in
 * Base45.  What finds no room is left out, first exact times, then the rows of the tasks with the least shares.
 */
#include "kernel/report/run.h"

#include "kernel/cpu/cpu.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/screen.h"
#include "kernel/survey/survey_task.h"
#include "kernel/workload/workload.h"
#include "probe/coding/base45.h"
#include "probe/schedule/memory.h"
#include "probe/stats/snapshot_frames.h"
#include "probe/stats/table_sort.h"
#include "probe/stats/verdict.h"

#define TAG_LENGTH (sizeof CODE_TAG - 1)
#define BYTES_MOST ((QR_TEXT_MAX - TAG_LENGTH) / 3 * 2)
#define EASY_SIDE  QR_SIDE(25) /* modules: exact times are not worth a finer one */
#define EASY_PIXELS 4u

/* Which rows have room: tasks behind the first `kept` rows are one, OTHERS. */
static struct part {
    const struct snapshot *of;
    uint32_t kept, left_out;
    bool exact;
    struct snapshot_row others;
} part; /* task PROBE, as all here */

static uint8_t bytes[BYTES_MOST];
static struct frame_capture capture = { .bytes = bytes, .size = sizeof bytes };
static char text[TAG_LENGTH + BASE45_ROOM(BYTES_MOST)];
static struct qr_code code;

/* ---- rows ---- */

static bool is_left_out(uint32_t number)
{
    return number >= part.kept && part.of->row[number].id < ROW_IDLE;
}

static void add_row(struct snapshot_row *to, const struct snapshot_row *from)
{
    for (unsigned m = 0; m < MODES; m++) {
        to->hits[m] += from->hits[m];
        to->changes[m] += from->changes[m];
    }
    to->total += from->total;
    to->total_changes += from->total_changes;
}

static void sum_others(void)
{
    part.others = (struct snapshot_row){ .id = ROW_OTHERS, .name = "OTHERS" };
    part.left_out = 0;
    for (uint32_t i = 0; i < part.of->rows; i++)
        if (is_left_out(i)) {
            add_row(&part.others, &part.of->row[i]);
            part.left_out++;
        }
}

/* The row of this number, the others behind the last. */
static const struct snapshot_row *row_at(const void *from, uint32_t number)
{
    (void)from;
    if (number == part.of->rows)
        return part.left_out != 0 ? &part.others : 0;
    return is_left_out(number) ? 0 : &part.of->row[number];
}

static uint32_t no_program(void *context, uint32_t id)
{
    (void)context;
    (void)id;
    return 0;
}

static void send_snapshot(void)
{
    static const uint64_t no_bucket[SNAPSHOT_BUCKETS];
    struct snapshot_parts parts = {
        .exact = part.exact && part.of->exact, .rows = part.of->rows + 1, .row = row_at,
        .bucket = part.exact ? part.of->bucket : no_bucket,
    };
    const struct snapshot_sender to = {
        .epoch = frame_tx_epoch(), .program_of = no_program, .send = frame_tx_take, .frame = frame_tx_writer(),
    };

    snapshot_put_head(&parts.head, part.of);
    snapshot_send_parts(&parts, &to);
}

/* ---- the code ---- */

/* Whether it fits on a side of so many modules. */
static bool fits(bool exact, uint32_t kept, unsigned side, bool success, const char *reason)
{
    size_t length = TAG_LENGTH;
    unsigned version;

    part.exact = exact;
    part.kept = kept;
    sum_others();
    frame_tx_capture(&capture);
    report_hello_short();
    send_snapshot();
    survey_send();
    report_end_record(success, reason);
    frame_tx_capture(0);
    memcpy(text, CODE_TAG, TAG_LENGTH);
    length += base45_encode(text + TAG_LENGTH, bytes, capture.length);
    version = qr_version(length);
    return !capture.cut && version != 0 && QR_SIDE(version) <= side && qr_make(&code, text, length);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool make_code(bool success, const char *reason)
{
    const unsigned side = screen_code_room(SCREEN_CODE_LEAST);
    uint32_t kept = part.of->rows;

    if (fits(true, kept, least(screen_code_room(EASY_PIXELS), EASY_SIDE), success, reason))
        return true;
    while (!fits(false, kept, side, success, reason))
        if (kept-- == 0)
            return false;
    return true;
}

void report_code(bool success, const char *reason)
{
    struct snapshot *const s = report_page_snapshot();

    part.of = screen_has_page() ? s : 0;
    if (part.of == 0 || screen_code_room(SCREEN_CODE_LEAST) == 0 || !make_code(success, reason))
        return;
    screen_code_show(&code);
    report_page(s, true);
}

/* ---- the sentences ---- */

static void tell_code(void)
{
    const char *const others = part.left_out != 0 ? JOINED("; ", DECIMAL(part.left_out), " tasks are OTHERS") : "";

    screen_write_line(JOINED("Code: cpuprobe decode-screen", part.exact ? "" : "; no exact times", others, "."),
                      false);
}

void report_result(void)
{
    char verdict[VERDICT_SENTENCE] = "", line[sizeof verdict + TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(line);
    struct table_options options;

    if (part.of == 0)
        return;
    if (code.side != 0)
        tell_code();
    options = report_table_options(part.of);
    if (workload_note()[0] == '\0')
        verdict_make(verdict, part.of, &options);
    buf_parts(&b, "On ", cpu.brand, verdict[0] != '\0' ? ": " : ".", verdict);
    screen_write_line(line, false);
}
