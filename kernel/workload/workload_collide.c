/* SPDX-License-Identifier: MIT */
/*
 * Eight tasks whose ids have the same hash: five find a record, three are lost
 * (Crowe, "System-wide CPU usage monitoring").  The ids differ in two bytes whose
 * effects on the hash cancel out.
 */
#include "kernel/workload/workload.h"

#define ROW(n, share) \
    { .name = "HASH" #n, .program = "worker", .user = (share), .grants = GRANTS_PACE, \
      .id = 0x01010040u + 0x0101u * (n) }

static const struct workload_task tasks[] = {
    ROW(0, 90000), ROW(1, 80000), ROW(2, 70000), ROW(3, 60000),
    ROW(4, 50000), ROW(5, 40000), ROW(6, 30000), ROW(7, 20000),
};

WORKLOAD(workload_collide, "collide", "eight tasks in one place of the hash table", tasks);
