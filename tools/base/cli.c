/* SPDX-License-Identifier: MIT */
/*
 * Error messages and standard streams for the commands: one format of messages, and one check
 * that the report was written.
 */
#include "tools/base/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void cli_error(const char *format, ...)
{
    va_list arguments;
    char *sentence;

    fflush(stdout); /* on a terminal the message must follow the output that it refers to */
    va_start(arguments, format);
    if (vasprintf(&sentence, format, arguments) < 0)
        sentence = NULL;
    va_end(arguments);
    if (sentence)
        printable_sentence(sentence);
    fprintf(stderr, "cpuprobe: %s\n", sentence ? sentence : "there is no memory left");
    free(sentence);
}

double monotonic_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* At each exit, also after --help: output that could not be written is an error. */
static void check_stdout(void)
{
    const bool failed = ferror(stdout);

    errno = 0;
    if (!fflush(stdout) && !failed && !(close(STDOUT_FILENO) && errno != EBADF)) {
        pager_end();
        return;
    }
    cli_error("standard output cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    fflush(stderr);
    _exit(EXIT_NO_DATA);
}

/*
 * A file that is opened later must not get the number of a closed standard stream; reads and writes
 * of that stream still fail.
 */
static void open_standard_streams(void)
{
    static const int refusing[] = {O_WRONLY, O_RDONLY, O_WRONLY};

    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", refusing[stream]) != stream)
            _exit(EXIT_NO_DATA);
}

void cli_begin(void)
{
    open_standard_streams();
    if (atexit(check_stdout))
        _exit(EXIT_NO_DATA);
}

/* A signal handler that stores the number of the signal. */

volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    interrupted = number;
}

void interrupt_watch(void)
{
    const struct sigaction on_signal = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    sigaction(SIGINT, &on_signal, NULL);
    sigaction(SIGTERM, &on_signal, NULL);
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &on_signal, NULL);
}

/* Choices of the command line. */

/* Offer each of "a|b|c". */
static void suggest_each(struct nearest *n, const char *names)
{
    for (size_t length; *names; names += length + (names[length] == '|')) {
        length = strcspn(names, "|");
        nearest_offer(n, (struct span){names, length});
    }
}

/* "a|b|c" as "a, b or c". */
static void in_words(const char *choices, char text[512])
{
    size_t length = 0;

    for (const char *c = choices; *c && length + 8 < 512; c++)
        if (*c == '|')
            length += (size_t)(stpcpy(text + length, strchr(c + 1, '|') ? ", " : " or ") - (text + length));
        else
            text[length++] = *c;
    text[length] = '\0';
}

unsigned suggest_choice(const char *text, const char *choices, const struct argp_state *state)
{
    struct nearest near = {.typed = span_text(text)};
    const size_t typed = strlen(text);
    unsigned index = 0;
    char all[512];

    for (const char *c = choices; *c; index++) {
        const size_t length = strcspn(c, "|");

        if (length == typed && !memcmp(c, text, length))
            return index;
        c += length + (c[length] == '|');
    }
    in_words(choices, all);
    suggest_each(&near, choices);
    if (near.name.length)
        argp_error(state, "'%s' is not a choice: %s; did you mean '%.*s'?", text, all, (int)near.name.length,
                   near.name.at);
    argp_error(state, "'%s' is not a choice: %s", text, all);
    return 0;
}
