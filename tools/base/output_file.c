/* SPDX-License-Identifier: MIT */
/* Writes files and folders that replace older ones only when they are whole. */

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define MODE_FILE   0666
#define MODE_FOLDER 0777
#define OPEN_MOST   8 /* folders that nftw() has open */

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

/* "PATH.XXXXXX", for the caller to free. */
static char *part_name(const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    return xasprintf("%.*s.XXXXXX", (int)length, path);
}

static mode_t allowed(mode_t mode)
{
    const mode_t mask = umask(0);

    umask(mask);
    return mode & ~mask;
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

static bool write_part(char *part, const char *path, bool (*write)(const void *what, FILE *out), const void *what)
{
    const int file = mkostemp(part, O_CLOEXEC);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");

    if (!out)
        return false;
    if (write_and_close(out, write, what) && !chmod(part, allowed(MODE_FILE)) && !rename(part, path))
        return true;
    unlink(part);
    return false;
}

bool output_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what)
{
    char *part, *real;
    bool written;

    if (!strcmp(path, "-"))
        return write_and_close(stdout, write, what) || refuse("standard output");
    if (is_special(path)) {
        FILE *out = fopen(path, "we");

        return (out && write_and_close(out, write, what)) || refuse(path);
    }
    real = realpath(path, NULL); /* what a link names is replaced, not the link */
    part = part_name(real ? real : path);
    written = write_part(part, real ? real : path, write, what) || refuse(path);
    free(part);
    free(real);
    return written;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static bool fill_part(char *part, const char *path, bool (*write)(const void *what, const char *folder),
                      const void *what)
{
    int why;

    errno = 0;
    if (!mkdtemp(part))
        return false;
    if (write(what, part) && !chmod(part, allowed(MODE_FOLDER)) && !rename(part, path))
        return true;
    why = errno;
    nftw(part, remove_one, OPEN_MOST, FTW_DEPTH | FTW_PHYS);
    errno = why;
    return false;
}

bool output_to_folder(const char *path, bool (*write)(const void *what, const char *folder), const void *what)
{
    char *part = part_name(path);
    const bool written = fill_part(part, path, write, what) || refuse(path);

    free(part);
    return written;
}

/* Linux tells by /proc/self/exe where the program lies, whatever name it was started by. */

char *own_file(const char *installed, const char *built, const char *name)
{
    const char *const folder[] = {installed, built};
    char here[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", here, sizeof(here) - 1);
    char *slash;

    here[length > 0 ? length : 0] = '\0';
    slash = strrchr(here, '/');
    for (size_t i = 0; slash && i < sizeof(folder) / sizeof(folder[0]); i++) {
        char *const path = xasprintf("%.*s%s/%s", (int)(slash + 1 - here), here, folder[i], name);

        if (!access(path, R_OK))
            return path;
        free(path);
    }
    return NULL;
}
