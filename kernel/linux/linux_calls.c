/* SPDX-License-Identifier: MIT */
/* The table of Linux's system calls. */
#include "kernel/linux/linux_calls.h"

#include <stddef.h>

/* By number, as x86-64 has them (call_names.c). */
static linux_call *const calls[] = {
    [0] = linux_read, [1] = linux_write, [2] = linux_open, [3] = linux_close, [4] = linux_stat_path,
    [5] = linux_fstat, [6] = linux_stat_path, [7] = linux_poll, [8] = linux_lseek, [9] = linux_mmap,
    [10] = linux_mprotect, [11] = linux_munmap, [12] = linux_brk, [13] = linux_sigaction, [14] = linux_sigprocmask,
    [16] = linux_ioctl, [17] = linux_pread, [19] = linux_readv, [20] = linux_writev, [21] = linux_access,
    [23] = linux_select, [24] = linux_yield, [25] = linux_mremap, [28] = linux_madvise, [32] = linux_dup,
    [33] = linux_dup2,
    [35] = linux_nanosleep, [39] = linux_getpid, [60] = linux_exit, [62] = linux_kill, [63] = linux_uname,
    [72] = linux_fcntl, [79] = linux_getcwd, [80] = linux_chdir, [89] = linux_readlink, [95] = linux_umask,
    [96] = linux_gettimeofday, [97] = linux_getrlimit, [98] = linux_getrusage, [99] = linux_sysinfo,
    [100] = linux_times, [102] = linux_zero, [104] = linux_zero, [107] = linux_zero, [108] = linux_zero,
    [110] = linux_getppid, [111] = linux_getpid, [115] = linux_zero, [121] = linux_getpid, [124] = linux_getpid,
    [131] = linux_sigaltstack, [158] = linux_arch_prctl, [186] = linux_getpid, [200] = linux_kill, [201] = linux_time,
    [202] = linux_futex, [204] = linux_getaffinity, [217] = linux_getdents, [218] = linux_getpid,
    [228] = linux_clock_gettime, [229] = linux_clock_getres, [230] = linux_clock_nanosleep, [231] = linux_exit,
    [234] = linux_tgkill, [257] = linux_openat, [262] = linux_newfstatat, [267] = linux_readlinkat,
    [269] = linux_faccessat, [270] = linux_pselect, [271] = linux_ppoll, [292] = linux_dup3, [302] = linux_prlimit,
    [318] = linux_getrandom,
    [439] = linux_faccessat,
};

#define CALLS (sizeof calls / sizeof calls[0])

int64_t linux_call_make(struct process *p, uint64_t number, const uint64_t argument[6])
{
    if (number < CALLS && calls[number] != NULL)
        return calls[number](p, argument);
    process_count_unknown(p, number);
    return -LINUX_ENOSYS;
}
