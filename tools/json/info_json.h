/* SPDX-License-Identifier: MIT */
/* Declares `cpuprobe info` as JSON, schema cpuprobe-info-1. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

extern const struct report_object info_object;

/* The stream at `path`, its times of arrival, and each epoch, or `only` where that is not NULL.  Host. */
json_t *info_json(const char *path, const struct stream_stats *stats, const struct model *m,
                  const struct epoch *only);
