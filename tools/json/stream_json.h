/* SPDX-License-Identifier: MIT */
/* Declares what arrived of a stream and what is damaged, as the JSON of several reports has it. */
#pragma once

#include <jansson.h>

#include "tools/base/report_object.h"
#include "tools/stream/frame_decoder.h"

extern const struct report_object stream_counts_object;

/* Bytes, frames, damage by cause, gaps.  Host. */
json_t *stream_json(const struct stream_stats *stats);
