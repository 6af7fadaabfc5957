/* SPDX-License-Identifier: MIT */
/* Writes the list of samples. */
#include "tools/hwmon/sample_list.h"

#include <errno.h>
#include <string.h>

bool sample_list_open(struct sample_list *list, const char *path)
{
    list->file = fopen(path, "w");
    if (list->file == NULL)
        fprintf(stderr, "hwmon: %s: %s\n", path, strerror(errno));
    else
        fputs("# ns, task, mode, address, code, address of data (- none)\n", list->file);
    return list->file != NULL;
}

void sample_list_add(struct sample_list *list, const struct sample *s, const char *task,
                     const struct insn *insn, bool accessed)
{
    if (list->file == NULL)
        return;
    fprintf(list->file, "%llu\t%s\t%s\t%#llx\t", (unsigned long long)s->time, task, mode_name(s->mode),
            (unsigned long long)insn->address);
    for (unsigned i = 0; i < insn->size; i++)
        fprintf(list->file, "%02x", insn->code[i]);
    if (accessed)
        fprintf(list->file, "\t%#llx\n", (unsigned long long)insn->data);
    else
        fputs("\t-\n", list->file);
}
