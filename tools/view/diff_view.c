/* SPDX-License-Identifier: MIT */
/* Two runs by function or line, as text: a line each, those of both runs before, what the columns are behind. */
#include "tools/view/diff_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 30

double diff_percent(const struct tally *t)
{
    return t->samples ? 100.0 * (double)t->hits / (double)t->samples : 0.0;
}

static void print_run(char letter, const struct run_input *s)
{
    const struct tally *t = &s->profile.active;

    printf("%c  %s\n   %s: %" PRIu64 " of %" PRIu64 " samples (%.2f %%)\n", letter, s->path,
           run_input_label(s), t->hits, s->profile.samples, diff_percent(t));
    if (s->profile.below || s->profile.above)
        printf("   %" PRIu64 " of them below these addresses, %" PRIu64 " above\n",
               s->profile.below, s->profile.above);
    if (s->profile.unresolved)
        printf("   %" PRIu64 " samples have no known place: any row may own them\n",
               s->profile.unresolved);
}

static void print_p(double p)
{
    if (p < 0.0001)
        printf(" <.0001");
    else
        printf(" %6.4f", p);
}

/* `tested`: the row has a p. */
static void print_row(const char *name, const struct share_diff_row *row, bool tested)
{
    if (strlen(name) > NAME_WIDTH) { /* a name is never cut, since --fail-if needs the whole name */
        puts(name);
        name = "";
    }
    printf("%-*s %6.2f %6.2f %+7.2f", NAME_WIDTH, name, diff_percent(&row->a), diff_percent(&row->b),
           100.0 * row->difference);
    if (isnan(row->low))
        printf("  %7s", "n.a.");
    else
        printf("  %+7.2f %+7.2f", 100.0 * row->low, 100.0 * row->high);
    if (tested && !isnan(row->adjusted))
        print_p(row->adjusted);
    puts(tested && row->significant ? " *" : "");
}

static void print_rule(void)
{
    printf("%-*s %6s %6s %7s  %15s %6s\n", NAME_WIDTH, "========", "======", "======", "=======",
           "======= =======", "======");
}

static void print_rows(const struct diff_report *r)
{
    const struct share_diff *const c = r->diff;
    const struct share_diff_row *row;
    size_t hidden = 0;

    printf("\n%-*s %6s %6s %7s  %-15s %s\n", NAME_WIDTH,
           r->by == BREAKDOWN_LINE ? "Line" : "Function", "A %", "B %", "B - A", "95 %", "p");
    print_rule();
    for (size_t i = 0; i < c->rows; i++) {
        row = &c->row[i];
        if (row->a.hits + row->b.hits >= r->min)
            print_row(row->name, row, true);
        else
            hidden++;
    }
    if (hidden)
        printf("(%zu rows of fewer than %" PRIu64 " hits)\n", hidden, r->min);
}

/* The whole task is not one of the tested rows: its share is the sum of theirs. */
static void print_total(const struct share_diff *c, const struct run_input *a, const struct run_input *b)
{
    struct share_diff_row all = {.a = a->profile.active, .b = b->profile.active};

    share_diff_row(c, &all);
    print_rule();
    print_row("the task in all", &all, false);
}

static void print_footer(const struct share_diff *c)
{
    const char *reason = share_diff_reason(c);

    puts("");
    if (reason) {
        printf("95 %% n.a.: %s; no difference is called significant.\n", reason);
        return;
    }
    printf("Percents are of all samples.  95 %%: Newcombe's interval, of one row for itself.\n"
           "p: two-sided, each run's own design variance (not pooled), Student's t by the\n"
           "number of pairs; with fewer than %d hits Fisher's exact test.  Holm's correction\n"
           "over all rows (%zu): * is significant, family-wise %.0f %%.\n",
           SHARE_DIFF_FEW, c->rows, 100.0 * SHARE_DIFF_FAMILY);
}

void diff_view_print(const struct diff_report *r)
{
    print_run('A', &r->side[0]);
    print_run('B', &r->side[1]);
    print_rows(r);
    print_total(r->diff, &r->side[0], &r->side[1]);
    print_footer(r->diff);
}
