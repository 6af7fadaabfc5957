/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on files.  Files are the modules (kernel/mm/module_files.h), by the last part of their path, and can
 * only be read; what goes to descriptors 1 and 2 is sent.  read(2), write(2), open(2), stat(2), poll(2) and the like.
 */
#include "kernel/lib/string.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/linux/task_notes.h"
#include "kernel/process/process_memory.h"
#include "probe/core/memory.h"

#define PATH_BYTES   256u
#define VECTORS_MAX  1024u
#define BYTES_MAX    0x7ffff000ull /* of one call, as Linux has it */
#define BLOCK        4096
#define SECTOR       512

#define OPEN_WRITES  3u     /* of its flags: O_WRONLY, O_RDWR */
#define OPEN_CREATES 0x40u
#define MODE_FIFO    010600u
#define MODE_FILE    0100444u
#define AT_EMPTY_PATH 0x1000u
#define ACCESS_WRITE 2u
#define POLL_IN      1
#define POLL_OUT     4
#define POLL_INVALID 0x20

enum { SEEK_BEGIN, SEEK_HERE, SEEK_END };
enum { DUP_FD = 0, GET_FD = 1, SET_FD = 2, GET_FLAGS = 3, SET_FLAGS = 4, DUP_FD_CLOEXEC = 1030 };

static struct process_file *input_at(const struct process *p, uint64_t descriptor)
{
    return process_file_at(p, descriptor, PROCESS_FILE_INPUT);
}

static struct process_file *output_at(const struct process *p, uint64_t descriptor)
{
    return process_file_at(p, descriptor, PROCESS_FILE_OUTPUT);
}

static struct process_file *any_at(const struct process *p, uint64_t descriptor)
{
    struct process_file *const input = input_at(p, descriptor);

    return input != 0 ? input : output_at(p, descriptor);
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
        f->at += (uint64_t)n;
    return n;
}

/* What was written before a byte that cannot be read is written. */
static int64_t write_out(struct process *p, const struct process_file *f, uint64_t from, uint64_t bytes)
{
    uint8_t piece[TASK_NOTE_BYTES];
    uint64_t done = 0;

    for (uint64_t n; done < bounded(bytes); done += n) {
        n = bounded(bytes) - done < sizeof piece ? bounded(bytes) - done : sizeof piece;
        if (!process_read(p, piece, from + done, n))
            return done != 0 ? (int64_t)done : -LINUX_EFAULT;
        task_note_output(f->descriptor, piece, (uint32_t)n);
    }
    return (int64_t)done;
}

int64_t linux_read(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = input_at(p, a[0]);

    return f != 0 ? read_on(p, f, a[1], a[2]) : -LINUX_EBADF;
}

int64_t linux_pread(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = input_at(p, a[0]);

    if (f == 0)
        return -LINUX_EBADF;
    return (int64_t)a[3] >= 0 ? read_at(p, f, a[3], a[1], a[2]) : -LINUX_EINVAL;
}

int64_t linux_write(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = output_at(p, a[0]);

    return f != 0 ? write_out(p, f, a[1], a[2]) : -LINUX_EBADF;
}

/* Each piece in turn, until one is not moved whole. */
static int64_t vectors(struct process *p, const uint64_t a[6], struct process_file *f,
                       int64_t (*move)(struct process *p, struct process_file *f, uint64_t at, uint64_t bytes))
{
    int64_t sum = 0;

    if (f == 0)
        return -LINUX_EBADF;
    if (a[2] > VECTORS_MAX)
        return -LINUX_EINVAL;
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
    return vectors(p, a, input_at(p, a[0]), read_on);
}

int64_t linux_writev(struct process *p, const uint64_t a[6])
{
    return vectors(p, a, output_at(p, a[0]), move_out);
}

/* The module that a path of the program names: *module, or the answer. */
static int64_t module_of(struct process *p, uint64_t path, const struct module_file **module)
{
    char text[PATH_BYTES];
    const char *name = text;

    if (!process_read_text(p, text, path, sizeof text))
        return -LINUX_EFAULT;
    for (const char *at = text; *at != '\0'; at++)
        if (*at == '/')
            name = at + 1;
    *module = module_file_find(name);
    return *module != 0 ? 0 : -LINUX_ENOENT;
}

/* The lowest free descriptor from `least` on becomes this file. */
static int64_t open_as(struct process *p, const struct process_file *f, uint64_t least)
{
    for (uint64_t i = least; i < PROCESS_FILES; i++)
        if (p->file[i].kind == PROCESS_FILE_FREE) {
            p->file[i] = *f;
            return (int64_t)i;
        }
    return -LINUX_EMFILE;
}

static int64_t open_path(struct process *p, uint64_t path, uint64_t flags)
{
    struct process_file f = { .kind = PROCESS_FILE_INPUT };
    const int64_t error = module_of(p, path, &f.module);

    if (error == -LINUX_EFAULT)
        return error;
    if (flags & (OPEN_WRITES | OPEN_CREATES) && (error != 0 || flags & OPEN_WRITES))
        return -LINUX_EROFS;
    return error != 0 ? error : open_as(p, &f, 0);
}

int64_t linux_open(struct process *p, const uint64_t a[6])
{
    return open_path(p, a[0], a[1]);
}

int64_t linux_openat(struct process *p, const uint64_t a[6])
{
    return open_path(p, a[1], a[2]);
}

int64_t linux_close(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = any_at(p, a[0]);

    if (f == 0)
        return -LINUX_EBADF;
    *f = (struct process_file){ .kind = PROCESS_FILE_FREE };
    return 0;
}

/* A module is a file; output, and input that is none, are pipes. */
static int64_t put_stat(struct process *p, const struct module_file *module, uint64_t to)
{
    const struct linux_stat s = {
        .inode = 1, .links = 1, .mode = module != 0 ? MODE_FILE : MODE_FIFO, .block_size = BLOCK,
        .size = module != 0 ? (int64_t)module->size : 0,
        .blocks = module != 0 ? (int64_t)((module->size + SECTOR - 1) / SECTOR) : 0,
    };

    return process_write(p, to, &s, sizeof s) ? 0 : -LINUX_EFAULT;
}

static int64_t stat_path(struct process *p, uint64_t path, uint64_t to)
{
    const struct module_file *module;
    const int64_t error = module_of(p, path, &module);

    return error != 0 ? error : put_stat(p, module, to);
}

int64_t linux_stat_path(struct process *p, const uint64_t a[6])
{
    return stat_path(p, a[0], a[1]);
}

int64_t linux_fstat(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = any_at(p, a[0]);

    return f != 0 ? put_stat(p, f->module, a[1]) : -LINUX_EBADF;
}

int64_t linux_newfstatat(struct process *p, const uint64_t a[6])
{
    char first = '\0';

    if (a[3] & AT_EMPTY_PATH && process_read(p, &first, a[1], 1) && first == '\0')
        return linux_fstat(p, (const uint64_t[6]){ a[0], a[2] });
    return stat_path(p, a[1], a[2]);
}

static int64_t can_access(struct process *p, uint64_t path, uint64_t mode)
{
    const struct module_file *module;
    const int64_t error = module_of(p, path, &module);

    return error == 0 && mode & ACCESS_WRITE ? -LINUX_EROFS : error;
}

int64_t linux_access(struct process *p, const uint64_t a[6])
{
    return can_access(p, a[0], a[1]);
}

int64_t linux_faccessat(struct process *p, const uint64_t a[6])
{
    return can_access(p, a[1], a[2]);
}

int64_t linux_lseek(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = any_at(p, a[0]);
    int64_t from;

    if (f == 0)
        return -LINUX_EBADF;
    if (f->module == 0)
        return -LINUX_ESPIPE;
    if (a[2] > SEEK_END)
        return -LINUX_EINVAL;
    from = a[2] == SEEK_BEGIN ? 0 : (int64_t)(a[2] == SEEK_HERE ? f->at : f->module->size);
    if (__builtin_add_overflow(from, (int64_t)a[1], &from) || from < 0)
        return -LINUX_EINVAL;
    f->at = (uint64_t)from;
    return from;
}

int64_t linux_ioctl(struct process *p, const uint64_t a[6])
{
    return any_at(p, a[0]) != 0 ? -LINUX_ENOTTY : -LINUX_EBADF;
}

/* Nothing here makes a program wait: input is there or at its end, and output waits in its own call. */
static int16_t ready(const struct process *p, const struct linux_pollfd *of)
{
    if (of->descriptor < 0)
        return 0;
    if (any_at(p, (uint64_t)of->descriptor) == 0)
        return POLL_INVALID;
    return of->events & (input_at(p, (uint64_t)of->descriptor) != 0 ? POLL_IN : POLL_OUT);
}

int64_t linux_poll(struct process *p, const uint64_t a[6])
{
    int64_t happened = 0;

    if (a[1] > PROCESS_FILES)
        return -LINUX_EINVAL;
    for (uint64_t i = 0; i < a[1]; i++) {
        const uint64_t at = a[0] + i * sizeof(struct linux_pollfd);
        struct linux_pollfd of;

        if (!process_read(p, &of, at, sizeof of))
            return -LINUX_EFAULT;
        of.happened = ready(p, &of);
        happened += of.happened != 0;
        if (!process_write(p, at, &of, sizeof of))
            return -LINUX_EFAULT;
    }
    return happened;
}

int64_t linux_dup(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = any_at(p, a[0]);

    return f != 0 ? open_as(p, f, 0) : -LINUX_EBADF;
}

int64_t linux_dup2(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = any_at(p, a[0]);

    if (f == 0 || (uint32_t)a[1] >= PROCESS_FILES)
        return -LINUX_EBADF;
    p->file[(uint32_t)a[1]] = *f;
    return (int64_t)(uint32_t)a[1];
}

int64_t linux_fcntl(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = any_at(p, a[0]);

    if (f == 0)
        return -LINUX_EBADF;
    switch (a[1]) {
    case DUP_FD: case DUP_FD_CLOEXEC:
        return a[2] < PROCESS_FILES ? open_as(p, f, a[2]) : -LINUX_EINVAL;
    case GET_FLAGS:
        return f->kind == PROCESS_FILE_OUTPUT; /* O_WRONLY, O_RDONLY */
    case GET_FD: case SET_FD: case SET_FLAGS:
        return 0;
    default:
        return -LINUX_EINVAL;
    }
}

int64_t linux_getcwd(struct process *p, const uint64_t a[6])
{
    if (a[1] < sizeof "/")
        return -LINUX_ERANGE;
    return process_write(p, a[0], "/", sizeof "/") ? (int64_t)sizeof "/" : -LINUX_EFAULT;
}

/* The one link that there is. */
static int64_t read_link(struct process *p, uint64_t path, uint64_t to, uint64_t room)
{
    char text[PATH_BYTES];
    size_t length;

    if (!process_read_text(p, text, path, sizeof text))
        return -LINUX_EFAULT;
    if (!string_equal(text, "/proc/self/exe"))
        return -LINUX_ENOENT;
    text[0] = '/';
    string_copy(text + 1, p->program->name, sizeof text - 1);
    length = string_length(text) < room ? string_length(text) : room;
    return process_write(p, to, text, length) ? (int64_t)length : -LINUX_EFAULT;
}

int64_t linux_readlink(struct process *p, const uint64_t a[6])
{
    return read_link(p, a[0], a[1], a[2]);
}

int64_t linux_readlinkat(struct process *p, const uint64_t a[6])
{
    return read_link(p, a[1], a[2], a[3]);
}
