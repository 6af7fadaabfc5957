/* SPDX-License-Identifier: MIT */
/* What a terminal may send, to the line editor and from there to the parser of commands. */
#include "tests/fuzz/fuzz.h"

#include "probe/command/command.h"
#include "probe/command/line_edit.h"
#include "tests/host/refused.h"

/* Nothing reaches the screen but text, CR LF BEL, and CSI of digits and C K H J. */
static void put(void *context, const char *bytes, unsigned length)
{
    unsigned *escape = context;

    FUZZ_CHECK(length <= EDIT_COLUMNS);
    for (unsigned i = 0; i < length; i++) {
        const char c = bytes[i];

        if (*escape == 0) {
            FUZZ_CHECK((c >= ' ' && c <= '~') || c == '\r' || c == '\n' || c == '\a' || c == 0x1b);
            *escape = c == 0x1b;
        } else if (*escape == 1) {
            FUZZ_CHECK(c == '[');
            *escape = 2;
        } else if (c < '0' || c > '9') {
            FUZZ_CHECK(strchr("CKHJ", c));
            *escape = 0;
        }
    }
}

static const char *name(const char *line, unsigned word, unsigned index)
{
    FUZZ_CHECK(word <= strlen(line));
    return command_name(index);
}

static void check_line(const struct line_edit *e)
{
    char sentence[REFUSAL_TEXT];
    struct command c;

    FUZZ_CHECK(strlen(e->line) == e->length);
    for (unsigned i = 0; i < e->length; i++)
        FUZZ_CHECK(e->line[i] >= ' ' && e->line[i] <= '~');
    FUZZ_CHECK(command_taken(&c, e->line, sentence) == !*sentence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned escape = 0;
    struct line_edit e = {.put = put, .context = &escape, .prompt = "> ", .name = name};

    _Static_assert(EDIT_LINE == COMMAND_LINE, "what can be typed can be read");
    line_edit_init(&e);
    for (size_t i = 0; i < size; i++) {
        enum line_edit_event event = line_edit_byte(&e, data[i]);

        FUZZ_CHECK(e.length < EDIT_LINE && e.cursor <= e.length && e.line[e.length] == '\0');
        if (event == EDIT_READY)
            check_line(&e);
        if (event != EDIT_MORE)
            line_edit_show(&e);
    }
    return 0;
}
