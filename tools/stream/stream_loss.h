/* SPDX-License-Identifier: MIT */
/*
 * Judges by the decoder's counters whether all that was sent arrived and could be read: one verdict for all commands.
 */
#pragma once

#include <stdbool.h>

#include "probe/text/text_buf.h"
#include "tools/stream/frame_decoder.h"

/* Whether nothing is damaged, missing or repeated, and every frame is of a type that this version knows. */
bool stream_is_whole(const struct stream_stats *stats);

/* Append how many of the missing frames are TEXT, FAULT, REPORT and OUTPUT, whose numbers tell it; false: none. */
bool stream_lost_put(struct text_buf *b, const struct stream_stats *stats);

/*
 * Print on standard error how many frames of unknown types the stream at `path` has, if any: when it has been read,
 * before anything else is said of it, because what is not found may be in these.
 */
void stream_unknown_print(const char *path, const struct stream_stats *stats);

/* Print what else is lost of it, a sentence a kind; true: it is not whole. */
bool stream_loss_print(const char *path, const struct stream_stats *stats);
