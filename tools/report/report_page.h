/* SPDX-License-Identifier: MIT */
/* The page of a report: one HTML file that loads nothing, and draws the data that is in it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct report_page {
    const json_t *data;  /* of report_data_json() */
    /* the path of server-sent events, each newer data, from where the page came; NULL: it asks nobody */
    const char *live;
};

/*
 * Write the page; the same data gives the same bytes.  Names within the data stay text whatever they are: the data is
 * JSON without '<', and drawn as text.  The page's own policy (CSP) forbids everything that is not in it, but for the
 * events of `live`.  False, with errno, if it could not be written.  Host only.
 */
bool report_page_write(const struct report_page *p, FILE *out);
