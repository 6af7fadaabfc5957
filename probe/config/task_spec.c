/* SPDX-License-Identifier: MIT */
/* The value of tasks= in its parts. */
#include "probe/config/task_spec.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool file_name_check(struct span name)
{
    for (size_t i = 0; i < name.length; i++) {
        const char c = name.at[i];

        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !is_digit(c) && c != '.' && c != '_' && c != '+' &&
            c != '-')
            return false;
    }
    return name.length > 0 && name.length < FILE_NAME_SIZE;
}

static bool is_workload(struct span name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!(name.at[i] >= 'a' && name.at[i] <= 'z') && !is_digit(name.at[i]) && name.at[i] != '-')
            return false;
    return name.length > 0;
}

/* Printable, and each single quote has its partner. */
static bool are_arguments(struct span text)
{
    bool quoted = false;

    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < ' ' || text.at[i] > '~' || text.at[i] == '"')
            return false;
        quoted = quoted != (text.at[i] == '\'');
    }
    return !quoted;
}

/* Up to the first comma that stands between no quotes. */
static struct span item_of(struct span rest)
{
    bool quoted = false;
    size_t i = 0;

    while (i < rest.length && (quoted || rest.at[i] != ',')) {
        quoted = quoted != (rest.at[i] == '\'');
        i++;
    }
    return (struct span){rest.at, i};
}

static struct span skip_blanks(struct span text)
{
    while (text.length > 0 && text.at[0] == ' ')
        text = span_after(text, 1);
    return text;
}

/* What follows "file:" of an item; false where it does not begin so. */
static bool file_of(struct span item, struct span *after)
{
    const size_t length = sizeof TASK_SPEC_FILE - 1;

    if (item.length < length || !span_is((struct span){item.at, length}, TASK_SPEC_FILE))
        return false;
    *after = span_after(item, length);
    return true;
}

static bool read_item(struct span item, struct task_spec *spec)
{
    struct span after;

    if (!file_of(item, &after)) {
        *spec = (struct task_spec){.name = item};
        return is_workload(item);
    }
    spec->file = true;
    spec->name = span_until(after, ' ');
    spec->arguments = skip_blanks(span_after(after, spec->name.length));
    return file_name_check(spec->name) && are_arguments(spec->arguments);
}

bool task_spec_next(struct span *rest, struct task_spec *spec)
{
    const struct span item = item_of(*rest);

    *rest = span_after(*rest, item.length < rest->length ? item.length + 1 : item.length);
    return read_item(item, spec);
}

bool task_spec_check(struct span value)
{
    struct task_spec spec;

    if (value.length == 0 || value.at[value.length - 1] == ',')
        return false;
    while (value.length > 0)
        if (!task_spec_next(&value, &spec))
            return false;
    return true;
}
