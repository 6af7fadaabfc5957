/* SPDX-License-Identifier: MIT */
/*
 * A disk that is not there: requests queue, first come first served, each takes as long as the arm
 * of a disk would, and an interrupt of the system clock's timer ends it.  No data moves.
 *
 * A request is to `blocks` blocks from `block` on.  The disk has DISK_CYLINDERS cylinders of
 * DISK_TRACK blocks and turns 120 times a second.  The arm takes 1 ms and 8 us for each cylinder
 * that it passes; then the first block comes around, and a block passes each DISK_TRACK-th of a turn.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define DISK_CYLINDERS 1024u
#define DISK_TRACK     1024u
#define DISK_BLOCKS    (DISK_CYLINDERS * DISK_TRACK)
#define DISK_MOST      256u /* blocks of one request */
#define DISK_QUEUE     16u  /* requests that wait or are served */

/*
 * Move blocks, and sleep until that is done.  False where the queue is full, which is counted, or
 * where is_bounded is false.  Task context, interrupts on.
 */
bool disk_transfer(uint64_t block, uint64_t blocks);

/* Whether these blocks are on the disk, and no more than one request may have.  Any context. */
bool disk_is_bounded(uint64_t block, uint64_t blocks);

/* Cumulative since the boot; times in clock units. */
struct disk_counters {
    uint64_t time;     /* TSC: when they were read */
    uint64_t requests; /* that were taken */
    uint64_t done;     /* of these, completed */
    uint64_t refused;  /* requests that found the queue full */
    uint64_t blocks;   /* moved */
    uint64_t busy;     /* the device moved its arm or blocks */
    uint64_t queue;    /* requests in the queue, the one that is served included, times how long they were there */
    uint64_t waits;    /* of the completed ones: from the call to the interrupt */
    uint64_t longest;  /* most requests in the queue */
};

/* Read the counters as of now.  Interrupts off. */
void disk_read(struct disk_counters *to);
