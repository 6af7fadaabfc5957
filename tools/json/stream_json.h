/* SPDX-License-Identifier: MIT */
/* What arrived of a stream and what is damaged, as the JSON of several reports has it. */
#pragma once

#include <jansson.h>

#include "tools/stream/frame_decoder.h"

/* Bytes, frames, damage by cause, gaps: docs/schema/stat.schema.json, "damage", without "adds_up".  Host. */
json_t *stream_json(const struct stream_stats *stats);
