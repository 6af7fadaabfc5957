/* SPDX-License-Identifier: MIT */
/* `cpuprobe kiviat` as JSON, schema cpuprobe-kiviat-1 (docs/schema/kiviat.schema.json). */
#pragma once

#include "tools/draw/kiviat.h"

/* Print it.  Host. */
void kiviat_json(const struct kiviat *k);
