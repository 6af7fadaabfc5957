/* SPDX-License-Identifier: MIT */
/* Declares `cpuprobe load` as JSON, schema cpuprobe-load-1. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/draw/load_chart.h"

extern const struct report_object load_object;

/* Print it; `source` names what the chart was made of.  Host. */
void load_json(const struct load_chart *c, const char *source);
