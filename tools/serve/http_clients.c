/* SPDX-License-Identifier: MIT */
/*
 * Keeps who is connected by HTTP within limits of time and number.  Who has not asked yet, who takes an answer and
 * who follows a page have a limit of number each, so that none of them keeps the others out; where one is reached
 * the oldest goes.
 */
#include "tools/serve/http_clients.h"

#include <arpa/inet.h>
#include <math.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/serve/http_server.h"

static const struct {
    size_t most;
    double seconds; /* to ask, to take an answer, to take an event */
} limits[HTTP_STAGES] = {
    [HTTP_ASKS] = {128, 10}, [HTTP_TAKES] = {128, 60}, [HTTP_FOLLOWS] = {HTTP_FOLLOWERS, 60},
};

static int socket_of(const struct http_client *c)
{
    return MHD_get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* The library sees its socket's end in the next turn. */
static void close_client(struct http_client *c)
{
    c->closing = true;
    shutdown(socket_of(c), SHUT_RDWR);
}

static bool is_in(const struct http_client *c, enum http_stage stage)
{
    return c->stage == stage && !c->closing;
}

size_t http_clients_in(const struct http_clients *all, enum http_stage stage)
{
    size_t found = 0;

    for (const struct http_client *c = all->first; c; c = c->next)
        found += is_in(c, stage);
    return found;
}

/* Whether it has sent what the library has not read yet. */
static bool has_asked(const struct http_client *c)
{
    int bytes = 0;

    return !ioctl(socket_of(c), FIONREAD, &bytes) && bytes > 0;
}

/* One too many in its stage: who came there first goes, but not one whose request is on the way. */
static void make_room(struct http_clients *all, enum http_stage stage)
{
    struct http_client *oldest = NULL;

    if (http_clients_in(all, stage) <= limits[stage].most)
        return;
    for (struct http_client *c = all->first; c; c = c->next)
        if (is_in(c, stage) && (!oldest || c->until < oldest->until) && (stage != HTTP_ASKS || !has_asked(c)))
            oldest = c;
    if (!oldest)
        return; /* each goes on in the next turn; the library's own limit holds meanwhile */
    close_client(oldest);
    refusal_log_tell(all->refusals, "a client of HTTP is dropped: %s", stage == HTTP_ASKS ?
                     "too many are connected and ask nothing" : "too many do not take what they asked for");
}

void http_client_enters(struct http_clients *all, struct http_client *c, enum http_stage stage)
{
    c->stage = stage;
    http_client_due(c, true);
    make_room(all, stage);
}

void http_client_due(struct http_client *c, bool due)
{
    c->until = due ? monotonic_seconds() + limits[c->stage].seconds : INFINITY;
}

struct http_client *http_clients_add(struct http_clients *all, struct MHD_Connection *connection)
{
    struct http_client *c = xrealloc_array(NULL, 1, sizeof(*c));

    *c = (struct http_client){.connection = connection, .next = all->first};
    all->first = c;
    all->came++;
    http_client_enters(all, c, HTTP_ASKS);
    return c;
}

void http_clients_remove(struct http_clients *all, struct http_client *gone)
{
    struct http_client **at = &all->first;

    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    free(gone);
}

void http_clients_serve(struct http_clients *all)
{
    const double now = monotonic_seconds();

    for (struct http_client *c = all->first; c; c = c->next)
        if (!c->closing && now >= c->until) {
            close_client(c);
            refusal_log_tell(all->refusals, "a client of HTTP is dropped: it is too slow");
        }
}

/* Tells whether a request names a host that cannot be a page's own name: what a name is bound to may change. */

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
