/* SPDX-License-Identifier: MIT */
/*
 * Stands where http_server.c would in the static build (`make static`): libmicrohttpd's archive needs
 * GnuTLS, whose own libraries Debian has not as archives.
 */
#include "tools/serve/http_server.h"

#include "tools/base/cli.h"

const char *const http_server_missing =
    "this is the static build, which has no HTTP server and so no command 'serve'; 'make host' builds the one "
    "that has it";

bool http_server_begin(struct http_server *h)
{
    (void)h;
    cli_error("%s", http_server_missing);
    return false;
}

unsigned http_server_port(const struct http_server *h)
{
    (void)h;
    return 0;
}

void http_server_serve(struct http_server *h)
{
    (void)h;
}

void http_server_end(struct http_server *h)
{
    (void)h;
}
