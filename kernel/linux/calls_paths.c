/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on paths.  Files are the modules (kernel/mm/module_files.h), by the last part of their path;
 * there is one folder, which lists them, /dev/null, and the standard descriptors under /dev.  open(2), stat(2),
 * access(2), getdents(2), readlink(2).
 */
#include "kernel/lib/string.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/process/process_memory.h"

#define PATH_BYTES     256u
#define PATH_PART_MOST 255u  /* NAME_MAX */
#define PATH_MOST      4096u /* PATH_MAX: with its end */
#define BLOCK          4096
#define SECTOR         512

#define OPEN_WRITES   3u     /* of its flags: O_WRONLY, O_RDWR */
#define OPEN_CREATES  0x40u
#define OPEN_FOLDER   0x10000u
#define AT_EMPTY_PATH 0x1000u
#define ACCESS_WRITE  2u
#define ACCESS_ALL    7u
#define UMASK         022

/* Numbers of files, for programs that tell by them whether two are one. */
#define INODE_FOLDER 1u
#define INODE_MODULE 2u   /* of the first */
#define INODE_OTHER  100u /* and the kind */

static const uint32_t modes[] = {
    [PROCESS_FILE_INPUT] = 0100444, [PROCESS_FILE_OUTPUT] = 010600, [PROCESS_FILE_NULL] = 020666,
    [PROCESS_FILE_FOLDER] = 040555,
};
#define MODE_FIFO 010600u

static const char *const standard[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
#define STANDARD (sizeof standard / sizeof standard[0])

/* "/", ".", "..", and what else has no other parts. */
static bool is_folder(const char *path)
{
    while (*path == '/' || *path == '.')
        path++;
    return *path == '\0';
}

static const char *last_part(const char *path)
{
    const char *name = path;

    for (; *path != '\0'; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

static int64_t look_up_standard(const struct process *p, const char *path, struct process_file *file)
{
    for (unsigned i = 0; i < STANDARD; i++)
        if (string_equal(path, standard[i]) && process_file_open(p, i) != 0) {
            *file = p->file[i];
            return 0;
        }
    return -LINUX_ENOENT;
}

/* No file here has a path longer than the buffer; Linux's own limits have answers of their own. */
static int64_t read_path(struct process *p, char text[PATH_BYTES], uint64_t path)
{
    uint64_t part = 0, longest = 0;
    char c;

    for (uint64_t i = 0; i < PATH_MOST; i++) {
        if (!process_read(p, &c, path + i, 1))
            return -LINUX_EFAULT;
        if (i < PATH_BYTES)
            text[i] = c;
        if (c == '\0' && longest <= PATH_PART_MOST)
            return i < PATH_BYTES ? 0 : -LINUX_ENOENT;
        if (c == '\0')
            break;
        part = c == '/' ? 0 : part + 1;
        longest = part > longest ? part : longest;
    }
    return -LINUX_ENAMETOOLONG;
}

/* The file that a path of the program names: *file, or the answer. */
static int64_t look_up(struct process *p, uint64_t path, struct process_file *file)
{
    char text[PATH_BYTES];
    const int64_t error = read_path(p, text, path);

    *file = (struct process_file){ .kind = PROCESS_FILE_FREE };
    if (error != 0)
        return error;
    if (text[0] == '\0')
        return -LINUX_ENOENT;
    if (is_folder(text))
        file->kind = PROCESS_FILE_FOLDER;
    else if (string_equal(text, "/dev/null"))
        file->kind = PROCESS_FILE_NULL;
    else if ((file->module = module_file_find(last_part(text))) != 0)
        file->kind = PROCESS_FILE_INPUT;
    return file->kind != PROCESS_FILE_FREE ? 0 : look_up_standard(p, text, file);
}

static bool is_read_only(const struct process_file *f)
{
    return f->kind == PROCESS_FILE_INPUT || f->kind == PROCESS_FILE_FOLDER;
}

static int64_t open_path(struct process *p, uint64_t path, uint64_t flags)
{
    struct process_file f;
    const int64_t error = look_up(p, path, &f);

    if (error == -LINUX_ENOENT)
        return flags & (OPEN_WRITES | OPEN_CREATES) ? -LINUX_EROFS : error;
    if (error != 0)
        return error;
    if (f.kind == PROCESS_FILE_FOLDER && flags & (OPEN_WRITES | OPEN_CREATES))
        return -LINUX_EISDIR;
    if (is_read_only(&f) && flags & OPEN_WRITES)
        return -LINUX_EROFS;
    if (flags & OPEN_FOLDER && f.kind != PROCESS_FILE_FOLDER)
        return -LINUX_ENOTDIR;
    f.opened = ++p->opened;
    return descriptor_open(p, &f, 0);
}

int64_t linux_open(struct process *p, const uint64_t a[6])
{
    return open_path(p, a[0], a[1]);
}

int64_t linux_openat(struct process *p, const uint64_t a[6])
{
    return open_path(p, a[1], a[2]);
}

static uint64_t inode_of(const struct process_file *f)
{
    uint32_t i = 0;

    if (f->module == 0)
        return f->kind == PROCESS_FILE_FOLDER ? INODE_FOLDER : INODE_OTHER + f->kind;
    while (module_file_at(i) != f->module && module_file_at(i) != 0)
        i++;
    return INODE_MODULE + i;
}

/* Input that is no module is a pipe, as output is. */
static int64_t put_stat(struct process *p, const struct process_file *f, uint64_t to)
{
    const uint64_t size = f->module != 0 ? f->module->size : 0;
    const struct linux_stat s = {
        .device = 1, .inode = inode_of(f), .links = 1, .block_size = BLOCK, .size = (int64_t)size,
        .mode = f->kind == PROCESS_FILE_INPUT && f->module == 0 ? MODE_FIFO : modes[f->kind],
        .blocks = (int64_t)((size + SECTOR - 1) / SECTOR),
    };

    return process_write(p, to, &s, sizeof s) ? 0 : -LINUX_EFAULT;
}

static int64_t stat_path(struct process *p, uint64_t path, uint64_t to)
{
    struct process_file f;
    const int64_t error = look_up(p, path, &f);

    return error != 0 ? error : put_stat(p, &f, to);
}

int64_t linux_stat_path(struct process *p, const uint64_t a[6])
{
    return stat_path(p, a[0], a[1]);
}

int64_t linux_fstat(struct process *p, const uint64_t a[6])
{
    const struct process_file *const f = process_file_open(p, a[0]);

    return f != 0 ? put_stat(p, f, a[1]) : -LINUX_EBADF;
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
    struct process_file f;
    const int64_t error = (uint32_t)mode <= ACCESS_ALL ? look_up(p, path, &f) : -LINUX_EINVAL;

    return error == 0 && mode & ACCESS_WRITE && is_read_only(&f) ? -LINUX_EROFS : error;
}

int64_t linux_access(struct process *p, const uint64_t a[6])
{
    return can_access(p, a[0], a[1]);
}

int64_t linux_faccessat(struct process *p, const uint64_t a[6])
{
    return can_access(p, a[1], a[2]);
}

/* The name of the folder's entry; NULL past the last. */
static const char *entry_name(uint64_t index)
{
    static const char *const own[] = { ".", ".." };
    const struct module_file *file;

    if (index < 2)
        return own[index];
    file = index - 2 < BOOT_MODULES ? module_file_at((uint32_t)index - 2) : 0;
    return file != 0 ? file->name : 0;
}

/* One entry, of which `room` bytes may be written: its length, or the answer. */
static int64_t put_entry(struct process *p, uint64_t index, uint64_t to, uint64_t room)
{
    const char *const name = entry_name(index);
    struct linux_dirent entry = {
        .inode = index < 2 ? INODE_FOLDER : INODE_MODULE + index - 2, .next = (int64_t)index + 1,
        .type = index < 2 ? LINUX_DIRENT_FOLDER : LINUX_DIRENT_FILE,
    };

    string_copy(entry.name, name, sizeof entry.name);
    entry.length = (uint16_t)((offsetof(struct linux_dirent, name) + string_length(name) + 1 + 7) & ~7ull);
    if (entry.length > room)
        return -LINUX_EINVAL;
    return process_write(p, to, &entry, entry.length) ? entry.length : -LINUX_EFAULT;
}

int64_t linux_getdents(struct process *p, const uint64_t a[6])
{
    struct process_file *const f = process_file_at(p, a[0], PROCESS_FILE_FOLDER);
    uint64_t sum = 0;

    if (f == 0)
        return process_file_open(p, a[0]) != 0 ? -LINUX_ENOTDIR : -LINUX_EBADF;
    for (; entry_name(f->at) != 0; descriptor_seek(p, f, f->at + 1)) {
        const int64_t n = put_entry(p, f->at, a[1] + sum, (uint32_t)a[2] - sum);

        if (n < 0)
            return sum != 0 ? (int64_t)sum : n;
        sum += (uint64_t)n;
    }
    return (int64_t)sum;
}

int64_t linux_getcwd(struct process *p, const uint64_t a[6])
{
    if (a[1] < sizeof "/")
        return -LINUX_ERANGE;
    return process_write(p, a[0], "/", sizeof "/") ? (int64_t)sizeof "/" : -LINUX_EFAULT;
}

/* There is one folder, in which the program is. */
int64_t linux_chdir(struct process *p, const uint64_t a[6])
{
    struct process_file f;
    const int64_t error = look_up(p, a[0], &f);

    return error == 0 && f.kind != PROCESS_FILE_FOLDER ? -LINUX_ENOTDIR : error;
}

/* Nothing can be created, so that no mask is kept. */
int64_t linux_umask(struct process *p, const uint64_t a[6])
{
    (void)p;
    (void)a;
    return UMASK;
}

/* The one link that there is. */
static int64_t read_link(struct process *p, uint64_t path, uint64_t to, uint64_t room)
{
    char text[PATH_BYTES];
    struct process_file f;
    const int64_t error = read_path(p, text, path);
    size_t length;

    if ((int32_t)room <= 0)
        return -LINUX_EINVAL;
    if (error != 0)
        return error;
    if (!string_equal(text, "/proc/self/exe"))
        return look_up(p, path, &f) == 0 ? -LINUX_EINVAL : -LINUX_ENOENT;
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
