/* SPDX-License-Identifier: MIT */
/* How much memory a port needs: all of it, and its optional parts. */
#include "probe/port/port_memory.h"

#include "probe/port/port.h"

_Static_assert(SYSTEM_RECORDS == CPUPROBE_RECORDS, "the core has as many records as its header says");
_Static_assert(WIRE_FIELDS_MAX > 720 || sizeof(struct cpuprobe) <= CPUPROBE_SIZE,
               "CPUPROBE_SIZE is enough for the one file");
_Static_assert(REPLY_ROOM > 512 || sizeof(struct port_commands) <= CPUPROBE_COMMANDS_SIZE,
               "and so is CPUPROBE_COMMANDS_SIZE");
_Static_assert(SAMPLES_RING > 4096 || SAMPLES_RING == CPUPROBE_SAMPLES,
               "the core has as many raw samples as its header says");
_Static_assert(DICTIONARY_MAX > 512 || sizeof(struct port_samples) <= CPUPROBE_SAMPLES_SIZE,
               "and that of raw samples");
_Static_assert(DICTIONARY_MAX > 512 || sizeof(struct port_events) <= CPUPROBE_EVENTS_SIZE(0), "and that of events");
_Static_assert(POINT_QUEUE_CHECKPOINT > 16 || (sizeof(struct schedule) + 15) / 16 + 8 <= CPUPROBE_INTERVALS_SIZE(1),
               "and that of intervals");
_Static_assert(2 * sizeof(struct region) + sizeof(struct region_request) <= CPUPROBE_REGIONS_SIZE(1),
               "and that of regions");

size_t cpuprobe_size(void)
{
    return sizeof(struct cpuprobe);
}

size_t port_regions_size(unsigned regions)
{
    return regions * (2 * sizeof(struct region) + sizeof(struct region_request));
}

size_t port_commands_size(void)
{
    return sizeof(struct port_commands);
}

size_t port_samples_size(void)
{
    return sizeof(struct port_samples);
}

size_t port_events_size(uint32_t records)
{
    return sizeof(struct port_events) + records * sizeof(struct event_record);
}
