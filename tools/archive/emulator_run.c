/* SPDX-License-Identifier: MIT */
/* Starts QEMU with the image that lies beside this program, and waits for it. */
#include "tools/archive/emulator_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/config/config.h"
#include "probe/text/text_span.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/own_file.h"
#include "tools/base/temporary.h"

#define QEMU      "qemu-system-x86_64"
#define LOOK_MS   50
#define START_MS  30000 /* until the line is there */
#define FINISH_MS 15000 /* from END to the end of the machine */
#define TERM_MS   10000 /* from SIGTERM to the end of QEMU */
#define IMAGE_FD  9     /* QEMU puts the name of the image before its words: it is as long wherever the image lies */
#define IMAGE     "/proc/self/fd/9"
#define FOLDER_FD 8     /* and the address of a socket holds 107 bytes */
#define WELL      33 /* status of QEMU: exit=qemu writes 0x10 to the debug-exit port for a complete run */
#define ABSENT    127
#define ARGUMENTS_MOST 64 /* most arguments of QEMU in ARGS */

/*
 * The machine of tools/boot: the clock counts instructions and the date is fixed, so that the same words give the
 * same bytes.  The line waits for its reader.
 */
static const char *const machine[] = {
    QEMU, "-M", "pc", "-cpu", "max,-x2apic", "-m", "64", "-nodefaults", "-display", "none", "-seed", "1", "-icount",
    "shift=3,sleep=off", "-rtc", "base=2020-01-01T00:00:00,clock=vm", "-device",
    "isa-debug-exit,iobase=0xf4,iosize=4", "-no-reboot",
    "-chardev", "socket,id=line,path=/proc/self/fd/8/line,server=on,wait=on",
    "-serial", "chardev:line", "-serial", "null", "-kernel", IMAGE,
};
#define MACHINE (sizeof(machine) / sizeof(machine[0]))

static void look_later(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000}, NULL);
}

/* An image or a plugin; NULL: it is not there. */
static char *find(const char *name)
{
    return own_file("../lib/cpuprobe/build", ".", name);
}

/* ---- what QEMU is started with ---- */

struct command {
    const char *argument[MACHINE + ARGUMENTS_MOST + 8];
    size_t count;
    char *plugin, *words; /* its own texts */
    char *more[ARGUMENTS_MOST];       /* the user's */
    size_t mores;
};

static void put(struct command *c, const char *argument)
{
    c->argument[c->count++] = argument;
}

/* A name in an option of QEMU, where a comma begins the next key and two are one. */
static char *quoted(const char *name)
{
    char *const text = xrealloc_array(NULL, 2 * strlen(name) + 1, 1), *to = text;

    do {
        if (*name == ',')
            *to++ = ',';
    } while ((*to++ = *name++));
    return text;
}

/* An argument without the quotes that kept it together. */
static char *unquote(struct span word)
{
    char *text = xrealloc_array(NULL, word.length + 1, 1);
    size_t length = 0;

    for (size_t i = 0; i < word.length; i++)
        if (word.at[i] != '"')
            text[length++] = word.at[i];
    text[length] = '\0';
    return text;
}

static void add_word(struct command *c, struct span word)
{
    char *const longer = xasprintf("%s %.*s", c->words, (int)word.length, word.at);

    free(c->words);
    c->words = longer;
}

/*
 * Configuration words, then arguments of QEMU from the first that begins with '-'.  False, with a message: too many.
 */
static bool split(struct command *c, const char *arguments)
{
    bool seed = false, output = false, qemu = false;
    struct span word;

    c->words = xasprintf("exit=qemu");
    while (span_next_word(&arguments, &word)) {
        const struct span name = span_until(word, '=');

        qemu = qemu || *word.at == '-';
        seed = seed || (!qemu && span_is(name, "seed"));
        output = output || (!qemu && span_is(name, "output"));
        if (!qemu)
            add_word(c, word);
        else if (c->mores < ARGUMENTS_MOST)
            c->more[c->mores++] = unquote(word);
        else {
            cli_error("--qemu has more than %d arguments for QEMU", ARGUMENTS_MOST);
            return false;
        }
    }
    if (!seed)
        add_word(c, span_text("seed=1"));
    if (!output)
        add_word(c, span_text("output=frames"));
    return true;
}

bool emulator_words(const char *arguments)
{
    char text[REFUSAL_TEXT];
    struct refusal why;
    struct config words;
    struct span word;

    config_default(&words);
    while (span_next_word(&arguments, &word) && *word.at != '-')
        if (!config_parse_word(&words, word, &why)) {
            cli_error("%s", refusal_text(&why, text));
            return false;
        }
    if (config_check(&words, &why))
        return true;
    cli_error("%s", refusal_text(&why, text));
    return false;
}

static bool make_command(struct command *c, const char *arguments)
{
    char *const steady = find("hlt_sync.so");

    *c = (struct command){.plugin = steady ? quoted(steady) : NULL};
    free(steady);
    memcpy(c->argument, machine, sizeof(machine));
    c->count = MACHINE;
    if (c->plugin) {
        put(c, "-plugin");
        put(c, c->plugin);
    }
    if (!split(c, arguments))
        return false;
    put(c, "-append");
    put(c, c->words);
    for (size_t i = 0; i < c->mores; i++)
        put(c, c->more[i]);
    put(c, NULL);
    return true;
}

static void free_command(struct command *c)
{
    free(c->plugin);
    free(c->words);
    for (size_t i = 0; i < c->mores; i++)
        free(c->more[i]);
}

/* Open a file under a number that the next program keeps.  False, with a message. */
static bool give(const char *path, int flags, int number)
{
    const int file = open(path, flags);

    if (file < 0 || dup2(file, number) < 0) {
        cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    if (file != number)
        close(file);
    return true;
}

/*
 * In the child: it ends with its parent, however that ends, and a signal of the terminal is the parent's to pass on.
 */
static void run_qemu(const struct command *c, const char *image, const char *folder)
{
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    if (!give("/dev/null", O_RDONLY, STDIN_FILENO) || !give(image, O_RDONLY, IMAGE_FD) ||
        !give(folder, O_PATH, FOLDER_FD))
        _exit(ABSENT);
    execvp(QEMU, (char *const *)(uintptr_t)c->argument);
    if (errno == ENOENT)
        cli_error("there is no " QEMU ": the package qemu-system-x86 has it");
    else
        cli_error(QEMU " cannot be started: %s", strerror(errno));
    _exit(ABSENT);
}

/* ---- its life ---- */

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

static bool try_start(struct emulator_run *e, const char *image, const char *arguments)
{
    struct command c;
    bool started = make_command(&c, arguments);

    if (started) {
        e->pid = fork();
        if (!e->pid)
            run_qemu(&c, image, e->folder);
        started = e->pid > 0 && await_line(e);
    }
    free_command(&c);
    return started;
}

bool emulator_start(struct emulator_run *e, const char *arguments)
{
    char *const image = find("cpuprobe.elf");
    bool started;

    temporary_sweep(NULL);
    *e = (struct emulator_run){.folder = image ? temporary_folder(NULL, getpid()) : NULL};
    if (!e->folder) {
        if (image)
            cli_error("no temporary folder: %s", strerror(errno));
        else
            cli_error("the image cpuprobe.elf is not beside this program, nor in its ../lib/cpuprobe/build");
        free(image);
        return false;
    }
    e->line = xasprintf("%s/line", e->folder);
    started = try_start(e, image, arguments);
    free(image);
    if (started)
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
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == WELL ? 0 : WEXITSTATUS(status) ? WEXITSTATUS(status) : 1;
    return 128 + WTERMSIG(status);
}
