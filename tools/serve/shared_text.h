/* SPDX-License-Identifier: MIT */
/* Shares a text among several readers that send it; it is freed with the last of them. */
#pragma once

#include <stddef.h>

struct shared_text {
    char *bytes;
    size_t length;
    unsigned users;
};

/* Of bytes that free() takes, with one user. */
struct shared_text *shared_text_new(char *bytes, size_t length);
struct shared_text *shared_text_use(struct shared_text *t);

/* Of a struct shared_text, NULL too. */
void shared_text_leave(void *text);

/*
 * When a text that was begun then, and took so many seconds of processor time, is made anew at the earliest: a
 * fortieth of the time goes into it at most.
 */
double shared_text_until(double begun, double took);
