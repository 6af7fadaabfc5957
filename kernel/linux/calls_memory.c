/* SPDX-License-Identifier: MIT */
/* Linux's system calls on memory.  mmap(2), munmap(2), mprotect(2), mremap(2), brk(2), madvise(2). */
#include "kernel/linux/linux_calls.h"
#include "kernel/linux/task_notes.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/process/process_memory.h"

#define MAP_SHARED          0x01u
#define MAP_PRIVATE         0x02u
#define MAP_FIXED           0x10u
#define MAP_ANONYMOUS       0x20u
#define MAP_NORESERVE       0x4000u
#define MAP_FIXED_NOREPLACE 0x100000u
#define PROT_ALL            7u
#define MADV_DONTNEED       4u
#define MREMAP_MAYMOVE      1u
#define MREMAP_FIXED        2u

_Static_assert(MEMORY_READ == 1 && MEMORY_WRITE == 2 && MEMORY_CODE == 4, "PROT_READ, PROT_WRITE, PROT_EXEC");

/* Where mappings go whose address the program leaves open: from the top down, a gap below the stack. */
#define MAPPINGS_LOW  0x0000700000000000ull
#define MAPPINGS_HIGH (PROCESS_HIGH - 2 * START_STACK_BYTES)

#define PAGE_OFFSET ((uint64_t)PAGE_SIZE - 1)

static uint64_t ceiling(uint64_t bytes)
{
    return (bytes + PAGE_OFFSET) & ~PAGE_OFFSET;
}

/* Memory that can be written can be read, and so can code. */
static uint32_t access_of(uint64_t protection)
{
    return (uint32_t)protection | (protection != 0 ? MEMORY_READ : 0);
}

static bool is_allowed(uint32_t access)
{
    return !((access & MEMORY_WRITE) && (access & MEMORY_CODE));
}

/*
 * Memory that can be written must be there, although it is given at the first touch only:
 * else a program would die later.
 */
static bool has_memory(uint64_t bytes, uint32_t access, uint64_t flags)
{
    return !(access & MEMORY_WRITE) || (flags & MAP_NORESERVE) || bytes / PAGE_SIZE <= page_alloc_left();
}

/*
 * What code the range holds is another one from now on: that is told,
 * so that no address in it is named from the old one.
 */
static void tell_code(struct process *p, uint64_t from, uint64_t to, uint32_t before, uint32_t now)
{
    if (((before | now) & MEMORY_CODE) == 0)
        return;
    p->generation++;
    task_note_code(p->generation, from, to);
}

/* Where the program gets a mapping of so many bytes: *from. */
static int64_t place(const struct process *p, const uint64_t a[6], uint64_t bytes, uint64_t *from)
{
    const bool here = process_is_range(a[0], a[0] + bytes);

    *from = a[0];
    if (here && ((a[3] & MAP_FIXED) || !ranges_meet(&p->ranges, a[0], a[0] + bytes)))
        return 0;
    if (a[3] & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        return here ? -LINUX_EEXIST : a[0] & PAGE_OFFSET ? -LINUX_EINVAL : -LINUX_ENOMEM;
    *from = ranges_gap(&p->ranges, bytes, MAPPINGS_LOW, MAPPINGS_HIGH);
    return *from != 0 ? 0 : -LINUX_ENOMEM;
}

/* The file of a mapping; NULL: it has none.  The pages get a copy: what is written stays the program's own. */
static int64_t mapped_file(const struct process *p, const uint64_t a[6], const struct module_file **file)
{
    const struct process_file *const f = process_file_at(p, a[4], PROCESS_FILE_INPUT);

    *file = 0;
    if (a[3] & MAP_ANONYMOUS)
        return 0;
    if (f == 0 || f->module == 0)
        return -LINUX_EBADF;
    if ((a[3] & MAP_SHARED) && (a[2] & MEMORY_WRITE))
        return -LINUX_EACCES;
    *file = f->module;
    return (a[5] & PAGE_OFFSET) == 0 ? 0 : -LINUX_EINVAL;
}

static int64_t check_mapping(const struct process *p, const uint64_t a[6], const struct module_file **file)
{
    const int64_t error = mapped_file(p, a, file);

    if (a[1] == 0 || (a[2] & ~(uint64_t)PROT_ALL) || !(a[3] & (MAP_SHARED | MAP_PRIVATE)))
        return -LINUX_EINVAL;
    if (error != 0)
        return error;
    if (a[1] > PROCESS_BYTES_MAX)
        return -LINUX_ENOMEM;
    if (!is_allowed(access_of(a[2])))
        return -LINUX_EACCES;
    return has_memory(a[1], *file != 0 ? MEMORY_WRITE : access_of(a[2]), a[3]) ? 0 : -LINUX_ENOMEM;
}

static bool fill(struct process *p, uint64_t at, uint64_t bytes, const struct module_file *file, uint64_t offset)
{
    if (file == 0 || offset >= file->size)
        return true;
    return process_fill(p, at, (const uint8_t *)file->bytes + offset,
                        bytes < file->size - offset ? bytes : file->size - offset);
}

int64_t linux_mmap(struct process *p, const uint64_t a[6])
{
    const uint64_t bytes = ceiling(a[1]);
    const struct module_file *file;
    uint64_t from;
    uint32_t before;
    int64_t error = check_mapping(p, a, &file);

    if (error == 0)
        error = place(p, a, bytes, &from);
    if (error != 0)
        return error;
    before = ranges_access(&p->ranges, from, from + bytes);
    if (!process_map(p, from, from + bytes, access_of(a[2])))
        return -LINUX_ENOMEM;
    tell_code(p, from, from + bytes, before, access_of(a[2]));
    if (fill(p, from, bytes, file, a[5]))
        return (int64_t)from;
    process_unmap(p, from, from + bytes);
    return -LINUX_ENOMEM;
}

int64_t linux_munmap(struct process *p, const uint64_t a[6])
{
    const uint64_t from = a[0], to = a[0] + ceiling(a[1]);
    uint32_t before;

    if (a[1] > PROCESS_BYTES_MAX || !process_is_range(from, to))
        return -LINUX_EINVAL;
    before = ranges_access(&p->ranges, from, to);
    if (!process_unmap(p, from, to))
        return -LINUX_ENOMEM;
    tell_code(p, from, to, before, 0);
    return 0;
}

/* Up to where all of [from, to) is mapped. */
static uint64_t first_gap(const struct process *p, uint64_t from, uint64_t to)
{
    const struct memory_range *range;

    while (from < to && (range = ranges_find(&p->ranges, from)) != 0)
        from = range->to;
    return from < to ? from : to;
}

/* Up to a page that is not there; the answer tells of it. */
int64_t linux_mprotect(struct process *p, const uint64_t a[6])
{
    const uint64_t from = a[0], to = a[0] + ceiling(a[1]);
    const uint32_t access = access_of(a[2]);
    uint64_t end;
    uint32_t before;

    if ((a[2] & ~(uint64_t)PROT_ALL) || (from & PAGE_OFFSET) != 0)
        return -LINUX_EINVAL;
    if (a[1] == 0)
        return 0;
    if (a[1] > PROCESS_BYTES_MAX || !process_is_range(from, to))
        return -LINUX_ENOMEM;
    if (!is_allowed(access))
        return -LINUX_EACCES;
    end = first_gap(p, from, to);
    if (end == from)
        return -LINUX_ENOMEM;
    before = ranges_access(&p->ranges, from, end);
    if (!process_protect(p, from, end, access))
        return -LINUX_ENOMEM;
    tell_code(p, from, end, before, access);
    return end == to ? 0 : -LINUX_ENOMEM;
}

/* Each page that is there is copied: the old ones are the program's until all are. */
static bool copy_pages(struct process *p, uint64_t from, uint64_t to, uint64_t bytes)
{
    for (uint64_t at = paging_next_mapped(p->space, from, from + bytes); at < from + bytes;
         at = paging_next_mapped(p->space, at + PAGE_SIZE, from + bytes))
        if (!process_fill(p, to + (at - from), paging_lookup(p->space, at), PAGE_SIZE))
            return false;
    return true;
}

/* What `to` had before is unmapped.  The answer is the new address. */
static int64_t move(struct process *p, uint64_t from, uint64_t old, uint64_t to, uint64_t bytes)
{
    const uint32_t access = ranges_find(&p->ranges, from)->access;

    if (to == 0 || !has_memory(bytes, access, 0) || !process_map(p, to, to + bytes, access))
        return -LINUX_ENOMEM;
    if (!copy_pages(p, from, to, old) || !process_unmap(p, from, from + old)) {
        process_unmap(p, to, to + bytes);
        return -LINUX_ENOMEM;
    }
    tell_code(p, from, from + old, access, 0);
    tell_code(p, to, to + bytes, 0, access);
    return (int64_t)to;
}

static int64_t grow(struct process *p, uint64_t from, uint64_t old, uint64_t bytes, uint64_t flags)
{
    const struct memory_range *const range = ranges_find(&p->ranges, from);
    const uint64_t end = from + old;
    uint32_t access;

    if (range == 0 || end > range->to)
        return -LINUX_EFAULT;
    access = range->access;
    if (!process_is_range(end, from + bytes) || ranges_meet(&p->ranges, end, from + bytes))
        return flags & MREMAP_MAYMOVE
                   ? move(p, from, old, ranges_gap(&p->ranges, bytes, MAPPINGS_LOW, MAPPINGS_HIGH), bytes)
                   : -LINUX_ENOMEM;
    if (!has_memory(bytes - old, access, 0) || !process_map(p, end, from + bytes, access))
        return -LINUX_ENOMEM;
    tell_code(p, end, from + bytes, 0, access);
    return (int64_t)from;
}

static bool shrink(struct process *p, uint64_t from, uint64_t old, uint64_t bytes)
{
    return bytes >= old || linux_munmap(p, (const uint64_t[6]){ from + bytes, old - bytes }) == 0;
}

/* MREMAP_FIXED: the program says where to. */
static int64_t move_to(struct process *p, uint64_t from, uint64_t old, uint64_t to, uint64_t bytes)
{
    if (!process_is_range(to, to + bytes) || (to < from + old && from < to + bytes))
        return -LINUX_EINVAL;
    if (ranges_find(&p->ranges, from)->to < from + old)
        return -LINUX_EFAULT;
    if (!shrink(p, from, old, bytes))
        return -LINUX_ENOMEM;
    return move(p, from, bytes < old ? bytes : old, to, bytes);
}

int64_t linux_mremap(struct process *p, const uint64_t a[6])
{
    const uint64_t old = ceiling(a[1]), bytes = ceiling(a[2]);

    if ((a[3] & ~(uint64_t)(MREMAP_MAYMOVE | MREMAP_FIXED)) || a[3] == MREMAP_FIXED || a[1] == 0 || a[2] == 0 ||
        a[1] > PROCESS_BYTES_MAX || a[2] > PROCESS_BYTES_MAX || !process_is_range(a[0], a[0] + old))
        return -LINUX_EINVAL;
    if (!ranges_cover(&p->ranges, a[0], a[0] + old))
        return -LINUX_EFAULT;
    if (a[3] & MREMAP_FIXED)
        return move_to(p, a[0], old, a[4], bytes);
    if (bytes > old)
        return grow(p, a[0], old, bytes, a[3]);
    return shrink(p, a[0], old, bytes) ? (int64_t)a[0] : -LINUX_ENOMEM;
}

/* brk() has no error: where the heap cannot end where the program wants it, its end stays. */
int64_t linux_brk(struct process *p, const uint64_t a[6])
{
    const uint64_t end = ceiling(p->heap_end), wanted = ceiling(a[0]);
    bool done = true;

    if (a[0] < p->heap_from || a[0] > MAPPINGS_LOW)
        return (int64_t)p->heap_end;
    if (wanted > end)
        done = !ranges_meet(&p->ranges, end, wanted) && has_memory(wanted - end, MEMORY_WRITE, 0) &&
               process_map(p, end, wanted, MEMORY_READ | MEMORY_WRITE);
    else if (wanted < end)
        done = process_unmap(p, wanted, end);
    if (done)
        p->heap_end = a[0];
    return (int64_t)p->heap_end;
}

/* Advice changes nothing, but for memory that the program wants back as zeros: of all that is there. */
int64_t linux_madvise(struct process *p, const uint64_t a[6])
{
    const uint64_t from = a[0], to = a[0] + ceiling(a[1]);

    if (a[2] != MADV_DONTNEED || a[1] == 0)
        return 0;
    if (a[1] > PROCESS_BYTES_MAX || !process_is_range(from, to))
        return -LINUX_EINVAL;
    tell_code(p, from, to, 0, ranges_access(&p->ranges, from, to));
    process_empty(p, from, to);
    return ranges_cover(&p->ranges, from, to) ? 0 : -LINUX_ENOMEM;
}
