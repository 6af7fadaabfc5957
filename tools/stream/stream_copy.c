/* SPDX-License-Identifier: MIT */
/* The file is removed by the system when its descriptor is closed. */
#include "tools/stream/stream_copy.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool write_all(FILE *to, int from)
{
    char bytes[1 << 14];
    ssize_t got;

    while ((got = read(from, bytes, sizeof(bytes))) > 0)
        if (fwrite(bytes, 1, (size_t)got, to) != (size_t)got)
            return false;
    return !got && !fflush(to);
}

int stream_copy(int from)
{
    FILE *file = tmpfile();
    int copy = -1;

    if (file && write_all(file, from))
        copy = dup(fileno(file));
    if (copy >= 0 && lseek(copy, 0, SEEK_SET) < 0) {
        close(copy);
        copy = -1;
    }
    if (file)
        fclose(file);
    return copy;
}
