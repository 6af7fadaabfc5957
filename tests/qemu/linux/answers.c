/* SPDX-License-Identifier: MIT */
/*
 * Prints what Linux's calls answer: a line for each case, `call = answer`, or `call = ok` where the answer is a
 * number that each system has of its own.  tests/qemu/answers.py compares a run in the image with one on the host.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096l
#define NOWHERE 8l                         /* no page is there */
#define KERNEL  ((long)0xffffffff80100000) /* no page of a program is there */
#define UPPER   (1l << 40)                 /* bits of an argument of 32 bits that do not count */
#define PLACE   0x600000000000l
#define ALONE   0x610000000000l            /* nothing else is in its upper page tables */
#define HOLE    0x620000000000l

static long call(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long answer;

    __asm__ volatile("syscall" : "=a"(answer)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return answer;
}

#define FIRST_7(number, a, b, c, d, e, f, ...) \
    call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(name, ...) FIRST_7(SYS_##name, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)

/* The answer; whether there is one; and a fact about memory. */
#define IS(name, ...) show(#name "(" #__VA_ARGS__ ")", CALL(name, ##__VA_ARGS__))
#define OK(name, ...) show_ok(#name "(" #__VA_ARGS__ ")", CALL(name, ##__VA_ARGS__))
#define FACT(x)       show(#x, (long)(x))

static void show(const char *what, long answer)
{
    printf("%s = %ld\n", what, answer);
}

static long show_ok(const char *what, long answer)
{
    if (answer < 0 && answer > -PAGE)
        show(what, answer);
    else
        printf("%s = ok\n", what);
    return answer;
}

static char text[8192], copy[8192], *hole, *fixed; /* hole: a page, and none behind it; fixed: read-only */

static void reading(void)
{
    const long fd = OK(open, "data", O_RDONLY), again = OK(open, "./data", O_RDONLY | O_CLOEXEC);
    struct iovec two[2] = { { text, 2 }, { text + 2, 3 } }, minus[2] = { { text, 2 }, { text, (size_t)-1 } };
    struct iovec lost[2] = { { text, 2 }, { (void *)NOWHERE, 3 } }, none[1] = { { (void *)NOWHERE, 0 } };

    IS(read, fd, text, 3); FACT(memcmp(text, "one", 3)); IS(read, fd, text, 0); IS(read, fd, NOWHERE, 0);
    IS(read, fd, NOWHERE, 4); IS(read, fd, KERNEL, 4); IS(read, fd, fixed, 4); IS(read, fd, text, 100);
    IS(read, fd, text, 100); IS(read, -1, text, 1); IS(read, 99, text, 1); IS(read, fd | UPPER, text, 1);
    IS(pread64, fd, text, 3, 4); FACT(memcmp(text, "two", 3)); IS(pread64, fd, text, 3, 8);
    IS(pread64, fd, text, 3, -1); IS(pread64, fd, text, 3, 1l << 40); IS(pread64, -1, text, 3, 0);
    IS(pread64, fd, NOWHERE, 3, 0); IS(lseek, fd, 0, SEEK_SET); IS(readv, fd, two, 2);
    FACT(memcmp(text, "one\nt", 5)); IS(readv, fd, two, 0); IS(readv, fd, two, -1); IS(readv, fd, two, 1025);
    IS(readv, fd, NOWHERE, 1); IS(readv, -1, two, 2); IS(lseek, fd, 0, SEEK_SET); IS(readv, fd, minus, 2);
    IS(readv, fd, lost, 2); IS(readv, fd, none, 1); IS(lseek, fd, 2, SEEK_SET); IS(lseek, fd, 2, SEEK_CUR);
    IS(lseek, fd, -1, SEEK_END); IS(lseek, fd, -9, SEEK_END); IS(lseek, fd, 0, 9); IS(lseek, fd, -1, SEEK_SET);
    IS(lseek, fd, 100, SEEK_SET); IS(read, fd, text, 1); IS(lseek, -1, 0, SEEK_SET);
    IS(lseek, fd, INT64_MAX, SEEK_CUR); IS(lseek, fd, 3, SEEK_SET | UPPER); IS(lseek, again, 0, SEEK_CUR);
    IS(close, again); IS(close, again); IS(close, fd | UPPER); IS(close, -1); IS(read, fd, text, 1);
}

static void writing(void)
{
    struct iovec two[2] = { { "ab", 2 }, { "c\n", 2 } }, minus[2] = { { "ab", 2 }, { text, (size_t)-1 } };
    struct iovec lost[2] = { { "ef\n", 3 }, { (void *)NOWHERE, 3 } };
    const long fd = OK(open, "data", O_RDONLY), null = OK(open, "/dev/null", O_RDWR);

   
    memset(hole, '.', PAGE);
    hole[PAGE - 1] = '\n';
    IS(write, 1, hole + PAGE - 4, 4); IS(write, 1, hole + PAGE - 4, 8); IS(write, 1, hole, PAGE + 1);
    IS(write, 1, hole + PAGE, 1); IS(write, 1, NOWHERE, 1); IS(write, 1, KERNEL, 1); IS(write, 1, NOWHERE, 0);
    IS(write, -1, "x", 1); IS(write, 99, "x", 1); IS(write, fd, "x", 1); IS(write, null, "x", 1);
    IS(writev, 1, two, 2); IS(writev, 1, minus, 2); IS(writev, 1, two, -1); IS(writev, 1, two, 1025);
    IS(writev, 1, NOWHERE, 1); IS(writev, 1, two, 0); IS(writev, fd, two, 2); IS(writev, -1, two, 2);
    IS(writev, null, two, 2); IS(writev, 1, lost, 2); IS(read, null, text, 4); IS(lseek, null, 5, SEEK_SET);
    IS(ioctl, fd, 0x5401, text); IS(ioctl, null, 0x5401, text); IS(ioctl, -1, 0x5401, text); IS(close, fd);
    IS(close, null);
}

static void paths(void)
{
    struct stat s;
    const long fd = OK(open, "data", O_RDONLY), folder = OK(open, ".", O_RDONLY | O_DIRECTORY);

    memset(text, 'a', sizeof text);
    text[300] = '\0';
    IS(open, text, O_RDONLY); IS(stat, text, &s); IS(access, text, R_OK); IS(readlink, text, copy, 100);
    text[255] = '\0';
    IS(open, text, O_RDONLY);
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = i % 2 ? '/' : '.';
    text[4096] = '\0';
    IS(open, text, O_RDONLY); IS(stat, text, &s); IS(chdir, text); IS(open, "", O_RDONLY);
    IS(open, NOWHERE, O_RDONLY); IS(open, KERNEL, O_RDONLY); IS(open, "nothing", O_RDONLY);
    IS(open, "data", O_RDONLY | O_DIRECTORY); IS(open, ".", O_WRONLY); IS(stat, "data", &s); FACT(S_ISREG(s.st_mode));
    FACT(s.st_size); IS(stat, "data", NOWHERE); IS(stat, NOWHERE, &s); IS(stat, "", &s); IS(stat, "nothing", &s);
    IS(lstat, "data", &s); IS(stat, ".", &s); FACT(S_ISDIR(s.st_mode)); IS(fstat, fd, &s); FACT(s.st_size);
    IS(fstat, fd, NOWHERE); IS(fstat, -1, &s); IS(stat, "/dev/null", &s); FACT(S_ISCHR(s.st_mode));
    IS(access, "data", R_OK); IS(access, "data", F_OK); IS(access, "nothing", F_OK); IS(access, NOWHERE, F_OK);
    IS(access, "data", 8); IS(access, "", F_OK); IS(openat, AT_FDCWD, "nothing", O_RDONLY);
    IS(openat, AT_FDCWD, NOWHERE, O_RDONLY); IS(openat, AT_FDCWD, "", 0); IS(newfstatat, AT_FDCWD, "data", &s, 0);
    IS(newfstatat, fd, "", &s, AT_EMPTY_PATH); FACT(s.st_size); IS(newfstatat, -1, "", &s, AT_EMPTY_PATH);
    IS(newfstatat, AT_FDCWD, "", &s, 0); IS(newfstatat, AT_FDCWD, "nothing", &s, 0);
    IS(newfstatat, AT_FDCWD, "data", NOWHERE, 0); IS(faccessat, AT_FDCWD, "data", R_OK);
    IS(faccessat, AT_FDCWD, "nothing", R_OK); IS(faccessat, AT_FDCWD, NOWHERE, 0);
    IS(faccessat2, AT_FDCWD, "data", R_OK, 0); IS(faccessat2, AT_FDCWD, "nothing", R_OK, 0);
    IS(readlink, "data", copy, 100); IS(readlink, "nothing", copy, 100); IS(readlink, NOWHERE, copy, 100);
    IS(readlink, "data", copy, 0); IS(readlink, "data", copy, -1); IS(readlink, "", copy, 10);
    OK(readlink, "/proc/self/exe", copy, 100); IS(readlink, "/proc/self/exe", copy, 3);
    IS(readlink, "/proc/self/exe", NOWHERE, 100); IS(readlink, "/proc/self/exe", copy, 0);
    IS(readlinkat, AT_FDCWD, "data", copy, 100); IS(readlinkat, AT_FDCWD, "nothing", copy, 100);
    IS(getdents64, fd, copy, 1000); IS(getdents64, -1, copy, 1000); IS(getdents64, folder, copy, 4);
    OK(getdents64, folder, copy, sizeof copy); IS(getdents64, folder, copy, sizeof copy); IS(read, folder, copy, 1);
    IS(getcwd, copy, 1); IS(getcwd, NOWHERE, 100); OK(getcwd, copy, 1000); IS(chdir, "."); IS(chdir, "nothing");
    IS(chdir, "data"); IS(chdir, NOWHERE); OK(umask, 022); IS(close, fd); IS(close, folder);
}

static void descriptors(void)
{
    const long fd = OK(open, "data", O_RDONLY), second = OK(dup, fd), third = OK(dup2, fd, 9);
    struct pollfd p[2] = { { (int)fd, POLLIN, 0 }, { 1, POLLOUT, 0 } };
    struct pollfd bad = { 77, POLLIN, 0 }, no = { -1, POLLIN, 0 };
    struct timeval now = { 0, 0 }, minus = { -1, 0 };
    struct timespec at_once = { 0, 0 }, wrong = { 0, 1000000000 };
    fd_set set;

    IS(read, second, text, 2); IS(read, fd, text, 2); FACT(memcmp(text, "e\n", 2)); IS(lseek, third, 0, SEEK_CUR);
    IS(dup, -1); IS(dup, 99); IS(dup2, -1, 5); IS(dup2, fd, -1); IS(dup2, fd, fd); IS(dup2, 99, 99);
    IS(dup2, fd, INT_MAX); IS(dup3, fd, fd, 0); IS(dup3, fd, 8, 0); IS(dup3, fd, 8, 1); IS(dup3, -1, 8, 0);
    IS(dup3, fd, 8, O_CLOEXEC); IS(fcntl, fd, F_DUPFD, 7); IS(fcntl, fd, F_DUPFD, -1); IS(fcntl, -1, F_GETFD);
    IS(fcntl, fd, F_GETFL); IS(fcntl, fd, 9999); IS(fcntl, fd, F_SETFD, 0); IS(fcntl, fd, F_GETFD);
    IS(fcntl, 1, F_GETFD); IS(poll, p, 2, 0); FACT(p[0].revents); FACT(p[1].revents); IS(poll, &bad, 1, 0);
    FACT(bad.revents); IS(poll, &no, 1, 0); IS(poll, NOWHERE, 1, 0); IS(poll, 0, 0, 0); IS(poll, p, -1, 0);
    IS(poll, NOWHERE, 0, 1);
    FD_ZERO(&set); FD_SET((int)fd, &set);
    IS(select, fd + 1, &set, 0, 0, &now); FACT(FD_ISSET((int)fd, &set)); IS(select, -1, 0, 0, 0, &now);
    IS(select, 0, 0, 0, 0, &now); IS(select, fd + 1, NOWHERE, 0, 0, &now); IS(select, 0, 0, 0, 0, &minus);
    IS(select, 0, 0, 0, 0, NOWHERE); IS(ppoll, p, 1, &at_once, 0); IS(ppoll, p, 1, &wrong, 0);
    IS(ppoll, p, 1, NOWHERE, 0); IS(pselect6, 0, 0, 0, 0, &at_once, 0); IS(pselect6, 0, 0, 0, 0, &wrong, 0);
    FD_ZERO(&set); FD_SET(20, &set);
    IS(select, 21, &set, 0, 0, &now); IS(close, 7); IS(close, 8); IS(close, 9); IS(close, second); IS(close, fd);
}

static void memory(void)
{
    char *const at = (char *)PLACE;
    const long fd = OK(open, "data", O_RDONLY);
    long where;

    IS(mmap, PLACE, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); FACT(at[0]); at[5] = 7; FACT(at[5]);
    IS(mmap, PLACE, 0, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    IS(mmap, PLACE + 1, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    IS(mmap, 0, 1l << 47, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    IS(mmap, 0, -1, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); IS(mmap, 0, -PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    IS(mmap, 0, PAGE, 3, MAP_ANONYMOUS, -1, 0); IS(mmap, 0, PAGE, 3, MAP_PRIVATE, -1, 0);
    IS(mmap, 0, PAGE, 3, MAP_PRIVATE, 99, 0); IS(mmap, 0, PAGE, 3, MAP_PRIVATE, fd, 1);
    IS(mmap, 0, PAGE, 3, MAP_SHARED, fd, 0);
    IS(mmap, PLACE, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    IS(mmap, KERNEL, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    OK(mmap, PLACE, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); FACT(at[5]);
    IS(mmap, PLACE + 4 * PAGE, 2 * PAGE, 1, MAP_PRIVATE | MAP_FIXED, fd, 0);
    FACT(memcmp(at + 4 * PAGE, "one\ntwo\n", 9)); IS(mmap, PLACE + 4 * PAGE, PAGE, 0, MAP_PRIVATE | MAP_FIXED, fd, 0);
    IS(mprotect, PLACE + 4 * PAGE, PAGE, 1); FACT(at[4 * PAGE]); IS(write, 1, at + 4 * PAGE, 4);
    IS(mmap, ALONE, PAGE, 0, MAP_PRIVATE | MAP_FIXED, fd, 0); IS(write, 1, ALONE, 4); IS(mprotect, ALONE, PAGE, 1);
    FACT(*(char *)ALONE); IS(write, 1, ALONE, 4); IS(mprotect, PLACE, PAGE, 0); IS(write, 1, PLACE, 1);
    IS(mprotect, PLACE, PAGE, 3); FACT(at[5]); IS(mprotect, PLACE, PAGE, 1); IS(read, fd, PLACE, 1);
    IS(mprotect, PLACE, PAGE, 3); IS(mprotect, PLACE + 1, PAGE, 3); IS(mprotect, PLACE, 0, 3);
    IS(mprotect, PLACE + PAGE, PAGE, 3); IS(mprotect, PLACE, 2 * PAGE, 3); IS(mprotect, PLACE, PAGE, 0x100);
    IS(mprotect, KERNEL, PAGE, 1); IS(munmap, PLACE + 1, PAGE); IS(munmap, PLACE, 0); IS(munmap, KERNEL, PAGE);
    IS(munmap, PLACE + 64 * PAGE, PAGE); IS(munmap, PLACE, -PAGE);
    /* moves */
    IS(mremap, PLACE, PAGE, 2 * PAGE, 0, 0); FACT(at[5]); FACT(at[PAGE]); at[PAGE] = 9;
    IS(mremap, PLACE, 2 * PAGE, PAGE, 0, 0); IS(write, 1, PLACE + PAGE, 1); IS(mremap, PLACE, PAGE, 0, 0, 0);
    IS(mremap, PLACE + 1, PAGE, PAGE, 0, 0); IS(mremap, PLACE + 32 * PAGE, PAGE, 2 * PAGE, 0, 0);
    IS(mremap, PLACE, PAGE, 8 * PAGE, 0, 0); IS(mremap, PLACE, PAGE, PAGE, 2, PLACE + 16 * PAGE);
    IS(mremap, PLACE, PAGE, PAGE, 3, PLACE + 16 * PAGE + 1); IS(mremap, PLACE, PAGE, PAGE, 3, PLACE);
    IS(mremap, PLACE, PAGE, 2 * PAGE, 3, PLACE + 16 * PAGE); FACT(at[16 * PAGE + 5]); IS(write, 1, PLACE, 1);
    IS(mremap, PLACE + 16 * PAGE, 2 * PAGE, PAGE, 3, PLACE + 20 * PAGE); FACT(at[20 * PAGE + 5]);
    IS(write, 1, PLACE + 21 * PAGE, 1); IS(write, 1, PLACE + 17 * PAGE, 1);
    IS(mremap, PLACE + 20 * PAGE, PAGE, 2 * PAGE, 3, PLACE + 4 * PAGE); FACT(at[4 * PAGE + 5]);
    IS(mremap, PLACE + 4 * PAGE, PAGE, PAGE, 16, 0); IS(madvise, PLACE + 4 * PAGE, PAGE, MADV_DONTNEED);
    FACT(at[4 * PAGE + 5]); IS(madvise, PLACE + 4 * PAGE + 1, PAGE, 4);
    IS(madvise, PLACE + 4 * PAGE, 0, MADV_DONTNEED); IS(madvise, PLACE + 40 * PAGE, PAGE, MADV_DONTNEED);
    IS(munmap, PLACE, 64 * PAGE); IS(write, 1, PLACE + 4 * PAGE, 1);
    where = OK(brk, 0); FACT(CALL(brk, where + 3 * PAGE) == where + 3 * PAGE); FACT(*(char *)(where + 2 * PAGE));
    FACT(CALL(brk, where) == where); FACT(CALL(brk, 1) == where); FACT(CALL(brk, KERNEL) == where); IS(close, fd);
}

static void signals(void)
{
    struct { long handler, flags, restorer, mask; } action = { (long)SIG_IGN, 0, 0, 0 }, old = { 1, 1, 1, 1 };
    stack_t stack = { text, 0, sizeof text }, small = { text, 0, 100 }, none = { 0, SS_DISABLE, 0 }, found;
    long mask = 1 << (SIGUSR1 - 1), before = -1;

    IS(rt_sigaction, SIGUSR1, &action, &old, 8); FACT(old.handler); IS(rt_sigaction, SIGUSR1, 0, &old, 8);
    FACT(old.handler == (long)SIG_IGN); IS(rt_sigaction, 0, &action, 0, 8); IS(rt_sigaction, 65, &action, 0, 8);
    IS(rt_sigaction, SIGKILL, &action, 0, 8); IS(rt_sigaction, SIGKILL, 0, &old, 8);
    IS(rt_sigaction, SIGUSR1, 0, 0, 4); IS(rt_sigaction, SIGUSR1, NOWHERE, 0, 8);
    IS(rt_sigaction, SIGUSR1, 0, NOWHERE, 8); IS(rt_sigprocmask, SIG_BLOCK, &mask, &before, 8); FACT(before);
    IS(rt_sigprocmask, SIG_BLOCK, 0, &before, 8); FACT(before); IS(rt_sigprocmask, 9, &mask, 0, 8);
    IS(rt_sigprocmask, SIG_BLOCK, &mask, 0, 4); IS(rt_sigprocmask, SIG_BLOCK, NOWHERE, 0, 8);
    IS(rt_sigprocmask, SIG_UNBLOCK, &mask, 0, 8); IS(rt_sigprocmask, 9, 0, 0, 8); mask = -1;
    IS(rt_sigprocmask, SIG_SETMASK, &mask, 0, 8); IS(kill, getpid(), SIGCHLD); IS(kill, getpid(), SIGUSR1);
    IS(rt_sigprocmask, SIG_SETMASK, 0, &before, 8); FACT(before); mask = 0;
    IS(rt_sigprocmask, SIG_SETMASK, &mask, 0, 8); IS(rt_sigprocmask, SIG_BLOCK, 0, NOWHERE, 8);
    IS(sigaltstack, &stack, 0); IS(sigaltstack, &small, 0); IS(sigaltstack, NOWHERE, 0); IS(sigaltstack, 0, NOWHERE);
    IS(sigaltstack, 0, &found); FACT(found.ss_sp == text); FACT(found.ss_flags); stack.ss_flags = 5;
    IS(sigaltstack, &stack, 0); IS(sigaltstack, &none, &found); FACT(found.ss_size); IS(sigaltstack, 0, &found);
    FACT(found.ss_flags); IS(kill, 0, 0); IS(tkill, -1, 0); IS(tgkill, INT_MAX, INT_MAX, 0); IS(kill, getpid(), 0);
    IS(kill, getpid(), SIGUSR1); IS(kill, getpid(), 65); IS(kill, getpid(), -1); IS(kill, INT_MAX, 0);
    IS(tgkill, getpid(), getpid(), 0); IS(tgkill, getpid(), -1, 0); IS(tgkill, getpid(), getpid(), 65);
    IS(tkill, getpid(), 0);
}

static void times_and_system(void)
{
    struct timespec t, half = { 0, 1000 }, wrong = { 0, 1000000000 }, minus = { -1, 0 };
    struct timeval now;
    struct rusage usage;
    struct rlimit limit;
    struct sysinfo info;
    struct utsname name;
    struct tms ticks;
    long set[16];

    IS(clock_gettime, CLOCK_MONOTONIC, &t); IS(clock_gettime, CLOCK_REALTIME, &t); IS(clock_gettime, 99, &t);
    IS(clock_gettime, CLOCK_MONOTONIC, NOWHERE); IS(clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t);
    IS(clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t); IS(clock_getres, CLOCK_MONOTONIC, &t); IS(clock_getres, 99, &t);
    IS(clock_getres, CLOCK_MONOTONIC, 0); IS(clock_getres, CLOCK_MONOTONIC, NOWHERE); IS(nanosleep, &half, 0);
    IS(nanosleep, &wrong, 0); IS(nanosleep, &minus, 0); IS(nanosleep, NOWHERE, 0); IS(nanosleep, &half, NOWHERE);
    IS(clock_nanosleep, CLOCK_MONOTONIC, 0, &half, 0); IS(clock_nanosleep, CLOCK_MONOTONIC, 0, &wrong, 0);
    IS(clock_nanosleep, 99, 0, &half, 0); IS(clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &half, 0);
    IS(clock_nanosleep, CLOCK_MONOTONIC, 0, NOWHERE, 0); IS(gettimeofday, &now, 0); IS(gettimeofday, NOWHERE, 0);
    IS(gettimeofday, 0, 0); OK(time, 0); IS(time, NOWHERE); OK(times, &ticks); OK(times, 0); IS(times, NOWHERE);
    IS(getrusage, RUSAGE_SELF, &usage); IS(getrusage, RUSAGE_CHILDREN, &usage); IS(getrusage, 99, &usage);
    IS(getrusage, RUSAGE_SELF, NOWHERE); IS(getrlimit, RLIMIT_STACK, &limit); IS(getrlimit, 99, &limit);
    IS(getrlimit, RLIMIT_STACK, NOWHERE); IS(prlimit64, 0, RLIMIT_NOFILE, 0, &limit); IS(prlimit64, 0, 99, 0, &limit);
    IS(prlimit64, 0, RLIMIT_NOFILE, 0, 0); IS(prlimit64, 0, RLIMIT_NOFILE, 0, NOWHERE);
    IS(prlimit64, INT_MAX, RLIMIT_NOFILE, 0, &limit); IS(sysinfo, &info); IS(sysinfo, NOWHERE); IS(uname, &name);
    FACT(strcmp(name.sysname, "Linux")); FACT(strcmp(name.machine, "x86_64")); IS(uname, NOWHERE); OK(getpid);
    OK(getppid); OK(gettid); IS(getuid); IS(geteuid); IS(getgid); IS(getegid); OK(getpgrp); OK(getpgid, 0);
    OK(getsid, 0); OK(set_tid_address, set); IS(sched_yield); IS(sched_getaffinity, 0, sizeof set, NOWHERE);
    IS(sched_getaffinity, 0, 1, set); IS(sched_getaffinity, 0, 0, set); OK(sched_getaffinity, 0, sizeof set, set);
    FACT(set[0] & 1); IS(sched_getaffinity, INT_MAX, sizeof set, set); IS(getrandom, text, 16, 0);
    IS(getrandom, text, 16, 1); IS(getrandom, text, 16, 2); IS(getrandom, text, 16, 4); IS(getrandom, text, 16, 6);
    IS(getrandom, text, 16, 8); IS(getrandom, text, 16, UPPER); IS(getrandom, text, 0, 0);
    IS(getrandom, NOWHERE, 16, 0); IS(getrandom, fixed, 16, 0); IS(arch_prctl, 0x1003, &set);
    IS(arch_prctl, 0x9999, 0); IS(arch_prctl, 0x1003, NOWHERE); IS(arch_prctl, 0x1002, KERNEL);
}

static void waiting(void)
{
    uint32_t word[2] = { 5, 6 };
    struct timespec soon = { 0, 1000 }, wrong = { 0, 1000000000 };

    IS(futex, word, 0, 4, 0); IS(futex, word, 0, 5, &soon); IS(futex, word, 0, 5, &wrong); IS(futex, word, 1, 1);
    IS(futex, (char *)word + 1, 0, 5, &soon); IS(futex, (char *)word + 2, 1, 1); IS(futex, NOWHERE, 0, 5, &soon);
    IS(futex, KERNEL, 0, 5, &soon); IS(futex, word, 128, 4, 0); IS(futex, word, 129, 1);
    IS(futex, word, 0, 5, NOWHERE); IS(futex, word, 9, 5, &soon, 0, -1); IS(futex, word, 9, 4, 0, 0, -1);
    IS(futex, word, 9, 5, &soon, 0, 0); IS(futex, word, 10, 1, 0, 0, 0); IS(futex, word, 99, 0);
}

/* What is limited here, and told in docs/WORDS.md: tests/qemu/answers.py has a reason for each. */
static void limits(void)
{
    struct stat s;
    struct timespec now;
    struct rlimit limit;

    OK(open, "data", O_RDWR); OK(open, "new", O_WRONLY | O_CREAT, 0600);
    OK(open, "data", O_WRONLY | O_TRUNC | O_APPEND); IS(access, "data", W_OK);
    OK(mmap, 0, PAGE, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    OK(mmap, PLACE, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); IS(mprotect, PLACE, PAGE, 7);
    IS(mprotect, PLACE, PAGE, 5); IS(mprotect, PLACE, PAGE, 3); OK(mremap, PLACE, PAGE, PAGE, 5, 0);
    IS(madvise, PLACE, PAGE, 9999); IS(munmap, PLACE, PAGE); OK(dup2, 1, 30); OK(fcntl, 1, F_DUPFD, 16);
    IS(lseek, 1, 0, SEEK_SET); IS(fstat, 1, &s); FACT(S_ISFIFO(s.st_mode)); IS(stat, ".", &s); FACT(s.st_mtime != 0);
    IS(clock_gettime, CLOCK_REALTIME, &now); FACT(now.tv_sec > 1000000000); IS(getrlimit, RLIMIT_STACK, &limit);
    IS(prlimit64, 0, RLIMIT_STACK, &limit, 0); OK(pipe, copy);
}

/* The upper half of RAX does not count; a number that no call has. */
static void numbers(void)
{
    show("getuid with upper bits", call(UPPER | SYS_getuid, 0, 0, 0, 0, 0, 0));
    show("a call past the last", call(100000, 0, 0, 0, 0, 0, 0));
    show("a negative number", call(-1, 0, 0, 0, 0, 0, 0));
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* each line before what the next case writes by itself */
    hole = mmap((void *)HOLE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    fixed = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    reading();
    writing();
    paths();
    descriptors();
    memory();
    signals();
    times_and_system();
    waiting();
    numbers();
    limits();
    return 0;
}
