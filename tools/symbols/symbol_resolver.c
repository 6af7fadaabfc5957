/* SPDX-License-Identifier: MIT */
/*
 * Chooses the file that names the addresses of a run: by its build ids, with a warning if the user
 * named a different file.
 */
#include "tools/symbols/symbol_resolver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/coding/loaded_hash.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/symbols/line_table.h"

const struct code_file *code_file_at(const struct code_files *files, uint64_t address)
{
    static const struct code_file unnamed;

    if (address & UPPER_HALF)
        return &files->image;
    return files->changed && changed_code_at(files->changed, files->task, address) ? &unnamed : &files->program;
}

static void close_file(struct code_file *file)
{
    if (file->lines)
        line_table_close(file->lines);
    if (file->disassembly)
        disassembly_close(file->disassembly);
    *file = (struct code_file){0};
}

void resolver_free(struct symbol_resolver *n)
{
    close_file(&n->symbols.program);
    close_file(&n->symbols.image);
    for (size_t i = 0; i < n->nameds; i++)
        free(n->named[i].build);
    free(n->named);
    symbol_store_free(&n->store);
    *n = (struct symbol_resolver){0};
}

static bool is_folder(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* A stripped program whose debug file was not found. */
static bool is_stripped(const char *path)
{
    struct elf_file f;
    const char *why;
    bool stripped;

    if (!elf_file_open(&f, path, &why))
        return false;
    stripped = !elf_file_has_symbols(&f);
    elf_file_close(&f);
    return stripped;
}

static void keep_build(struct symbol_resolver *n, const char *path)
{
    struct elf_file f;
    const char *why;

    if (!elf_file_open(&f, path, &why))
        return;
    APPEND(n->named, n->nameds, (struct named_file){path, elf_file_id(&f)});
    elf_file_close(&f);
}

void resolver_take(void *naming, char *path, struct argp_state *state)
{
    static const char *before; /* one word may name a file for both of two runs: it is refused once */
    struct symbol_resolver *const n = naming;

    (void)state;
    n->store.quiet = path == before;
    before = path;
    if (!symbol_store_add(&n->store, path) && !is_stripped(path))
        exit(EXIT_NO_DATA);
    if (!is_folder(path))
        keep_build(n, path);
}

static bool has_run(const struct epoch *e, const char *build)
{
    if (e->has_hello && !strcmp(e->hello.build.bytes, build))
        return true;
    for (size_t i = 0; i < e->program_count; i++)
        if (!strcmp(e->programs[i].build.bytes, build))
            return true;
    return false;
}

bool resolver_warn_foreign(const struct symbol_resolver *n, const struct epoch *e, const struct epoch *other)
{
    bool well = true;

    for (size_t i = 0; i < n->nameds; i++) {
        const struct named_file *f = &n->named[i];

        if (f->build && (has_run(e, f->build) || (other && has_run(other, f->build))))
            continue;
        if (f->build && (elf_id_is_build(f->build) || e->hello.minor >= LOADED_HASH_SINCE))
            cli_error("warning: %s is not a program that ran: the run does not have its build id, %s",
                      f->path, f->build);
        else
            cli_error("warning: %s may not be a program that ran: it has no build id", f->path);
        well = false;
    }
    return well;
}

/*
 * The file of this build id, else the file that the user named, if it is linked in that half and is
 * no other file that ran.
 */
static struct symbols *find(struct symbol_resolver *n, const struct epoch *e, const char *build,
                                  bool image)
{
    struct symbols *found = build ? symbol_store_by_build(&n->store, build) : NULL;
    struct symbols *first = symbol_store_first(&n->store);

    if (found) /* a task without a program has the image's build id for both halves */
        return symbols_is_kernel(found) == image ? found : NULL;
    if (!first || symbols_is_kernel(first) != image)
        return NULL;
    return build && first->build && has_run(e, first->build) ? NULL : first;
}

/* A file that is there already stays: tasks share it, and its lines take long to read. */
static void fill(struct code_file *file, struct symbols *symbols, uint64_t base, struct disassembly *code, bool whole)
{
    if (symbols && file->symbols == symbols && symbols->base == base && (file->lines || !whole))
        return;
    close_file(file);
    if (symbols && !symbols_move(symbols, base))
        return;
    *file = (struct code_file){.symbols = symbols};
    if (!symbols || !whole)
        return;
    file->lines = line_table_open(symbols);
    if (disassembly_open(code, symbols))
        file->disassembly = code;
}

static void choose_again(void *resolver, uint32_t task)
{
    struct symbol_resolver *n = resolver;

    resolver_use(n, n->epoch, task, n->whole);
}

void resolver_use(struct symbol_resolver *n, const struct epoch *e, uint32_t task, bool whole)
{
    const char *program = epoch_build(e, task, MODE_USER);
    const char *image = epoch_build(e, task, MODE_KERNEL);

    n->epoch = e;
    n->whole = whole;
    n->symbols.choose = choose_again;
    n->symbols.chooser = n;
    n->symbols.task = task;
    epoch_name_of(e, task, n->symbols.name);
    n->symbols.changed = &e->code;
    fill(&n->symbols.program, find(n, e, program, false), epoch_program_base(e, task), &n->code[0], whole);
    fill(&n->symbols.image, find(n, e, image, true), 0, &n->code[1], whole);
}

bool resolver_choose(struct symbol_resolver *n, const struct epoch *e, uint32_t task, bool whole)
{
    resolver_use(n, e, task, whole);
    return resolver_warn_foreign(n, e, NULL);
}

/*
 * Whether a file has names for code of this build id in the mode.  Not every port links its kernel in the upper half.
 */
static bool is_named(const struct symbol_resolver *n, const char *build, enum mode mode)
{
    const struct symbols *lower = n->symbols.program.symbols;

    if (mode == MODE_USER)
        return lower;
    return n->symbols.image.symbols || (lower && (!build || (lower->build && !strcmp(lower->build, build))));
}

void resolver_warn_unnamed(const struct symbol_resolver *n, const struct epoch *e, uint32_t task,
                           enum mode mode)
{
    const char *build = epoch_build(e, task, mode);

    if (is_named(n, build, mode))
        return;
    if (build)
        cli_error("note: no file has names for build id %s: its code is shown by addresses only",
                  build);
    else
        cli_error("note: the run has no build id for this code: it is shown by addresses only");
}
