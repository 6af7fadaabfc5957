/* SPDX-License-Identifier: MIT */
/* `cpuprobe load` as JSON, schema cpuprobe-load-1 (docs/schema/load.schema.json). */
#pragma once

#include "tools/draw/load_chart.h"

/* Print it; `source` names what the chart was made of.  Host. */
void load_json(const struct load_chart *c, const char *source);
