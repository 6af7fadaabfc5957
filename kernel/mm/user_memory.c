/* SPDX-License-Identifier: MIT */
/* Reading and writing a task's memory through the direct map. */
#include "kernel/mm/user_memory.h"

#include "kernel/mm/paging.h"
#include "probe/schedule/memory.h"

#define READABLE (PAGE_PRESENT | PAGE_USER)
#define WRITABLE (READABLE | PAGE_WRITE)
#define OFFSET   ((uint64_t)PAGE_SIZE - 1)

static uint64_t left_in_page(uint64_t address)
{
    return PAGE_SIZE - (address & OFFSET);
}

/* The kernel's address of the byte; NULL where its page lacks a bit of `need`. */
static uint8_t *find(uint64_t space, uint64_t address, uint64_t need)
{
    uint8_t *const page = page_walk(space, address, need);

    return page != 0 ? page + (address & OFFSET) : 0;
}

static bool is_allowed(uint64_t space, uint64_t address, uint64_t bytes, uint64_t need)
{
    if (!paging_is_user(address, bytes))
        return false;
    for (uint64_t at = address; at < address + bytes; at += left_in_page(at))
        if (find(space, at, need) == 0)
            return false;
    return true;
}

/* What of [address, address + bytes) lies in the page of `address`. */
static uint64_t piece(uint64_t address, uint64_t bytes)
{
    return bytes < left_in_page(address) ? bytes : left_in_page(address);
}

bool user_memory_read(uint64_t space, void *to, uint64_t address, uint64_t bytes)
{
    uint8_t *put = to;

    if (!is_allowed(space, address, bytes, READABLE))
        return false;
    for (uint64_t n; bytes > 0; bytes -= n, address += n, put += n) {
        n = piece(address, bytes);
        memcpy(put, find(space, address, READABLE), n);
    }
    return true;
}

bool user_memory_write(uint64_t space, uint64_t address, const void *from, uint64_t bytes)
{
    const uint8_t *take = from;

    if (!is_allowed(space, address, bytes, WRITABLE))
        return false;
    for (uint64_t n; bytes > 0; bytes -= n, address += n, take += n) {
        n = piece(address, bytes);
        memcpy(find(space, address, WRITABLE), take, n);
    }
    return true;
}

void *user_memory_writable(uint64_t space, uint64_t address, uint64_t bytes)
{
    if (bytes > left_in_page(address) || !is_allowed(space, address, bytes, WRITABLE))
        return 0;
    return find(space, address, WRITABLE);
}

/* The call stack of a program, through its page tables. */

#define READABLE (PAGE_PRESENT | PAGE_USER)
#define OFFSET   ((uint64_t)PAGE_SIZE - 1)
#define WORD     sizeof(uint64_t)

#define PUSH_RBP  0x55u
#define RET       0xc3u
#define CALL_NEAR 0xe8u /* and 32 bits, from the next instruction on */
#define CALL_SIZE 5u
#define LEAF_MOST 4096u /* bytes of a function without a frame */

/* The words of a task, by the page that was looked up last. */
struct pages {
    uint64_t space, page;
    const uint8_t *at; /* NULL: none yet */
    unsigned left;     /* lookups that may still be made */
    bool spent;        /* one more was needed */
};

static bool read_word(void *context, uint64_t address, uint64_t *word)
{
    struct pages *p = context;

    if (p->at == 0 || p->page != (address & ~OFFSET)) {
        p->spent = p->left == 0;
        if (p->spent)
            return false;
        p->left--;
        p->page = address & ~OFFSET;
        p->at = page_walk(p->space, address, READABLE);
    }
    if (p->at == 0)
        return false;
    memcpy(word, p->at + (address & OFFSET), WORD);
    return true;
}

/* Bytes within one page; the rest of `to` stays.  False: they are not there. */
static bool read_code(uint64_t space, uint64_t at, void *to, uint64_t bytes)
{
    const uint8_t *const page = at < USER_TOP && (at & OFFSET) + bytes <= PAGE_SIZE ? page_walk(space, at, READABLE)
                                                                                    : 0;

    if (page != 0)
        memcpy(to, page + (at & OFFSET), bytes);
    return page != 0;
}

static bool is_endbr64(const uint8_t *code)
{
    return code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa;
}

static bool is_mov_rbp_rsp(const uint8_t *code)
{
    return code[0] == 0x48 && ((code[1] == 0x89 && code[2] == 0xe5) || (code[1] == 0x8b && code[2] == 0xec));
}

/*
 * Whether `back` is behind a call of the function that was interrupted at `pc`, and that makes no frame: compilers
 * leave it out of functions that call none and keep nothing on the stack, whatever they are told.
 */
static bool is_from_leaf(uint64_t space, uint64_t back, uint64_t pc)
{
    uint8_t call[CALL_SIZE], entry[5];
    uint64_t function;
    int32_t offset;

    if (back < CALL_SIZE || !read_code(space, back - CALL_SIZE, call, sizeof call) || call[0] != CALL_NEAR)
        return false;
    memcpy(&offset, &call[1], sizeof offset);
    function = back + (uint64_t)(int64_t)offset;
    return pc - function < LEAF_MOST && read_code(space, function, entry, sizeof entry) &&
           entry[is_endbr64(entry) ? 4 : 0] != PUSH_RBP;
}

/*
 * The return address of a function that has no frame at this instruction, in front of those that the frames have: 1,
 * or 0 where it has one as far as its code tells.
 */
static unsigned without_frame(struct pages *p, const struct cpu_frame *f, uint64_t *to)
{
    uint8_t code[4] = { 0 };
    bool known;
    uint64_t at = f->rsp;

    if (!read_code(p->space, f->rip, code, sizeof code))
        read_code(p->space, f->rip, code, 1);
    known = code[0] == PUSH_RBP || code[0] == RET || is_endbr64(code);
    if (is_mov_rbp_rsp(code)) {
        known = true;
        at += WORD;
    }
    if (at % WORD != 0 || at >= USER_TOP || !read_word(p, at, to) || *to == 0 || *to >= USER_TOP)
        return 0;
    return known || is_from_leaf(p->space, *to, f->rip);
}

static enum walk_end callers_of(const struct user_walk *w, struct call_stack_key *key)
{
    struct pages pages = { .space = w->space, .left = USER_WALK_PAGES };
    const struct frame_walk walk = { .fp = w->rbp, .low = w->f->rsp, .high = USER_TOP, .read = read_word,
                                     .context = &pages };
    const unsigned first = without_frame(&pages, w->f, &key->pc[1]);
    unsigned more;
    enum walk_end end;

    end = frame_walk(&walk, &key->pc[1 + first], w->callers - first, &more);
    key->depth = (uint16_t)(1 + first + more);
    return pages.spent ? WALK_CUT : end;
}

struct call_stack *user_walk_find(const struct user_walk *w, struct call_stacks *to, enum walk_end *end)
{
    struct call_stack_key key = { .task = w->task, .mode = MODE_USER, .pc = { w->f->rip } };

    *end = callers_of(w, &key);
    return call_stacks_find(to, &key);
}
