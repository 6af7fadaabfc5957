/* SPDX-License-Identifier: MIT */
/* Declares `cpuprobe kiviat` as JSON, schema cpuprobe-kiviat-1. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/draw/kiviat.h"

extern const struct report_object kiviat_report_object;

/* Print it.  Host. */
void kiviat_json(const struct kiviat *k);
