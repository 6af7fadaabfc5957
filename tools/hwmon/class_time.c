/* SPDX-License-Identifier: MIT */
/* Classes of states outside of the machine. */
#include "tools/hwmon/class_time.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define FILE_MOST 65536u /* bytes of a tree */

static bool parse(struct class_time *c, struct span text, char *why, size_t size)
{
    struct refusal refusal;
    char sentence[REFUSAL_TEXT];

    if (class_tree_parse(&c->tree, text, &refusal))
        return true;
    snprintf(why, size, "%s", refusal_text(&refusal, sentence));
    return false;
}

static bool read_file(struct class_time *c, const char *path, char *why, size_t size)
{
    char *const text = xrealloc_array(NULL, FILE_MOST + 1, 1);
    FILE *const in = fopen(path, "r");
    const size_t length = in != NULL ? fread(text, 1, FILE_MOST + 1, in) : 0;
    bool valid = false;

    if (in == NULL || ferror(in))
        snprintf(why, size, "%s: %s", path, strerror(errno));
    else if (length > FILE_MOST)
        snprintf(why, size, "%s: a tree has at most %u bytes", path, FILE_MOST);
    else
        valid = parse(c, (struct span){ text, length }, why, size);
    if (in != NULL)
        fclose(in);
    free(text);
    return valid;
}

static const char *name_of(unsigned bit)
{
    switch (bit) {
    case KNOWN_TASK: return "the task (current=)";
    case KNOWN_USER: return "user events, which are the ranges (range=)";
    case KNOWN_CALL: return "system calls, whose numbers hwmon does not see";
    case KNOWN_MASKED: return "masked time, which hwmon does not tell apart";
    default: return "what hwmon does not know";
    }
}

bool class_time_begin(struct class_time *c, const char *text, unsigned known, char *why, size_t size)
{
    unsigned lacks;

    c->code = CLASS_CODES;
    if (!(text[0] == '@' ? read_file(c, text + 1, why, size) : parse(c, span_text(text), why, size)))
        return false;
    lacks = class_state_needs(&c->tree) & ~known;
    if (lacks != 0)
        snprintf(why, size, "the tree asks for %s", name_of(lacks & -lacks));
    c->on = lacks == 0;
    return c->on;
}

void class_time_add(struct class_time *c, const struct machine_state *state, const char *task, uint64_t time)
{
    const uint64_t open = class_state_open(&c->tree, state, class_tree_task(&c->tree, span_text(task)));
    unsigned code;

    if (time == 0)
        return;
    c->paused = class_tree_paused(&c->tree, open, c->paused);
    code = c->paused ? CLASS_PAUSE : class_tree_leaf(&c->tree, open)->code;
    c->now.time[code] += time;
    c->now.entered[code] += code != c->code;
    c->code = code;
}

void class_time_open(struct class_time *c)
{
    c->now = c->closed = (struct class_sums){ .time = { 0 } };
    c->code = CLASS_CODES;
}

void class_time_close(struct class_time *c)
{
    c->closed = c->now;
}

void class_time_report(FILE *file, const struct class_time *c)
{
    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (c->closed.entered[code] != 0)
            fprintf(file, "class %c %s %" PRIu64 " %" PRIu64 "\n", class_letter(code),
                    class_tree_name(&c->tree, code), c->closed.time[code], c->closed.entered[code]);
}
