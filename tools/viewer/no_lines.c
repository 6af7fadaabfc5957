/* SPDX-License-Identifier: MIT */
/*
 * Answers, in a build without elfutils, Capstone and libiberty, that there are no source lines, no instructions and
 * no other spelling of a name of C++ or Rust.
 */
#include "tools/symbols/demangle.h"
#include "tools/symbols/disassembly.h"
#include "tools/symbols/line_table.h"

struct line_table *line_table_open(const struct symbols *s)
{
    (void)s;
    return NULL;
}

void line_table_close(struct line_table *index)
{
    (void)index;
}

bool line_table_find(const struct line_table *index, uint64_t address, const char **file, unsigned *line)
{
    (void)index, (void)address, (void)file, (void)line;
    return false;
}

size_t line_table_inlined(const struct line_table *index, uint64_t address, const char *names[], size_t most)
{
    (void)index, (void)address, (void)names, (void)most;
    return 0;
}

bool disassembly_open(struct disassembly *d, const struct symbols *s)
{
    *d = (struct disassembly){.symbols = s};
    return false;
}

void disassembly_close(struct disassembly *d)
{
    (void)d;
}

bool disassembly_find(struct disassembly *d, uint64_t address, struct instruction *to)
{
    (void)d, (void)address, (void)to;
    return false;
}

bool disassembly_next(struct disassembly *d, struct instruction *i)
{
    (void)d, (void)i;
    return false;
}

char *demangle(const char *name)
{
    (void)name;
    return NULL;
}
