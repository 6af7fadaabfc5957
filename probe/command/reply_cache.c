/* SPDX-License-Identifier: MIT */
/* Which command was answered, and what. */
#include "probe/command/reply_cache.h"

#include "probe/text/text_span.h"

#define LAST_LINE 48u /* kept for what answer_end() says */

static struct answer *find(struct answers *a, uint64_t session)
{
    for (uint32_t i = 0; i < ANSWERS_SESSIONS; i++)
        if (a->answer[i].session == session)
            return &a->answer[i];
    return NULL;
}

/* A session that is new takes the place of the oldest. */
static struct answer *take_place(struct answers *a, uint64_t session)
{
    struct answer *answer = &a->answer[a->oldest++ % ANSWERS_SESSIONS];

    answer->session = session;
    return answer;
}

enum answers_verdict answers_judge(struct answers *a, uint64_t boot, const struct wire_command *c,
                                   struct answer **answer)
{
    *answer = NULL;
    if (c->boot != 0 && c->boot != boot)
        return ANSWERS_OTHER;
    *answer = find(a, c->session);
    if (*answer && c->id <= (*answer)->id) {
        if (c->id == (*answer)->id)
            return ANSWERS_AGAIN;
        *answer = NULL;
        return ANSWERS_LATE;
    }
    if (!*answer)
        *answer = take_place(a, c->session);
    (*answer)->id = c->id;
    (*answer)->status = ANSWER_DONE;
    (*answer)->length = 0;
    (*answer)->left_out = 0;
    (*answer)->text[0] = '\0';
    return ANSWERS_DO;
}

static uint32_t length_of(const char *text)
{
    uint32_t length = 0;

    while (text[length] != '\0')
        length++;
    return length;
}

static void put(struct answer *a, const char *line, uint32_t length)
{
    if (a->length != 0)
        a->text[a->length++] = '\n';
    for (uint32_t i = 0; i < length; i++)
        a->text[a->length++] = line[i];
    a->text[a->length] = '\0';
}

void answer_line(struct answer *a, const char *line)
{
    const uint32_t length = length_of(line);

    if (a->left_out != 0 || length + 2 > ANSWERS_ROOM - LAST_LINE - a->length)
        a->left_out++;
    else
        put(a, line, length);
}

void answer_end(struct answer *a)
{
    char line[LAST_LINE];
    struct sink out = {line, sizeof line};

    if (a->left_out == 0)
        return;
    sink_text(&out, "(");
    sink_number(&out, a->left_out);
    sink_text(&out, " more lines found no room)");
    put(a, line, length_of(line));
}
