/* SPDX-License-Identifier: MIT */
/* Makes the digits of real numbers, apart from text_buf.c, which every context may use. */
/* Uses vector registers: task context only. */
#include "probe/schedule/memory.h"
#include "probe/text/text_buf.h"

const char *format_real(char out[FORMAT_DIGITS], double x, unsigned decimals, const char *plus)
{
    double size = x < 0 ? -x : x;

    for (unsigned i = 0; i < decimals; i++)
        size *= 10.0;
    if (x == x && size < 9e18) /* within int64_t, whose conversion needs no library */
        return format_number(out, (uint64_t)(int64_t)(size + 0.5), decimals, x < 0 && size >= 0.5 ? "-" : plus);
    return memcpy(out, "n.a.", 5);
}
