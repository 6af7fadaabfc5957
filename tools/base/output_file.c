/* SPDX-License-Identifier: MIT */
/* Writes files and folders that replace older ones only when they are whole. */
#include "tools/base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/temporary.h"

#define MODE_FOLDER 0777

static bool refuse(const char *path)
{
    cli_error("%s cannot be written: %s", path, errno ? strerror(errno) : "its data are too large");
    return false;
}

static bool is_special(const char *path)
{
    struct stat what;

    return !stat(path, &what) && !S_ISREG(what.st_mode);
}

static bool write_and_close(FILE *out, bool (*write)(const void *what, FILE *out), const void *what)
{
    bool written;

    errno = 0;
    written = write(what, out);
    if (out == stdout)
        return !fflush(stdout) && written;
    return !fclose(out) && written;
}

/* ---- the part: a temporary folder beside PATH, until what it holds, or itself, gets that name ---- */

/* NULL, with errno. */
static char *make_part(const char *path)
{
    char *const copy = xasprintf("%s", path), *const beside = dirname(copy);
    char *part;

    temporary_sweep(beside);
    part = temporary_folder(beside, getpid());
    free(copy);
    return part;
}

/* What is still there of it; errno stays. */
static void remove_part(char *part)
{
    const int why = errno;

    if (part)
        temporary_remove(part);
    free(part);
    errno = why;
}

static bool write_whole(const char *path, bool (*write)(const void *what, FILE *out), const void *what)
{
    char *const part = make_part(path);
    char *const whole = part ? xasprintf("%s/whole", part) : NULL;
    FILE *const out = whole ? fopen(whole, "wxe") : NULL;
    const bool written = out && write_and_close(out, write, what) && !rename(whole, path);

    remove_part(part);
    free(whole);
    return written;
}

bool output_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what)
{
    char *real;
    bool written;

    if (!strcmp(path, "-"))
        return write_and_close(stdout, write, what) || refuse("standard output");
    if (is_special(path)) {
        FILE *out = fopen(path, "we");

        return (out && write_and_close(out, write, what)) || refuse(path);
    }
    real = realpath(path, NULL); /* what a link names is replaced, not the link */
    written = write_whole(real ? real : path, write, what) || refuse(path);
    free(real);
    return written;
}

static mode_t allowed(mode_t mode)
{
    const mode_t mask = umask(0);

    umask(mask);
    return mode & ~mask;
}

bool output_to_folder(const char *path, bool (*write)(const void *what, const char *folder), const void *what)
{
    char *const part = make_part(path);
    bool written;

    errno = part ? 0 : errno;
    written = part && write(what, part) && !chmod(part, allowed(MODE_FOLDER)) && !rename(part, path);
    remove_part(part);
    return written || refuse(path);
}
