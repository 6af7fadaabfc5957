/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe control`: a command to the image that runs at the other end of a line,
 * and its answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/command/command.h"
#include "probe/command/reply_cache.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/talk/command_client.h"

/* Type Ctrl-C and the command, as a person at the shell would. */
#define TO_FRAMES "output frames"
#define TYPED     "\x03\r" TO_FRAMES "\r"

struct arguments {
    struct command_client talk;
    char line[COMMAND_LINE];
    double stay;
};

static const struct option_row options[] = {
    {"stay", 0, "N", "stay for N more seconds, or until the run ends", SET_SECONDS(stay)},
    {0},
};

/* All that follows PORT is one line: options in it are the command's. */
static void take_words(void *input, char *text, struct argp_state *state)
{
    struct arguments *a = input;

    if (text == a->talk.port)
        return;
    for (int i = state->next - 1; i < state->argc; i++) {
        if (strlen(a->line) + strlen(state->argv[i]) + 2 > sizeof(a->line))
            argp_error(state, "the command is longer than %zu characters", sizeof(a->line) - 1);
        if (*a->line)
            strcat(a->line, " ");
        strcat(a->line, state->argv[i]);
    }
    state->next = state->argc;
}

static const struct argument_row words = {
    .at = offsetof(struct arguments, talk.port), .most = UINT_MAX, .least = 1, .missing = "PORT is missing",
    .take = take_words,
};

static void check(void *input, struct argp_state *state)
{
    const struct arguments *a = input;

    if (!*a->line)
        argp_error(state, "the command is missing: 'help' lists the image's commands, '-' reads commands from "
                          "standard input");
}

/* One command.  `repeats`: it was typed before, so that a refusal because it is in force already is success. */
static int do_line(struct arguments *a, const char *line, bool repeats)
{
    struct command_client *t = &a->talk;
    char *text = NULL;
    const enum client_result end = client_command(t, line, &text);
    bool done;

    if (end != CLIENT_ANSWERED) {
        client_print_error(t, end);
        return client_exit_code(end);
    }
    done = t->answer.status == ANSWER_DONE;
    if (done && *text)
        puts(text);
    else if (!done && repeats && !strcmp(text, COMMAND_IN_FORCE))
        done = true;
    else if (!done)
        cli_error("refused: %s", text);
    free(text);
    fflush(stdout);
    return done ? EXIT_OK : EXIT_CHECK_FAILED;
}

/* Each line of standard input, until the image cannot be reached any more. */
static int do_lines(struct arguments *a)
{
    char line[COMMAND_LINE];
    int worst = EXIT_OK;

    while (fgets(line, sizeof(line), stdin)) {
        int code;

        line[strcspn(line, "\n")] = '\0';
        code = do_line(a, line, false);
        if (code != EXIT_OK && code != EXIT_CHECK_FAILED)
            return code;
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int run(struct arguments *a)
{
    const bool to_frames = !strcmp(a->line, TO_FRAMES);
    bool typed = false;
    const enum client_result end = client_attach(&a->talk, to_frames ? TYPED : NULL, &typed);
    int code;

    if (end != CLIENT_ANSWERED) {
        client_print_error(&a->talk, end);
        return client_exit_code(end);
    }
    /*
     * An answer may be to a frame from before the typed line.  The same command as a frame arrives behind that line.
     */
    code = strcmp(a->line, "-") ? do_line(a, a->line, typed) : do_lines(a);
    if (a->stay > 0)
        client_read(&a->talk, a->stay, NULL);
    return code;
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    int code;

    if (!client_open(&a->talk))
        return EXIT_NO_DATA;
    code = run(a);
    return !client_close(&a->talk) && code == EXIT_OK ? EXIT_DAMAGED : code;
}

const struct subcommand cmd_control = {
    .name = "control", .what = "send a command to a running image and print the answer", .run = run_command,
    .bytes = sizeof(struct arguments),
    .live = true, .own = {options, &words, .check = check}, .args_doc = "PORT COMMAND...", .flags = ARGP_IN_ORDER,
    .shared = {{&client_options}},
    .doc = "Send one command to the image at the other end of PORT (a serial line, a pty or a "
           "unix socket) and print its answer.  Options come before PORT; 'help' lists the "
           "image's commands; '-' reads a command from each line of standard input."
           "\vA command or an answer that is lost on the line is sent again, and executed once.  "
           "Exit status: 0 done, 1 no answer, 3 the board was reset meanwhile, 4 refused, or "
           "the image stopped before its run and reported the reason.",
    .example = {"cpuprobe control /dev/ttyUSB0 status"},
};
