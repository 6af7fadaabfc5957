/* SPDX-License-Identifier: MIT */
/*
 * Runs a command that outlives neither its parent nor its time:
 *
 *   supervise [-p PID] [-t SECONDS] [-o FILE [-k FILE]] COMMAND [ARGUMENT]...
 *   supervise -d PID [FOLDER]
 *
 * The parent is whoever started this program; -p says who that must be, so that
 * one which ended before we looked is known to have ended.  When the parent ends
 * (of SIGKILL too), when the time is over, or on SIGHUP, SIGINT, SIGQUIT and
 * SIGTERM, the command is asked to end by SIGTERM, and killed GRACE seconds later.
 * Whatever it has started and left is killed then, and also when it ends by
 * itself.  When this program is killed by SIGKILL the kernel kills the command.
 *
 * With -o the command's standard output is a file in memory: it waits for no reader, and no disk that is full cuts
 * it without a word.  What comes is copied to FILE, '-' our own standard output, and each write is checked: where one
 * fails, that is said and the command is ended; a reader that leaves is no failure.  A regular FILE has all of the
 * output whatever ends the command.  -k keeps the last KEPT bytes in a file of their own when all is over.
 *
 * -d makes a temporary folder of that process, in FOLDER or where all are, prints its path, and removes those whose
 * owner has ended (tools/base/temporary.h); the supervisor of a parent that has ended removes them too.
 *
 * Status: the command's; 128 + N where signal N ended it; 124 the time is over;
 * 125 this program failed, or its output, or was told to end; 126 the command cannot be executed;
 * 127 there is none.  Linux 5.3: pidfd_open(2), prctl(2), memfd_create(2).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/temporary.h"

enum { TIME_OVER = 124, FAILED = 125, NOT_EXECUTED = 126, NOT_FOUND = 127, SIGNALLED = 128 };

#define GRACE      5      /* seconds from SIGTERM to SIGKILL, and from SIGKILL to our own exit */
#define LONGEST    999999 /* seconds of -t */
#define FOR_EVER   INT64_MAX
#define MS         1000
#define NS_OF_MS   1000000
#define LOOK_MS    50     /* between two looks for output of the command */
#define KEPT       (1 << 20)
#define PIECES     256    /* copied between two looks at the time */
#define PIECE      4096   /* PIPE_BUF: so much a pipe takes at once where poll() says that it takes anything */

/* The command's output on its way: a file in memory, from which what was copied is taken out again. */
struct output {
    const char *name; /* -o; NULL: the command has our standard output */
    const char *keep; /* -k; NULL: nothing is kept */
    int memory;       /* where the command writes */
    int to;           /* -1: the reader has left */
    bool regular;     /* it is a file, which takes what comes at once */
    bool failed;
    off_t copied, freed;
};

struct run {
    struct output out;
    pid_t parent;   /* required pid of the parent; 0: any */
    int64_t end;    /* when the time is over, by now_ms() */
    int parent_fd;  /* readable once the parent has ended; -1: no parent to watch */
    int signal_fd;
    pid_t child;    /* 0 once it has ended */
    int status;     /* from waitpid() */
    bool told;      /* a signal asked us to end */
};

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * MS + t.tv_nsec / NS_OF_MS;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "supervise: %s: %s\n", what, strerror(errno));
    exit(FAILED);
}

static _Noreturn void usage(void)
{
    fputs("usage: supervise [-p PID] [-t SECONDS] [-o FILE [-k FILE]] COMMAND [ARGUMENT]...\n"
          "       supervise -d PID [FOLDER]\n", stderr);
    exit(FAILED);
}

static long number(const char *text, long most)
{
    char *end;
    const long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > most)
        usage();
    return value;
}

/* ---- its output ---- */

static void output_fail(struct output *o, const char *name)
{
    fprintf(stderr, "supervise: cannot write %s: %s\n", strcmp(name, "-") == 0 ? "standard output" : name,
            strerror(errno));
    o->failed = true;
    o->to = -1;
}

static void output_open(struct output *o)
{
    struct stat s;

    signal(SIGPIPE, SIG_IGN);
    o->memory = memfd_create("output", MFD_CLOEXEC);
    if (o->memory < 0)
        fail("memfd_create");
    o->to = strcmp(o->name, "-") == 0 ? STDOUT_FILENO : open(o->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (o->to < 0)
        fail(o->name);
    o->regular = fstat(o->to, &s) == 0 && S_ISREG(s.st_mode);
}

static off_t output_size(const struct output *o)
{
    struct stat s;

    return fstat(o->memory, &s) == 0 ? s.st_size : 0;
}

/* Copy one piece of what is there; false where there is nothing, or nobody takes it now. */
static bool output_copy(struct output *o, int wait_ms)
{
    static char piece[1 << 16];
    struct pollfd fd = { .fd = o->to, .events = POLLOUT };
    const ssize_t got = o->to < 0 ? 0 : pread(o->memory, piece, o->regular ? sizeof(piece) : PIECE, o->copied);
    ssize_t put;

    if (got <= 0 || (!o->regular && poll(&fd, 1, wait_ms) <= 0))
        return false;
    put = write(o->to, piece, (size_t)got);
    if (put < 0 && errno == EPIPE)
        o->to = -1;
    else if (put < 0 && errno != EINTR && errno != EAGAIN)
        output_fail(o, o->name);
    if (put <= 0)
        return false;
    o->copied += put;
    if (o->copied - o->freed > 2 * KEPT) {
        const off_t until = (o->copied - KEPT) / PIECE * PIECE;

        fallocate(o->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, o->freed, until - o->freed);
        o->freed = until;
    }
    return true;
}

/* The last bytes into a file of their own. */
static void output_keep(struct output *o)
{
    static char bytes[KEPT];
    const off_t size = output_size(o);
    const ssize_t got = pread(o->memory, bytes, KEPT, size > KEPT ? size - KEPT : 0);
    FILE *to = fopen(o->keep, "we");

    if (got < 0 || to == NULL || fwrite(bytes, 1, (size_t)got, to) != (size_t)got || fclose(to) != 0)
        output_fail(o, o->keep);
}

/* ---- the command ---- */

/* The command itself: it ends with us. */
static _Noreturn void execute(char **command, const struct output *o, pid_t supervisor, const sigset_t *mask)
{
    if (o->name != NULL) {
        if (dup2(o->memory, STDOUT_FILENO) < 0)
            fail("dup2");
        signal(SIGPIPE, SIG_DFL);
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        fail("prctl");
    if (getppid() != supervisor) /* ended before the prctl */
        _exit(FAILED);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(command[0], command);
    fprintf(stderr, "supervise: %s: %s\n", command[0], strerror(errno));
    _exit(errno == ENOENT ? NOT_FOUND : NOT_EXECUTED);
}

/* In a container the parent may be in another PID namespace: it has no pid here. */
static int watch_parent(pid_t expected)
{
    const pid_t parent = getppid();
    const int fd = parent > 0 ? (int)syscall(SYS_pidfd_open, parent, 0) : -1;

    if (getppid() != parent || (expected != 0 && expected != parent))
        exit(FAILED); /* it has ended already */
    if (fd < 0 && parent > 0)
        fail("pidfd_open");
    return fd;
}

/* The signals that we look at ourselves. */
static sigset_t taken(void)
{
    static const int numbers[] = { SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM };
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaddset(&set, numbers[i]);
    return set;
}

static void begin(struct run *r, char **command)
{
    const pid_t self = getpid();
    const sigset_t ours = taken();
    sigset_t before;

    sigprocmask(SIG_BLOCK, &ours, &before);
    signal(SIGCHLD, SIG_DFL); /* if SIGCHLD were ignored, there would be no child to wait for */
    r->signal_fd = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    if (r->signal_fd < 0)
        fail("signalfd");
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        fail("prctl");
    r->parent_fd = watch_parent(r->parent);
    r->child = fork();
    if (r->child < 0)
        fail("fork");
    if (r->child == 0)
        execute(command, &r->out, self, &before);
}

/* Reap the children that have ended; true if none is left. */
static bool reap(struct run *r)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == r->child) {
            r->child = 0;
            r->status = status;
        }
    return pid < 0 && errno == ECHILD;
}

static void take_signals(struct run *r)
{
    struct signalfd_siginfo info;

    while (read(r->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
        r->told = r->told || info.ssi_signo != SIGCHLD;
}

static int left_ms(int64_t end)
{
    const int64_t left = end - now_ms();

    return end == FOR_EVER || left > INT32_MAX ? -1 : left > 0 ? (int)left : 0;
}

/* Until the time is over, or output is to be looked for. */
static int next_look(const struct run *r)
{
    const int left = left_ms(r->end);

    return r->out.name != NULL && (left < 0 || left > LOOK_MS) ? LOOK_MS : left;
}

/* Wait until the command ends by itself: 0; or must be ended: our exit status. */
static int wait_for(struct run *r)
{
    struct pollfd fd[2] = { { .fd = r->signal_fd, .events = POLLIN }, { .fd = r->parent_fd, .events = POLLIN } };

    for (;;) {
        reap(r);
        if (r->child == 0)
            return 0;
        if (r->told || r->out.failed || fd[1].revents != 0)
            return FAILED;
        if (left_ms(r->end) == 0)
            return TIME_OVER;
        if (poll(fd, 2, next_look(r)) > 0)
            take_signals(r);
        for (int i = 0; i < PIECES && r->out.name != NULL && output_copy(&r->out, 0); i++)
            ;
    }
}

static bool parent_has_ended(const struct run *r)
{
    struct pollfd fd = { .fd = r->parent_fd, .events = POLLIN };

    return poll(&fd, 1, 0) > 0;
}

/* The rest of the output of a command that has ended; where a reader is waited for, until somebody ends us. */
static void finish_output(struct run *r)
{
    struct output *const o = &r->out;
    struct pollfd fd[2] = { { .fd = r->signal_fd, .events = POLLIN }, { .fd = r->parent_fd, .events = POLLIN } };

    while (o->to >= 0 && output_size(o) > o->copied && (o->regular || (!r->told && fd[1].revents == 0))) {
        if (poll(fd, 2, 0) > 0)
            take_signals(r);
        output_copy(o, LOOK_MS);
    }
    if (o->regular && o->to > STDERR_FILENO && close(o->to) != 0)
        output_fail(o, o->name);
    if (o->keep != NULL)
        output_keep(o);
}

/* Send SIGKILL to our present children; their orphans become our children next. */
static void kill_children(void)
{
    char path[64];
    FILE *file;
    long pid;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    if (file == NULL)
        return; /* the kernel does not list children: only the command itself was ended */
    while (fscanf(file, "%ld", &pid) == 1)
        kill((pid_t)pid, SIGKILL);
    fclose(file);
}

/* Nothing is left when this returns, unless the kernel cannot end it in GRACE seconds. */
static void clear(struct run *r)
{
    struct pollfd fd = { .fd = r->signal_fd, .events = POLLIN };
    const int64_t end = now_ms() + GRACE * MS;

    while (!reap(r) && left_ms(end) > 0) {
        kill_children();
        if (r->child != 0)
            kill(r->child, SIGKILL);
        poll(&fd, 1, left_ms(end) < MS ? left_ms(end) : MS);
        take_signals(r);
    }
}

static void request_stop(struct run *r)
{
    struct pollfd fd = { .fd = r->signal_fd, .events = POLLIN };
    const int64_t end = now_ms() + GRACE * MS;

    kill(r->child, SIGTERM);
    kill(r->child, SIGCONT); /* a stopped process would not handle SIGTERM */
    for (reap(r); r->child != 0 && left_ms(end) > 0; reap(r)) {
        poll(&fd, 1, left_ms(end));
        take_signals(r);
    }
}

/* No signal ends us between the folder and its path, which only then has somebody who removes it. */
static int make_folder(pid_t owner, const char *in)
{
    const char *const given = in != NULL ? in : getenv("TMPDIR");
    const sigset_t all = taken();
    const char *path;

    sigprocmask(SIG_BLOCK, &all, NULL);
    path = temporary_folder(in, owner);
    if (path == NULL) {
        fprintf(stderr, "supervise: no temporary folder in %s: %s\n", given != NULL ? given : "/tmp",
                strerror(errno));
        return FAILED;
    }
    puts(path);
    temporary_sweep(in);
    return 0;
}

int main(int argc, char **argv)
{
    struct run r = { .end = FOR_EVER };
    int option, why;

    while ((option = getopt(argc, argv, "+d:p:t:o:k:")) != -1)
        switch (option) {
        case 'd': return make_folder((pid_t)number(optarg, INT32_MAX), argv[optind]);
        case 'p': r.parent = (pid_t)number(optarg, INT32_MAX); break;
        case 't': r.end = now_ms() + number(optarg, LONGEST) * MS; break;
        case 'o': r.out.name = optarg; break;
        case 'k': r.out.keep = optarg; break;
        default: usage();
        }
    if (optind == argc || (r.out.keep != NULL && r.out.name == NULL))
        usage();
    if (r.out.name != NULL)
        output_open(&r.out);
    begin(&r, argv + optind);
    why = wait_for(&r);
    if (why != 0)
        request_stop(&r);
    clear(&r);
    if (parent_has_ended(&r))
        temporary_sweep(NULL);
    if (r.out.name != NULL)
        finish_output(&r);
    if (why != 0 || r.out.failed)
        return why == TIME_OVER ? why : FAILED;
    return WIFSIGNALED(r.status) ? SIGNALLED + WTERMSIG(r.status) : WEXITSTATUS(r.status);
}
