/* SPDX-License-Identifier: MIT */
/*
 * The judge works from docs/JSON.md alone: shares between 0 and 100, low limits at most
 * the high ones, hits at most samples, sums that add up, times in their order.
 */
#include "tests/fuzz/oracle.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NEAR 1e-6 /* of a percentage, for the rounding of sums */
#define DIGITS 1e-11 /* of a number above 2^63, which is a real one of twelve digits */

static char sentence[200];

static const char *wrong(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    return sentence;
}

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static bool is_null(const json_t *object, const char *name)
{
    return json_is_null(json_object_get(object, name));
}

static const char *check_limits(const json_t *share, const char *what, const char *low, const char *high)
{
    if (is_null(share, low) || is_null(share, high))
        return NULL;
    if (number(share, low) > number(share, high))
        return wrong("%s: %s above %s", what, low, high);
    return NULL;
}

static const char *check_share(const json_t *share, const char *what, double samples)
{
    static const char *const percents[] = {"percent", "low", "high", "low999", "high999", "exact", "masked"};
    const char *found;

    if (is_null(share, "hits"))
        return NULL;
    if (number(share, "hits") < 0 || number(share, "hits") > samples)
        return wrong("%s: %.0f hits of %.0f samples", what, number(share, "hits"), samples);
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
        const double value = number(share, percents[i]);

        if (!is_null(share, percents[i]) && !(value >= 0 && value <= 100 + NEAR))
            return wrong("%s: %s is %g", what, percents[i], value);
    }
    if (number(share, "changes") > 2 * number(share, "hits"))
        return wrong("%s: %.0f changes of %.0f hits", what, number(share, "changes"), number(share, "hits"));
    found = check_limits(share, what, "low", "high");
    return found ? found : check_limits(share, what, "low999", "high999");
}

static const char *const cells[] = {"user", "supervisor", "kernel", "interrupt"};

static const char *check_row(const json_t *row, double samples)
{
    const char *name = json_string_value(json_object_get(row, "name"));
    const json_t *total = json_object_get(row, "total");
    const char *found = check_share(total, name, samples);
    double sum = 0;
    bool known = true;

    for (unsigned m = 0; m < 4 && !found; m++) {
        const json_t *cell = json_object_get(row, cells[m]);

        known = known && !is_null(cell, "hits");
        sum += number(cell, "hits");
        found = check_share(cell, name, samples);
    }
    if (!found && known && sum != number(total, "hits"))
        return wrong("%s: the modes add to %.0f hits of %.0f", name, sum, number(total, "hits"));
    return found;
}

static const char *check_rows(const json_t *table, double samples)
{
    const json_t *rows = json_object_get(table, "tasks");
    double hits = 0, exact = 0;
    const char *found;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *total = json_object_get(row, "total");

        if ((found = check_row(row, samples)))
            return found;
        hits += number(total, "hits");
        exact += is_null(total, "exact") ? 0 : number(total, "exact");
    }
    if (json_array_size(rows) && hits != samples)
        return wrong("the rows add to %.0f hits of %.0f samples", hits, samples);
    return exact > 100 + NEAR ? wrong("the exact shares add to %g", exact) : NULL;
}

static const char *check_modes(const json_t *table, double samples)
{
    const json_t *modes = json_object_get(table, "modes");
    double hits = 0;

    for (unsigned m = 0; m < 4; m++) {
        const json_t *mode = json_object_get(modes, cells[m]);
        const char *found = mode ? check_share(mode, cells[m], samples) : NULL;

        if (found)
            return found;
        hits += number(mode, "hits");
    }
    return hits > samples ? wrong("the modes add to %.0f hits", hits) : NULL;
}

static const char *check_window(const json_t *table)
{
    const json_t *window = json_object_get(table, "window"), *monitor = json_object_get(table, "monitor");
    const double begin = number(window, "begin"), end = number(window, "end");

    if (begin > end || (!is_null(window, "seconds") && number(window, "seconds") < 0))
        return wrong("the window is from %.0f to %.0f", begin, end);
    if (!is_null(monitor, "percent") && !(number(monitor, "percent") >= 0 && number(monitor, "percent") <= 100))
        return wrong("the monitor has %g %%", number(monitor, "percent"));
    if (!is_null(table, "tau") && number(table, "tau") > end - begin + end * DIGITS)
        return wrong("tau is more than the window");
    return NULL;
}

static const char *check_late(const json_t *table)
{
    const json_t *rows = json_object_get(table, "lateness");
    double ticks = 0;

    for (size_t i = 0; i < json_array_size(rows); i++)
        ticks += number(json_array_get(rows, i), "ticks");
    if (ticks > number(table, "late"))
        return wrong("%.0f late ticks by their lengths, %.0f in all", ticks, number(table, "late"));
    if (number(table, "late") > number(table, "ticks") || number(table, "samples") > number(table, "ticks"))
        return wrong("of %.0f ticks %.0f were late and %.0f samples", number(table, "ticks"), number(table, "late"),
                     number(table, "samples"));
    return NULL;
}

static const char *check_source(const json_t *table)
{
    const double samples = number(table, "samples");
    const char *found = check_window(table);

    if (!found)
        found = check_late(table);
    if (!found)
        found = check_rows(table, samples);
    return found ? found : check_modes(table, samples);
}

const char *oracle_table(const json_t *root)
{
    const json_t *second = json_object_get(root, "beside"), *damage = json_object_get(root, "damage");
    const char *found = check_source(root);

    if (!json_is_true(json_object_get(root, "complete")))
        return "status 0, and not complete";
    if (!json_is_true(json_object_get(damage, "adds_up")) || number(damage, "missing") > 0)
        return "status 0 of a damaged stream";
    if (!found && json_is_object(second))
        found = check_source(second);
    return found;
}

/* Whether a place of a line is within a quoted text, where any word may stand: script prints bytes so. */
static bool is_quoted(const char *text, const char *at)
{
    bool quoted = false;

    for (const char *from = at; from > text && from[-1] != '\n'; from--)
        quoted ^= from[-1] == '"' && (from - 1 == text || from[-2] != '\\');
    return quoted;
}

/* A word that a number became; letters beside it are part of another one. */
static const char *check_words(const char *text, size_t length)
{
    static const char *const words[] = {"nan", "inf"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        for (const char *at = text; (at = memmem(at, (size_t)(text + length - at), words[i], 3)); at++)
            if ((at == text || !isalnum((unsigned char)at[-1])) &&
                (at + 3 == text + length || !isalnum((unsigned char)at[3])) && !is_quoted(text, at))
                return wrong("a number that is \"%s\" on standard output", words[i]);
    return NULL;
}

const char *oracle_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((text[i] < ' ' || text[i] > '~') && text[i] != '\n')
            return wrong("byte 0x%02x on standard output", (unsigned char)text[i]);
    return check_words(text, length);
}

/* Bytes of the character; 0: it is none. */
static size_t character(const unsigned char *at, size_t left)
{
    const size_t length = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3 :
                          *at >= 0xf0 && *at < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if (i >= left || (at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

const char *oracle_signs(const char *text, size_t length)
{
    for (size_t i = 0, size; i < length; i += size) {
        const unsigned char *at = (const unsigned char *)text + i;

        size = character(at, length - i);
        if (!size || (*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0))
            return wrong("byte 0x%02x on standard output", *at);
    }
    return check_words(text, length);
}
