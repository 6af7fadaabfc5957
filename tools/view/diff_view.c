/* SPDX-License-Identifier: MIT */
/* Prints two runs by function or line: a line each, those of both runs before, what the columns are behind. */
#include "tools/view/diff_view.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/base/json_value.h"
#include "tools/json/report_text.h"

#define NAME_WIDTH 30 /* as in the template */

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

/* What both kinds of rows have behind the name. */
#define ROW(of)                                                                                         \
    " {" of "a.percent|6.2f|0.00} {" of "b.percent|6.2f|0.00} {" of "difference|+7.2f}"                 \
    "[" of "low!     n.a.][" of "low?  {" of "low|+7.2f} {" of "high|+7.2f}]"
#define RULE "                       ====== ====== =======  ======= ======= ======\n"

/* A name is never cut, since --fail-if needs the whole name. */
static const char text[] =
    "\n[by=function?Function][by=line?Line    ]                          A %    B %   B - A  95 %            p\n"
    "========" RULE
    "[rows:[long?{name}\n                              ][long!{name|-30s}]" ROW("")
    "[adjusted?[adjusted*10000-1? {adjusted|6.4f}][adjusted*10000-1! <.0001]][significant? *]\n]"
    "[hidden?({hidden} rows of fewer than {min} hits)\n]========" RULE
    "the task in all               " ROW("total.") "\n\n"
    "[interval_reason?95 % n.a.: {interval_reason}; no difference is called significant.\n]"
    "[interval_reason!Percents are of all samples.  95 %: Newcombe's interval, of one row for itself.\n"
    "p: two-sided, each run's own design variance (not pooled), Student's t by the\n"
    "number of pairs; with fewer than {few} hits Fisher's exact test.  Holm's correction\n"
    "over all rows ({tests}): * is significant, family-wise {family_percent|.0f} %.\n]";

void diff_view_print(const struct diff_report *r, bool as_json)
{
    json_t *const whole = diff_json(r), *row;
    size_t i;

    if (!as_json) {
        print_run('A', &r->side[0]);
        print_run('B', &r->side[1]);
        json_array_foreach(json_object_get(whole, "rows"), i, row)
            json_object_set_new(row, "long",
                                json_boolean(json_string_length(json_object_get(row, "name")) > NAME_WIDTH));
        json_object_update_new(whole, json_pack("{so si}", "min", json_count(r->min), "few", SHARE_DIFF_FEW));
    }
    report_print(whole, text, as_json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
