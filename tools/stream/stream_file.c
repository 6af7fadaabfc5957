/* SPDX-License-Identifier: MIT */
/* Opens, replaces and writes the file for a stream; copies a pipe, which can be read once, to one without a name. */
#include "tools/stream/stream_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/limits.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/temporary.h"

#define READER_MS 10000 /* how long a FIFO may be without a reader */
#define LOOK_MS 200 /* between two checks whether to go on waiting for a reader */

static const char *name_of(const struct stream_file *f)
{
    return f->file == STDOUT_FILENO ? "standard output" : f->name;
}

static bool refuse(const struct stream_file *f, int why)
{
    cli_error("%s cannot be written: %s", name_of(f), strerror(why));
    return false;
}

/*
 * Whether both are the same file.  A terminal or a socket may be both standard input and output; a
 * file or a FIFO would feed its own output back for ever.
 */
static bool is_same(const char *from, const char *to)
{
    struct stat in, out;

    if ((strcmp(from, "-") ? stat(from, &in) : fstat(STDIN_FILENO, &in)) ||
        (strcmp(to, "-") ? stat(to, &out) : fstat(STDOUT_FILENO, &out)))
        return false;
    return in.st_dev == out.st_dev && in.st_ino == out.st_ino &&
           (S_ISREG(in.st_mode) || S_ISFIFO(in.st_mode) || (strcmp(from, "-") && strcmp(to, "-")));
}

/* Two writers would mix their streams. */
static bool lock_exclusive(const struct stream_file *f)
{
    if (!flock(f->file, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
        return true;
    cli_error("%s is being written by another recorder", f->name);
    return false;
}

static bool may_write(struct stream_file *f, bool force)
{
    struct stat what;

    if (fstat(f->file, &what))
        return refuse(f, errno);
    if (S_ISBLK(what.st_mode)) {
        cli_error("%s is a disk: a stream is recorded in a file", f->name);
        return false;
    }
    if (!S_ISREG(what.st_mode))
        return true;
    f->replaces = what.st_size > 0;
    if (!lock_exclusive(f))
        return false;
    if (f->replaces && !force) {
        cli_error("%s has %" PRIdMAX " bytes already: --force replaces it", f->name,
                  (intmax_t)what.st_size);
        return false;
    }
    return true;
}

/* Without O_NONBLOCK, opening a FIFO waits for its reader for ever; with it, ENXIO tells that there is none. */
static int open_within(const char *name)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
    int file = -1;

    for (int ms = 0; ms <= READER_MS; ms += LOOK_MS) {
        file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        if (file >= 0 || errno != ENXIO)
            break;
        nanosleep(&pause, NULL);
    }
    if (file >= 0)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

bool stream_file_open(struct stream_file *f, const char *name, const char *from, bool force)
{
    *f = (struct stream_file){.name = name, .file = STDOUT_FILENO};
    if (is_same(from, name)) {
        cli_error("%s is the source of the stream: it cannot be the output too", name_of(f));
        return false;
    }
    if (!strcmp(name, "-"))
        return true;
    f->file = open_within(name);
    if (f->file < 0 && errno == ENXIO) {
        cli_error("%s is a pipe that nobody has opened to read within %d s", name, READER_MS / 1000);
        return false;
    }
    if (f->file < 0)
        return refuse(f, errno);
    if (may_write(f, force))
        return true;
    close(f->file);
    return false;
}

/* A ready pipe takes PIPE_BUF bytes without blocking; more bytes may block. */
static ssize_t write_some(const struct stream_file *f, const uint8_t *bytes, size_t length)
{
    struct pollfd wait = {.fd = f->file, .events = POLLOUT};
    const int ready = poll(&wait, 1, LOOK_MS);

    if (ready <= 0)
        return ready < 0 && errno != EINTR ? -1 : 0;
    return write(f->file, bytes, length < PIPE_BUF ? length : PIPE_BUF);
}

bool stream_file_write(struct stream_file *f, const uint8_t *bytes, size_t length,
                       bool (*stop)(void *context), void *context)
{
    if (length && f->replaces && ftruncate(f->file, 0))
        return refuse(f, errno);
    if (length)
        f->replaces = false;
    while (length) {
        const ssize_t put = write_some(f, bytes, length);

        if (put < 0 && errno != EINTR && errno != EAGAIN)
            return refuse(f, errno);
        if (put <= 0 && stop && stop(context))
            return false;
        bytes += put > 0 ? put : 0;
        length -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

bool stream_file_close(struct stream_file *f)
{
    if (f->file == STDOUT_FILENO || !close(f->file))
        return true;
    return refuse(f, errno);
}

/* With errno; `put` became false where it was writing that failed. */
static bool write_all(FILE *to, int from, bool *put)
{
    char bytes[1 << 14];
    ssize_t got = 0;

    while (*put && (got = read(from, bytes, sizeof(bytes))) > 0)
        *put = fwrite(bytes, 1, (size_t)got, to) == (size_t)got;
    *put = *put && !fflush(to);
    return *put && !got;
}

int stream_copy(int from)
{
    FILE *file = temporary_file();
    bool put = file;
    int copy = -1;

    if (file && write_all(file, from, &put))
        copy = dup(fileno(file));
    if (copy >= 0 && lseek(copy, 0, SEEK_SET) < 0) {
        close(copy);
        copy = -1;
    }
    if (!put)
        cli_error("a temporary file cannot be written: %s", strerror(errno));
    if (file)
        fclose(file);
    return copy;
}
