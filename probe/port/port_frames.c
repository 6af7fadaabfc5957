/* SPDX-License-Identifier: MIT */
/*
 * The frames of a port: HELLO, names and snapshots, END (docs/PROTOCOL.md).
 * A row at a time: there is no memory for all.
 */
#include "probe/schedule/memory.h"
#include "probe/port/port.h"
#include "probe/port/port_given.h"
#include "probe/stats/hello.h"
#include "probe/stream/sent_count.h"
#include "probe/text/text_buf.h"

#define WORDS_SIZE 200
#define GIVEN_SIZE 100
#define TOTALS     4u /* rows behind those of the records: ENDED, MASKED, STOLEN, LOST */
/* records in use from which on those of tasks that are gone are retired */
#define NEARLY     (SYSTEM_RECORDS * 3 / 4)

static struct wire_text text(const char *t)
{
    size_t length = 0;

    while (t != NULL && t[length] != '\0')
        length++;
    return (struct wire_text){ t, length };
}

static void put(struct cpuprobe *c, struct wire_writer *w)
{
    const size_t length = wire_end(w, sent_count(&c->sent, w), c->encoded);

    if (length == 0 || !c->port.write(c->encoded, length))
        c->dropped++;
}

void port_send_frame(void *context, struct wire_writer *w)
{
    put(context, w);
}

void port_send(struct cpuprobe *c, enum wire_type type, const void *head)
{
    wire_begin(&c->frame, type, head);
    put(c, &c->frame);
}

void port_send_text(struct cpuprobe *c, bool warning, struct wire_text text)
{
    port_send(c, WIRE_TEXT, &(struct wire_text_record){
        .epoch = c->epoch, .severity = warning, .text = text, .number = c->sent.texts + 1,
    });
}

static void put_words(const struct cpuprobe *c, struct text_buf *b)
{
    buf_text(b, "rate=");
    buf_number(b, c->facts.rate);
    buf_text(b, " interval=");
    buf_text(b, interval_policies[c->facts.policy]->name);
    buf_text(b, " spread=1.000 rng=carta seed=");
    buf_number(b, c->facts.seed);
    buf_text(b, c->probe.via_nmi ? " delivery=nmi" : " delivery=irq");
    buf_text(b, c->account != NULL ? " account=on" : " account=off");
    buf_text(b, " identity=task monitor=system");
    buf_text(b, c->options.regions != 0 ? ",region" : "");
    buf_text(b, c->samples != NULL ? ",samples" : "");
    buf_text(b, c->events != NULL ? ",events" : "");
    buf_text(b, " output=frames seconds=");
    buf_number(b, c->options.seconds);
}

/* Each optional field that is there, by its name. */
static void put_given(const struct cpuprobe *c, struct text_buf *b)
{
    const struct cpuprobe_port *const p = &c->port;
    const struct cpuprobe_options *const o = &c->options;
    static const char *const names[] = {
#define PORT_NAME(name) #name,
        PORT_OPTIONAL(PORT_NAME)
#undef PORT_NAME
    };
    const bool given[PORT_OPTIONALS] = {
        [PORT_GIVES_build] = p->build != NULL, [PORT_GIVES_arm] = p->arm != NULL, [PORT_GIVES_left] = p->left != NULL,
        [PORT_GIVES_shared] = p->shared, [PORT_GIVES_wait] = p->wait != NULL,
        [PORT_GIVES_name_of] = p->name_of != NULL, [PORT_GIVES_read] = p->read != NULL, [PORT_GIVES_nmi] = o->nmi,
        [PORT_GIVES_account] = o->account != NULL, [PORT_GIVES_commands] = o->commands != NULL,
        [PORT_GIVES_intervals] = o->intervals != NULL, [PORT_GIVES_samples] = o->samples != NULL,
        [PORT_GIVES_events] = o->events != NULL, [PORT_GIVES_regions] = o->regions != 0,
    };

    for (unsigned i = 0; i < PORT_OPTIONALS; i++)
        if (given[i])
            buf_parts(b, b->length != 0 ? " " : "", names[i]);
}

void port_send_hello(struct cpuprobe *c)
{
    const struct port_facts *const f = &c->facts;
    struct wire_hello hello = hello_of(&c->probe, c->epoch, f->seed);
    char words[WORDS_SIZE], line[GIVEN_SIZE];
    struct text_buf b = TEXT_BUF(words), given = TEXT_BUF(line);

    put_words(c, &b);
    buf_reset(&given); /* a port may give nothing */
    put_given(c, &given);
    hello.build = text(c->port.build);
    hello.words = text(words);
    hello.clock_hz = f->clock_hz;
    hello.source_hz = (uint64_t)c->port.source_hz * 1000;
    hello.source_clock = f->per_65536;
    hello.minimum = c->probe.relative ? f->minimum : 0;
    hello.handler = f->handler;
    hello.lead = c->probe.relative ? f->lead : 0;
    hello.now = probe_clock(&c->probe) - c->start;
    hello.source = text(c->port.source);
    hello.door = text("port");
    hello.machine = text(c->port.name);
    hello.line = text(line);
    hello.stamp = f->stamp;
    hello.thin = 1;
    port_send(c, WIRE_HELLO, &hello);
}

void port_send_end(struct cpuprobe *c, bool complete, const char *reason)
{
    port_send(c, WIRE_SENT, &c->sent);
    port_send(c, WIRE_END, &(struct wire_end){ .epoch = c->epoch, .status = !complete, .reason = text(reason) });
}

/* ---- doubts ---- */

#define DOUBT_LEAST 8u   /* ticks: one or two may have a cause that is none of ours */
#define DOUBT_PART  100u /* of all */

static void warn(struct cpuprobe *c, const char *sentence)
{
    char said[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(said);

    buf_parts(&b, "cpuprobe: warning: ", sentence, "\n");
    port_send_text(c, true, text(said));
}

const char *port_tell_doubts(struct cpuprobe *c)
{
    static const char *const sentences[] = {
#define PORT_SENTENCE(name, sentence) sentence,
        PORT_DOUBTS(PORT_SENTENCE)
#undef PORT_SENTENCE
    };

    if (c->doubt[PORT_CLOCK_BACK] != 0)
        return sentences[PORT_CLOCK_BACK];
    for (unsigned i = 0; i < PORT_DOUBT_KINDS; i++) {
        const uint64_t ticks = c->probe.closed.counters.ticks;

        if (!c->doubted[i] && c->doubt[i] >= DOUBT_LEAST && (uint64_t)c->doubt[i] * DOUBT_PART >= ticks) {
            c->doubted[i] = true;
            warn(c, sentences[i]);
        }
    }
    return NULL;
}

/* ---- names ---- */

/* At most 14 characters that can be printed, which is what NAMES takes. */
static void copy_name(char to[NAME_SIZE], const char *from)
{
    size_t n = 0;

    for (; n < NAME_SIZE - 1 && from[n] != '\0'; n++)
        to[n] = from[n] > ' ' && from[n] <= '~' ? from[n] : '_';
    to[n] = '\0';
}

/* A task without a name is told by its number. */
static void copy_number(char to[NAME_SIZE], uint32_t id)
{
    struct text_buf b = { .text = to, .size = NAME_SIZE };

    buf_text(&b, "#");
    buf_number(&b, id);
}

static void name_task(const struct cpuprobe *c, char to[NAME_SIZE], uint32_t id)
{
    const char *const name = c->port.name_of != NULL ? c->port.name_of(id) : NULL;

    if (name != NULL && name[0] != '\0')
        copy_name(to, name);
    else if (to[0] == '\0')
        copy_number(to, id);
}

/* Ask for the names of the tasks in the closed window's records. */
static void ask_names(struct cpuprobe *c)
{
    for (uint32_t i = 0; i < SYSTEM_RECORDS; i++) {
        const uint64_t key = c->probe.closed.system.record[i].key;
        struct port_name *const n = &c->name[i];

        if (key == 0)
            continue;
        if (n->id != (uint32_t)key)
            *n = (struct port_name){ .id = (uint32_t)key };
        if (n->id != ROW_IDLE)
            name_task(c, n->text, n->id);
        else
            copy_name(n->text, "IDLE");
    }
}

/* A row that ended gives its record to another. */
void cpuprobe_ended(struct cpuprobe *c, uint32_t task)
{
    uintptr_t was;

    if (c == NULL || c->phase != PORT_RUNS || task > CPUPROBE_TASK_MAX)
        return;
    was = c->port.lock();
    system_retire_begin(&c->probe.system, task);
    port_account_retire(c, task);
    system_retire_end(&c->probe.system);
    c->port.unlock(was);
}

/* name_of() does not know the task in this record, and it does not run. */
static bool is_gone(const struct cpuprobe *c, const struct system_record *r)
{
    const uint32_t id = (uint32_t)r->key;
    const char *name;

    if (r->key == 0 || id > CPUPROBE_TASK_MAX || c->port.name_of == NULL || port_account_runs(c, id))
        return false;
    name = c->port.name_of(id);
    return name == NULL || name[0] == '\0';
}

static uint64_t hits_of(const struct system_record *r)
{
    uint64_t sum = 0;

    for (unsigned mode = 0; mode < MODES; mode++)
        sum += r->hits[mode];
    return sum;
}

/*
 * Children that ended without a call, each with a row of its number: tasks that never had a name, and no sample since
 * the last snapshot.
 */
void port_retire_silent(struct cpuprobe *c)
{
    for (uint32_t i = 0; i < SYSTEM_RECORDS; i++) {
        const struct system_record *const now = &c->probe.system.record[i];
        const struct system_record *const before = &c->probe.closed.system.record[i];
        const uint32_t id = (uint32_t)now->key;

        if (now->key == before->key && hits_of(now) == hits_of(before) && is_gone(c, now) && c->name[i].id == id &&
            c->name[i].text[0] == '#')
            cpuprobe_ended(c, id);
    }
}

/* Where most records are taken: those of tasks that have no name any more are given back. */
void port_make_room(struct cpuprobe *c)
{
    const struct system_record *const r = c->probe.system.record;
    const uint32_t used = c->probe.system.used;

    for (uint32_t i = 0; i < SYSTEM_RECORDS && used >= NEARLY; i++)
        if (is_gone(c, &r[i]))
            cpuprobe_ended(c, (uint32_t)r[i].key);
}

/* ---- snapshots ---- */

static void add_times(struct snapshot_row *row, const struct account_row *from)
{
    for (unsigned mode = 0; from != NULL && mode < MODES; mode++) {
        row->time[mode] = from->time[mode][0];
        row->masked[mode] = from->time[mode][1];
    }
}

static void add_record(struct snapshot_row *row, const struct system_record *r)
{
    for (unsigned m = 0; m < MODES; m++) {
        row->hits[m] = r->hits[m];
        row->changes[m] = r->changes[m];
        row->total += r->hits[m];
    }
    row->total_changes = r->total_changes;
}

/* A row with modes: of a record, of an account without a record, or ENDED. */
static const struct snapshot_row *task_row(struct cpuprobe *c, uint32_t id, const struct system_record *r,
                                           const struct account_row *times, const char *name)
{
    struct snapshot_row *const row = &c->row;

    memset(row, 0, sizeof *row);
    row->id = id;
    if (r != NULL)
        add_record(row, r);
    add_times(row, times);
    if (name != NULL)
        copy_name(row->name, name);
    else
        name_task(c, row->name, id);
    return row;
}

/* MASKED, STOLEN, LOST: only where they have samples. */
static const struct snapshot_row *total_row(struct cpuprobe *c, uint32_t id, const struct system_record *r,
                                            const char *name)
{
    if (r->hits[MODES] == 0)
        return NULL;
    memset(&c->row, 0, sizeof c->row);
    c->row.id = id;
    c->row.total = r->hits[MODES];
    c->row.total_changes = r->total_changes;
    copy_name(c->row.name, name);
    return &c->row;
}

static bool has_record(const struct cpuprobe *c, uint32_t id)
{
    for (uint32_t i = 0; i < SYSTEM_RECORDS; i++)
        if (c->probe.closed.system.record[i].key == (id | SYSTEM_USED))
            return true;
    return false;
}

static const struct snapshot_row *ended_row(struct cpuprobe *c)
{
    const struct system_record *const r = &c->probe.closed.system.ended;
    const struct account_row *const times = port_account_of(c, ROW_ENDED);
    const struct snapshot_row *const row = task_row(c, ROW_ENDED, r, times, "ENDED");
    uint64_t sum = row->total + row->total_changes;

    for (unsigned mode = 0; mode < MODES; mode++)
        sum += row->time[mode] + row->masked[mode];
    return sum != 0 ? row : NULL;
}

/* First the records, then the totals, then what is in the account alone. */
static const struct snapshot_row *row_at(const void *from, uint32_t number)
{
    struct cpuprobe *const c = (struct cpuprobe *)(uintptr_t)from;
    const struct system_monitor *const m = &c->probe.closed.system;
    const struct account_row *times;
    uint32_t id;

    if (number < SYSTEM_RECORDS) {
        const struct system_record *const r = &m->record[number];

        id = (uint32_t)r->key;
        return r->key != 0 ? task_row(c, id, r, port_account_of(c, id), c->name[number].text) : NULL;
    }
    switch (number - SYSTEM_RECORDS) {
    case 0: return ended_row(c);
    case 1: return total_row(c, ROW_MASKED, &m->masked, "MASKED");
    case 2: return total_row(c, ROW_STOLEN, &m->stolen, "STOLEN");
    case 3: return total_row(c, ROW_LOST, &m->lost, "LOST");
    }
    times = port_account_row(c, number - SYSTEM_RECORDS - TOTALS, &id);
    return times != NULL && id != ROW_ENDED && !has_record(c, id)
               ? task_row(c, id, NULL, times, id == ROW_IDLE ? "IDLE" : NULL) : NULL;
}

static struct wire_region region_at(const void *from, uint32_t number, const uint64_t **hits,
                                    const uint64_t **changes)
{
    const struct cpuprobe *const c = from;

    *hits = c->probe.closed.region[number].hits;
    *changes = c->probe.closed.region[number].changes;
    return region_head_of(&c->probe, number);
}

static uint32_t no_program(void *context, uint32_t id)
{
    (void)context;
    (void)id;
    return 0;
}

static struct wire_snapshot head_of(struct cpuprobe *c, bool final)
{
    struct wire_snapshot head = snapshot_head_of(&c->probe, c->start);

    head.serial = ++c->serial;
    head.final = final;
    head.made = probe_clock(&c->probe) - c->start;
    head.monitor = c->account != NULL ? head.monitor : 0;
    return head;
}

void port_send_snapshot(struct cpuprobe *c, bool final)
{
    struct snapshot_parts parts;

    system_settle(&c->probe.closed.system);
    ask_names(c);
    port_send_hello(c);
    parts = (struct snapshot_parts){
        .head = head_of(c, final), .exact = c->account != NULL,
        .rows = SYSTEM_RECORDS + TOTALS + port_account_rows(c), .row = row_at,
        .bucket = c->probe.closed.counters.bucket, .region = region_at, .from = c,
    };
    snapshot_send_parts(&parts, &(struct snapshot_sender){
        .epoch = c->epoch, .program_of = no_program, .send = port_send_frame, .context = c, .frame = &c->frame,
    });
    port_send_load(c);
    port_send(c, WIRE_SENT, &c->sent);
}
