/* SPDX-License-Identifier: MIT */
/* The rows of the command language; pat, plt and mps are those of Crowe, "CPU Probes", and their options. */
#include "probe/command/command_table.h"

#include <stddef.h>

const struct command_row command_table[] = {
    {"pat", COMMAND_PAT, TAKES_NOTHING, OPTIONS_WINDOW, "[OPTION ...]",
     "print a table of the CPU use of all tasks over N seconds"},
    {"plt", COMMAND_PLT, TAKES_TASK, OPTIONS_PROFILE, "[OPTION ...] TASK",
     "print the hits of a task by address over N seconds"},
    {"mps", COMMAND_MPS, TAKES_TASK, OPTIONS_PROFILE, "[OPTION ...] TASK [SYMBOLS]",
     "the same, under the names of functions"},
    {"top", COMMAND_TOP, TAKES_NOTHING, OPTIONS_TOP, "[OPTION ...]",
     "show the tasks by their share, each second, until a key is pressed"},
    {"ps", COMMAND_PS, TAKES_NOTHING, 0, "",
     "list the tasks by what they used since the last ps, with their CPU time so far; so does tasks"},
    {"regions", COMMAND_REGIONS, TAKES_REGIONS, 0, "[add TASK:MODE:LOW-HIGH | remove NUMBER|all]",
     "list, add or remove the watched regions"},
    {"tick", COMMAND_TICK, TAKES_TICK, 0, "[SOURCE] [RATE] [POLICY] [DELIVERY] [WORD=VALUE ...]",
     "show or change the source and the rate of the tick"},
    {"set", COMMAND_SET, TAKES_WORDS, 0, "[WORD=VALUE ...]",
     "show or change the configuration words"},
    {"start", COMMAND_START, TAKES_MONITORS, 0, "[MONITOR ...]",
     "start monitors (default: system)"},
    {"stop", COMMAND_STOP, TAKES_MONITORS, 0, "[MONITOR ...]",
     "stop monitors (default: all)"},
    {"snapshot", COMMAND_SNAPSHOT, TAKES_NOTHING, 0, "", "print what the monitors have counted so far"},
    {"pause", COMMAND_PAUSE, TAKES_NOTHING, 0, "", "record no events from here on; an event says so"},
    {"continue", COMMAND_CONTINUE, TAKES_NOTHING, 0, "", "record events again"},
    {"dump", COMMAND_DUMP, TAKES_NOTHING, 0, "", "write out the buffer of events as it is"},
    {"status", COMMAND_STATUS, TAKES_NOTHING, 0, "", "print the state of the run and its losses"},
    {"health", COMMAND_HEALTH, TAKES_NOTHING, 0, "", "print the machine report"},
    {"output", COMMAND_OUTPUT, TAKES_OUTPUT, 0, "text|frames",
     "switch to tables as text, or to frames for the host tool"},
    {"page", COMMAND_PAGE, TAKES_ROWS, 0, "[ROWS]",
     "set the rows of the terminal; a longer answer waits for a key; 0: never"},
    {"end", COMMAND_END, TAKES_NOTHING, 0, "", "end the run; so do exit and quit"},
    {"reboot", COMMAND_REBOOT, TAKES_NOTHING, 0, "", "reset the machine"},
    {"help", COMMAND_HELP, TAKES_TOPIC, 0, "[COMMAND|WORD]", "list the commands, or explain one; so does ?"},
    {.name = NULL},
};

const struct command_option command_options[] = {
    {"-sec", OPTION_SEC, "N", "length of the measurement in seconds (60)"},
    {"-mode", OPTION_MODE, "MODE", "user, supervisor, kernel or interrupt (user)"},
    {"-low", OPTION_LOW, "A", "first address; 0.. is octal, 0x.. hexadecimal"},
    {"-high", OPTION_HIGH, "A", "the address after the last one"},
    {"-min", OPTION_MIN, "HITS", "slots with fewer hits are shown as a gap"},
    {"-zoom", OPTION_ZOOM, NULL, "continue with smaller regions, down to the hottest function"},
    {"-sort", OPTION_SORT, "ORDER", TABLE_ORDERS_ALLOWED " (total)"},
    {.name = NULL},
};

const struct command_synonym command_synonyms[] = {
    {"exit", COMMAND_END}, {"quit", COMMAND_END}, {"?", COMMAND_HELP}, {"tasks", COMMAND_PS}, {.name = NULL},
};

const enum config_key command_tick_words[] = {
    CONFIG_TICK, CONFIG_INTERVAL, CONFIG_DELIVERY, CONFIG_RNG, CONFIG_RATE, CONFIG_SPREAD, CONFIG_SEED, CONFIG_SLU,
    CONFIG_KEYS,
};

bool command_needs_shell(enum command_verb verb)
{
    return verb == COMMAND_TOP || verb == COMMAND_PAT || verb == COMMAND_PLT || verb == COMMAND_MPS ||
           verb == COMMAND_PAGE;
}
