/* SPDX-License-Identifier: MIT */
/* Starts tools/boot and waits for it. */
#include "tools/archive/emulator_run.h"

#include <errno.h>
#include <linux/limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/text/text_span.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"

#define LOOK_MS   50
#define START_MS  30000 /* until the line is there: firmware runs later, behind it */
#define FINISH_MS 15000 /* from END to the end of the machine */
#define TERM_MS   10000 /* tools/boot ends its emulator and removes its files */
#define FIXED     3     /* arguments before those of `words` */

static void look_later(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000}, NULL);
}

/* "…/build/cpuprobe" has "…/tools/boot". */
static char *find_boot(void)
{
    char here[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", here, sizeof(here) - 1);
    char *slash, *boot;

    here[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++)
        if ((slash = strrchr(here, '/')))
            *slash = '\0';
    boot = xasprintf("%s/tools/boot", here);
    if (!access(boot, X_OK))
        return boot;
    cli_error("%s is not there: --qemu needs the source tree in which this program was built", boot);
    free(boot);
    return NULL;
}

/* The next argument without its quotes. */
static char *unquote(struct span word)
{
    char *text = xrealloc_array(NULL, word.length + 1, 1);
    size_t length = 0;
    bool value = false;

    /* The value of a configuration word keeps its quotes: the image reads them. */
    for (size_t i = 0; i < word.length; i++) {
        value = value || word.at[i] == '=';
        if (word.at[i] != '"' || value)
            text[length++] = word.at[i];
    }
    text[length] = '\0';
    return text;
}

static char **arguments_of(char *boot, char *line, const char *words)
{
    char **argument = xrealloc_array(NULL, FIXED + strlen(words) + 2, sizeof(*argument));
    size_t count = FIXED;
    bool output = false;
    struct span word;

    argument[0] = boot;
    argument[1] = "--socket";
    argument[2] = line;
    while (span_next_word(&words, &word)) {
        output = output || span_is(span_until(word, '='), "output");
        argument[count++] = unquote(word);
    }
    if (!output)
        argument[count++] = strcpy(xrealloc_array(NULL, sizeof("output=frames"), 1), "output=frames");
    argument[count] = NULL;
    return argument;
}

static void run_boot(char **argument)
{
    signal(SIGPIPE, SIG_DFL);
    execv(argument[0], argument);
    cli_error("%s cannot be started: %s", argument[0], strerror(errno));
    _exit(EXIT_NO_DATA);
}

/* Whether it has ended; then `status` is what its parent sees. */
static bool has_ended(struct emulator_run *e, int ms, int *status)
{
    for (int waited = 0; e->pid; waited += LOOK_MS) {
        const pid_t pid = waitpid(e->pid, status, WNOHANG);

        if (pid == e->pid || (pid < 0 && errno != EINTR))
            e->pid = 0;
        else if (waited >= ms)
            return false;
        else
            look_later();
    }
    return true;
}

static bool await_line(struct emulator_run *e)
{
    struct stat unused;
    int status;

    for (int waited = 0; waited < START_MS && !interrupted; waited += LOOK_MS) {
        if (!stat(e->line, &unused))
            return true;
        if (has_ended(e, 0, &status))
            return false;
        look_later();
    }
    return false;
}

bool emulator_start(struct emulator_run *e, const char *words)
{
    char folder[] = "/tmp/cpuprobe-XXXXXX", *boot = find_boot(), **argument;

    *e = (struct emulator_run){0};
    if (!boot || !mkdtemp(folder)) {
        free(boot);
        return false;
    }
    e->folder = xasprintf("%s", folder);
    e->line = xasprintf("%s/line", folder);
    argument = arguments_of(boot, e->line, words);
    e->pid = fork();
    if (!e->pid)
        run_boot(argument);
    for (size_t i = FIXED; argument[i]; i++)
        free(argument[i]);
    free(argument);
    free(boot);
    if (e->pid > 0 && await_line(e))
        return true;
    cli_error("the emulator ended before the image could start");
    emulator_finish(e, false);
    return false;
}

int emulator_finish(struct emulator_run *e, bool ended)
{
    int status = -1;

    if (!has_ended(e, ended ? FINISH_MS : 0, &status)) {
        kill(e->pid, SIGTERM);
        if (!has_ended(e, TERM_MS, &status))
            kill(e->pid, SIGKILL);
        has_ended(e, TERM_MS, &status);
    }
    unlink(e->line);
    rmdir(e->folder);
    free(e->line);
    free(e->folder);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
