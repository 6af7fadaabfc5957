/* SPDX-License-Identifier: MIT */
/* Only a port says "port" for its door; its line has the names of the fields. */
#include "tools/model/port_given.h"

#include <string.h>

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
