/* SPDX-License-Identifier: MIT */
/* Tells whether a request names a host that cannot be a page's own name: what a name is bound to may change. */
#include "tools/serve/serve.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/base/alloc.h"

/* "name", "name:80", "[::1]:80" without the port and the brackets, for the caller to free. */
static char *host_of(const char *text)
{
    const size_t length = *text == '[' ? strcspn(text, "]") : strcspn(text, ":");

    return *text == '[' ? xasprintf("%.*s", (int)length - 1, text + 1) : xasprintf("%.*s", (int)length, text);
}

static bool is_address(const char *host)
{
    struct in6_addr address;

    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1;
}

bool http_host_allowed(const char *host, const char *listen)
{
    char *const asked = host_of(host), *const named = host_of(listen);
    const bool allowed = is_address(asked) || !strcasecmp(asked, "localhost") || !strcasecmp(asked, named);

    free(asked);
    free(named);
    return allowed;
}
