/* SPDX-License-Identifier: MIT */
/*
 * Prints the image's table with as many digits of a share as of its interval: the image prints one, which is as wide
 * as in the paper, and "0.0" beside 0.01-0.10.
 */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "probe/text/text_buf.h"
#include "tools/base/alloc.h"
#include "tools/stat/stat_report.h"
#include "tools/view/histogram_view.h"

#define NAME_WIDE (NAME_SIZE - 1)

struct table_lines {
    const struct snapshot *s;
    const struct table_options *options;
    regex_t share; /* one, which has an interval behind it */
    uint32_t next; /* row that may be the line's */
};

static bool is_of(const char *line, const struct snapshot_row *row)
{
    char name[NAME_WIDE + 1];

    snprintf(name, sizeof(name), "%-*s", NAME_WIDE, snapshot_row_name(row));
    return !strncmp(line, name, NAME_WIDE);
}

/* The row of a line; of tasks that have one name, each line has the next. */
static struct table_row row_of(struct table_lines *l, const char *line)
{
    const struct snapshot_row masked = {.id = ROW_MASKED}; /* which may have exact time and no samples */

    for (uint32_t i = l->next; i < l->s->rows; i++) {
        const struct snapshot_row *const row = &l->s->row[i];

        if (!is_of(line, row))
            continue;
        l->next = row->id < ROW_IDLE ? i + 1 : l->next;
        return table_row(l->s, row, l->options);
    }
    return is_of(line, &masked) ? table_row(l->s, &masked, l->options) : table_total(l->s, l->options);
}

static void print_line(void *context, const char *text)
{
    static const enum mode order[] = {MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_INTERRUPT};
    struct table_lines *const l = context;
    char line[TEXT_BUF_SIZE], *end[MODES + 1];
    regmatch_t found[2];
    unsigned shares = 0;
    struct table_row row;

    snprintf(line, sizeof(line), "%s", text);
    for (char *at = line; shares <= MODES && !regexec(&l->share, at, 2, found, 0); at += found[0].rm_eo)
        end[shares++] = at + found[1].rm_eo;
    if (shares)
        row = row_of(l, line);
    for (unsigned i = 0; i < shares; i++) {
        const char *share = REAL((shares == 1 || i == MODES ? row.total : row.cell[order[i]]).percent, 2);

        memcpy(end[i] - strlen(share), share, strlen(share));
    }
    view_line(NULL, line);
}

void stat_table_print(const struct snapshot *s, const struct table_options *options)
{
    struct table_lines l = {.s = s, .options = options};

    if (regcomp(&l.share, " ([0-9]+\\.[0-9]) +[0-9.]+-[0-9.]+", REG_EXTENDED))
        out_of_memory();
    table_print(s, options, print_line, &l);
    regfree(&l.share);
}
