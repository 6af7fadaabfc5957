/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls, a file each family: calls_files.c, calls_paths.c, calls_poll.c, calls_memory.c, calls_time.c,
 * calls_process.c, calls_signals.c.  Each gets the process and six arguments, which may be anything, and gives what
 * RAX gets: an answer, or the negative number of an error.  In a system call of the process' task; interrupts on, and
 * on again at the end.
 */
#pragma once

#include <stdint.h>

#include "kernel/linux/linux_abi.h"
#include "kernel/process/process.h"

typedef int64_t linux_call(struct process *p, const uint64_t argument[6]);

/* Make the call of this number; one that is not there is counted, and answers ENOSYS. */
int64_t linux_call_make(struct process *p, uint64_t number, const uint64_t argument[6]);

linux_call linux_read, linux_write, linux_close, linux_lseek, linux_ioctl, linux_pread, linux_readv,
    linux_writev, linux_dup, linux_dup2, linux_dup3, linux_fcntl;
linux_call linux_poll, linux_ppoll, linux_select, linux_pselect;
linux_call linux_open, linux_openat, linux_stat_path, linux_fstat, linux_newfstatat, linux_access, linux_faccessat,
    linux_getdents, linux_getcwd, linux_chdir, linux_umask, linux_readlink, linux_readlinkat;
linux_call linux_mmap, linux_mprotect, linux_munmap, linux_mremap, linux_brk, linux_madvise;
linux_call linux_nanosleep, linux_clock_nanosleep, linux_gettimeofday, linux_time, linux_clock_gettime,
    linux_clock_getres, linux_getrusage, linux_times;
linux_call linux_exit, linux_uname, linux_getpid, linux_getppid, linux_zero, linux_arch_prctl, linux_futex,
    linux_prlimit, linux_getrlimit, linux_getrandom, linux_yield, linux_sysinfo, linux_getaffinity;
linux_call linux_sigaction, linux_sigprocmask, linux_sigaltstack, linux_kill, linux_tgkill;
