/* SPDX-License-Identifier: MIT */
/* Declares `cpuprobe audit` as JSON, schema cpuprobe-audit-1. */
#pragma once

#include <jansson.h>

#include "tools/analysis/audit.h"
#include "tools/base/report_object.h"

extern const struct report_object audit_source_object;

/* The audit of one source, an object for the caller's list.  The epoch has a snapshot.  Host. */
json_t *audit_json_source(const struct epoch *e, const struct audit *a);
