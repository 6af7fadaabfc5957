/* SPDX-License-Identifier: MIT */
/*
 * Nothing to forget: each field of struct cpuprobe_port and struct cpuprobe_options is left out, and has each value
 * that it cannot have.  Either cpuprobe_init() says a sentence that names the field, or the default that the header
 * tells is in force and the run is right.  The names of the fields are read from the header:
 * one without a row here fails.
 */
#include "tests/host/simulated_port.h"

#define HEADER "probe/port/cpuprobe.h"

/* ---- rows ---- */

/* A value of a field, by its bytes; what a sentence must have, NULL: none is said, and the run is right. */
struct row {
    const char *of, *name; /* "port" or "options", and the field */
    size_t offset, size;
    uint64_t value;
    const char *said;
};

#define PORT(field, value, said)    { "port", #field, offsetof(struct cpuprobe_port, field), sizeof whole.field, \
                                      (uint64_t)(value), said }
#define OPTION(field, value, said)  { "options", #field, offsetof(struct cpuprobe_options, field), \
                                      sizeof full.field, (uint64_t)(value), said }
#define TEXT(t)                     ((uintptr_t)(t))
#define LONG "0123456789012345678901234567890123456789012345678901234567890"
#define ODD(of)                     ((uintptr_t)(of) + 4)

static uint64_t account[CPUPROBE_ACCOUNT_SIZE(16) / 8 + 1], few[2];
static const struct cpuprobe_region region = { .task = 1, .mode = CPUPROBE_USER, .low = 0x800, .high = 0x2000 };
static struct cpuprobe_options full; /* set by make_full() */

/* Everything that can be given at once. */
static void make_full(void)
{
    full = (struct cpuprobe_options){
        .rate = 500, .policy = "stratified", .seed = 5, .seconds = 2, .account = account,
        .account_size = sizeof account,
        .commands_size = CPUPROBE_COMMANDS_SIZE, .intervals_size = CPUPROBE_INTERVALS_SIZE(64u),
        .samples_size = CPUPROBE_SAMPLES_SIZE, .events_size = CPUPROBE_EVENTS_SIZE(64),
        .region = &region, .regions = 1,
        .region_size = CPUPROBE_REGIONS_SIZE(1u),
    };
    full.commands = calloc(1, full.commands_size);
    full.intervals = calloc(1, full.intervals_size);
    full.samples = calloc(1, full.samples_size);
    full.events = calloc(1, full.events_size);
    full.region_memory = calloc(1, full.region_size);
}

static void free_full(void)
{
    free(full.commands);
    free(full.intervals);
    free(full.samples);
    free(full.events);
    free(full.region_memory);
}

/* Left out, each; and wrong, where it can be.  0 is left out. */
static const struct row *rows(size_t *number)
{
    static struct row all[128];
    const struct row list[] = {
        PORT(name, 0, "port.name"), PORT(name, TEXT(""), "port.name"), PORT(name, TEXT(LONG), "port.name"),
        PORT(build, 0, NULL), PORT(build, TEXT(LONG), "port.build"),
        PORT(clock, 0, "port.clock"),
        PORT(clock_hz, 0, NULL), PORT(clock_hz, 1, "port.clock_hz"), PORT(clock_hz, HZ / 5 * 4, "port.clock_hz"),
        PORT(clock_hz, HZ * 10ull, "port.clock_hz"), PORT(clock_hz, UINT64_MAX, "port.clock_hz"),
        PORT(clock_bits, 0, NULL), PORT(clock_bits, 8, "port.clock_bits"), PORT(clock_bits, 64, "port.clock_bits"),
        PORT(source, 0, "port.source"), PORT(source, TEXT(""), "port.source"),
        PORT(source, TEXT(LONG), "port.source"), PORT(source_hz, 0, "port.source_hz"),
        PORT(source_hz, 1, "port.source_hz"), PORT(source_hz, HZ / 2 * 3, "port.source_hz"),
        PORT(source_hz, UINT32_MAX, "port.source_hz"),
        PORT(longest, 0, "port.longest"), PORT(longest, 1, "port.longest"), PORT(longest, 19, "port.longest"),
        PORT(longest, 100, NULL), PORT(longest, UINT32_MAX, NULL),
        PORT(left, 0, NULL), PORT(shared, 0, NULL), PORT(shared, 1, NULL),
        PORT(arm, 0, "options.policy"), /* a source that ticks by itself has fixed ticks */
        PORT(wait, 0, NULL),
        PORT(name_of, 0, NULL),
        PORT(write, 0, "port.write"),
        PORT(read, 0, "port.read"),
        PORT(lock, 0, "port.lock"),
        PORT(unlock, 0, "port.unlock"),
        OPTION(rate, 0, NULL), OPTION(rate, 1, NULL), OPTION(rate, HZ / 10, "options.rate"),
        OPTION(rate, UINT32_MAX, "options.rate"), OPTION(policy, 0, NULL), OPTION(policy, TEXT(""), "options.policy"),
        OPTION(policy, TEXT("stratifie"), "options.policy"), OPTION(policy, TEXT("random"), NULL),
        OPTION(policy, TEXT("exponential"), NULL), OPTION(policy, TEXT("narrow"), NULL),
        OPTION(policy, TEXT("arithmetic"), NULL), OPTION(policy, TEXT("fixed"), NULL),
        OPTION(seed, 0, NULL), OPTION(seed, UINT64_MAX, "options.seed"),
        OPTION(seconds, 1, NULL),
        OPTION(late, 0, NULL), OPTION(late, UINT64_MAX, NULL),
        OPTION(late_idle, 0, NULL), OPTION(late_idle, UINT64_MAX, NULL),
        OPTION(nmi, 0, NULL), OPTION(nmi, 1, "options.nmi"),
        OPTION(account, 0, NULL), OPTION(account, ODD(account), "options.account"),
        OPTION(account_size, 0, "options.account_size"), OPTION(account_size, 64, "options.account_size"),
        OPTION(commands, 0, NULL), OPTION(commands, ODD(few), "options.commands"),
        OPTION(commands_size, 0, "options.commands_size"), OPTION(commands_size, 64, "options.commands_size"),
        OPTION(intervals, 0, NULL), OPTION(intervals, ODD(few), "options.intervals"),
        OPTION(intervals_size, 0, "options.intervals_size"), OPTION(intervals_size, 64, "options.intervals_size"),
        OPTION(samples, 0, NULL), OPTION(samples, ODD(few), "options.samples"),
        OPTION(samples_size, 0, "options.samples_size"), OPTION(samples_size, 64, "options.samples_size"),
        OPTION(events, 0, NULL), OPTION(events, ODD(few), "options.events"),
        OPTION(events_size, 0, "options.events_size"), OPTION(events_size, 64, "options.events_size"),
        OPTION(region, 0, "options.region"),
        OPTION(regions, 0, NULL), OPTION(regions, 2, "options.region_size"), OPTION(regions, 9, "options.regions"),
        OPTION(region_memory, 0, "options.region_memory"), OPTION(region_memory, ODD(few), "options.region_memory"),
        OPTION(region_size, 0, "options.region_size"), OPTION(region_size, 64, "options.region_size"),
    };

    _Static_assert(sizeof list <= sizeof all, "there is room for all rows");
    memcpy(all, list, sizeof list);
    *number = sizeof list / sizeof list[0];
    return all;
}

/* ---- every field has rows ---- */

/* Whether a row is about this field, and leaves it out: of `seconds` 0 is a run without an end. */
static bool is_left_out(const char *of, const char *name, size_t length)
{
    size_t number;
    const struct row *const r = rows(&number);

    for (size_t i = 0; i < number; i++)
        if (strcmp(r[i].of, of) == 0 && strlen(r[i].name) == length && strncmp(r[i].name, name, length) == 0)
            return r[i].value == 0 || strcmp(r[i].name, "seconds") == 0;
    return false;
}

/* The header without comments. */
static char *read_header(void)
{
    FILE *const f = fopen(HEADER, "r");
    char *const text = calloc(1, 1 << 16);
    size_t length;

    assert_non_null(f);
    length = fread(text, 1, (1 << 16) - 1, f);
    fclose(f);
    for (char *begin = strstr(text, "/*"), *end; begin != NULL && length != 0; begin = strstr(begin, "/*")) {
        end = strstr(begin, "*/");
        assert_non_null(end);
        memset(begin, ' ', (size_t)(end + 2 - begin));
    }
    return text;
}

/* The name of a field ends before ')', where it is a function, or before ',' or ';'. */
static unsigned check_declaration(const char *of, const char *from, const char *to)
{
    const char *const function = memchr(from, '(', (size_t)(to - from));
    const char *end = function != NULL ? memchr(from, ')', (size_t)(to - from)) : to, *name;

    while (end[-1] == ' ')
        end--;
    for (name = end; strchr(" *(,\n", name[-1]) == NULL; name--)
        continue;
    if (!is_left_out(of, name, (size_t)(end - name)))
        fail_msg("%s.%.*s has no row that leaves it out: its first one has to", of, (int)(end - name), name);
    return 1;
}

static unsigned check_struct(const char *of, const char *type)
{
    char *const header = read_header();
    const char *at = strstr(header, type), *end;
    unsigned fields = 0;

    assert_non_null(at);
    at += strlen(type);
    end = strstr(at, "\n};");
    while (at < end) {
        const char *stop = at;

        for (int depth = 0; depth > 0 || (*stop != ';' && *stop != ','); stop++)
            depth += (*stop == '(') - (*stop == ')');
        fields += check_declaration(of, at, stop);
        for (at = stop + 1; at < end && (*at == ' ' || *at == '\n'); at++)
            continue;
    }
    free(header);
    return fields;
}

static void test_every_field(void **state)
{
    (void)state;
    assert_in_range(check_struct("port", "struct cpuprobe_port {"), 13, 100);
    assert_in_range(check_struct("options", "struct cpuprobe_options {"), 21, 100);
}

/* ---- what is said ---- */

/* Only one of the two accounts for what an NMI cannot have. */
static void try_row(const struct row *r)
{
    struct cpuprobe_options options = full;
    struct cpuprobe_port port = whole;
    const char *why;

    memcpy((char *)(r->of[0] == 'p' ? (void *)&port : (void *)&options) + r->offset, &r->value, r->size);
    why = try_begin(&port, &options);
    if (r->said == NULL && why != NULL)
        fail_msg("%s.%s = %llu is refused: %s", r->of, r->name, (unsigned long long)r->value, why);
    if (r->said != NULL && (why == NULL || strstr(why, r->said) == NULL))
        fail_msg("%s.%s = %llu: %s", r->of, r->name, (unsigned long long)r->value, why != NULL ? why : "no sentence");
    if (r->said != NULL)
        return;
    run(3);
    check_run();
}

static void test_fields(void **state)
{
    size_t number;
    const struct row *r;

    (void)state;
    make_full();
    r = rows(&number);
    for (size_t i = 0; i < number; i++)
        try_row(&r[i]);
    free_full();
}

/* What depends on two fields: a source that ticks by itself; NMIs; and what is no field. */
static void refused(const struct cpuprobe_port *port, const struct cpuprobe_options *options, const char *said)
{
    const char *const why = try_begin(port, options);

    if (why == NULL || strstr(why, said) == NULL)
        fail_msg("not about %s: %s", said, why != NULL ? why : "no sentence");
}

static void test_together(void **state)
{
    const struct cpuprobe_region upside = { .low = 2, .high = 1 },
                                 no_mode = { .high = 1, .mode = (enum cpuprobe_mode)4 };
    struct cpuprobe_options o = { .regions = 1, .region = &upside };
    struct cpuprobe_port own = whole;

    (void)state;
    make_full();
    own.arm = NULL;
    refused(&own, &(struct cpuprobe_options){ .policy = "random" }, "options.policy");
    refused(&own, &(struct cpuprobe_options){ .rate = 100 }, "options.rate");
    own.longest = HZ + 1; /* a period of more than a second: arm() was forgotten */
    refused(&own, &(struct cpuprobe_options){ 0 }, "port.arm");
    refused(NULL, &full, "port");
    refused(&whole, NULL, "options");
    o.region_memory = full.region_memory;
    o.region_size = full.region_size;
    refused(&whole, &o, "options.region");
    o.region = &no_mode;
    refused(&whole, &o, "options.region");
    free_full();
}

/*
 * All options zero is a run without an end, which is right where it is ended; NMI without an account too;
 * own ticks too.
 */
static void test_alone(void **state)
{
    struct cpuprobe_port own = whole;

    (void)state;
    begin(&whole, &(struct cpuprobe_options){ 0 });
    for (unsigned i = 0; i < 3 * HZ; i++)
        clock_read();
    cpuprobe_end(probe);
    run(1);
    check_run();
    begin(&whole, &(struct cpuprobe_options){ .nmi = true, .seconds = 1 });
    run(2);
    check_run();
    own.arm = NULL;
    own.longest = HZ / 100;
    begin(&own, &(struct cpuprobe_options){ .seconds = 2 });
    run(2);
    check_run();
    assert_in_range(snapshot.ticks, 199, 201);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
