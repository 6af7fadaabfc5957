/* SPDX-License-Identifier: MIT */
/* Bytes of a serial line into lines and commands, and on to what was answered to them. */
#include "tests/fuzz/fuzz.h"

#include "probe/command/reply_cache.h"
#include "probe/command/rx_demux.h"

#define BOOT 5

static struct inbox inbox;
static struct answers answers;

static void check_counts(uint64_t bytes)
{
    const struct wire_received *c = &inbox.counts;

    FUZZ_CHECK(c->bytes == bytes);
    FUZZ_CHECK(c->lines + c->commands + c->damaged + c->foreign + c->too_long + c->cut <= bytes);
}

static void check_answer(void)
{
    struct answer *a, *again;

    switch (answers_judge(&answers, BOOT, &inbox.command, &a)) {
    case ANSWERS_DO:
        answer_line(a, inbox.line);
        answer_end(a);
        FUZZ_CHECK(answers_judge(&answers, BOOT, &inbox.command, &again) == ANSWERS_AGAIN);
        FUZZ_CHECK(again == a && a->length == strlen(a->text));
        break;
    case ANSWERS_AGAIN:
        FUZZ_CHECK(a->session == inbox.command.session && a->id == inbox.command.id);
        break;
    case ANSWERS_OTHER:
        FUZZ_CHECK(inbox.command.boot != BOOT);
        break;
    case ANSWERS_LATE:
        FUZZ_CHECK(!a);
        break;
    }
}

/* Whatever came before, a second of silence and a line end later a line is a line. */
static void check_end(void)
{
    const char *line = "status\n";

    inbox_abandon(&inbox);
    inbox_take(&inbox, '\n');
    while (line[1])
        FUZZ_CHECK(inbox_take(&inbox, (uint8_t)*line++) == INBOX_NOTHING);
    FUZZ_CHECK(inbox_take(&inbox, '\n') == INBOX_LINE && !strcmp(inbox.line, "status"));
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return fuzz_silence();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memset(&inbox, 0, sizeof inbox);
    memset(&answers, 0, sizeof answers);
    for (size_t i = 0; i < size; i++) {
        const enum inbox_kind kind = inbox_take(&inbox, data[i]);

        FUZZ_CHECK(kind != INBOX_LINE || strnlen(inbox.line, COMMAND_LINE) < COMMAND_LINE);
        if (kind == INBOX_COMMAND)
            check_answer();
    }
    check_counts(size);
    check_end();
    return 0;
}
