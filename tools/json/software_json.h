/* SPDX-License-Identifier: MIT */
/* Declares the JSON of software monitors: the reports of `idle`, `intercept` and `acct`, and members of `stat`. */
#pragma once

#include <jansson.h>

#include "tools/analysis/acct_diff.h"
#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"

extern const struct report_object idle_object, intercept_object, acct_object, disk_object;

/* Each is a new object; NULL: the epoch has no such records.  Host. */
json_t *idle_json(const struct epoch *e);
json_t *intercept_json(const struct epoch *e);
json_t *acct_json(const struct epoch *e, const struct acct_diff *d);
json_t *acct_json_whole(const struct epoch *e); /* of the whole run */
json_t *disk_json(const struct epoch *e);
