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

void intercept_print(char text[TEXT_BUF_SIZE], const struct intercept_line *l)
{
    struct text_buf b = { .text = text, .size = TEXT_BUF_SIZE, .length = 0 };
    char digits[FORMAT_DIGITS];

    buf_left(&b, l->name, 12);
    buf_right(&b, DECIMAL(l->count), 10);
    buf_right(&b, l->window != 0 ? REAL(100.0 * (double)l->time / (double)l->window, 4) : "n.a.", 9);
    buf_right(&b, micro(digits, l->time, l->count, l->clock_hz), 12);
    buf_right(&b, micro(digits, l->greatest, 1, l->clock_hz), 12);
    buf_right(&b, micro(digits, l->latency, l->latencies, l->clock_hz), 12);
    buf_right(&b, l->latencies != 0 ? micro(digits, l->latency_greatest, 1, l->clock_hz) : "n.a.", 12);
}
