/* SPDX-License-Identifier: MIT */
/* The value of region=, read and written. */
#include "probe/config/region_spec.h"

bool region_spec_task(char task[REGION_TASK_SIZE], struct span name)
{
    if (name.length == 0 || name.length >= REGION_TASK_SIZE)
        return false;
    for (size_t i = 0; i < name.length; i++) {
        if (name.at[i] <= ' ' || name.at[i] > '~' || name.at[i] == '"')
            return false;
        task[i] = name.at[i];
    }
    task[name.length] = '\0';
    return true;
}

bool region_spec_mode(uint8_t *mode, struct span name)
{
    for (unsigned m = 0; m < MODES; m++)
        if (span_is(name, mode_name((enum mode)m))) {
            *mode = (uint8_t)m;
            return true;
        }
    return false;
}

/* The part before the next `end`, and *rest past it; false where it is not there. */
static bool cut(struct span *rest, char end, struct span *part)
{
    *part = span_until(*rest, end);
    if (part->length == rest->length)
        return false;
    *rest = span_after(*rest, part->length + 1);
    return true;
}

bool region_spec_parse(struct region_spec *r, struct span value)
{
    struct region_spec to = {{0}, 0, false, 0, 0};
    struct span task, mode, low;

    if (!cut(&value, ':', &task) || !cut(&value, ':', &mode) || !cut(&value, '-', &low))
        return false;
    if (!region_spec_task(to.task, task) || !region_spec_mode(&to.mode, mode) ||
        !span_address(low, &to.low) || !span_address(value, &to.high) || to.low >= to.high)
        return false;
    to.octal = span_is_octal(low) || span_is_octal(value);
    *r = to;
    return true;
}

bool region_spec_same(const struct region_spec *a, const struct region_spec *b)
{
    return span_is(span_text(a->task), b->task) && a->mode == b->mode && a->octal == b->octal && a->low == b->low &&
           a->high == b->high;
}

static void put_address(struct text_buf *out, const struct region_spec *r, uint64_t address)
{
    buf_text(out, r->octal ? OCTAL(address) : HEX(address));
}

void region_spec_put(struct text_buf *out, const struct region_spec *r)
{
    buf_text(out, r->task);
    buf_char(out, ':');
    buf_text(out, mode_name((enum mode)r->mode));
    buf_char(out, ':');
    put_address(out, r, r->low);
    buf_char(out, '-');
    put_address(out, r, r->high);
}
