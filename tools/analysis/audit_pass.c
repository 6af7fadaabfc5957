/* SPDX-License-Identifier: MIT */
/* Gives an audit the records of a stream: the snapshots, and then all in the order of the stream. */
#include "tools/analysis/audit.h"

static void take_sample(void *context, const struct resolved_sample *s)
{
    audit_sample(context, s);
}

static void foresee(void *context, const struct wire_snapshot *head)
{
    audit_foresee(context, head);
}

static void take_head(void *context, const struct wire_snapshot *head)
{
    audit_head(context, head);
}

void audit_pass(struct audit *a, struct epoch_pass *p, const struct epoch *e)
{
    struct audit_walk *w = audit_begin(a, e);
    const struct epoch_sink ahead = {.context = w, .on_snapshot = foresee, .second = e->second};
    const struct epoch_sink sink = {.context = w, .on_sample = take_sample, .on_snapshot = take_head,
                                    .second = e->second};

    if (p) {
        epoch_pass_run(p, &ahead);
        epoch_pass_run(p, &sink);
    } else if (e->head_count) {
        audit_head(w, &e->last_head);
    }
    audit_end(w);
}
