/* SPDX-License-Identifier: MIT */
/*
 * Makes random calls of mmap, munmap, mprotect, mremap and madvise in an area of pages, and holds in an array what
 * each page is: rights, first and last word.  After each call its answer and some pages are looked at: whether calls
 * may read and write them, and what they hold.  It ends by a line, and by a fault that must come.
 * tests/qemu/mappings.py runs it here and in the image.
 *
 *     mappings SEED CALLS END     a folder with the file `pages`; END: 0 to 4, the way of the fault
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE       4096ul
#define PAGES      256u
#define LOW        0x600000000000ul                      /* of all places of the area */
#define FILE_PAGES 13u                                   /* of the last one half */
#define RUNS       100u                                  /* ranges of alike pages: 130 are a program's in the image */
#define ALL_EACH   64u                                   /* calls, after which all pages are looked at */
#define AREA_EACH  256u                                  /* calls, after which the area is another one */
#define LOOKS      4u
#define SURVIVED   3

/* What a page should be. */
struct page {
    bool there, of_file;
    int rights;           /* PROT_ */
    uint64_t made;        /* by which step: pages with the same one are in one range of the kernel's */
    uint64_t first, last; /* words of it */
};

static struct page pages[PAGES];
static uint64_t state, steps, area; /* the area's first address */
static const char *seed;
static long made_call, calls;
static int file;
static const int all_rights[] = { PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_WRITE };

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

/* Code is rare: that another one is there is told by the image each time. */
static int draw_rights(void)
{
    return draw(32) == 0 ? PROT_READ | PROT_EXEC : all_rights[draw(sizeof all_rights / sizeof all_rights[0])];
}

static uint64_t *word_at(unsigned page, bool last)
{
    return (uint64_t *)(area + page * PAGE + (last ? PAGE - sizeof(uint64_t) : 0));
}

static char *at(unsigned page)
{
    return (char *)word_at(page, false);
}

/* The words that tests/qemu/mappings.py wrote. */
static uint64_t file_word(unsigned page, bool last)
{
    return last && page == FILE_PAGES - 1 ? 0 : 0xf11e000000000000ull + 2 * page + last;
}

static void demand(bool holds, const char *what, unsigned page, long got, long wanted)
{
    if (holds)
        return;
    printf("mappings: seed %s: call %ld, %s, page %u: %#lx, not %#lx\n", seed, made_call, what, page, got, wanted);
    exit(1);
}

static void is(const char *what, unsigned page, long got, long wanted)
{
    demand(got == wanted, what, page, got, wanted);
}

static long answer(long of)
{
    return of == -1 ? -errno : of;
}

/* ---- The array */

struct part {
    unsigned from, to;
};

static struct part draw_part(void)
{
    const unsigned from = draw(PAGES), most = draw(4) == 0 ? PAGES / 4 : 8, to = from + 1 + draw(most);

    return (struct part){ from, to < PAGES ? to : PAGES };
}

static unsigned there(struct part p)
{
    unsigned count = 0;

    for (unsigned i = p.from; i < p.to; i++)
        count += pages[i].there;
    return count;
}

static unsigned of_file(struct part p)
{
    unsigned count = 0;

    for (unsigned i = p.from; i < p.to; i++)
        count += pages[i].there && pages[i].of_file;
    return count;
}

static unsigned runs(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < PAGES; i++)
        count += pages[i].there && (i == 0 || !pages[i - 1].there || pages[i - 1].rights != pages[i].rights);
    return count;
}

static void set_gone(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        pages[i] = (struct page){ .there = false };
}

static void set_zero(unsigned from, unsigned to, int rights)
{
    steps++;
    for (unsigned i = from; i < to; i++)
        pages[i] = (struct page){ .there = true, .rights = rights, .made = steps };
}

/* From the first page to the first that is not there: they get these rights. */
static void set_rights(struct part p, int rights)
{
    uint64_t before = 0;

    for (unsigned i = p.from; i < p.to && pages[i].there; i++) {
        steps += pages[i].made != before;
        before = pages[i].made;
        pages[i].made = steps;
        pages[i].rights = rights;
    }
}

/* ---- Looks at pages */

static bool readable(const struct page *p)
{
    return p->there && p->rights != PROT_NONE;
}

static bool writable(const struct page *p)
{
    return p->there && (p->rights & PROT_WRITE);
}

static void store(unsigned i, uint64_t value)
{
    *(volatile uint64_t *)word_at(i, false) = value;
    *(volatile uint64_t *)word_at(i, true) = ~value;
    pages[i].first = value;
    pages[i].last = ~value;
}

/* A call reads a word and finds another one than it was told of; a call writes the first word of the file. */
static void look(unsigned i, bool write)
{
    static const struct timespec at_once = { 0, 0 };
    struct page *const p = &pages[i];
    const long got = answer(syscall(SYS_futex, at(i), FUTEX_WAIT_PRIVATE, (uint32_t)p->first ^ 1, &at_once, 0, 0));

    is("read by a call", i, got, readable(p) ? -EAGAIN : -EFAULT);
    if (write) {
        is("written by a call", i, answer(pread(file, at(i), 8, 0)), writable(p) ? 8 : -EFAULT);
        p->first = writable(p) ? file_word(0, false) : p->first;
    }
    if (!readable(p))
        return;
    is("first word", i, (long)*(volatile uint64_t *)word_at(i, false), (long)p->first);
    is("last word", i, (long)*(volatile uint64_t *)word_at(i, true), (long)p->last);
    if (write && writable(p))
        store(i, state);
}

static void look_at_all(void)
{
    for (unsigned i = 0; i < PAGES; i++)
        look(i, false);
}

/* ---- Calls */

static long map(struct part p, int rights, int flags, int of, unsigned offset)
{
    return answer((long)mmap(at(p.from), (p.to - p.from) * PAGE, rights, MAP_PRIVATE | flags, of,
                             (off_t)(offset * PAGE)));
}

/* The place is left to the kernel where the page that is asked for is there: outside, and zeros. */
static void map_elsewhere(struct part p, long got)
{
    const unsigned long from = (unsigned long)got;

    demand(got > 0 && (from + (p.to - p.from) * PAGE <= area || from >= area + PAGES * PAGE), "mmap elsewhere",
           p.from, got, 0);
    is("mmap elsewhere holds", p.from, *(volatile long *)from, 0);
    is("munmap elsewhere", p.from, answer(munmap((void *)from, (p.to - p.from) * PAGE)), 0);
}

static void map_zeros(void)
{
    const struct part p = draw_part();
    const int rights = draw_rights();
    const unsigned way = draw(4);

    if (way == 0 && there(p) != 0) {
        map_elsewhere(p, map(p, PROT_READ, MAP_ANONYMOUS, -1, 0));
        return;
    }
    if (way == 1 && there(p) != 0) {
        is("mmap over pages", p.from, map(p, rights, MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), -EEXIST);
        return;
    }
    is("mmap", p.from, map(p, rights, MAP_ANONYMOUS | (way > 1 ? MAP_FIXED : 0), -1, 0), (long)at(p.from));
    set_zero(p.from, p.to, rights);
}

static void map_file_in(struct part p)
{
    const unsigned offset = draw(FILE_PAGES);
    const int rights = draw_rights();

    p.to = p.to - p.from > FILE_PAGES - offset ? p.from + FILE_PAGES - offset : p.to;
    is("mmap of a file", p.from, map(p, rights, MAP_FIXED, file, offset), (long)at(p.from));
    set_zero(p.from, p.to, rights);
    for (unsigned i = p.from; i < p.to; i++) {
        pages[i].of_file = true;
        pages[i].first = file_word(offset + i - p.from, false);
        pages[i].last = file_word(offset + i - p.from, true);
    }
}

static void map_file(void)
{
    map_file_in(draw_part());
}

static void unmap(void)
{
    const struct part p = draw_part();

    if (draw(16) == 0)
        is("munmap of no page", p.from, answer(munmap(at(p.from) + 1, PAGE)), -EINVAL);
    is("munmap", p.from, answer(munmap(at(p.from), (p.to - p.from) * PAGE)), 0);
    set_gone(p.from, p.to);
}

static void protect(void)
{
    const struct part p = draw_part();
    const int rights = draw_rights();
    const long wanted = there(p) == p.to - p.from ? 0 : -ENOMEM;

    is("mprotect", p.from, answer(mprotect(at(p.from), (p.to - p.from) * PAGE, rights)), wanted);
    set_rights(p, rights);
}

/* Of a file's pages Linux would read the file again. */
static void advise(void)
{
    const struct part p = draw_part();
    const long wanted = there(p) == p.to - p.from ? 0 : -ENOMEM;

    if (of_file(p) != 0)
        return;
    is("madvise", p.from, answer(madvise(at(p.from), (p.to - p.from) * PAGE, MADV_DONTNEED)), wanted);
    for (unsigned i = p.from; i < p.to; i++)
        pages[i].first = pages[i].last = 0;
}

/* ---- mremap */

/* Pages that are one range of the kernel's; an empty part: the first one is not there. */
static struct part draw_range(void)
{
    struct part p = draw_part();
    unsigned to = p.from;

    while (to < p.to && pages[to].there && pages[to].made == pages[p.from].made)
        to++;
    return (struct part){ p.from, to };
}

static long remap(struct part p, unsigned size, int flags, char *to)
{
    return answer((long)mremap(at(p.from), (p.to - p.from) * PAGE, size * PAGE, flags, to));
}

static bool is_free(unsigned from, unsigned to)
{
    return to <= PAGES && there((struct part){ from, to }) == 0;
}

/* They are where the answer says, and go. */
static void moved_away(struct part p, unsigned size, const char *got)
{
    demand((long)got > 0 && (got + size * PAGE <= at(0) || got >= at(PAGES)), "mremap away", p.from, (long)got, 0);
    for (unsigned i = p.from; i < p.to && readable(&pages[i]); i++)
        is("moved away", i, *(const volatile long *)(got + (i - p.from) * PAGE), (long)pages[i].first);
    if (readable(&pages[p.from]))
        is("added away", p.from, *(const volatile long *)(got + (size - 1) * PAGE), 0);
    is("munmap away", p.from, answer(munmap((void *)got, size * PAGE)), 0);
    set_gone(p.from, p.to);
}

/* In its place; `size` is more than it has.  What a file's mapping gets more is the file's on Linux. */
static void grow(struct part p, unsigned size, int flags)
{
    const unsigned to = p.from + size;

    if (of_file(p) != 0 || to > PAGES)
        return;
    if (is_free(p.to, to)) {
        is("mremap grows", p.from, remap(p, size, flags, NULL), (long)at(p.from));
        set_zero(p.to, to, pages[p.from].rights);
        for (unsigned i = p.from; i < p.to; i++)
            pages[i].made = steps;
    } else if (flags & MREMAP_MAYMOVE) {
        moved_away(p, size, (const char *)remap(p, size, flags, NULL));
    } else {
        is("mremap without room", p.from, remap(p, size, flags, NULL), -ENOMEM);
    }
}

static void resize(void)
{
    const struct part p = draw_range();
    const unsigned size = 1 + draw(12), old = p.to - p.from;
    const int flags = draw(2) == 0 ? MREMAP_MAYMOVE : 0;

    if (old == 0) {
        is("mremap of nothing", p.from, remap((struct part){ p.from, p.from + 1 }, size, flags, NULL), -EFAULT);
    } else if (size > old) {
        grow(p, size, flags);
    } else {
        is("mremap shrinks", p.from, remap(p, size, flags, NULL), (long)at(p.from));
        set_gone(p.from + size, p.to);
    }
}

static void move_pages(struct part p, unsigned to, unsigned size)
{
    const unsigned kept = size < p.to - p.from ? size : p.to - p.from;
    const int rights = pages[p.from].rights;
    struct page copy[PAGES];

    for (unsigned i = 0; i < kept; i++)
        copy[i] = pages[p.from + i];
    set_gone(p.from, p.to);
    set_zero(to, to + size, rights);
    for (unsigned i = 0; i < kept; i++) {
        pages[to + i] = copy[i];
        pages[to + i].made = steps;
    }
}

static void move(void)
{
    const struct part p = draw_range();
    const unsigned size = 1 + draw(12), to = draw(PAGES - size);
    const bool meets = to < p.to && p.from < to + size;

    if (p.from == p.to || (of_file(p) != 0 && size > p.to - p.from))
        return;
    is("mremap to", p.from, remap(p, size, MREMAP_MAYMOVE | MREMAP_FIXED, at(to)), meets ? -EINVAL : (long)at(to));
    if (!meets)
        move_pages(p, to, size);
}

/*
 * The area goes to a border of page tables of some level, which as a rule are not there yet.  The first pages that
 * these get are a file's, as that may be copied to a page without rights.
 */
static void change_area(void)
{
    const unsigned level = draw(3), shift = 21 + 9 * level;

    if (area != 0)
        is("munmap of all", 0, answer(munmap(at(0), PAGES * PAGE)), 0);
    set_gone(0, PAGES);
    area = LOW + ((uint64_t)(1 + draw(16)) << shift) - PAGES / 2 * PAGE;
    map_file_in((struct part){ PAGES / 2 - 1, PAGES / 2 });
    map_file_in((struct part){ PAGES / 2, PAGES / 2 + 1 });
}

/* ---- The end: each page is touched, loses the right, and is touched again. */

static void fault(int way)
{
    volatile char *const page = (volatile char *)LOW;

    area = LOW;
    is("mmap", 0, map((struct part){ 0, 2 }, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_FIXED, -1, 0), (long)page);
    page[0] = page[PAGE] = (char)0xc3; /* RET */
    fflush(stdout);
    switch (way) {
    case 0:
        is("mprotect", 0, mprotect((void *)page, PAGE, PROT_READ), 0);
        page[0] = 1;
        break;
    case 1:
        is("mprotect", 0, mprotect((void *)page, PAGE, PROT_NONE), 0);
        (void)page[0];
        break;
    case 2:
        is("munmap", 0, munmap((void *)page, PAGE), 0);
        (void)page[0];
        break;
    case 3:
        is("mremap", 0, answer((long)mremap((void *)page, PAGE, PAGE, 3, page + PAGE)), (long)(page + PAGE));
        (void)page[0];
        break;
    default:
        is("mprotect", 0, mprotect((void *)page, PAGE, PROT_READ), 0);
        ((void (*)(void))page)();
    }
    exit(SURVIVED);
}

int main(int argc, char **argv)
{
    static void (*const all[])(void) = { map_zeros, map_zeros, map_file, unmap, protect, protect, advise, resize,
                                         resize, move, move };

    if (argc != 4 || (file = open("pages", O_RDONLY)) < 0)
        return 2;
    seed = argv[1];
    state = strtoul(seed, NULL, 0);
    calls = strtol(argv[2], NULL, 0);
    for (made_call = 1; made_call <= calls; made_call++) {
        if (made_call % AREA_EACH == 1)
            change_area();
        if (runs() > RUNS)
            unmap();
        else
            all[draw(sizeof all / sizeof all[0])]();
        for (unsigned i = 0; i < LOOKS; i++)
            look(draw(PAGES), draw(2) == 0);
        if (made_call % ALL_EACH == 0 || made_call == calls)
            look_at_all();
    }
    printf("mappings: seed %s: %ld calls ok\n", seed, calls);
    fault(atoi(argv[3]));
}
