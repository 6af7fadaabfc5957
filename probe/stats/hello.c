/* SPDX-License-Identifier: MIT */
/* The part of HELLO that follows from the core alone. */
#include "probe/stats/hello.h"

#include "probe/stream/version.h"

struct wire_hello hello_of(const struct probe *p, uint64_t epoch, uint64_t seed)
{
    return (struct wire_hello){
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = epoch, .seed = seed,
        .floor = p->running.floor, .halt_floor = p->halted.floor, .late = p->running.late, .halt_late = p->halted.late,
        .version = { CPUPROBE_VERSION, sizeof CPUPROBE_VERSION - 1 },
    };
}
