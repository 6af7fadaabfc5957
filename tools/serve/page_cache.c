/* SPDX-License-Identifier: MIT */
/*
 * Has a child process make the page and the event of a line, once for all who read them, as long as what they show is
 * the same.  What a line has sent can take long to read: a child has a copy of all that it needs, and is ended where
 * it takes too long.
 */
#include "tools/serve/line_pages.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define MAKERS_MOST 4  /* at once, of all lines */
#define MAKER_S     20 /* of processor time */
#define MAKER_NICE  5  /* lines are read first */
#define MAKER_FILE  3

/* ---- the child ---- */

/* The lengths, then the texts. */
static bool write_texts(struct shared_text *const text[PAGE_TEXTS])
{
    FILE *const out = fdopen(MAKER_FILE, "w");

    if (!out)
        return false;
    for (unsigned i = 0; i < PAGE_TEXTS; i++)
        fwrite(&text[i]->length, sizeof(text[i]->length), 1, out);
    for (unsigned i = 0; i < PAGE_TEXTS; i++)
        fwrite(text[i]->bytes, 1, text[i]->length, out);
    return !ferror(out) && !fclose(out);
}

/* It keeps no line and no client open. */
static void __attribute__((noreturn)) make(struct served_line *line, unsigned number, int file, pid_t parent)
{
    struct shared_text *text[PAGE_TEXTS];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(file, MAKER_FILE) < 0)
        _exit(EXIT_NO_DATA);
    close_range(MAKER_FILE + 1, ~0u, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){MAKER_S, MAKER_S});
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + MAKER_NICE);
    exit(live_page_make(text, line, number) && write_texts(text) ? EXIT_OK : EXIT_NO_DATA);
}

/* ---- the server ---- */

static size_t makers(const struct served_line *line, size_t lines)
{
    size_t found = 0;

    for (size_t i = 0; i < lines; i++)
        found += line[i].page.making.child != 0;
    return found;
}

/* Where there is no process or file for it, it is tried again. */
static bool begin(struct served_line *line, unsigned number, const struct page_key *key)
{
    struct line_page *const p = &line->page;
    const int file = memfd_create("page", MFD_CLOEXEC);
    const pid_t parent = getpid(), child = file < 0 ? -1 : fork();

    if (!child)
        make(line, number, file, parent);
    if (child < 0) {
        close(file);
        return false;
    }
    p->making.child = child;
    p->making.file = file;
    p->making.key = *key;
    p->making.begun = monotonic_seconds();
    return true;
}

bool line_page_comes(struct served_line *line, size_t lines, size_t number)
{
    struct line_page *const p = &line[number].page;
    const struct line_watch *const l = &line[number].watch;
    const struct epoch *const e = line_watch_newest(line_watch_model(l));
    struct page_key key;

    if (!e || p->making.child)
        return p->making.child;
    key = line_page_key(l, e);
    if (p->tries && (monotonic_seconds() < p->next || !memcmp(&p->key, &key, sizeof(key))))
        return false;
    return makers(line, lines) == MAKERS_MOST || begin(&line[number], (unsigned)number, &key);
}

static bool read_texts(int file, struct shared_text *text[PAGE_TEXTS])
{
    size_t length[PAGE_TEXTS];
    off_t at = sizeof(length);
    bool whole = pread(file, length, sizeof(length), 0) == sizeof(length);

    for (unsigned i = 0; whole && i < PAGE_TEXTS; i++) {
        char *const bytes = xrealloc_array(NULL, length[i] + 1, 1);

        whole = pread(file, bytes, length[i], at) == (ssize_t)length[i];
        text[i] = shared_text_new(bytes, length[i]);
        at += (off_t)length[i];
    }
    return whole;
}

static void leave_texts(struct shared_text *text[PAGE_TEXTS])
{
    for (unsigned i = 0; i < PAGE_TEXTS; i++)
        shared_text_leave(text[i]);
}

static double seconds_of(const struct rusage *r)
{
    return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) +
           1e-6 * (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec);
}

const char *line_page_serve(struct line_page *p)
{
    struct shared_text *text[PAGE_TEXTS] = {NULL};
    struct rusage usage;
    int status;
    bool made;

    if (!p->making.child || wait4(p->making.child, &status, WNOHANG, &usage) != p->making.child)
        return NULL;
    made = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OK && read_texts(p->making.file, text);
    leave_texts(made ? p->text : text);
    if (made)
        memcpy(p->text, text, sizeof(text));
    p->version += made;
    p->tries++;
    p->key = p->making.key;
    p->next = shared_text_until(p->making.begun, seconds_of(&usage));
    p->making.child = 0;
    close(p->making.file);
    return made ? NULL : WIFSIGNALED(status) ? "it took too long" : "there is no memory";
}

void line_page_charge(struct line_page *p, double seconds)
{
    p->next = shared_text_until(p->next, seconds);
    p->sent = 0;
}

void line_page_free(struct line_page *p)
{
    if (p->making.child) {
        kill(p->making.child, SIGKILL);
        waitpid(p->making.child, NULL, 0);
        close(p->making.file);
    }
    leave_texts(p->text);
}
