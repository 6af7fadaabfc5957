/* SPDX-License-Identifier: MIT */
/* Two buffers that take turns. */
#include "tools/serve/line_history.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/base/alloc.h"

static void append(struct history_part *p, const uint8_t *bytes, size_t length)
{
    if (p->room - p->length < length) {
        p->room = 2 * (p->length + length);
        p->bytes = xrealloc_array(p->bytes, p->room, 1);
    }
    memcpy(p->bytes + p->length, bytes, length);
    p->length += length;
}

static bool append_preface(void *part, const uint8_t *bytes, size_t length)
{
    append(part, bytes, length);
    return true;
}

void line_history_bytes(struct line_history *h, const uint8_t *bytes, size_t length)
{
    if (h->part.came > 2 * HISTORY_LEAST) { /* nothing was a frame: a part that begins here has no preface */
        h->part.length = h->part.came = 0;
        h->cut = true;
    }
    append(&h->part, bytes, length);
    h->part.came += length;
    if (!h->begun)
        return;
    append(&h->next, bytes, length);
    h->next.came += length;
}

void line_history_event(struct line_history *h, const struct stream_preface *preface)
{
    if (!h->begun && h->part.came >= HISTORY_LEAST) {
        h->begun = true;
        preface_write(preface, append_preface, &h->next);
    }
    if (h->next.came < HISTORY_LEAST)
        return;
    free(h->part.bytes);
    h->part = h->next;
    h->next = (struct history_part){0};
    h->begun = false;
    h->cut = true;
}

int line_history_file(const struct line_history *h)
{
    const int file = memfd_create("history", MFD_CLOEXEC);
    size_t written = 0;
    ssize_t some = 1;

    while (file >= 0 && written < h->part.length && some > 0) {
        some = write(file, h->part.bytes + written, h->part.length - written);
        written += some > 0 ? (size_t)some : 0;
    }
    if (file >= 0 && written < h->part.length) {
        close(file);
        return -1;
    }
    return file;
}

void line_history_free(struct line_history *h)
{
    free(h->part.bytes);
    free(h->next.bytes);
}
