/* SPDX-License-Identifier: MIT */
/*
 * Searches for a build id.  Each file's id is read once, when its folder is searched; a file is
 * indexed only when it is requested.
 */
#include "tools/symbols/symbol_store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

/* The contents of a file, in order of preference. */
enum { NOTHING, CODE = 1, SYMBOLS = 2, WHOLE = CODE | SYMBOLS };

struct store_file {
    char *path;
    char *build; /* NULL: it has none */
    unsigned holds;
    struct symbols *symbols; /* NULL: not open */
};

void symbol_store_free(struct symbol_store *store)
{
    for (size_t i = 0; i < store->files; i++) {
        struct store_file *f = &store->file[i];

        if (f->symbols)
            symbols_close(f->symbols);
        free(f->symbols);
        free(f->build);
        free(f->path);
    }
    for (size_t i = 0; i < store->folders; i++)
        free(store->folder[i]);
    free(store->file);
    free(store->folder);
    *store = (struct symbol_store){0};
}

static char *copy(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(xrealloc_array(NULL, size, 1), text, size);
}

static char *path_in(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = xrealloc_array(NULL, size, 1);

    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* The store takes over both texts. */
static struct store_file *append(struct symbol_store *store, char *path, char *build,
                                 unsigned holds)
{
    store->file = xrealloc_array(store->file, store->files + 1, sizeof(*store->file));
    store->file[store->files] = (struct store_file){.path = path, .build = build, .holds = holds};
    return &store->file[store->files++];
}

/* `debug`: the file with its symbols; NULL: this file, or a debug file in the usual places. */
static bool open_symbols(const struct symbol_store *store, struct store_file *f,
                         const char *debug, const char **why)
{
    struct debug_places places = {(const char *const *)store->folder, store->folders, debug};

    f->symbols = xrealloc_array(NULL, 1, sizeof(*f->symbols));
    if (symbols_open_quietly(f->symbols, f->path, &places, why)) {
        f->holds |= SYMBOLS;
        return true;
    }
    free(f->symbols);
    f->symbols = NULL;
    f->holds = NOTHING;
    return false;
}

/*
 * Add a file if its headers show that it is usable; no messages, since the user did not name it.
 * The store takes over the path.
 */
static void look_at(struct symbol_store *store, char *path)
{
    struct elf_file f;
    const char *why;
    char *build = NULL;
    unsigned holds = NOTHING;

    if (elf_file_open(&f, path, &why)) {
        build = elf_file_id(&f);
        holds = (elf_file_has_code(&f) ? CODE : NOTHING) | (elf_file_has_symbols(&f) ? SYMBOLS : NOTHING);
        elf_file_close(&f);
    }
    if (build && holds) {
        append(store, path, build, holds);
        return;
    }
    free(build);
    free(path);
}

static int may_be_file(const struct dirent *entry)
{
    return entry->d_type == DT_REG || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
}

/* Sorted by name, so that each run finds the same file first. */
static bool search_folder(struct symbol_store *store, const char *folder)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, may_be_file, alphasort);

    for (int i = 0; i < count; i++) {
        look_at(store, path_in(folder, entry[i]->d_name));
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
    return count >= 0;
}

static bool search_tree(struct symbol_store *store, const char *folder)
{
    char *tasks = path_in(folder, "tasks");
    bool searched = search_folder(store, folder);

    if (searched)
        search_folder(store, tasks); /* most folders have none */
    free(tasks);
    return searched;
}

static bool add_folder(struct symbol_store *store, const char *path)
{
    if (!search_tree(store, path)) {
        cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    APPEND(store->folder, store->folders, copy(path));
    return true;
}

static bool add_file(struct symbol_store *store, const char *path)
{
    struct store_file *f = append(store, copy(path), NULL, NOTHING);
    const char *why;

    if (!open_symbols(store, f, NULL, &why)) {
        if (!store->quiet)
            elf_file_refuse(path, why);
        return false;
    }
    if (f->symbols->build)
        f->build = copy(f->symbols->build);
    if (elf_file_has_code(&f->symbols->file))
        f->holds |= CODE;
    if (!store->first)
        store->first = f->symbols;
    return true;
}

bool symbol_store_add(struct symbol_store *store, const char *path)
{
    struct stat status;

    if (!stat(path, &status) && S_ISDIR(status.st_mode))
        return add_folder(store, path);
    return add_file(store, path);
}

struct symbols *symbol_store_first(const struct symbol_store *store)
{
    return store->first;
}

/*
 * The folder of the running program: the image was built there with it.  Where it is installed, the image is apart.
 */
static void search_own(struct symbol_store *store)
{
    char *program = store->own ? path_in(store->own, "") : realpath("/proc/self/exe", NULL);

    if (program && !store->searched_own) {
        char *installed;

        *strrchr(program, '/') = '\0';
        installed = path_in(program, "../lib/cpuprobe/build");
        if (!search_tree(store, installed))
            search_tree(store, program);
        free(installed);
    }
    store->searched_own = true;
    free(program);
}

static bool knows(const struct symbol_store *store, const char *path)
{
    for (size_t i = 0; i < store->files; i++)
        if (!strcmp(store->file[i].path, path))
            return true;
    return false;
}

/* Search the places that debuggers search. */
static void search_debug(struct symbol_store *store, const char *build)
{
    for (size_t i = 0; i <= store->folders; i++) {
        char *path = debug_file_path(i < store->folders ? store->folder[i] : DEBUG_FOLDER, build);

        if (path && !knows(store, path))
            look_at(store, path);
        else
            free(path);
    }
}

/* The file of this build id that holds the most, `least` to `most`; of several the first; NULL: none. */
static struct store_file *best(const struct symbol_store *store, const char *build,
                               unsigned least, unsigned most)
{
    struct store_file *found = NULL;

    for (size_t i = 0; i < store->files; i++) {
        struct store_file *f = &store->file[i];

        if (f->holds < least || f->holds > most || !f->build || strcmp(f->build, build))
            continue;
        if (!found || f->holds > found->holds)
            found = f;
    }
    return found;
}

/* Only hexadecimal becomes part of a path: an id may come from a damaged stream. */
static bool is_hexadecimal(const char *build)
{
    return !build[strspn(build, "0123456789abcdef")];
}

/* The best file of this build id; searches further places only if needed.  NULL: none. */
static struct store_file *search(struct symbol_store *store, const char *build)
{
    if (!best(store, build, WHOLE, WHOLE))
        search_own(store);
    if (!best(store, build, WHOLE, WHOLE) && is_hexadecimal(build))
        search_debug(store, build);
    return best(store, build, CODE, WHOLE);
}

struct symbols *symbol_store_by_build(struct symbol_store *store, const char *build)
{
    struct store_file *f, *code;
    const char *why;

    if (!*build)
        return NULL;
    while ((f = search(store, build))) { /* a file found to be damaged is not tried again: it holds NOTHING */
        if (f->holds == SYMBOLS && (code = best(store, build, CODE, CODE)))
            open_symbols(store, code, f->path, &why);
        else if (f->symbols || open_symbols(store, f, NULL, &why))
            return f->symbols;
    }
    return NULL;
}
