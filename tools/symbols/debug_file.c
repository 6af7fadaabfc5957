/* SPDX-License-Identifier: MIT */
/*
 * Searches for a separate debug file.  Does not use the network, as libdwfl may, and accepts only a
 * plain name, not a path, from the file.
 */
#include <elfutils/libdwelf.h>
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
    GElf_Word crc;    /* checksum of the linked file */
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
    GElf_Shdr header;
    char *build;
    bool same;

    if (!elf_file_symbol_table(found->elf, &header) && !elf_file_has_dwarf(found->elf))
        return false;
    build = elf_file_build(found->elf);
    same = s->build && build ? !strcmp(s->build, build)
                             : s->link && has_crc(found->file, s->crc);
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

bool debug_file_open(struct elf_file *to, Elf *elf, const char *path,
                     const struct debug_places *places)
{
    struct search s = {.to = to, .build = elf_file_build(elf)};
    size_t roots = (places ? places->folders : 0) + 1;
    char *folder = folder_of(path);
    bool found;

    s.link = dwelf_elf_gnu_debuglink(elf, &s.crc);
    if (!folder || (s.link && (!*s.link || strchr(s.link, '/'))))
        s.link = NULL;
    found = (places && places->file && try(&s, xasprintf("%s", places->file))) ||
            try_builds(&s, places, roots) || try_links(&s, folder, places, roots);
    if (!found)
        *to = (struct elf_file){0};
    free(folder);
    free(s.build);
    return found;
}
