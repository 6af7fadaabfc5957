/* SPDX-License-Identifier: MIT */
/* The table of words, and the parser over it. */
#include "tools/hwmon/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, LIST, NUMBER };

struct word {
    const char *name;
    enum kind kind;
    size_t at;              /* in struct options */
    uint64_t least, most;   /* of a number */
};

#define AT(member) offsetof(struct options, member)
static const struct word words[] = {
    { "out", TEXT, AT(out), 0, 0 },
    { "list", TEXT, AT(list), 0, 0 },
    { "blocks", TEXT, AT(blocks), 0, 0 },
    { "mix", TEXT, AT(mix), 0, 0 },
    { "analyser", TEXT, AT(analyser), 0, 0 },
    { "elf", LIST, AT(elf), 0, 0 },
    { "table", LIST, AT(table), 0, 0 },
    { "current", TEXT, AT(current), 0, 0 },
    { "switch", TEXT, AT(switched), 0, 0 },
    { "label", TEXT, AT(label), 0, 0 },
    { "open", TEXT, AT(open), 0, 0 },
    { "close", TEXT, AT(close), 0, 0 },
    { "event", LIST, AT(event), 0, 0 },
    { "count", LIST, AT(count), 0, 0 },
    { "range", LIST, AT(range), 0, 0 },
    { "window", LIST, AT(window), 0, 0 },
    { "sync", TEXT, AT(sync), 0, 0 },
    { "classes", TEXT, AT(classes), 0, 0 },
    { "states", TEXT, AT(states), 0, 0 },
    { "vectors", TEXT, AT(vectors), 0, 0 },
    { "account", TEXT, AT(account), 0, 0 },
    { "interrupt", LIST, AT(interrupt), 0, 0 },
    { "monitor", LIST, AT(monitor), 0, 0 },
    { "interval", TEXT, AT(interval), 0, 0 },
    { "rng", TEXT, AT(rng), 0, 0 },
    { "trigger", TEXT, AT(trigger), 0, 0 },
    { "nth", NUMBER, AT(nth), 1, UINT64_MAX },
    { "before", NUMBER, AT(before), 0, 1000000 },
    { "after", NUMBER, AT(after), 0, 1000000 },
    { "rate", NUMBER, AT(rate), 1, 500000 },
    { "seed", NUMBER, AT(seed), 1, INT64_MAX },
};
#undef AT
#define WORDS (sizeof words / sizeof words[0])

void options_default(struct options *o)
{
    *o = (struct options){
        .account = "on", .interval = "fixed", .rng = "carta", .rate = 1000, .seed = 1, .nth = 1, .before = 1000,
        .after = 100,
    };
}

static const char *take_number(uint64_t *to, const struct word *w, const char *value, char *why, size_t size)
{
    char *end;

    errno = 0;
    *to = strtoull(value, &end, 0);
    if (isdigit((unsigned char)value[0]) && *end == '\0' && errno == 0 && *to >= w->least && *to <= w->most)
        return NULL;
    snprintf(why, size, "%s takes a whole number from %llu to %llu, not '%s'", w->name,
             (unsigned long long)w->least, (unsigned long long)w->most, value);
    return why;
}

static const char *take_list(struct option_list *list, const struct word *w, const char *value, char *why,
                             size_t size)
{
    if (list->count == OPTION_PLACES) {
        snprintf(why, size, "%s may be given %u times at most", w->name, OPTION_PLACES);
        return why;
    }
    list->text[list->count++] = strdup(value);
    return NULL;
}

static const char *take_value(struct options *o, const struct word *w, const char *value, char *why, size_t size)
{
    void *const to = (char *)o + w->at;

    if (value[0] == '\0') {
        snprintf(why, size, "%s has no value", w->name);
        return why;
    }
    if (w->kind == NUMBER)
        return take_number(to, w, value, why, size);
    if (w->kind == LIST)
        return take_list(to, w, value, why, size);
    *(const char **)to = strdup(value);
    return NULL;
}

static const char *unknown(const char *word, size_t bytes, char *why, size_t size)
{
    size_t length = (size_t)snprintf(why, size, "unknown word '%.*s' (allowed: words", (int)bytes, word);

    for (size_t i = 0; i < WORDS && length < size; i++)
        length += (size_t)snprintf(why + length, size - length, " %s", words[i].name);
    if (length < size)
        snprintf(why + length, size - length, ")");
    return why;
}

const char *options_take(struct options *o, const char *word, char *why, size_t size)
{
    const char *const equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);

    if (equals != NULL && length == 5 && strncmp(word, "words", 5) == 0)
        return options_take_file(o, equals + 1, why, size);
    for (size_t i = 0; i < WORDS; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, word, length) == 0)
            return take_value(o, &words[i], equals != NULL ? equals + 1 : "", why, size);
    return unknown(word, length, why, size);
}

/* The line without its comment and the blanks at both ends. */
static char *trimmed(char *line)
{
    char *end;

    line[strcspn(line, "#\r\n")] = '\0';
    line += strspn(line, " \t");
    end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    return line;
}

const char *options_take_file(struct options *o, const char *path, char *why, size_t size)
{
    FILE *file = fopen(path, "r");
    bool valid = true;
    char line[1024];

    if (file == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        return why;
    }
    while (valid && fgets(line, sizeof line, file) != NULL) {
        const char *const word = trimmed(line);

        if (strncmp(word, "words=", 6) == 0) {
            snprintf(why, size, "%s: a file of words cannot name another one", path);
            valid = false;
        } else if (word[0] != '\0') {
            valid = options_take(o, word, why, size) == NULL;
        }
    }
    fclose(file);
    return valid ? NULL : why;
}
