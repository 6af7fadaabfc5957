/* SPDX-License-Identifier: MIT */
/* The last answer of each session. */
#include "probe/command/reply_cache.h"

#include "probe/text/text_span.h"

#define LAST_LINE 48u /* bytes kept for the line of reply_end() */

static struct reply *find(struct reply_cache *a, uint64_t session)
{
    for (uint32_t i = 0; i < REPLY_SESSIONS; i++)
        if (a->answer[i].session == session)
            return &a->answer[i];
    return NULL;
}

/* A new session replaces the oldest one. */
static struct reply *take_place(struct reply_cache *a, uint64_t session)
{
    struct reply *answer = &a->answer[a->oldest++ % REPLY_SESSIONS];

    answer->session = session;
    return answer;
}

enum reply_verdict reply_cache_check(struct reply_cache *a, uint64_t boot, const struct wire_command *c,
                                     struct reply **answer)
{
    *answer = NULL;
    if (c->boot != 0 && c->boot != boot)
        return REPLY_OTHER_BOOT;
    *answer = find(a, c->session);
    if (*answer && c->id <= (*answer)->id) {
        if (c->id == (*answer)->id)
            return REPLY_REPEAT;
        *answer = NULL;
        return REPLY_STALE;
    }
    if (!*answer)
        *answer = take_place(a, c->session);
    (*answer)->id = c->id;
    (*answer)->status = ANSWER_DONE;
    (*answer)->length = 0;
    (*answer)->left_out = 0;
    (*answer)->text[0] = '\0';
    return REPLY_NEW;
}

static uint32_t length_of(const char *text)
{
    uint32_t length = 0;

    while (text[length] != '\0')
        length++;
    return length;
}

static void put(struct reply *a, const char *line, uint32_t length)
{
    if (a->length != 0)
        a->text[a->length++] = '\n';
    for (uint32_t i = 0; i < length; i++)
        a->text[a->length++] = line[i];
    a->text[a->length] = '\0';
}

void reply_line(struct reply *a, const char *line)
{
    const uint32_t length = length_of(line);

    if (a->left_out != 0 || length + 2 > REPLY_ROOM - LAST_LINE - a->length)
        a->left_out++;
    else
        put(a, line, length);
}

void reply_end(struct reply *a)
{
    char line[LAST_LINE];
    struct text_buf out = TEXT_BUF(line);

    if (a->left_out == 0)
        return;
    buf_text(&out, "(");
    buf_number(&out, a->left_out);
    buf_text(&out, " more lines found no room)");
    put(a, line, length_of(line));
}

/* Splits the text of an answer into frames; an empty text has one too. */

void answer_send(const struct wire_command *to, struct wire_answer *head, const char *text, uint64_t length,
                 void (*part)(void *context, struct wire_answer *head), void *context)
{
    head->session = to->session;
    head->id = to->id;
    head->parts = 1;
    for (size_t left = (size_t)length; left > ANSWER_PART; left -= ANSWER_PART)
        head->parts++;
    for (head->part = 0; head->part < head->parts; head->part++) {
        const uint64_t from = head->part * ANSWER_PART, left = length - from;

        head->text = (struct wire_text){ text + from, (size_t)(left < ANSWER_PART ? left : ANSWER_PART) };
        part(context, head);
    }
}
