/* SPDX-License-Identifier: MIT */
/* The survey of an epoch, put together from its records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/survey/survey.h"
#include "probe/stream/wire.h"
#include "tools/records/violations.h"

struct survey_records {
    struct survey *survey; /* NULL: no record arrived; its texts are copies, printable */
    bool told;             /* the record SURVEY arrived, and with it the head */
};

/*
 * Keep a record.  A violation is noted where it contradicts itself or one before.  Returns the bytes that were taken.
 */
size_t survey_records_add(struct survey_records *r, const struct wire_survey *head, struct wire_reader *rows,
                          struct violations **v);
size_t survey_records_add_clocks(struct survey_records *r, struct wire_reader *rows, struct violations **v);
size_t survey_records_add_times(struct survey_records *r, struct wire_reader *rows, struct violations **v);

void survey_records_free(struct survey_records *r);
