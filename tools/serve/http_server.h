/* SPDX-License-Identifier: MIT */
/*
 * Serves HTTP by libmicrohttpd, in turns of the caller's loop and without a thread: GET /metrics is OpenMetrics,
 * GET / a page with the lines, GET /lines/N the page of a line, which follows it by server-sent events, GET /viewer
 * the page that needs no server.  Everything else is refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tools/serve/http_clients.h"
#include "tools/serve/line_pages.h"

/*
 * Whether a request for this host (`Host`) is answered: an address, localhost, or what `listen` names.  Other names
 * may be those of a page elsewhere, bound anew to this machine to read it.
 */
bool http_host_allowed(const char *host, const char *listen);

#define HTTP_PAGES 3 /* of all lines together */

struct http_server {
    struct served_line *line; /* the caller's, as are the others */
    size_t lines;
    const char *listen;
    struct http_clients clients;
    struct {
        struct shared_text *text;
        double until; /* it is sent: shared_text_until() */
    } kept[HTTP_PAGES];
    struct MHD_Daemon *daemon; /* private, as is `kept` */
};

/* The sentence that tells why this build has no server; NULL: it has one. */
extern const char *const http_server_missing;

/* Listen at `listen`, ADDRESS:PORT, or [ADDRESS]:PORT for IPv6, or NAME:PORT.  False, with a message. */
bool http_server_begin(struct http_server *h);

/* The port that it listens at, which the system has chosen for port 0. */
unsigned http_server_port(const struct http_server *h);

/* Answer who asks.  Never waits. */
void http_server_serve(struct http_server *h);

void http_server_end(struct http_server *h);
