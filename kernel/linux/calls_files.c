/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on descriptors (calls_paths.c opens them).  Modules can only be read; what goes to descriptors
 * 1 and 2 is sent.  read(2), write(2), lseek(2), dup(2), fcntl(2).
 */
#include "kernel/linux/linux_calls.h"
#include "kernel/linux/task_notes.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/process/process_memory.h"

#define VECTORS_MAX  1024u
#define BYTES_MAX    0x7ffff000ull /* of one call, as Linux has it */

enum { SEEK_BEGIN, SEEK_HERE, SEEK_END };
enum { OPEN_WRITE_ONLY = 01, OPEN_LARGE_FILE = 0100000, OPEN_CLOEXEC = 02000000 };
enum { DUP_FD = 0, GET_FD = 1, SET_FD = 2, GET_FLAGS = 3, SET_FLAGS = 4, DUP_FD_CLOEXEC = 1030 };

/* Of a descriptor that cannot be read. */
static int64_t not_read(const struct process *p, uint64_t descriptor)
{
    return process_file_at(p, descriptor, PROCESS_FILE_FOLDER) != 0 ? -LINUX_EISDIR : -LINUX_EBADF;
}

static uint64_t size_of(const struct process_file *f)
{
    return f->module != 0 ? f->module->size : 0;
}

/* What a call may move: a pipe gives no more either, and answers must not look like errors. */
static uint64_t bounded(uint64_t bytes)
{
    return bytes < BYTES_MAX ? bytes : BYTES_MAX;
}

static int64_t read_at(struct process *p, const struct process_file *f, uint64_t at, uint64_t to, uint64_t bytes)
{
    const uint64_t left = at < size_of(f) ? size_of(f) - at : 0;
    const uint64_t n = bounded(bytes) < left ? bounded(bytes) : left;

    if (n == 0)
        return 0;
    return process_write(p, to, (const uint8_t *)f->module->bytes + at, n) ? (int64_t)n : -LINUX_EFAULT;
}

static int64_t read_on(struct process *p, struct process_file *f, uint64_t to, uint64_t bytes)
{
    const int64_t n = read_at(p, f, f->at, to, bytes);

    if (n > 0)
        descriptor_seek(p, f, f->at + (uint64_t)n);
    return n;
}

/* So many of these bytes are in one page, which is there or is not. */
static uint64_t in_page(uint64_t address, uint64_t bytes)
{
    const uint64_t left = PAGE_SIZE - address % PAGE_SIZE;

    return bytes < left ? bytes : left;
}

/* What was written before a byte that cannot be read is written.  What /dev/null gets need not be there. */
static int64_t write_out(struct process *p, const struct process_file *f, uint64_t from, uint64_t bytes)
{
    uint8_t piece[TASK_NOTE_BYTES];
    uint64_t done = 0;

    if (f->kind == PROCESS_FILE_NULL)
        return (int64_t)bounded(bytes);
    for (uint64_t n; done < bounded(bytes); done += n) {
        n = in_page(from + done, bounded(bytes) - done);
        n = n < sizeof piece ? n : sizeof piece;
        if (!process_read(p, piece, from + done, n))
            return done != 0 ? (int64_t)done : -LINUX_EFAULT;
        task_note_output(f->descriptor, piece, (uint32_t)n);
    }
    return (int64_t)done;
}

int64_t linux_read(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = descriptor_input(p, a[0]);

    return f != 0 ? read_on(p, f, a[1], a[2]) : not_read(p, a[0]);
}

int64_t linux_pread(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = descriptor_input(p, a[0]);

    if (f == 0)
        return -LINUX_EBADF;
    return (int64_t)a[3] >= 0 ? read_at(p, f, a[3], a[1], a[2]) : -LINUX_EINVAL;
}

int64_t linux_write(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = descriptor_output(p, a[0]);

    return f != 0 ? write_out(p, f, a[1], a[2]) : -LINUX_EBADF;
}

/* Whether the list of pieces is sound, before the first is moved. */
static int64_t check_vectors(struct process *p, uint64_t at, uint64_t count)
{
    struct linux_iovec v;

    if (count > VECTORS_MAX)
        return -LINUX_EINVAL;
    for (uint64_t i = 0; i < count; i++) {
        if (!process_read(p, &v, at + i * sizeof v, sizeof v))
            return -LINUX_EFAULT;
        if ((int64_t)v.bytes < 0)
            return -LINUX_EINVAL;
    }
    return 0;
}

/* Each piece in turn, until one is not moved whole. */
static int64_t vectors(struct process *p, const uint64_t a[6], struct process_file *f,
                       int64_t (*move)(struct process *p, struct process_file *f, uint64_t at, uint64_t bytes))
{
    int64_t sum = 0, error;

    if (f == 0)
        return -LINUX_EBADF;
    error = check_vectors(p, a[1], a[2]);
    if (error != 0)
        return error;
    for (uint64_t i = 0; i < a[2]; i++) {
        struct linux_iovec v;
        int64_t n = -LINUX_EFAULT;

        if (process_read(p, &v, a[1] + i * sizeof v, sizeof v))
            n = v.bytes != 0 ? move(p, f, v.base, v.bytes) : 0;
        if (n < 0)
            return sum != 0 ? sum : n;
        sum += n;
        if ((uint64_t)n < v.bytes || (uint64_t)sum >= BYTES_MAX)
            break;
    }
    return sum;
}

static int64_t move_out(struct process *p, struct process_file *f, uint64_t at, uint64_t bytes)
{
    return write_out(p, f, at, bytes);
}

int64_t linux_readv(struct process *p, const uint64_t a[6])
{
    return vectors(p, a, descriptor_input(p, a[0]), read_on);
}

int64_t linux_writev(struct process *p, const uint64_t a[6])
{
    return vectors(p, a, descriptor_output(p, a[0]), move_out);
}

void descriptor_seek(struct process *p, const struct process_file *f, uint64_t at)
{
    const uint32_t opened = f->opened;

    for (uint32_t i = 0; i < PROCESS_FILES; i++)
        if (p->file[i].opened == opened)
            p->file[i].at = at;
}

int64_t descriptor_open(struct process *p, const struct process_file *f, uint64_t least)
{
    for (uint64_t i = least; i < PROCESS_FILES; i++)
        if (p->file[i].kind == PROCESS_FILE_FREE) {
            p->file[i] = *f;
            return (int64_t)i;
        }
    return -LINUX_EMFILE;
}

int64_t linux_close(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = process_file_open(p, a[0]);

    if (f == 0)
        return -LINUX_EBADF;
    *f = (struct process_file){ .kind = PROCESS_FILE_FREE };
    return 0;
}

int64_t linux_lseek(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = process_file_open(p, a[0]);
    const uint32_t whence = (uint32_t)a[2];
    int64_t from;

    if (f == 0)
        return -LINUX_EBADF;
    if (f->module == 0 && f->kind != PROCESS_FILE_FOLDER)
        return f->kind == PROCESS_FILE_NULL ? 0 : -LINUX_ESPIPE;
    if (whence > SEEK_END)
        return -LINUX_EINVAL;
    from = whence == SEEK_BEGIN ? 0 : (int64_t)(whence == SEEK_HERE ? f->at : size_of(f));
    if (__builtin_add_overflow(from, (int64_t)a[1], &from) || from < 0)
        return -LINUX_EINVAL;
    descriptor_seek(p, f, (uint64_t)from);
    return from;
}

int64_t linux_ioctl(struct process *p, const uint64_t a[6])
{
    return process_file_open(p, a[0]) != 0 ? -LINUX_ENOTTY : -LINUX_EBADF;
}

int64_t linux_dup(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = process_file_open(p, a[0]);

    return f != 0 ? descriptor_open(p, f, 0) : -LINUX_EBADF;
}

int64_t linux_dup2(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = process_file_open(p, a[0]);

    if (f == 0 || (uint32_t)a[1] >= PROCESS_FILES)
        return -LINUX_EBADF;
    p->file[(uint32_t)a[1]] = *f;
    return (int64_t)(uint32_t)a[1];
}

int64_t linux_dup3(struct process *p, const uint64_t a[6])
{
    if ((uint32_t)a[0] == (uint32_t)a[1] || ((uint32_t)a[2] & ~(uint32_t)OPEN_CLOEXEC))
        return -LINUX_EINVAL;
    return linux_dup2(p, a);
}

int64_t linux_fcntl(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = process_file_open(p, a[0]);

    if (f == 0)
        return -LINUX_EBADF;
    switch (a[1]) {
    case DUP_FD: case DUP_FD_CLOEXEC:
        return a[2] < PROCESS_FILES ? descriptor_open(p, f, a[2]) : -LINUX_EINVAL;
    case GET_FLAGS:
        return f->kind == PROCESS_FILE_OUTPUT ? OPEN_WRITE_ONLY : f->opened != 0 ? OPEN_LARGE_FILE : 0;
    case GET_FD: case SET_FD: case SET_FLAGS:
        return 0;
    default:
        return -LINUX_EINVAL;
    }
}
