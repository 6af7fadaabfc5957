/* SPDX-License-Identifier: MIT */
/* The table of monitor=intercept as text. */
/* Uses vector registers: task context only. */
#include "probe/stats/intercept_print.h"

#define MICRO 1e6

static const char *micro(char digits[FORMAT_DIGITS], uint64_t time, uint64_t count, uint64_t clock_hz)
{
    if (count == 0 || clock_hz == 0)
        return "n.a.";
    return format_real(digits, MICRO * (double)time / (double)count / (double)clock_hz, 3, "");
}

void intercept_print_head(char text[TEXT_BUF_SIZE])
{
    struct text_buf b = { .text = text, .size = TEXT_BUF_SIZE, .length = 0 };

    buf_left(&b, "Interrupt", 12);
    buf_right(&b, "Count", 10);
    buf_right(&b, "%", 9);
    buf_right(&b, "Mean us", 12);
    buf_right(&b, "Greatest", 12);
    buf_right(&b, "Latency us", 12);
    buf_right(&b, "Greatest", 12);
}

void intercept_print(char text[TEXT_BUF_SIZE], const struct wire_intercept *head, const struct wire_intercept_row *r,
                     uint64_t clock_hz)
{
    struct text_buf b = { .text = text, .size = TEXT_BUF_SIZE, .length = 0 };
    const uint64_t window = head->end - head->begin;
    char digits[FORMAT_DIGITS];

    buf_left(&b, r->name.bytes, 12);
    buf_right(&b, DECIMAL(r->count), 10);
    buf_right(&b, window != 0 ? REAL(100.0 * (double)r->time / (double)window, 4) : "n.a.", 9);
    buf_right(&b, micro(digits, r->time, r->count, clock_hz), 12);
    buf_right(&b, micro(digits, r->greatest, 1, clock_hz), 12);
    buf_right(&b, micro(digits, r->latency, r->latencies, clock_hz), 12);
    buf_right(&b, r->latencies != 0 ? micro(digits, r->latency_greatest, 1, clock_hz) : "n.a.", 12);
}
