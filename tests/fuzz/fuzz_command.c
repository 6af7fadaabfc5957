/* SPDX-License-Identifier: MIT */
/* A line of the command language, as it may come from a serial line. */
#include "tests/fuzz/fuzz.h"

#include "probe/command/command.h"
#include "tests/host/refused.h"

static void check_text(const char *text, size_t room)
{
    size_t length = strnlen(text, room);

    FUZZ_CHECK(length < room);
    for (size_t i = 0; i < length; i++)
        FUZZ_CHECK(text[i] >= ' ' && text[i] <= '~');
}

static void check_line(void *context, const char *text)
{
    ++*(unsigned *)context;
    check_text(text, 4096);
}

static void check_region(const struct command *c)
{
    if (c->verb != COMMAND_PLT && c->verb != COMMAND_MPS && c->regions != REGIONS_ADD)
        return;
    FUZZ_CHECK(c->region.low < c->region.high && c->region.mode < MODES);
    FUZZ_CHECK(c->region.task[0]);
    check_text(c->region.task, sizeof c->region.task);
}

/* What is to change can be printed and read as the same, and merged into itself. */
static void check_words(const struct command *c)
{
    char line[CONFIG_LINE], sentence[REFUSAL_TEXT];
    struct config w;

    config_print(&c->change, line);
    config_default(&w);
    FUZZ_CHECK(words_taken(&w, line, sentence) && config_equal(&w, &c->change));
    if (c->change.given == 0)
        return;
    FUZZ_CHECK(c->verb == COMMAND_TICK || c->verb == COMMAND_SET || c->verb == COMMAND_OUTPUT);
    config_default(&w);
    struct refusal why;
    FUZZ_CHECK(config_merge(&w, &c->change, &why) && config_equal(&w, &c->change) && w.given == c->change.given);
}

static void check_command(const char *text, size_t size)
{
    char sentence[REFUSAL_TEXT];
    struct command c;
    unsigned lines = 0;
    const bool taken = command_taken(&c, text, sentence);

    (void)size;
    check_text(sentence, sizeof sentence);
    FUZZ_CHECK(taken == !*sentence);
    if (!taken)
        return;
    FUZZ_CHECK(c.verb <= COMMAND_HELP);
    FUZZ_CHECK(c.seconds >= 1 && c.seconds <= COMMAND_SECONDS_MAX);
    if (c.verb != COMMAND_PAGE)
        FUZZ_CHECK((c.regions == REGIONS_REMOVE) == (c.number != 0) && c.number <= REGIONS_MAX);
    FUZZ_CHECK(c.monitors < 8);
    check_region(&c);
    check_words(&c);
    if (c.topic) {
        command_help(c.topic, true, check_line, &lines);
        FUZZ_CHECK(lines >= 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_text(data, size, check_command);
}
