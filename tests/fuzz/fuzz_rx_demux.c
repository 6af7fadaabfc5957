/* SPDX-License-Identifier: MIT */
/* Bytes of a serial line into lines and commands, and on to what was answered to them. */
#include "tests/fuzz/fuzz.h"

#include "probe/command/reply_cache.h"
#include "probe/command/rx_demux.h"

#define BOOT 5

static struct rx_demux inbox;
static struct reply_cache answers;

static void check_counts(uint64_t bytes)
{
    const struct wire_received *c = &inbox.counts;

    FUZZ_CHECK(c->bytes == bytes);
    FUZZ_CHECK(c->lines + c->commands + c->damaged + c->foreign + c->too_long + c->cut <= bytes);
}

static void check_answer(void)
{
    struct reply *a, *again;

    switch (reply_cache_check(&answers, BOOT, &inbox.command, &a)) {
    case REPLY_NEW:
        reply_line(a, inbox.line);
        reply_end(a);
        FUZZ_CHECK(reply_cache_check(&answers, BOOT, &inbox.command, &again) == REPLY_REPEAT);
        FUZZ_CHECK(again == a && a->length == strlen(a->text));
        break;
    case REPLY_REPEAT:
        FUZZ_CHECK(a->session == inbox.command.session && a->id == inbox.command.id);
        break;
    case REPLY_OTHER_BOOT:
        FUZZ_CHECK(inbox.command.boot != BOOT);
        break;
    case REPLY_STALE:
        FUZZ_CHECK(!a);
        break;
    }
}

/* Whatever came before, a second of silence and a line end later a line is a line. */
static void check_end(void)
{
    const char *line = "status\n";

    rx_demux_abandon(&inbox);
    rx_demux_byte(&inbox, '\n');
    while (line[1])
        FUZZ_CHECK(rx_demux_byte(&inbox, (uint8_t)*line++) == RX_NOTHING);
    FUZZ_CHECK(rx_demux_byte(&inbox, '\n') == RX_LINE && !strcmp(inbox.line, "status"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memset(&inbox, 0, sizeof inbox);
    memset(&answers, 0, sizeof answers);
    for (size_t i = 0; i < size; i++) {
        const enum rx_kind kind = rx_demux_byte(&inbox, data[i]);

        FUZZ_CHECK(kind != RX_LINE || strnlen(inbox.line, COMMAND_LINE) < COMMAND_LINE);
        if (kind == RX_COMMAND)
            check_answer();
    }
    check_counts(size);
    check_end();
    return 0;
}
