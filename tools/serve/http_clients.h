/* SPDX-License-Identifier: MIT */
/* Knows who is connected by HTTP; there is no more of each stage than of its limit in http_clients.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/serve/line_pages.h"
#include "tools/serve/refusal_log.h"

enum http_stage {HTTP_ASKS, HTTP_TAKES, HTTP_FOLLOWS, HTTP_STAGES};

#define HTTP_FOLLOWERS 256 /* more are refused */
#define HTTP_MOST      640 /* above the sum of all limits: who is dropped is connected for a turn more */

struct MHD_Connection;

struct http_client {
    struct MHD_Connection *connection;
    enum http_stage stage;
    bool closing;
    double until; /* it is dropped then, monotonic_seconds() */
    void *waits;  /* a follower that is suspended until there is news; NULL: none is */
    struct served_line *awaits; /* it is suspended until the page of this line is made; NULL: it is not */
    uint64_t tries; /* of that page when it asked */
    bool awaited;   /* it was */
    struct http_client *next;
};

struct http_clients {
    struct refusal_log *refusals; /* the caller's */
    struct http_client *first;
    uint64_t came;                /* so far */
};

struct http_client *http_clients_add(struct http_clients *all, struct MHD_Connection *connection);
void http_clients_remove(struct http_clients *all, struct http_client *gone);
size_t http_clients_in(const struct http_clients *all, enum http_stage stage);
void http_client_enters(struct http_clients *all, struct http_client *c, enum http_stage stage);

/* Something waits to be taken from now on; false: nothing does. */
void http_client_due(struct http_client *c, bool due);

/* Drop who has had its time. */
void http_clients_serve(struct http_clients *all);
