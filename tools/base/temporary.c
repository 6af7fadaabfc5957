/* SPDX-License-Identifier: MIT */
/* Names each folder after its owner, so that whoever comes later sees whether that lives. */
#include "tools/base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME       "cpuprobe-%lu-%d-%llu-"
#define OPEN_MOST  8 /* folders that nftw() has open */

/* Who made a folder. */
struct owner {
    unsigned long space; /* the inode of its PID namespace */
    int pid;
    unsigned long long start; /* clock ticks since the system began */
};

/* The folder in which ours are made, absolute, in a buffer of PATH_MAX; NULL, with errno. */
static char *parent_folder(const char *in, char *path)
{
    const char *const given = in != NULL ? in : getenv("TMPDIR");

    return realpath(given != NULL && *given != '\0' ? given : "/tmp", path);
}

static unsigned long own_space(void)
{
    struct stat s;

    return stat("/proc/self/ns/pid", &s) == 0 ? (unsigned long)s.st_ino : 0;
}

/* When a process that has not ended began; 0: there is none. */
static unsigned long long start_of(int pid)
{
    char path[64], text[1024], state = 'X';
    unsigned long long start = 0;
    const char *name_end;
    FILE *file;
    size_t length;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    name_end = strrchr(text, ')'); /* "PID (NAME) STATE ...", and START as the 22nd */
    if (name_end == NULL ||
        sscanf(name_end, ") %c%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s %llu", &state, &start) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : start;
}

char *temporary_folder(const char *in, pid_t owner)
{
    const unsigned long long start = start_of((int)owner); /* 0 of ourselves: there is no /proc, and nobody sweeps */
    char parent[PATH_MAX], *path;

    if (parent_folder(in, parent) == NULL)
        return NULL;
    if (start == 0 && owner != getpid()) {
        errno = ESRCH;
        return NULL;
    }
    if (asprintf(&path, "%s/" NAME "XXXXXX", parent, own_space(), (int)owner, start) < 0)
        return NULL;
    if (mkdtemp(path) != NULL)
        return path;
    free(path);
    return NULL;
}

FILE *temporary_file(void)
{
    char parent[PATH_MAX], path[PATH_MAX];
    int file;

    if (parent_folder(NULL, parent) == NULL)
        return NULL;
    if (snprintf(path, sizeof(path), "%s/cpuprobe-XXXXXX", parent) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file < 0 ? NULL : fdopen(file, "w+");
}

/* ---- those that were left ---- */

static bool has_ended(const char *name)
{
    struct owner o;
    int end = 0;

    return sscanf(name, NAME "%n", &o.space, &o.pid, &o.start, &end) == 3 && end > 0 && own_space() != 0 &&
           o.space == own_space() && start_of(o.pid) != o.start;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at)
{
    (void)s, (void)type, (void)at;
    remove(path);
    return 0;
}

void temporary_remove(const char *path)
{
    nftw(path, remove_one, OPEN_MOST, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void temporary_sweep(const char *in)
{
    char parent[PATH_MAX], path[PATH_MAX];
    DIR *const folder = parent_folder(in, parent) != NULL ? opendir(parent) : NULL;
    struct dirent *entry;
    struct stat s;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (has_ended(entry->d_name) && snprintf(path, sizeof(path), "%s/%s", parent, entry->d_name) < PATH_MAX &&
            lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid())
            temporary_remove(path);
    closedir(folder);
}
