/* SPDX-License-Identifier: MIT */
/* Makes a model from a recorded stream. */
#include "tools/model/model_reader.h"

#include "tools/stream/stream_reader.h"

static void give_model(void *context, const struct stream_event *event)
{
    model_add_event(context, event);
}

bool model_read(const char *path, struct frame_decoder *s, struct model *m)
{
    bool read_well;

    model_init(m);
    read_well = stream_decode(path, s, give_model, m);
    model_finish(m);
    return read_well;
}
