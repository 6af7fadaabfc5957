/* SPDX-License-Identifier: MIT */
/*
 * Stands for what a page does not have of a system: signals, a terminal and its pager, folders for files, a shell's
 * names of files.  Its files are those that the page gives it, all in one folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/output_file.h"
#include "tools/base/pager.h"
#include "tools/base/temporary.h"
#include "tools/stream/stream_file.h"

/* ---- C library ---- */

char *realpath(const char *path, char *to)
{
    struct stat status;

    return stat(path, &status) ? NULL : to ? strcpy(to, path) : strdup(path);
}

pid_t getpid(void)
{
    return 1;
}

int memfd_create(const char *name, unsigned flags)
{
    const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

    (void)flags;
    if (file >= 0)
        unlink(name);
    return file;
}

/* ---- tools/base/ ---- */

volatile sig_atomic_t interrupted;

void interrupt_watch(void) {}
void pager_set_colour(enum pager_colour colour) { (void)colour; }
void pager_disable(void) {}
void pager_begin(void) {}
void pager_end(void) {}
int pager_terminal(void) { return -1; }
unsigned pager_columns(void) { return 0; }
bool pager_has_colour(void) { return false; }
bool pager_has_blocks(void) { return true; }
bool pager_has_cursor(void) { return false; }

FILE *temporary_file(void)
{
    const int file = memfd_create("temporary", MFD_CLOEXEC);

    return file < 0 ? NULL : fdopen(file, "w+");
}

/* The page takes what a command writes from standard output. */
bool output_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what)
{
    if (!strcmp(path, "-") && write(what, stdout) && !fflush(stdout))
        return true;
    cli_error("%s cannot be written", path);
    return false;
}

/* ---- tools/stream/: no pipe is read, and no stream is kept ---- */

int stream_copy(int from)
{
    (void)from;
    errno = ENOTSUP;
    return -1;
}

bool stream_file_open(struct stream_file *f, const char *name, const char *from, bool force)
{
    (void)f, (void)name, (void)from, (void)force;
    return false;
}

bool stream_file_write(struct stream_file *f, const uint8_t *bytes, size_t length, bool (*stop)(void *context),
                       void *context)
{
    (void)f, (void)bytes, (void)length, (void)stop, (void)context;
    return false;
}

bool stream_file_close(struct stream_file *f)
{
    (void)f;
    return false;
}
