/* SPDX-License-Identifier: MIT */
/* Begins and ends a run: words become addresses, files are opened, windows are written. */
#include "tools/hwmon/hwmon.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND 1000000000u /* ns: between two snapshots where no instruction closes windows */

static bool refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool refuse(const char *format, ...)
{
    va_list arguments;

    fputs("hwmon: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

void hwmon_stop(const char *why)
{
    refuse("%s", why);
    fflush(NULL);
    _exit(1);
}

/* ---- words ---- */

static bool resolve(const struct hwmon *h, const char *word, const char *text, uint64_t *to)
{
    if (text == NULL || names_address(&h->names, text, to))
        return true;
    return refuse("%s=%s: no file has this name, and it is no address", word, text);
}

/* LOW-HIGH, or one address. */
static bool resolve_place(const struct hwmon *h, const char *word, const char *text, struct place *to)
{
    const char *const dash = strchr(text, '-');
    char low[256];

    snprintf(low, sizeof low, "%.*s", dash != NULL ? (int)(dash - text) : 255, text);
    if (!resolve(h, word, low, &to->low))
        return false;
    to->high = to->low + 1;
    if (dash != NULL && !resolve(h, word, dash + 1, &to->high))
        return false;
    return to->low < to->high || refuse("%s=%s ends before it begins", word, text);
}

static bool resolve_places(const struct hwmon *h, const char *word, const struct option_list *list, struct places *to)
{
    for (unsigned i = 0; i < list->count; i++)
        if (!resolve_place(h, word, list->text[i], &to->place[to->count++]))
            return false;
    return true;
}

/* OFFSET:BYTES */
static bool resolve_label(struct hwmon *h)
{
    char *end;

    if (h->options.label == NULL)
        return true;
    h->watched.label_at = strtoull(h->options.label, &end, 0);
    if (*end == ':')
        h->watched.label_bytes = strtoull(end + 1, &end, 0);
    if (*end != '\0' || h->watched.label_bytes == 0 || h->watched.label_bytes > NAME_SIZE)
        return refuse("label=%s is not OFFSET:BYTES, at most %u bytes", h->options.label, NAME_SIZE);
    return true;
}

static bool resolve_vectors(struct hwmon *h)
{
    const char *const wrong = h->options.vectors != NULL
                                  ? stubs_set(&h->watched.vectors, &h->names, h->options.vectors) : NULL;

    return wrong == NULL || refuse("vectors=%s: %s", h->options.vectors, wrong);
}

static bool read_names(struct hwmon *h)
{
    for (unsigned i = 0; i < h->options.elf.count; i++)
        if (!names_add_elf(&h->names, h->options.elf.text[i]))
            return false;
    for (unsigned i = 0; i < h->options.table.count; i++)
        if (!names_add_table(&h->names, h->options.table.text[i]))
            return false;
    names_sort(&h->names);
    return true;
}

static bool resolve_words(struct hwmon *h)
{
    const struct options *const o = &h->options;
    struct watched *const w = &h->watched;

    return resolve(h, "current", o->current, &w->current) && resolve(h, "switch", o->switched, &w->switched) &&
           resolve(h, "open", o->open, &w->open) && resolve(h, "close", o->close, &w->close) &&
           resolve_places(h, "interrupt", &o->interrupt, &w->interrupt) &&
           resolve_places(h, "monitor", &o->monitor, &w->monitor) &&
           resolve_places(h, "range", &o->range, &w->range) && resolve_vectors(h) && resolve_label(h);
}

/* ---- what this QEMU can do ---- */

static bool agree(const struct hwmon *h)
{
    const struct options *const o = &h->options;

    if (!h->timed && o->blocks == NULL && o->mix == NULL && o->analyser == NULL)
        return refuse("nothing is to be written (out= list= states= blocks= mix= analyser=)");
    if (o->trigger != NULL && o->analyser == NULL)
        return refuse("trigger= needs analyser=FILE");
    if (o->switched != NULL && o->current == NULL)
        return refuse("switch= needs current=, the word that points to the running task");
    if (o->current != NULL && o->label == NULL)
        return refuse("current= needs label=OFFSET:BYTES, where a task has its name");
    if ((o->event.count + o->count.count + o->range.count + o->window.count != 0 || o->vectors != NULL) &&
        o->out == NULL)
        return refuse("event=, count=, range=, window= and vectors= need out=FILE");
    if ((o->classes == NULL) != (o->states == NULL))
        return refuse("classes=TREE needs states=FILE, and that a tree");
    if (o->vectors != NULL && o->interrupt.count == 0)
        return refuse("vectors= needs interrupt=, which of the stubs are those of interrupts");
    if (o->close != NULL && o->open == NULL)
        return refuse("close= needs open=, the word with whose store a window begins");
    return true;
}

static bool able(struct hwmon *h)
{
    const char *memory = qemu_lacks_memory(&h->machine.qemu), *ring = qemu_lacks_ring(&h->machine.qemu);

    if (!h->timed)
        return true;
    if (h->machine.qemu.bias == NULL)
        return refuse("%s: neither times nor samples can be told", qemu_lacks_clock(&h->machine.qemu));
    if (memory != NULL && h->options.current != NULL)
        return refuse("%s: the running task cannot be told; leave current= out", memory);
    h->epoch.missing = ring != NULL ? "rings: user and kernel are told by the upper bit of the address" : "";
    if (ring != NULL)
        refuse("%s: user and kernel are told by the upper bit of the address", ring);
    return true;
}

/* ---- the run ---- */

static bool begin_sampler(struct hwmon *h)
{
    const struct options *const o = &h->options;
    const char *const why = sampler_init(&h->machine.sampler, &(struct schedule_request){
        .policy = o->interval, .rng = o->rng, .mean = ((uint64_t)SECOND << 16) / o->rate, .minimum = 1,
        .spread = 2000, .seed = o->seed,
    });
    char words[CONFIG_LINE];

    options_put_told(&(struct text_buf)TEXT_BUF(words), o);
    return why == NULL || refuse("%s: %s", words, why);
}

static void close_by_alarm(void *context)
{
    struct hwmon *const h = context;

    hwmon_close(h);
    h->machine.alarm += SECOND;
}

static bool begin_analyser(struct hwmon *h)
{
    const struct options *const o = &h->options;

    h->analyser.nth = o->nth;
    h->analyser.before = o->before;
    h->analyser.after = o->after;
    return analyser_begin(&h->analyser, &h->names, o->trigger) ||
           refuse("trigger=%s is none of at:ADDRESS, store:ADDRESS, port, port:NUMBER", o->trigger);
}

static bool add_events(struct hwmon *h, const char *word, const struct option_list *list, enum event_mode mode)
{
    for (unsigned i = 0; i < list->count; i++) {
        const char *const wrong = event_monitor_add(&h->machine.events, &h->names, list->text[i], mode);

        if (wrong != NULL)
            return refuse("%s=%s: %s", word, list->text[i], wrong);
    }
    return true;
}

static bool begin_classes(struct hwmon *h)
{
    const unsigned known = MACHINE_KNOWN | (h->watched.range.count != 0 ? KNOWN_USER : 0);
    char why[256];

    return h->options.classes == NULL || class_time_begin(&h->machine.classes, h->options.classes, known, why,
                                                          sizeof why) || refuse("classes=: %s", why);
}

static bool begin_events(struct hwmon *h)
{
    const char *const memory = qemu_lacks_memory(&h->machine.qemu);

    const struct option_list sync = { { h->options.sync }, h->options.sync != NULL };

    if (!add_events(h, "event", &h->options.event, EVENT_TIMED) ||
        !add_events(h, "count", &h->options.count, EVENT_COUNTED) ||
        !add_events(h, "window", &h->options.window, EVENT_STORED))
        return false;
    h->machine.ranges = h->watched.range.count != 0;
    h->machine.events.on |= h->machine.ranges || h->watched.vectors.bytes != 0;
    if (h->machine.events.on && !add_events(h, "sync", &sync, EVENT_SYNC))
        return false;
    for (unsigned i = 0; i < h->machine.events.points; i++)
        if (memory != NULL && h->machine.events.point[i].bytes != 0)
            return refuse("%s: the values of stores cannot be told", memory);
    return true;
}

static bool open_text(FILE **file, const char *path)
{
    if (path != NULL)
        *file = fopen(path, "w");
    return path == NULL || *file != NULL || refuse("%s: %s", path, strerror(errno));
}

static bool open_files(struct hwmon *h)
{
    const struct options *const o = &h->options;

    return (o->out == NULL || stream_open(&h->stream, o->out)) &&
           (o->list == NULL || sample_list_open(&h->machine.list, o->list)) && open_text(&h->states_to, o->states) &&
           open_text(&h->blocks_to, o->blocks) &&
           open_text(&h->mix_to, o->mix) && open_text(&h->analyser_to, o->analyser);
}

bool hwmon_begin(struct hwmon *h)
{
    const struct options *const o = &h->options;

    h->timed = o->out != NULL || o->list != NULL || o->states != NULL;
    qemu_find(&h->machine.qemu);
    if (!agree(h) || !able(h) || !read_names(h) || !resolve_words(h) || !begin_sampler(h) || !begin_analyser(h) ||
        !begin_events(h) || !begin_classes(h) || !open_files(h))
        return false;
    machine_init(&h->machine);
    h->machine.no_tasks = o->current == NULL;
    h->machine.ring_alarm = close_by_alarm;
    h->machine.context = h;
    h->epoch.stream = &h->stream;
    h->epoch.build = h->names.build != NULL ? h->names.build : "";
    h->epoch.options = o;
    h->machine.log.on = o->out != NULL && o->account == OPTION_ACCOUNT_LOG;
    h->epoch.id = 0x68776d6f6e000000; /* "hwmon", and the number of the window */
    return true;
}

static struct recorded recorded(struct hwmon *h)
{
    return (struct recorded){ &h->machine.tasks, &h->machine.sampler, &h->machine.log, &h->machine.events };
}

void hwmon_open(struct hwmon *h)
{
    const struct recorded from = recorded(h);

    if (h->stream.file != NULL)
        epoch_end(&h->epoch, &from);
    machine_open(&h->machine);
    h->epoch.unit = (uint64_t)1 << *h->machine.qemu.shift;
    h->epoch.running = h->machine.running->task->id;
    if (h->watched.close == 0)
        h->machine.alarm = h->machine.last + SECOND;
}

void hwmon_close(struct hwmon *h)
{
    const struct recorded from = recorded(h);
    struct window window;

    if (!h->machine.open)
        return;
    machine_settle(&h->machine);
    window = h->machine.window;
    window.end = h->machine.last;
    window.executed = h->machine.executed - window.executed;
    class_time_close(&h->machine.classes);
    if (h->stream.file != NULL)
        epoch_close(&h->epoch, &window, &from);
}

static void close_file(FILE *file, const char *path)
{
    if (file != NULL && (ferror(file) | fclose(file)) != 0)
        refuse("%s could not be written", path);
}

void hwmon_end(struct hwmon *h)
{
    const struct options *const o = &h->options;
    const struct recorded from = recorded(h);

    if (h->timed && h->watched.close == 0)
        hwmon_close(h);
    if (h->stream.file != NULL)
        epoch_end(&h->epoch, &from);
    if (h->states_to != NULL)
        class_time_report(h->states_to, &h->machine.classes);
    if (h->blocks_to != NULL)
        block_report(h->blocks_to, &h->blocks, &h->names);
    if (h->mix_to != NULL)
        mix_report(h->mix_to, &h->mix, &h->blocks);
    if (h->analyser_to != NULL)
        analyser_report(h->analyser_to, &h->analyser, &h->names, h->machine.executed);
    close_file(h->stream.file, o->out);
    close_file(h->machine.list.file, o->list);
    close_file(h->states_to, o->states);
    close_file(h->blocks_to, o->blocks);
    close_file(h->mix_to, o->mix);
    close_file(h->analyser_to, o->analyser);
}
