/* SPDX-License-Identifier: MIT */
/*
 * Runs a command that outlives neither its parent nor its time:
 *
 *   supervise [-p PID] [-t SECONDS] COMMAND [ARGUMENT]...
 *
 * The parent is whoever started this program; -p says who that must be, so that
 * one which ended before we looked is known to have ended.  When the parent ends
 * (of SIGKILL too), when the time is over, or on SIGHUP, SIGINT, SIGQUIT and
 * SIGTERM, the command is asked to end by SIGTERM, and killed GRACE seconds later.
 * Whatever it has started and left is killed then, and also when it ends by
 * itself.  When this program is killed by SIGKILL the kernel kills the command.
 *
 * Status: the command's; 128 + N where signal N ended it; 124 the time is over;
 * 125 this program failed or was told to end; 126 the command cannot be executed;
 * 127 there is none.  Linux 5.3: pidfd_open(2), prctl(2).
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
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIME_OVER = 124, FAILED = 125, NOT_EXECUTED = 126, NOT_FOUND = 127, SIGNALLED = 128 };

#define GRACE      5      /* seconds from SIGTERM to SIGKILL, and from SIGKILL to our own exit */
#define LONGEST    999999 /* seconds of -t */
#define FOR_EVER   INT64_MAX
#define MS         1000
#define NS_OF_MS   1000000

struct run {
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
    fputs("usage: supervise [-p PID] [-t SECONDS] COMMAND [ARGUMENT]...\n", stderr);
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

/* The command itself: it ends with us. */
static _Noreturn void execute(char **command, pid_t supervisor, const sigset_t *mask)
{
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

static void begin(struct run *r, char **command)
{
    const pid_t self = getpid();
    sigset_t ours, before;

    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    sigaddset(&ours, SIGHUP);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGQUIT);
    sigaddset(&ours, SIGTERM);
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
        execute(command, self, &before);
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

/* Wait until the command ends by itself: 0; or must be ended: our exit status. */
static int wait_for(struct run *r)
{
    struct pollfd fd[2] = { { .fd = r->signal_fd, .events = POLLIN }, { .fd = r->parent_fd, .events = POLLIN } };

    for (;;) {
        reap(r);
        if (r->child == 0)
            return 0;
        if (r->told || fd[1].revents != 0)
            return FAILED;
        if (left_ms(r->end) == 0)
            return TIME_OVER;
        if (poll(fd, 2, left_ms(r->end)) > 0)
            take_signals(r);
    }
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

int main(int argc, char **argv)
{
    struct run r = { .end = FOR_EVER };
    int option, why;

    while ((option = getopt(argc, argv, "+p:t:")) != -1)
        switch (option) {
        case 'p': r.parent = (pid_t)number(optarg, INT32_MAX); break;
        case 't': r.end = now_ms() + number(optarg, LONGEST) * MS; break;
        default: usage();
        }
    if (optind == argc)
        usage();
    begin(&r, argv + optind);
    why = wait_for(&r);
    if (why != 0)
        request_stop(&r);
    clear(&r);
    if (why != 0)
        return why;
    return WIFSIGNALED(r.status) ? SIGNALLED + WTERMSIG(r.status) : WEXITSTATUS(r.status);
}
