/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls, a file each family: calls_files.c, calls_paths.c, calls_poll.c, calls_memory.c, calls_time.c,
 * calls_process.c, calls_signals.c.  Each gets the process and six arguments, which may be anything, and gives what
 * RAX gets: an answer, or the negative number of an error.  In a system call of the process' task; interrupts on, and
 * on again at the end.
 */
#pragma once

#include <stdint.h>

#include "kernel/process/process.h"

/*
 * Linux's interface for programs of x86-64, as far as calls here answer it: error numbers, and what calls read and
 * write in a program's memory.  Linux man-pages, sections 2 and 3; System V ABI, AMD64 supplement, A.2.
 */

/* Errors; a call answers with the negative number. */
enum linux_error {
    LINUX_EPERM = 1, LINUX_ENOENT = 2, LINUX_ESRCH = 3, LINUX_EBADF = 9, LINUX_EAGAIN = 11, LINUX_ENOMEM = 12,
    LINUX_EACCES = 13, LINUX_EFAULT = 14, LINUX_EEXIST = 17, LINUX_ENOTDIR = 20, LINUX_EISDIR = 21, LINUX_EINVAL = 22,
    LINUX_EMFILE = 24, LINUX_ENOTTY = 25, LINUX_ESPIPE = 29, LINUX_EROFS = 30, LINUX_ERANGE = 34,
    LINUX_ENAMETOOLONG = 36, LINUX_ENOSYS = 38, LINUX_ETIMEDOUT = 110,
};

#define LINUX_SECOND_NS 1000000000ull

struct linux_timespec {
    int64_t seconds, nanoseconds;
};

struct linux_timeval {
    int64_t seconds, microseconds;
};

struct linux_iovec {
    uint64_t base, bytes;
};

struct linux_pollfd {
    int32_t descriptor;
    int16_t events, happened;
};

struct linux_stat {
    uint64_t device, inode, links;
    uint32_t mode, user, group, pad;
    uint64_t special;
    int64_t size, block_size, blocks;
    uint64_t times[6];
    int64_t reserved[3];
};

#define LINUX_DIRENT_FOLDER 4u
#define LINUX_DIRENT_FILE   8u
#define LINUX_DIRENT_NAME   37 /* bytes that a name here has at most, with what aligns the next entry */

/* An entry as getdents64() gives it; its length is a multiple of 8. */
struct linux_dirent {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[LINUX_DIRENT_NAME];
};

struct linux_rusage {
    struct linux_timeval user, system;
    int64_t unused[14];
};

struct linux_tms {
    int64_t user, system, children_user, children_system;
};

struct linux_sysinfo {
    int64_t uptime;
    uint64_t loads[3], total, free, shared, buffers, total_swap, free_swap;
    uint16_t processes, pad[3];
    uint64_t total_high, free_high;
    uint32_t unit, end;
};

struct linux_rlimit {
    uint64_t current, maximum;
};

struct linux_sigaction {
    uint64_t handler, flags, restorer, mask;
};

#define LINUX_NAME 65 /* bytes of each text of uname() */
struct linux_names {
    char system[LINUX_NAME], node[LINUX_NAME], release[LINUX_NAME], version[LINUX_NAME], machine[LINUX_NAME],
        domain[LINUX_NAME];
};

_Static_assert(sizeof(struct linux_stat) == 144, "struct stat of x86-64");
_Static_assert(sizeof(struct linux_rusage) == 144, "struct rusage of x86-64");
_Static_assert(sizeof(struct linux_sysinfo) == 112, "struct sysinfo of x86-64");

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
linux_call linux_sigaction, linux_sigprocmask, linux_sigaltstack, linux_kill, linux_tkill, linux_tgkill;

/* The end of a process by a call of its own. */

enum linux_signal { LINUX_SIGABRT = 6, LINUX_SIGSEGV = 11, LINUX_SIGNALS = 64 };

/*
 * Its status, 0 to 255; or a signal that it sent itself, from 1 on: the status is 128 more, as a shell has it.
 * Task context.
 */
_Noreturn void linux_end(struct process *p, int32_t status);
_Noreturn void linux_end_by_signal(struct process *p, uint32_t signal);

/* Descriptors of a process.  All of it: in a system call of the process. */

/* The lowest free descriptor from `least` on becomes this file: its number, or the error EMFILE. */
int64_t descriptor_open(struct process *p, const struct process_file *f, uint64_t least);

/* Where the next read() begins: bytes, or entries of the folder.  Duplicates share it. */
void descriptor_seek(struct process *p, const struct process_file *f, uint64_t at);

/* What can be read, and what can be written; NULL: it is not open, or cannot be. */
static inline struct process_file *descriptor_input(const struct process *p, uint64_t descriptor)
{
    struct process_file *const f = process_file_open(p, descriptor);

    return f != 0 && (f->kind == PROCESS_FILE_INPUT || f->kind == PROCESS_FILE_NULL) ? f : 0;
}

static inline struct process_file *descriptor_output(const struct process *p, uint64_t descriptor)
{
    struct process_file *const f = process_file_open(p, descriptor);

    return f != 0 && (f->kind == PROCESS_FILE_OUTPUT || f->kind == PROCESS_FILE_NULL) ? f : 0;
}

/* Names of Linux's system calls, also of those that are not there: for messages. */

/* "" where no call of Linux 6.1 has this number.  Any context. */
const char *linux_call_name(uint64_t number);

/*
 * Random bytes of a process, by ChaCha8 from seed= with a nonce of their own: the same at each boot with a given
 * seed, and they tell nothing about the ticks, which come from the same seed.
 */

#define RANDOM_BLOCK 64u /* bytes of a block of the generator */

/* The next bytes.  The process' own task, or before it runs. */
void random_bytes(struct process *p, uint8_t *to, uint64_t bytes);
