/* SPDX-License-Identifier: MIT */
/* The text of a refusal. */
#include "probe/text/refusal.h"

static void put_arg(struct text_buf *out, const struct refusal_arg *arg)
{
    if (arg->put)
        arg->put(out, arg->text);
    else if (arg->inner)
        refusal_put(out, arg->inner);
    else
        buf_text(out, format_number((char[FORMAT_DIGITS]){0}, arg->number, arg->decimals, ""));
}

void refusal_put(struct text_buf *out, const struct refusal *why)
{
    for (const char *c = why->reason; *c; c++)
        if (*c == '%')
            put_arg(out, &why->arg[*++c - '1']);
        else
            buf_char(out, *c);
}

const char *refusal_text(const struct refusal *why, char text[REFUSAL_TEXT])
{
    struct text_buf out = {.text = text, .size = REFUSAL_TEXT};

    text[0] = '\0';
    refusal_put(&out, why);
    return text;
}
