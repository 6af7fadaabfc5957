/* SPDX-License-Identifier: MIT */
/* Writes a stream to one file or to several in turn. */
#include "tools/archive/archive_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

static bool has_parts(const struct archive_file *a)
{
    return a->most_bytes || a->most_seconds > 0.0;
}

/* "run.dump" with 1 is "run-0001.dump"; a dot of a folder, or at the head of a name, begins no suffix. */
static char *name_part(const char *name, unsigned number)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    const int stem = (int)(dot && dot > base ? dot - name : (ptrdiff_t)strlen(name));

    return xasprintf("%.*s-%04u%s", stem, name, number, name + stem);
}

static bool open_part(struct archive_file *a)
{
    const char *name = a->name;

    if (has_parts(a)) {
        free(a->part);
        name = a->part = name_part(a->name, a->parts + 1);
    }
    a->parts++;
    a->offset = 0;
    a->begun = arrival_now();
    if (!stream_file_open(&a->file, name, a->from, a->force))
        return false;
    if (!a->times || arrival_begin(&a->arrivals, name, a->force))
        return true;
    stream_file_close(&a->file);
    return false;
}

static bool close_part(struct archive_file *a)
{
    const bool well = arrival_end(&a->arrivals);

    return stream_file_close(&a->file) && well;
}

bool archive_begin(struct archive_file *a)
{
    return open_part(a);
}

bool archive_write(struct archive_file *a, const uint8_t *bytes, size_t length)
{
    a->offset += length;
    return stream_file_write(&a->file, bytes, length, a->stop, a->context);
}

static bool write_preface(void *archive, const uint8_t *bytes, size_t length)
{
    return archive_write(archive, bytes, length);
}

static bool is_full(const struct archive_file *a)
{
    return (a->most_bytes && a->offset >= a->most_bytes) ||
           (a->most_seconds > 0.0 && (double)(arrival_now() - a->begun) >= a->most_seconds * 1e9);
}

/* A preface that is nearly a file alone would begin one each second. */
static bool begin_part(struct archive_file *a)
{
    if (!close_part(a) || !open_part(a) || !preface_write(&a->preface, write_preface, a))
        return false;
    if (a->most_bytes && a->offset * 2 > a->most_bytes) {
        cli_error("%s: what each file begins with has %" PRIu64 " bytes: the files are larger than asked", a->name,
                  a->offset);
        a->most_bytes = a->offset * 4;
    }
    return true;
}

bool archive_end_event(struct archive_file *a, const struct stream_event *event)
{
    const bool hello = event->kind == STREAM_RECORD && event->reader.type == WIRE_HELLO;

    arrival_note(&a->arrivals, a->offset, hello);
    if (!has_parts(a))
        return true;
    preface_add_event(&a->preface, event);
    return !hello || !is_full(a) || begin_part(a); /* a snapshot is never sent around a HELLO, so none is cut */
}

void archive_gap(struct archive_file *a, uint64_t from)
{
    arrival_gap(&a->arrivals, a->offset, from, arrival_now());
}

bool archive_end(struct archive_file *a)
{
    bool well;

    arrival_note(&a->arrivals, a->offset, true);
    well = close_part(a);
    if (a->preface.left_out)
        cli_error("%s: %" PRIu64 " frames had no room in what each file begins with", a->name, a->preface.left_out);
    preface_free(&a->preface);
    free(a->part);
    return well;
}
