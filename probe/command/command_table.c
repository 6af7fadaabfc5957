/* SPDX-License-Identifier: MIT */
/* The rows of the command language; pat, plt and mps are those of Crowe, "CPU Probes", and their options. */
#include "probe/command/command_table.h"

#include <stddef.h>

const struct command_row command_table[] = {
    {"pat", COMMAND_PAT, TAKES_NOTHING, OPTIONS_WINDOW, "[OPTION ...]",
     "who uses the CPU: a table of all tasks over N seconds"},
    {"plt", COMMAND_PLT, TAKES_TASK, OPTIONS_PROFILE, "[OPTION ...] TASK",
     "where a task uses it: its hits by address over N seconds"},
    {"mps", COMMAND_MPS, TAKES_TASK, OPTIONS_PROFILE, "[OPTION ...] TASK [SYMBOLS]",
     "which functions use it: the same under the functions' names"},
    {"tasks", COMMAND_TASKS, TAKES_NOTHING, 0, "", "the tasks, what they run and what they used so far"},
    {"regions", COMMAND_REGIONS, TAKES_REGIONS, 0, "[add TASK:MODE:LOW-HIGH | remove NUMBER|all]",
     "the regions that are watched"},
    {"tick", COMMAND_TICK, TAKES_TICK, 0, "[SOURCE] [RATE] [POLICY] [DELIVERY] [WORD=VALUE ...]",
     "what interrupts, and how often: show it, or change it"},
    {"set", COMMAND_SET, TAKES_WORDS, 0, "[WORD=VALUE ...]",
     "the configuration words: show or change them"},
    {"start", COMMAND_START, TAKES_MONITORS, 0, "[MONITOR ...]",
     "monitors to run: system region samples; system unless named"},
    {"stop", COMMAND_STOP, TAKES_MONITORS, 0, "[MONITOR ...]",
     "monitors to stop; all unless named"},
    {"snapshot", COMMAND_SNAPSHOT, TAKES_NOTHING, 0, "", "what the monitors have counted so far"},
    {"status", COMMAND_STATUS, TAKES_NOTHING, 0, "", "what runs, since when, and what was lost"},
    {"health", COMMAND_HEALTH, TAKES_NOTHING, 0, "", "what the machine is like"},
    {"output", COMMAND_OUTPUT, TAKES_OUTPUT, 0, "text|frames", "tables to read, or frames for the host"},
    {"page", COMMAND_PAGE, TAKES_ROWS, 0, "[ROWS]",
     "rows of the terminal: a longer answer waits for a key; 0: never"},
    {"end", COMMAND_END, TAKES_NOTHING, 0, "", "end the run, as when its seconds are over; so do exit and quit"},
    {"reboot", COMMAND_REBOOT, TAKES_NOTHING, 0, "", "start the machine anew"},
    {"help", COMMAND_HELP, TAKES_TOPIC, 0, "[COMMAND|WORD]", "this list, or more about one of it; so does ?"},
    {.name = NULL},
};

const struct command_option command_options[] = {
    {"-sec", OPTION_SEC, "N", "how many seconds it takes, 60 unless given"},
    {"-mode", OPTION_MODE, "MODE", "user supervisor kernel interrupt; user unless given"},
    {"-low", OPTION_LOW, "A", "first address; 0.. is octal, 0x.. hexadecimal"},
    {"-high", OPTION_HIGH, "A", "first address past the last"},
    {"-min", OPTION_MIN, "HITS", "slots with fewer hits are shown as a gap"},
    {"-zoom", OPTION_ZOOM, NULL, "go on with ever smaller regions, down to the hottest function"},
    {.name = NULL},
};

const struct command_synonym command_synonyms[] = {
    {"exit", COMMAND_END}, {"quit", COMMAND_END}, {"?", COMMAND_HELP}, {.name = NULL},
};

const enum config_key command_tick_words[] = {
    CONFIG_TICK, CONFIG_INTERVAL, CONFIG_DELIVERY, CONFIG_RNG, CONFIG_RATE, CONFIG_SPREAD, CONFIG_SEED, CONFIG_SLU,
    CONFIG_KEYS,
};

bool command_needs_shell(enum command_verb verb)
{
    return verb == COMMAND_PAT || verb == COMMAND_PLT || verb == COMMAND_MPS || verb == COMMAND_PAGE;
}
