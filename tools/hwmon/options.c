/* SPDX-License-Identifier: MIT */
/* The table of hwmon's words, the types that they alone have, and the files of words. */
#include "tools/hwmon/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts, as they were written ---- */

static const char *kept(struct span value)
{
    return strndup(value.at, value.length);
}

static const char *parse_text(void *values, const struct config_word *word, struct span value)
{
    if (value.length == 0)
        return CONFIG_UNKNOWN_VALUE;
    *(const char **)config_value(values, word) = kept(value);
    return NULL;
}

static const char *parse_texts(void *values, const struct config_word *word, struct span value)
{
    struct option_list *const list = config_value(values, word);

    if (value.length == 0)
        return CONFIG_UNKNOWN_VALUE;
    if (list->count == OPTION_PLACES)
        return "there are more than 16 words %2=";
    list->text[list->count++] = kept(value);
    return NULL;
}

_Static_assert(OPTION_PLACES == 16, "the sentence says so");

static const struct config_type config_text = { .parse = parse_text }, config_texts = { .parse = parse_texts };

/* ---- the rows ---- */

#define WORD(member, kind) WORD_OF(struct options, #member, member, config_##kind)
#define OF_FILE            .allowed = "FILE"
#define OF_ADDRESS         .allowed = "ADDRESS"
#define OF_PLACE           .allowed = "ADDRESS or LOW-HIGH"
#define OF_POINT           .allowed = "at:ADDRESS or store:ADDRESS[:BYTES]"

static const struct config_word rows[] = {
    { WORD(out, text), OF_FILE, .what = "where the stream is written" },
    { WORD(list, text), OF_FILE,
      .what = "the samples as lines: time, task, mode, address, code of the instruction, address of its data" },
    { WORD(blocks, text), OF_FILE,
      .what = "how often each block of instructions was executed, entries and instructions of each routine, and the "
              "routines that never ran" },
    { WORD(mix, text), OF_FILE,
      .what = "the mix of instructions: each instruction that was translated once (static) against how often it was "
              "executed" },
    { WORD(analyser, text), OF_FILE,
      .what = "the logic analyser: the instructions executed before and after a trigger; without a trigger the last "
              "ones" },
    { WORD(trigger, text), .allowed = "at:ADDRESS, store:ADDRESS, port or port:NUMBER",
      .what = "its trigger; `port` is any IN or OUT, `port:NUMBER` those with the number in the instruction: one in "
              "DX is not known" },
    { WORD(nth, number), RANGE(1, 9223372036854775807), .standard = "1", .what = "which time it triggers" },
    { WORD(before, number), RANGE(0, 1000000), .standard = "1000", .what = "instructions before the trigger" },
    { WORD(after, number), RANGE(0, 1000000), .standard = "100", .what = "instructions after it" },
    { WORD(event, texts), OF_POINT,
      .what = "the event monitor in time mode: `at:ADDRESS`, an instruction; `store:ADDRESS:BYTES`, a store to that "
              "address with its value (1 to 6 bytes; 4). Each is a user event, numbered from 0 in the order of the "
              "words, `event=` before `count=`; the switches of tasks are recorded too. Times have the resolution of "
              "an instruction. May be repeated" },
    { WORD(count, texts), OF_POINT, .what = "the same in count mode: no record, only how often" },
    { WORD(window, texts), OF_ADDRESS,
      .what = "a window of hybrid monitors: a store of 8 bytes to that address, of whichever task, is a user event: "
              "its number is the low byte, its value what is above. The image's tasks store there by "
              "`monitor_out()` (`window=0x70000018`). May be repeated" },
    { WORD(sync, text), OF_ADDRESS,
      .what = "beside one of the others: a store of 8 bytes to that address is an event `sync`, whose number the "
              "guest's own stream has too" },
    { WORD(range, texts), OF_PLACE,
      .what = "a range of addresses: code that begins to be executed in it is user event 32, in the second range 33 "
              "and so on, in none 64. With it `states` makes classes over ranges and running task "
              "(`task=ROGUE+event=33`). May be repeated" },
    { WORD(states, text), OF_FILE,
      .what = "classes of states, evaluated here, without a record of each change: a line with letter, name, "
              "nanoseconds and number of changes into it for each class, in the window" },
    { WORD(classes, text), .allowed = "TREE or @FILE",
      .what = "their tree, which may ask for the running task, mode, nesting and, with `range=`, user events" },
    { WORD(interrupt, texts), OF_PLACE,
      .what = "the first instructions of interrupt handlers: up to IRET their time is in mode interrupt; may be "
              "repeated" },
    { WORD(vectors, text), .allowed = "ADDRESS:BYTES",
      .what = "a table of entry stubs, one a vector, from vector 0 on: which interrupt a handler of `interrupt=` "
              "serves. Its entry and exit are events too, so that `durations` and `trace` tell interrupts by vector "
              "(`vectors=vector_stubs:16`). A handler that ends with a switch of tasks ends there" },
    { WORD(monitor, texts), OF_PLACE,
      .what = "the first instructions of a handler whose time belongs to nobody: row MONITOR" },
    { WORD(elf, texts), OF_FILE, .what = "where names come from; may be repeated" },
    { WORD(table, texts), OF_FILE, .what = "the same: lines as `nm` prints them" },
    { WORD(current, text), OF_ADDRESS, .what = "the word that points to the running task; its stores are followed" },
    { WORD_OF(struct options, "switch", switched, config_text), OF_ADDRESS,
      .what = "the instruction from which on that task runs; without it, from the store on" },
    { WORD(label, text), .allowed = "OFFSET:BYTES",
      .what = "where a task has its name; tasks of one name are one row" },
    { WORD(open, text), OF_ADDRESS, .what = "a store to it begins the window, and all counts" },
    { WORD(close, text), OF_ADDRESS,
      .what = "the instruction that ends it. Without the two the window is the whole run, and there is a snapshot "
              "each second" },
    { WORD(words, text), OF_FILE, .what = "more words, one a line" },
    /* the rest are told by the stream: OPTIONS_TOLD */
    { WORD(rate, number), RANGE(1, 500000), .standard = "1000",
      .what = "the samples, as the image's words of these names: their mean rate, Hz" },
    { WORD(interval, choice), CHOICE_OF(INTERVAL_NAMES), .allowed = TEXT_OF(INTERVAL_NAMES), .standard = "fixed",
      .what = "the policy of the interval between them" },
    { WORD(rng, choice), TWO("carta", "chacha8"), .standard = "carta", .what = "the generator of the intervals" },
    { WORD(seed, number), RANGE(1, 9223372036854775807), .standard = "1", .what = "its seed" },
    { WORD(account, choice), TWO("on", "log"), .standard = "on",
      .what = "`log` tells every change of task, ring and handler too: `transitions`, `gantt` and whatever reads "
              "changes work on the stream" },
};

#define ROWS         (sizeof rows / sizeof rows[0])
#define OPTIONS_TOLD 5

const struct config_words option_words = { rows, ROWS };

void options_default(struct options *o)
{
    *o = (struct options){ .out = NULL };
    config_words_default(&option_words, o);
}

void options_put_told(struct text_buf *out, const struct options *o)
{
    config_words_put(out, &(struct config_words){ rows + ROWS - OPTIONS_TOLD, OPTIONS_TOLD }, o);
}

/* ---- reading ---- */

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

static bool take(struct options *o, const char *word, char why[REFUSAL_TEXT])
{
    struct refusal refusal;

    if (config_words_take(&option_words, o, span_text(word), &refusal) != NULL)
        return true;
    refusal_text(&refusal, why);
    return false;
}

static bool take_lines(struct options *o, FILE *file, char why[REFUSAL_TEXT])
{
    char line[1024];

    while (fgets(line, sizeof line, file) != NULL) {
        const char *const word = trimmed(line);

        if (word[0] != '\0' && !take(o, word, why))
            return false;
    }
    return true;
}

static bool take_file(struct options *o, const char *path, char why[REFUSAL_TEXT])
{
    FILE *const file = fopen(path, "r");
    bool valid;

    if (file == NULL) {
        snprintf(why, REFUSAL_TEXT, "%s: %s", path, strerror(errno));
        return false;
    }
    o->words = NULL;
    valid = take_lines(o, file, why);
    fclose(file);
    if (valid && o->words != NULL)
        snprintf(why, REFUSAL_TEXT, "%s: a file of words cannot name another one", path);
    return valid && o->words == NULL;
}

bool options_take(struct options *o, const char *word, char why[REFUSAL_TEXT])
{
    const char *path;

    if (!take(o, word, why))
        return false;
    path = o->words;
    o->words = NULL;
    return path == NULL || take_file(o, path, why);
}
