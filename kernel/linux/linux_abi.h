/* SPDX-License-Identifier: MIT */
/*
 * Linux's interface for programs of x86-64, as far as calls here answer it: error numbers, and what calls read and
 * write in a program's memory.  Linux man-pages, sections 2 and 3; System V ABI, AMD64 supplement, A.2.
 */
#pragma once

#include <stdint.h>

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

struct linux_stack {
    uint64_t base;
    int32_t flags, pad;
    uint64_t bytes;
};

#define LINUX_NAME 65 /* bytes of each text of uname() */
struct linux_names {
    char system[LINUX_NAME], node[LINUX_NAME], release[LINUX_NAME], version[LINUX_NAME], machine[LINUX_NAME],
        domain[LINUX_NAME];
};

_Static_assert(sizeof(struct linux_stat) == 144, "struct stat of x86-64");
_Static_assert(sizeof(struct linux_rusage) == 144, "struct rusage of x86-64");
_Static_assert(sizeof(struct linux_sysinfo) == 112, "struct sysinfo of x86-64");
