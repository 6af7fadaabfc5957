/* SPDX-License-Identifier: MIT */
/* Keeps columns in chunks of a temporary file, which is written at its end only. */
#include "tools/export/spool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/temporary.h"

#define CHUNK      4096u
#define ROOM_FIRST 64u

struct spool_column {
    char *byte; /* what is in no chunk yet */
    uint32_t count, room;
    uint32_t *chunk; /* numbers of those in the file */
    size_t chunks;
};

static bool failed(struct spool *s)
{
    if (!s->failed)
        cli_error("a temporary file cannot be written: %s", strerror(errno));
    s->failed = true;
    return false;
}

static struct spool_column *column_at(struct spool *s, size_t column)
{
    while (s->columns <= column)
        APPEND(s->column, s->columns, (struct spool_column){0});
    return &s->column[column];
}

static void put_chunk(struct spool *s, struct spool_column *c)
{
    if (!s->file && !s->failed)
        s->file = temporary_file();
    if (!s->failed && (!s->file || fwrite(c->byte, 1, CHUNK, s->file) != CHUNK))
        failed(s);
    APPEND(c->chunk, c->chunks, s->chunks++);
    c->count = 0;
}

static void put_bytes(struct spool *s, struct spool_column *c, const char *byte, size_t length)
{
    while (length) {
        size_t taken = CHUNK - c->count < length ? CHUNK - c->count : length;

        while (c->room - c->count < taken) {
            c->room = c->room ? 2 * c->room : ROOM_FIRST;
            c->byte = xrealloc_array(c->byte, c->room, 1);
        }
        memcpy(c->byte + c->count, byte, taken);
        c->count += (uint32_t)taken;
        byte += taken;
        length -= taken;
        if (c->count == CHUNK)
            put_chunk(s, c);
    }
}

void spool_put(struct spool *s, size_t column, const char *format, ...)
{
    struct spool_column *const c = column_at(s, column);
    char text[SPOOL_VALUE + 1];
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (c->count || c->chunks)
        put_bytes(s, c, ",", 1);
    put_bytes(s, c, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

bool spool_copy(struct spool *s, size_t column, FILE *out)
{
    const struct spool_column *const c = column_at(s, column);
    char byte[CHUNK];

    for (size_t i = 0; !s->failed && i < c->chunks; i++) {
        if (fseeko(s->file, (off_t)c->chunk[i] * CHUNK, SEEK_SET) || fread(byte, 1, CHUNK, s->file) != CHUNK)
            return failed(s);
        fwrite(byte, 1, CHUNK, out);
    }
    if (c->count)
        fwrite(c->byte, 1, c->count, out);
    return !s->failed;
}

void spool_free(struct spool *s)
{
    for (size_t i = 0; i < s->columns; i++) {
        free(s->column[i].byte);
        free(s->column[i].chunk);
    }
    free(s->column);
    if (s->file)
        fclose(s->file);
    *s = (struct spool){0};
}
