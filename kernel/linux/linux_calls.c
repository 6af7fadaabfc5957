/* SPDX-License-Identifier: MIT */
/* The table of Linux's system calls. */
#include "kernel/linux/linux_calls.h"

#include <stddef.h>

/* In the order of numbers, for the bisection.  Those without a function are what programs ask for and may live without. */
static const struct linux_call_row rows[] = {
    { 0, "read", linux_read },
    { 1, "write", linux_write },
    { 2, "open", linux_open },
    { 3, "close", linux_close },
    { 4, "stat", linux_stat_path },
    { 5, "fstat", linux_fstat },
    { 6, "lstat", linux_stat_path },
    { 7, "poll", linux_poll },
    { 8, "lseek", linux_lseek },
    { 9, "mmap", linux_mmap },
    { 10, "mprotect", linux_mprotect },
    { 11, "munmap", linux_munmap },
    { 12, "brk", linux_brk },
    { 13, "rt_sigaction", linux_sigaction },
    { 14, "rt_sigprocmask", linux_sigprocmask },
    { 16, "ioctl", linux_ioctl },
    { 17, "pread64", linux_pread },
    { 18, "pwrite64", NULL },
    { 19, "readv", linux_readv },
    { 20, "writev", linux_writev },
    { 21, "access", linux_access },
    { 22, "pipe", NULL },
    { 23, "select", NULL },
    { 24, "sched_yield", linux_yield },
    { 25, "mremap", NULL },
    { 27, "mincore", NULL },
    { 28, "madvise", linux_madvise },
    { 32, "dup", linux_dup },
    { 33, "dup2", linux_dup2 },
    { 35, "nanosleep", linux_nanosleep },
    { 37, "alarm", NULL },
    { 38, "setitimer", NULL },
    { 39, "getpid", linux_getpid },
    { 40, "sendfile", NULL },
    { 41, "socket", NULL },
    { 56, "clone", NULL },
    { 57, "fork", NULL },
    { 58, "vfork", NULL },
    { 59, "execve", NULL },
    { 60, "exit", linux_exit },
    { 61, "wait4", NULL },
    { 62, "kill", linux_kill },
    { 63, "uname", linux_uname },
    { 72, "fcntl", linux_fcntl },
    { 74, "fsync", NULL },
    { 77, "ftruncate", NULL },
    { 79, "getcwd", linux_getcwd },
    { 80, "chdir", NULL },
    { 82, "rename", NULL },
    { 83, "mkdir", NULL },
    { 87, "unlink", NULL },
    { 89, "readlink", linux_readlink },
    { 90, "chmod", NULL },
    { 92, "chown", NULL },
    { 95, "umask", NULL },
    { 96, "gettimeofday", linux_gettimeofday },
    { 97, "getrlimit", linux_getrlimit },
    { 98, "getrusage", NULL },
    { 99, "sysinfo", NULL },
    { 100, "times", NULL },
    { 102, "getuid", linux_zero },
    { 104, "getgid", linux_zero },
    { 105, "setuid", NULL },
    { 106, "setgid", NULL },
    { 107, "geteuid", linux_zero },
    { 108, "getegid", linux_zero },
    { 110, "getppid", linux_getppid },
    { 131, "sigaltstack", linux_sigaltstack },
    { 157, "prctl", NULL },
    { 158, "arch_prctl", linux_arch_prctl },
    { 186, "gettid", linux_getpid },
    { 200, "tkill", linux_kill },
    { 201, "time", linux_time },
    { 202, "futex", linux_futex },
    { 203, "sched_setaffinity", NULL },
    { 204, "sched_getaffinity", NULL },
    { 217, "getdents64", NULL },
    { 218, "set_tid_address", linux_getpid },
    { 228, "clock_gettime", linux_clock_gettime },
    { 229, "clock_getres", linux_clock_getres },
    { 230, "clock_nanosleep", linux_clock_nanosleep },
    { 231, "exit_group", linux_exit },
    { 233, "epoll_ctl", NULL },
    { 234, "tgkill", linux_tgkill },
    { 257, "openat", linux_openat },
    { 262, "newfstatat", linux_newfstatat },
    { 263, "unlinkat", NULL },
    { 267, "readlinkat", linux_readlinkat },
    { 269, "faccessat", linux_faccessat },
    { 270, "pselect6", NULL },
    { 271, "ppoll", NULL },
    { 273, "set_robust_list", NULL },
    { 280, "utimensat", NULL },
    { 291, "epoll_create1", NULL },
    { 292, "dup3", NULL },
    { 293, "pipe2", NULL },
    { 302, "prlimit64", linux_prlimit },
    { 318, "getrandom", linux_getrandom },
    { 332, "statx", NULL },
    { 334, "rseq", NULL },
    { 435, "clone3", NULL },
    { 439, "faccessat2", NULL },
};

#define ROWS (sizeof rows / sizeof rows[0])

const struct linux_call_row *linux_call_at(uint64_t number)
{
    size_t low = 0, high = ROWS;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (rows[middle].number == number)
            return &rows[middle];
        if (rows[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

int64_t linux_call_make(struct process *p, uint64_t number, const uint64_t argument[6])
{
    const struct linux_call_row *const row = linux_call_at(number);

    if (row != NULL && row->make != NULL)
        return row->make(p, argument);
    process_count_unknown(p, number);
    return -LINUX_ENOSYS;
}
