/* SPDX-License-Identifier: MIT */
/*
 * Searches for a separate debug file.  Does not use the network, as libdwfl may, and accepts only a
 * plain name, not a path, from the file.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/coding/crc32.h"
#include "tools/base/alloc.h"
#include "tools/symbols/elf_file.h"

struct search {
    struct elf_file *to;
    char *build;      /* NULL: the file has none */
    const char *link; /* .gnu_debuglink; NULL: none */
    uint32_t crc;     /* checksum of the linked file */
};

static bool has_crc(int file, uint32_t want)
{
    static const size_t room = 64 << 10;
    char *bytes = xrealloc_array(NULL, room, 1);
    uint32_t crc = 0;
    ssize_t got;

    for (off_t at = 0; (got = pread(file, bytes, room, at)) > 0; at += got)
        crc = crc32_update(crc, bytes, (size_t)got);
    free(bytes);
    return !got && crc == want;
}

static bool is_it(const struct search *s, const struct elf_file *found)
{
    char *build;
    bool same;

    if (!elf_file_has_symbols(found) && !elf_file_has_dwarf(found))
        return false;
    build = elf_file_build(found);
    same = s->build && build ? !strcmp(s->build, build)
                             : s->link && has_crc(found->table.file, s->crc);
    free(build);
    return same;
}

/* The path is freed; it may be NULL. */
static bool try(struct search *s, char *path)
{
    const char *why;
    bool opened = path && elf_file_open(s->to, path, &why);

    free(path);
    if (opened && !is_it(s, s->to)) {
        elf_file_close(s->to);
        return false;
    }
    return opened;
}

char *debug_file_path(const char *folder, const char *build)
{
    if (strlen(build) < 4)
        return NULL;
    return xasprintf("%s/.build-id/%.2s/%s.debug", folder, build, build + 2);
}

/* The folder of the file itself, with links resolved, for the caller to free; NULL: none. */
static char *folder_of(const char *path)
{
    char *folder = realpath(path, NULL);

    if (folder)
        *strrchr(folder, '/') = '\0';
    return folder;
}

static const char *root(const struct debug_places *places, size_t i)
{
    return places && i < places->folders ? places->folder[i] : DEBUG_FOLDER;
}

static bool try_builds(struct search *s, const struct debug_places *places, size_t roots)
{
    for (size_t i = 0; s->build && i < roots; i++)
        if (try(s, debug_file_path(root(places, i), s->build)))
            return true;
    return false;
}

static bool try_links(struct search *s, const char *folder, const struct debug_places *places,
                      size_t roots)
{
    if (!s->link)
        return false;
    if (try(s, xasprintf("%s/%s", folder, s->link)) ||
        try(s, xasprintf("%s/.debug/%s", folder, s->link)))
        return true;
    for (size_t i = 0; i < roots; i++)
        if (try(s, xasprintf("%s%s/%s", root(places, i), folder, s->link)))
            return true;
    return false;
}

/* A name and, at the next multiple of four bytes, a checksum; NULL: the file has none. */
static char *debug_link(const struct elf_table *t, uint32_t *crc)
{
    const struct elf_section *const s = elf_table_find(t, SHT_PROGBITS, ".gnu_debuglink");
    char *const link = s ? (char *)elf_table_bytes(t, s->offset, s->size) : NULL;
    const size_t at = link ? strlen(link) / 4 * 4 + 4 : 0;

    if (!link || at > s->size || s->size - at < sizeof(*crc)) {
        free(link);
        return NULL;
    }
    *crc = (uint32_t)elf_table_number(t, (const uint8_t *)link + at, sizeof(*crc));
    return link;
}

/* Its folder can be asked for, and it is a name in one. */
static bool is_usable(const char *folder, const char *link)
{
    return folder && link && *link && !strchr(link, '/');
}

bool debug_file_open(struct elf_file *to, const struct elf_file *of, const char *path,
                     const struct debug_places *places)
{
    struct search s = {.to = to, .build = elf_file_build(of)};
    size_t roots = (places ? places->folders : 0) + 1;
    char *folder = folder_of(path), *const link = debug_link(&of->table, &s.crc);
    bool found;

    s.link = is_usable(folder, link) ? link : NULL;
    found = (places && places->file && try(&s, xasprintf("%s", places->file))) ||
            try_builds(&s, places, roots) || try_links(&s, folder, places, roots);
    if (!found)
        *to = (struct elf_file){0};
    free(folder);
    free(link);
    free(s.build);
    return found;
}
