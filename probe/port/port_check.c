/* SPDX-License-Identifier: MIT */
/*
 * Checks what a kernel provides: each field that must be there, each number that must make sense, and memory enough,
 * which it tells the kernel.
 */
#include "probe/port/port.h"
#include "probe/port/port_memory.h"

#define RATE_MAX     100000u
#define CLOCK_MAX    (1ull << 40) /* Hz: times 65536 it is below 2^63 */
#define TEXT_MAX     60u
#define BITS_LEAST   24u
#define BITS_MOST    63u
#define MEAN_LEAST   20u /* counts: a policy has that much to draw from */

static bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

enum interval_policy port_policy(const struct cpuprobe_port *p, const struct cpuprobe_options *o)
{
    if (o->policy == NULL && p->arm != NULL)
        return p->shared ? INTERVAL_EXPONENTIAL : INTERVAL_STRATIFIED;
    if (o->policy == NULL)
        return INTERVAL_FIXED;
    for (unsigned i = 0; i < INTERVALS; i++)
        if (same_text(o->policy, interval_policies[i]->name))
            return (enum interval_policy)i;
    return INTERVALS;
}

/* HELLO has room for as much. */
static bool is_long(const char *text)
{
    unsigned length = 0;

    while (length <= TEXT_MAX && text[length] != '\0')
        length++;
    return length > TEXT_MAX;
}

static bool misaligned(const void *memory)
{
    return (uintptr_t)memory % sizeof(uint64_t) != 0;
}

static const char *check_callbacks(const struct cpuprobe_port *p)
{
    if (p->name == NULL || p->name[0] == '\0')
        return "port.name is missing: who speaks";
    if (p->clock == NULL && (p->left == NULL || p->arm == NULL))
        return "port.clock is missing: a clock that never goes back (or port.left, beside port.arm)";
    if (p->clock == NULL && (p->clock_hz != 0 || p->clock_bits != 0))
        return "port.clock_hz or port.clock_bits is given, and no port.clock: time is kept in counts of the source";
    if (p->write == NULL)
        return "port.write is missing: without it no table leaves your kernel";
    if (p->lock == NULL)
        return "port.lock is missing: interrupts off";
    if (p->unlock == NULL)
        return "port.unlock is missing: interrupts as they were";
    return NULL;
}

static const char *check_source(const struct cpuprobe_port *p)
{
    if (p->source == NULL || p->source[0] == '\0')
        return "port.source is missing: the name of the tick source";
    if (p->source_hz == 0)
        return "port.source_hz is missing: the rate of the tick source's counter";
    if (p->longest == 0)
        return "port.longest is missing: the most counts that arm() takes, or, without arm(), the period";
    if (p->arm != NULL && p->longest < MEAN_LEAST)
        return "port.longest is below 20 counts";
    if (p->arm == NULL && p->longest > p->source_hz)
        return "port.arm is missing, and port.longest, the period, is longer than a second: has arm() been "
               "forgotten?";
    if (is_long(p->name) || is_long(p->source) || (p->build != NULL && is_long(p->build)))
        return "port.name, port.source or port.build is longer than 60 characters";
    if (p->clock_hz >= CLOCK_MAX)
        return "port.clock_hz is 2^40 or more";
    if (p->clock_bits != 0 && (p->clock_bits < BITS_LEAST || p->clock_bits > BITS_MOST))
        return "port.clock_bits is neither 0, for a clock that never begins again, nor 24 to 63";
    return NULL;
}

static const char *check_tick(const struct cpuprobe_port *p, const struct cpuprobe_options *o)
{
    const uint32_t rate = o->rate != 0 ? o->rate : PORT_RATE;
    const enum interval_policy policy = port_policy(p, o);

    if (policy == INTERVALS)
        return "options.policy is none of stratified, random, exponential, narrow, fixed, arithmetic";
    if (p->arm == NULL && policy != INTERVAL_FIXED)
        return "options.policy must be fixed where port.arm is missing";
    if (p->arm == NULL && o->rate != 0)
        return "options.rate cannot be chosen where port.arm is missing: the source has its own";
    if (o->seed > INT64_MAX)
        return "options.seed is 2^63 or more";
    if (rate == 1 && p->source_hz > INT32_MAX)
        return "options.rate is too low: a mean interval has 2^31 counts of port.source_hz or more";
    if (rate > RATE_MAX)
        return "options.rate is above 100000 Hz";
    if (p->arm != NULL && p->source_hz < (uint64_t)MEAN_LEAST * rate)
        return "options.rate is too high: a mean interval has fewer than 20 counts of port.source_hz";
    return NULL;
}

static const char *check_memory(const struct cpuprobe_options *o)
{
    if (o->nmi && o->account != NULL)
        return "options.nmi and options.account exclude each other";
    if (o->account != NULL && (misaligned(o->account) || o->account_size < CPUPROBE_ACCOUNT_SIZE(1u)))
        return "options.account is not 8-byte aligned, or options.account_size is below CPUPROBE_ACCOUNT_SIZE(1)";
    if (o->commands != NULL && (misaligned(o->commands) || o->commands_size < port_commands_size()))
        return "options.commands is not 8-byte aligned, or options.commands_size is below CPUPROBE_COMMANDS_SIZE";
    return NULL;
}

static bool too_small(const void *memory, size_t size, size_t least)
{
    return memory != NULL && (misaligned(memory) || size < least);
}

static const char *check_rings(const struct cpuprobe_options *o)
{
    if (too_small(o->intervals, o->intervals_size, point_queue_bytes(PORT_INTERVALS_LEAST)))
        return "options.intervals is not 8-byte aligned, or options.intervals_size is below "
               "CPUPROBE_INTERVALS_SIZE(64)";
    if (too_small(o->samples, o->samples_size, port_samples_size()))
        return "options.samples is not 8-byte aligned, or options.samples_size is below CPUPROBE_SAMPLES_SIZE";
    if (too_small(o->events, o->events_size, port_events_size(PORT_EVENTS_LEAST)))
        return "options.events is not 8-byte aligned, or options.events_size is below CPUPROBE_EVENTS_SIZE(64)";
    return NULL;
}

static const char *check_regions(const struct cpuprobe_options *o)
{
    if (o->regions == 0)
        return NULL;
    if (o->regions > REGIONS_MAX)
        return "options.regions is above 8";
    if (o->region == NULL)
        return "options.region is missing, and options.regions is not 0";
    if (o->region_memory == NULL || misaligned(o->region_memory) || o->region_size < port_regions_size(o->regions))
        return "options.region_memory is missing or not 8-byte aligned, or options.region_size is below "
               "CPUPROBE_REGIONS_SIZE(regions)";
    for (unsigned i = 0; i < o->regions; i++)
        if (o->region[i].low >= o->region[i].high || (unsigned)o->region[i].mode >= MODES)
            return "options.region: low must be below high, and mode one of the four";
    return NULL;
}

const char *port_check(const void *memory, size_t size, const struct cpuprobe_port *p,
                       const struct cpuprobe_options *o)
{
    const char *why;

    if (memory == NULL || misaligned(memory))
        return "memory is missing or not 8-byte aligned";
    if (size < cpuprobe_size())
        return "size is below cpuprobe_size(): was CPUPROBE_RECORDS the same for the core and its caller?";
    if (p == NULL)
        return "port is missing";
    if (o == NULL)
        return "options are missing: all zero is the default";
    why = check_callbacks(p);
    if (why == NULL)
        why = check_source(p);
    if (why == NULL)
        why = check_tick(p, o);
    if (why == NULL)
        why = check_memory(o);
    if (why == NULL)
        why = check_rings(o);
    if (why == NULL)
        why = check_regions(o);
    if (why == NULL && o->commands != NULL && p->read == NULL)
        why = "port.read is missing, and options.commands is there";
    return why;
}

/* How much memory a port needs: all of it, and its optional parts */
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
