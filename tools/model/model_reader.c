/* SPDX-License-Identifier: MIT */
/* Makes a model from a recorded stream. */
#include "tools/model/stream_model.h"

#include <string.h>

#include "tools/base/cli.h"
#include "tools/stream/stream_reader.h"

static void give_model(void *context, const struct stream_event *event)
{
    model_add_event(context, event);
}

void model_read(const char *path, struct frame_decoder *s, struct model *m)
{
    stream_decode(path, s, give_model, m);
    model_finish(m);
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

/* Only a port says "port" for its door; its line has the names of the fields. */

const char *port_optional_name(enum port_optional field)
{
    static const char *const names[] = {
#define PORT_NAME(name) #name,
        PORT_OPTIONAL(PORT_NAME)
#undef PORT_NAME
    };

    return names[field];
}

static bool names(const char *line, const char *field)
{
    const size_t length = strlen(field);

    for (; *line; line += strcspn(line, " "), line += strspn(line, " "))
        if (strcspn(line, " ") == length && !strncmp(line, field, length))
            return true;
    return false;
}

struct port_given port_given(const struct epoch *e)
{
    struct port_given g = {.is_port = e->has_hello && !strcmp(e->hello.door.bytes, "port")};

    for (unsigned i = 0; i < PORT_OPTIONALS && g.is_port; i++)
        g.gives[i] = names(e->hello.line.bytes, port_optional_name(i));
    return g;
}
