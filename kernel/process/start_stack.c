/* SPDX-License-Identifier: MIT */
/* The stack that a program finds at its start. */
#include "kernel/process/process.h"

#include <stddef.h>

#include "kernel/cpu/cpu.h"
#include "kernel/lib/string.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/process/process_memory.h"

#define ARGUMENTS_MAX 64u
#define WORDS_MAX     128u
#define RESERVED_TOP  16u /* bytes at the very top that hold nothing */

/* Types of the auxiliary vector. */
enum auxiliary {
    AT_NULL = 0, AT_PHDR = 3, AT_PHENT = 4, AT_PHNUM = 5, AT_PAGESZ = 6, AT_BASE = 7, AT_FLAGS = 8, AT_ENTRY = 9,
    AT_UID = 11, AT_EUID = 12, AT_GID = 13, AT_EGID = 14, AT_PLATFORM = 15, AT_HWCAP = 16, AT_CLKTCK = 17,
    AT_SECURE = 23, AT_RANDOM = 25, AT_EXECFN = 31,
};

#define SEGMENT_BYTES 56u
#define CLOCK_TICKS   100u

static const char *const environment[] = { "PATH=/", "HOME=/", "LANG=C" };
#define ENVIRONMENT (sizeof environment / sizeof environment[0])

/* The stack as it is made, from its top down; then the words that it begins with. */
struct making {
    struct process *p;
    uint64_t at;     /* lowest address that was written */
    bool failed;
    uint64_t word[WORDS_MAX];
    uint32_t words;
};

static uint64_t push_bytes(struct making *m, const void *bytes, uint64_t n)
{
    m->at -= n;
    if (!process_write(m->p, m->at, bytes, n))
        m->failed = true;
    return m->at;
}

static uint64_t push_text(struct making *m, const char *text, uint64_t length)
{
    push_bytes(m, "", 1);
    return push_bytes(m, text, length);
}

static void put_word(struct making *m, uint64_t word)
{
    if (m->words == WORDS_MAX)
        m->failed = true;
    else
        m->word[m->words++] = word;
}

static void put_pair(struct making *m, enum auxiliary type, uint64_t value)
{
    put_word(m, type);
    put_word(m, value);
}

/* The next argument of the line, without its quotes, copied to the stack; 0: there is none. */
static uint64_t push_argument(struct making *m, const char **line)
{
    const char *end;

    while (**line == ' ')
        ++*line;
    if (**line == '\0')
        return 0;
    if (**line == '\'') {
        const char *const from = ++*line;

        for (end = from; *end != '\0' && *end != '\'';)
            end++;
        *line = *end == '\'' ? end + 1 : end;
        return push_text(m, from, (uint64_t)(end - from));
    }
    for (end = *line; *end != '\0' && *end != ' ';)
        end++;
    const char *const from = *line;

    *line = end;
    return push_text(m, from, (uint64_t)(end - from));
}

static bool put_arguments(struct making *m, const struct start_words *words, struct refusal *why)
{
    const char *line = words->arguments;
    uint32_t count = 1;

    put_word(m, 0); /* the number, which is not known yet */
    put_word(m, push_text(m, words->name, string_length(words->name)));
    for (uint64_t at; (at = push_argument(m, &line)) != 0; count++) {
        if (count == ARGUMENTS_MAX)
            return REFUSE_WITH(why, "it has more than %1 arguments", REFUSAL_NUMBER(ARGUMENTS_MAX - 1));
        put_word(m, at);
    }
    m->word[0] = count;
    put_word(m, 0);
    return true;
}

static void put_environment(struct making *m)
{
    for (unsigned i = 0; i < ENVIRONMENT; i++)
        put_word(m, push_text(m, environment[i], string_length(environment[i])));
    put_word(m, 0);
}

/* The features of the CPU in EDX of CPUID 1. */
static uint64_t features(void)
{
    uint32_t r[4];

    cpu_identify(1, 0, r);
    return r[3];
}

static void put_auxiliary(struct making *m, const struct program_start *start, const struct start_words *words)
{
    const uint64_t name = m->word[1];

    put_pair(m, AT_HWCAP, features());
    put_pair(m, AT_PAGESZ, PAGE_SIZE);
    put_pair(m, AT_CLKTCK, CLOCK_TICKS);
    put_pair(m, AT_PHDR, start->segments);
    put_pair(m, AT_PHENT, SEGMENT_BYTES);
    put_pair(m, AT_PHNUM, start->segment_count);
    put_pair(m, AT_BASE, 0);
    put_pair(m, AT_FLAGS, 0);
    put_pair(m, AT_ENTRY, start->entry);
    put_pair(m, AT_UID, 0);
    put_pair(m, AT_EUID, 0);
    put_pair(m, AT_GID, 0);
    put_pair(m, AT_EGID, 0);
    put_pair(m, AT_SECURE, 0);
    put_pair(m, AT_RANDOM, push_bytes(m, words->random, START_RANDOM_BYTES));
    put_pair(m, AT_EXECFN, name);
    put_pair(m, AT_PLATFORM, push_text(m, "x86_64", 6));
    put_pair(m, AT_NULL, 0);
}

bool start_stack_make(struct process *p, const struct program_start *start, const struct start_words *words,
                      uint64_t *rsp, struct refusal *why)
{
    struct making m = { .p = p, .at = PROCESS_HIGH - RESERVED_TOP };

    if (!process_map(p, PROCESS_HIGH - START_STACK_BYTES, PROCESS_HIGH, MEMORY_READ | MEMORY_WRITE))
        return REFUSE(why, "out of memory");
    if (!put_arguments(&m, words, why))
        return false;
    put_environment(&m);
    put_auxiliary(&m, start, words);
    m.at = (m.at - m.words * sizeof m.word[0]) & ~15ull;
    *rsp = m.at;
    return (process_write(p, m.at, m.word, m.words * sizeof m.word[0]) && !m.failed) || REFUSE(why, "out of memory");
}
