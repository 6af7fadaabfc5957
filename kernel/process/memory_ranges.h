/* SPDX-License-Identifier: MIT */
/*
 * The address space of a program that asks for memory itself: ranges of whole pages in the order of their addresses,
 * each with one kind of access.  A page gets memory at its first touch (process_memory.h).  Nothing is mapped here.
 * No I/O, no clocks: compiled for the host's tests too.  Any context in which nobody else changes the list.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MEMORY_RANGES_MAX 130u

enum memory_access { MEMORY_READ = 1, MEMORY_WRITE = 2, MEMORY_CODE = 4 };

struct memory_range {
    uint64_t from, to; /* multiples of a page */
    uint32_t access;   /* enum memory_access bits; 0: none */
};

struct memory_ranges {
    uint32_t count;
    struct memory_range range[MEMORY_RANGES_MAX];
};

/* The range that holds the address; NULL: none does. */
const struct memory_range *ranges_find(const struct memory_ranges *r, uint64_t address);

/* Whether [from, to) touches a range; whether all of it is in ranges. */
bool ranges_meet(const struct memory_ranges *r, uint64_t from, uint64_t to);
bool ranges_cover(const struct memory_ranges *r, uint64_t from, uint64_t to);

/* The bits of access that some part of [from, to) has. */
uint32_t ranges_access(const struct memory_ranges *r, uint64_t from, uint64_t to);

/*
 * Make [from, to) a range, and none where it was one; the parts of other ranges in it are replaced.
 * False, and nothing has changed, where the list has no room.
 */
bool ranges_set(struct memory_ranges *r, uint64_t from, uint64_t to, uint32_t access);
bool ranges_clear(struct memory_ranges *r, uint64_t from, uint64_t to);

/* The highest gap of so many bytes within [low, high): its address; 0: there is none. */
uint64_t ranges_gap(const struct memory_ranges *r, uint64_t bytes, uint64_t low, uint64_t high);

/* The sum of all, bytes. */
uint64_t ranges_bytes(const struct memory_ranges *r);
