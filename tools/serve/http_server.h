/* SPDX-License-Identifier: MIT */
/*
 * HTTP by libmicrohttpd, in turns of the caller's loop and without a thread: GET /metrics is
 * OpenMetrics, GET / the lines as text, GET /lines/N the page of a line, which follows it by
 * server-sent events.  Everything else is refused.  Host.
 */
#pragma once

#include <stdbool.h>

#include "tools/serve/line_metrics.h"

struct http_server {
    struct served_line *line; /* the caller's, as is `lines` */
    size_t lines;
    struct MHD_Daemon *daemon; /* private */
};

/* The sentence that tells why this build has no server; NULL: it has one. */
extern const char *const http_server_missing;

/* Listen at `where`, ADDRESS:PORT, or [ADDRESS]:PORT for IPv6.  False, with a message. */
bool http_server_begin(struct http_server *h, const char *where);

/* The port that it listens at, which the system has chosen for port 0. */
unsigned http_server_port(const struct http_server *h);

/* Answer who asks.  Never waits. */
void http_server_serve(struct http_server *h);

void http_server_end(struct http_server *h);
