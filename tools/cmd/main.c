/* SPDX-License-Identifier: MIT */
/*
 * cpuprobe, the host tool: finds the subcommand and hands over to it.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/version.h"
#include "probe/stream/wire.h"
#include "tools/base/cli.h"

#define TEXT_OF(x)   #x
#define NUMBER_OF(x) TEXT_OF(x)

const char *argp_program_version =
    "cpuprobe " CPUPROBE_VERSION " (protocol " NUMBER_OF(WIRE_MAJOR) "." NUMBER_OF(WIRE_MINOR) ")";

static const struct subcommand commands[] = {
    {"record", cmd_record, "record the stream of a serial line in a file"},
    {"control", cmd_control, "send a command to a running image and print the answer"},
    {"zoom", cmd_zoom, "find where a task of a running image spends its time"},
    {"stat", cmd_stat, "print the table of CPU time by task and mode"},
    {"histogram", cmd_histogram, "print which code of a task used the time"},
    {"info", cmd_info, "print what a recorded stream contains and what is damaged"},
    {"script", cmd_script, "print each record of a stream as a line"},
    {"samples", cmd_samples, "print each raw sample as a line"},
    {"transitions", cmd_transitions, "print each change of cell as a line: the exact timeline"},
    {"trace", cmd_trace, "print each event of a run as a line"},
    {"gantt", cmd_gantt, "draw who had the processor when, for a terminal or as SVG"},
    {"intercept", cmd_intercept, "print how long interrupts took and waited, by vector"},
    {"acct", cmd_acct, "print what each task has used, between any two moments"},
    {"procstat", cmd_procstat, "print load levels by the tick counters, and load averages"},
    {"idle", cmd_idle, "print the load by the idle counters"},
    {"ps", cmd_ps, "print the tables of processes, or the tasks of a running image"},
    {"compare", cmd_compare, "print every monitor of one workload side by side"},
    {"profile", cmd_profile, "print calls and times that a program counted"},
    {"kiviat", cmd_kiviat, "draw shares of several runs on the axes of one Kiviat graph"},
    {"diff", cmd_diff, "compare two runs by function"},
    {"states", cmd_states, "print the time in each class of states, and find sequences"},
    {"load", cmd_load, "draw the load over time, of each task and in all"},
    {"durations", cmd_durations, "print how long calls, interrupts, waits and answers took"},
    {"masked", cmd_masked, "print who keeps interrupts off, and for how long at worst"},
    {"waits", cmd_waits, "print how long each task waited, and behind whom"},
    {"model", cmd_model, "predict response times by a queueing model"},
    {"time", cmd_time, "print how long one execution of a function takes"},
    {"audit", cmd_audit, "compare the ticks of a run with its generator"},
    {"export", cmd_export, "write a profile for another tool"},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* argp's help text, with the table of commands after the sentence. */
static char *with_commands(int key, const char *text, void *input)
{
    char *help = NULL;
    size_t length;
    FILE *out;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    out = open_memstream(&help, &length);
    if (!out)
        return (char *)text;
    fputs("Commands:\n", out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-11s  %s\n", commands[i].name, commands[i].what);
    fputs("\n'cpuprobe COMMAND --help' explains a command.  Exit status: 0 success,\n"
          "1 nothing could be read, 2 wrong usage, 3 the input is damaged or\n"
          "incomplete, 4 a check failed.",
          out);
    fclose(out);
    return help;
}

struct choice {
    const struct subcommand *command;
    int at; /* index of its name in argv */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct choice *choice = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < COMMANDS; i++)
            if (!strcmp(argument, commands[i].name))
                choice->command = &commands[i];
        if (!choice->command)
            argp_error(state, "there is no command '%s'", argument);
        choice->at = state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the command is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = "Reads the stream of a cpuprobe image and reports where the CPU time went.\v ",
        .help_filter = with_commands,
    };
    struct choice choice = {NULL, 0};
    char name[32];

    cli_begin();
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
    if (!choice.command)
        return EXIT_USAGE;
    snprintf(name, sizeof(name), "cpuprobe %s", choice.command->name);
    argv[choice.at] = name;
    return choice.command->run(argc - choice.at, argv + choice.at);
}
