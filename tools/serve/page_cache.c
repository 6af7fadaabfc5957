/* SPDX-License-Identifier: MIT */
/* Makes the page and the event of a line once for all who read them, as long as what they show is the same. */
#include "tools/serve/serve.h"

#include <string.h>

#include "tools/base/cli.h"

/* What a page of the line shows changes with these. */
static struct page_key key_of(const struct line_watch *l, const struct epoch *e)
{
    return (struct page_key){e->id, e->snapshot->serial, l->boots, l->ends, l->hangups};
}

const struct line_page *line_page_newest(struct served_line *line, unsigned number)
{
    const double now = monotonic_seconds();
    const struct epoch *e = line_watch_newest(line_watch_model(&line->watch));
    const struct page_key key = e ? key_of(&line->watch, e) : (struct page_key){0};
    struct line_page *const p = &line->page, made = {.key = key, .version = p->version + 1};

    if (!e || (p->version && (now < p->next || !memcmp(&p->key, &key, sizeof(key)))))
        return p->version ? p : NULL;
    if (!live_page_make(&made, line, number))
        return p->version ? p : NULL;
    line_page_free(p);
    *p = made;
    p->next = shared_text_until(now);
    return p;
}

void line_page_free(struct line_page *p)
{
    shared_text_leave(p->page);
    shared_text_leave(p->event);
}
