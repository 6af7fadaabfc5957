/* SPDX-License-Identifier: MIT */
/*
 * The configuration words, the value of region= and the conditions of
 * --fail-if.  What is printed is read as the same.
 */
#include "tests/fuzz/fuzz.h"

#include "probe/config/config.h"
#include "probe/config/region_spec.h"
#include "tests/host/refused.h"
#include "tools/analysis/share_diff.h"

/* A sentence is told where something is refused, and nowhere else. */
static void check_sentence(const char *sentence, bool taken)
{
    size_t length = strnlen(sentence, REFUSAL_TEXT);

    FUZZ_CHECK(length < REFUSAL_TEXT && !length == taken);
    for (size_t i = 0; i < length; i++)
        FUZZ_CHECK(sentence[i] >= ' ' && sentence[i] <= '~');
}

static void check_same(const struct config *a, const struct config *b)
{
    char one[REFUSAL_TEXT], other[REFUSAL_TEXT];

    FUZZ_CHECK(words_agree(a, one) == words_agree(b, other));
    FUZZ_CHECK(!strcmp(one, other));
    check_sentence(one, words_agree(a, one));
    FUZZ_CHECK(config_equal(a, b));
}

static void check_words(const char *text)
{
    char line[CONFIG_LINE], again[CONFIG_LINE], sentence[REFUSAL_TEXT];
    struct config w, back;

    config_default(&w);
    check_sentence(sentence, words_taken(&w, text, sentence));
    FUZZ_CHECK(strnlen(w.tasks, CONFIG_TASKS_SIZE) < CONFIG_TASKS_SIZE && w.regions <= REGIONS_MAX);
    config_print(&w, line); /* where a word was refused, those before it hold */
    FUZZ_CHECK(strnlen(line, CONFIG_LINE) < CONFIG_LINE);
    config_default(&back);
    FUZZ_CHECK(words_taken(&back, line, sentence));
    config_print(&back, again);
    FUZZ_CHECK(!strcmp(line, again));
    check_same(&w, &back);
}

static void check_region(const char *text, size_t length)
{
    char value[128];
    struct text_buf out = TEXT_BUF(value);
    struct region_spec r, back;

    if (!region_spec_parse(&r, (struct span){text, length}))
        return;
    FUZZ_CHECK(r.low < r.high && r.mode < MODES);
    region_spec_put(&out, &r);
    FUZZ_CHECK(region_spec_parse(&back, (struct span){value, strlen(value)}));
    FUZZ_CHECK(r.low == back.low && r.high == back.high && r.mode == back.mode);
    FUZZ_CHECK(r.octal == back.octal && !strcmp(r.task, back.task));
}

static void check_condition(const char *text)
{
    struct fail_condition c;

    if (!fail_if_parse(&c, text))
        return;
    FUZZ_CHECK(!c.name || strlen(c.name) < strlen(text));
    FUZZ_CHECK(c.falls ? c.points <= 0 : c.points >= 0);
    fail_if_free(&c);
}

static void check_text(const char *text, size_t size)
{
    check_words(text);
    check_region(text, size);
    check_condition(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_text(data, size, check_text);
}
