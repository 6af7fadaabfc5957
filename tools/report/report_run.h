/* SPDX-License-Identifier: MIT */
/* One run as the page of a report shows it. */
#pragma once

#include <stdbool.h>

#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"
#include "tools/symbols/symbol_resolver.h"

struct report_run {
    const char *path, *name;       /* where it is read; what the page calls it */
    /* where its records can be read again; NULL: nowhere, which costs what needs single samples */
    const char *again;
    const struct frame_decoder *stream;
    const struct model *model;
    const struct epoch *epoch;     /* its rows are named (report_epoch()) */
    struct symbol_resolver *names; /* begun by the caller, who adds what the user named */
    bool cut;                      /* older samples of it are no longer there */
    const struct report_run *single; /* of the same epoch: where single samples and states are read; NULL: here */
};
