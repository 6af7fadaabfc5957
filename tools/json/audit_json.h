/* SPDX-License-Identifier: MIT */
/* `cpuprobe audit` as JSON, schema cpuprobe-audit-1 (docs/schema/audit.schema.json). */
#pragma once

#include <jansson.h>

#include "tools/analysis/audit.h"

/* The audit of one source, an object for the caller's list.  The epoch has a snapshot.  Host. */
json_t *audit_json_source(const struct epoch *e, const struct audit *a);
