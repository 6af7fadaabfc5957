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

#include "tools/base/pager.h"
#include "tools/base/printable.h"

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
