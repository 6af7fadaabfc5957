/* SPDX-License-Identifier: MIT */
/* One run as the page of a report shows it. */
#pragma once

#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"
#include "tools/symbols/symbol_resolver.h"

struct report_run {
    const char *path;
    const char *again;             /* where its records can be read again; NULL: nowhere, which costs what needs single samples */
    const struct frame_decoder *stream;
    const struct model *model;
    const struct epoch *epoch;     /* its rows are named (report_epoch()) */
    struct symbol_resolver *names; /* begun by the caller, who adds what the user named */
};
