/* SPDX-License-Identifier: MIT */
/* Makes a model from a recorded stream. */
#include "tools/model/model_reader.h"

#include "tools/base/cli.h"
#include "tools/stream/stream_reader.h"

static void give_model(void *context, const struct stream_event *event)
{
    model_add_event(context, event);
}

bool model_read(const char *path, struct frame_decoder *s, struct model *m)
{
    bool read_well;

    read_well = stream_decode(path, s, give_model, m);
    model_finish(m);
    return read_well;
}

struct epoch *model_find_epoch(const char *path, struct model *m, unsigned long wanted)
{
    struct epoch *e = model_choose(m, wanted);

    if (!e && wanted)
        cli_error("%s: there is no epoch %lu; the stream has %zu", path, wanted, m->epochs);
    else if (!e)
        cli_error("%s: no record of a run arrived", path);
    return e;
}
