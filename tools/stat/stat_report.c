/* SPDX-License-Identifier: MIT */
/* A second source has words and a table of its own, and so its own estimator. */
#include "tools/stat/stat_report.h"

#include "tools/analysis/report.h"

void stat_report_make(struct stat_report_parts *p, const struct frame_decoder *stream, const struct model *model,
                      const struct epoch *epoch)
{
    *p = (struct stat_report_parts){
        .whole = {.stream = stream, .model = model, .epoch = epoch, .options = &p->table[0]},
        .table = {report_options(epoch)},
    };
    if (!epoch->second_source)
        return;
    p->second = p->whole;
    p->second.epoch = epoch->second_source;
    p->table[1] = report_options(epoch->second_source);
    p->second.options = &p->table[1];
    p->whole.second_source = &p->second;
    p->whole.alias = alias_compare_make(&p->beside, epoch) ? &p->beside : NULL;
}
