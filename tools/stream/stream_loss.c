/* SPDX-License-Identifier: MIT */
/*
 * Tells what of a stream is lost: damage, gaps of the sequence, frames that came twice, and frames of unknown types.
 */
#include "tools/stream/stream_loss.h"

#include <inttypes.h>
#include <stdio.h>

#include "probe/stream/wire_fields.h"
#include "probe/text/text_buf.h"
#include "tools/base/cli.h"

bool stream_is_whole(const struct stream_stats *stats)
{
    return !decoder_damaged(stats) && !stats->missing && !stats->repeated && !stats->unsure && !stats->unknown;
}

/* One more of a list. */
static void put_count(struct text_buf *b, uint64_t count, const char *of)
{
    if (!count)
        return;
    buf_text(b, b->length ? ", " : "");
    buf_number(b, count);
    buf_parts(b, " ", of);
}

bool stream_lost_put(struct text_buf *b, const struct stream_stats *stats)
{
#define PUT(NAME, name, count) put_count(b, stats->lost.count, #NAME);
    WIRE_NUMBERED(PUT)
    return b->length != 0;
}

static void print_missing(const char *path, const struct stream_stats *stats)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf lost = TEXT_BUF(text);

    if (stats->missing)
        cli_error("%s: %" PRIu64 " frames are missing, in %" PRIu64 " gaps of the sequence", path, stats->missing,
                  stats->gaps);
    if (stats->unsure)
        cli_error("%s: an unknown number of frames is missing at %" PRIu64
                  " places: more than the sequence tells by a multiple of 65536", path, stats->unsure);
    if (stream_lost_put(&lost, stats))
        cli_error("%s: these did not arrive: %s", path, text);
}

static void print_damage(const char *path, const struct stream_stats *stats)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf causes = TEXT_BUF(text);

    for (unsigned i = 0; i < DAMAGES; i++)
        put_count(&causes, stats->damaged[i], damage_name(i));
    cli_error("%s: %" PRIu64 " damaged stretches, %" PRIu64 " bytes (%s)", path, decoder_damaged(stats),
              stats->damaged_bytes, text);
}

/* Types that only a later version knows, or none: by their numbers, as many as find room. */
void stream_unknown_print(const char *path, const struct stream_stats *stats)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf types = TEXT_BUF(text);

    if (!stats->unknown)
        return;
    for (unsigned type = 0; type < sizeof(stats->of_type) / sizeof(stats->of_type[0]); type++) {
        if (!stats->of_type[type] || wire_record(type))
            continue;
        buf_text(&types, types.length ? ", " : "");
        buf_number(&types, type);
    }
    cli_error("%s: %" PRIu64 " frames are of types that this version does not know (%s): what they hold is missing",
              path, stats->unknown, text);
}

bool stream_loss_print(const char *path, const struct stream_stats *stats)
{
    fflush(stdout);
    if (decoder_damaged(stats))
        print_damage(path, stats);
    print_missing(path, stats);
    if (stats->repeated)
        cli_error("%s: %" PRIu64 " frames were repeated, by their sequence", path, stats->repeated);
    return !stream_is_whole(stats);
}
