/* SPDX-License-Identifier: MIT */
/* One pager a process: its state is static. */
#include "tools/base/pager.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pid_t child; /* 0: none */
    int stderr_before; /* where messages went, if they go through the pager; else -1 */
    bool disabled;
    enum pager_colour colour;
} pager = {.stderr_before = -1};

void pager_set_colour(enum pager_colour colour)
{
    pager.colour = colour;
}

void pager_disable(void)
{
    pager.disabled = true;
}

unsigned pager_columns(void)
{
    const char *const wanted = getenv("COLUMNS");
    const unsigned long columns = wanted ? strtoul(wanted, NULL, 10) : 0;
    struct winsize size;

    if (columns)
        return columns < UINT_MAX ? (unsigned)columns : UINT_MAX;
    /* With a pager the terminal is no longer standard output; the pager reads keys from the controlling one. */
    if (!pager.child && !isatty(STDOUT_FILENO))
        return 0;
    if (!ioctl(pager.child ? STDIN_FILENO : STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
        return size.ws_col;
    return 80;
}

bool pager_has_colour(void)
{
    const char *const no = getenv("NO_COLOR");

    if (pager.colour != COLOUR_AUTO)
        return pager.colour == COLOUR_ALWAYS;
    return (pager.child || isatty(STDOUT_FILENO)) && !(no && *no);
}

bool pager_has_blocks(void)
{
    /* A locale of its own: that of the process stays C, in which numbers and bytes are written. */
    const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    const bool has = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

    if (locale)
        freelocale(locale);
    return has;
}

bool pager_has_cursor(void)
{
    const char *const terminal = getenv("TERM");

    return terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* $PAGER is a command of the shell. Where the shell cannot execute it, what it would show is shown without it. */
static const char begin[] =
    "eval \"$1\"; status=$?\n"
    "case $status in 126 | 127) echo \"cpuprobe: the pager $1 (PAGER) cannot be executed\" >&2; exec cat ;; esac\n"
    "exit $status";

static void __attribute__((noreturn)) become_pager(const char *wanted)
{
    setenv("LESS", "FRX", 0);
    if (wanted)
        execl("/bin/sh", "sh", "-c", begin, "sh", wanted, (char *)NULL);
    else
        execlp("less", "less", (char *)NULL);
    execlp("cat", "cat", (char *)NULL);
    _exit(127);
}

/* The pager stays until it is left: else the shell and it would read the same keys. */
static void on_interrupt(int signal)
{
    close(STDOUT_FILENO);
    if (pager.stderr_before >= 0)
        close(STDERR_FILENO);
    waitpid(pager.child, NULL, 0);
    _exit(128 + signal);
}

static bool is_wanted(const char *program)
{
    return !pager.disabled && !pager.child && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) &&
           pager_has_cursor() && !(program && (!*program || !strcmp(program, "cat")));
}

void pager_begin(void)
{
    const char *const program = getenv("PAGER");
    int ends[2];

    if (!is_wanted(program) || pipe(ends))
        return;
    pager.child = fork();
    if (!pager.child) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        become_pager(program);
    }
    close(ends[0]);
    if (pager.child < 0) {
        pager.child = 0;
    } else {
        dup2(ends[1], STDOUT_FILENO);
        if (isatty(STDERR_FILENO)) {
            pager.stderr_before = dup(STDERR_FILENO);
            dup2(ends[1], STDERR_FILENO);
        }
        signal(SIGINT, on_interrupt);
    }
    close(ends[1]);
}

int pager_terminal(void)
{
    if (pager.stderr_before >= 0)
        return pager.stderr_before;
    return isatty(STDERR_FILENO) ? STDERR_FILENO : -1;
}

void pager_end(void)
{
    if (!pager.child)
        return;
    if (pager.stderr_before >= 0)
        dup2(pager.stderr_before, STDERR_FILENO);
    waitpid(pager.child, NULL, 0);
    pager.child = 0;
}
