/* SPDX-License-Identifier: MIT */
/*
 * What every report needs: the options of the table from the words and the
 * measures of an epoch, and the verdict on a stream with its sentences.
 */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <stdbool.h>

#include "probe/table.h"
#include "tools/command.h"
#include "tools/epochs.h"
#include "tools/stream.h"

/* The options of the table for an epoch: the estimator that its policy allows. */
struct table_options report_options(const struct epoch *e);

/*
 * Say on standard error all that is damaged, missing or unfinished in a stream
 * and in the epoch reported; EXIT_WELL where there is nothing to say, else
 * EXIT_DAMAGED.
 */
enum exit_code report_verdict(const char *path, const struct stream *s,
                              const struct model *m, const struct epoch *e);

#endif
