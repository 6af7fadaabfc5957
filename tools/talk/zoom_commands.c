/* SPDX-License-Identifier: MIT */
/* Writes the commands of a zoom. */
#include "tools/talk/zoom_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/config/config.h"

#define USER_END ((uint64_t)1 << 47)

void zoom_addresses(enum mode mode, uint64_t *low, uint64_t *high)
{
    *low = mode == MODE_USER ? 0 : (uint64_t)-USER_END;
    *high = mode == MODE_USER ? USER_END : UINT64_MAX;
}

void zoom_watch_command(char line[COMMAND_LINE], const char *task, enum mode mode, uint64_t low, uint64_t high)
{
    snprintf(line, COMMAND_LINE, "monitor=system,region region=none region=%s:%s:0x%" PRIx64 "-0x%" PRIx64, task,
             mode_name(mode), low, high);
}

void zoom_restore_command(char line[COMMAND_LINE], const char *words)
{
    char copy[CONFIG_LINE], *save = NULL;

    snprintf(copy, sizeof(copy), "%s", words);
    strcpy(line, "region=none");
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        if ((!strncmp(w, "monitor=", 8) || !strncmp(w, "region=", 7)) && strcmp(w, "region=none") != 0 &&
            strlen(line) + strlen(w) + 2 < COMMAND_LINE)
            strcat(strcat(line, " "), w);
}
