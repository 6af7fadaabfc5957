/* SPDX-License-Identifier: MIT */
/* Splits the text of an answer into frames; an empty text has one too. */
#include "probe/command/answer.h"

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
