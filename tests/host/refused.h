/* SPDX-License-Identifier: MIT */
/* Parsers with the text of what they refuse, "" where they take it: what tests compare. */
#pragma once

#include "probe/command/command.h"
#include "probe/config/config.h"

static inline bool refused_text(bool taken, const struct refusal *why, char text[REFUSAL_TEXT])
{
    text[0] = '\0';
    if (!taken)
        refusal_text(why, text);
    return taken;
}

static inline bool words_taken(struct config *c, const char *line, char text[REFUSAL_TEXT])
{
    struct refusal why;

    return refused_text(config_parse(c, line, &why), &why, text);
}

static inline bool words_agree(const struct config *c, char text[REFUSAL_TEXT])
{
    struct refusal why;

    return refused_text(config_check(c, &why), &why, text);
}

static inline bool command_taken(struct command *c, const char *line, char text[REFUSAL_TEXT])
{
    struct refusal why;

    return refused_text(command_parse(c, line, &why), &why, text);
}
