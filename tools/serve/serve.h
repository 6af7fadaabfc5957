/* SPDX-License-Identifier: MIT */
/*
 * Declares the parts of `cpuprobe serve`: lines that are watched, their newest part, their clients, what is told of
 * them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/archive/recorder.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/port.h"

/*
 * The newest part of a line's stream, kept so that a page can read its samples and states one by one.  Memory is
 * bounded: when a part is long enough another one is begun beside it with a preface, so that it can be read alone,
 * and takes its place when it is as long.
 */

/* bytes that are kept of what came, up to twice as many; 45 s at 115200 bits a second */
#define HISTORY_LEAST (512u << 10)

struct history_part {
    uint8_t *bytes;
    size_t length, room;
    size_t came; /* of `length`, the bytes behind the preface */
};

/* All zeros at first. */
struct line_history {
    struct history_part part, next;
    bool begun; /* `next` is in use */
    bool cut;   /* older bytes are gone */
};

/* Keep what came. */
void line_history_bytes(struct line_history *h, const uint8_t *bytes, size_t length);

/* Behind the bytes that end a frame: a new part may begin here, with this preface. */
void line_history_event(struct line_history *h, const struct stream_preface *preface);

/* A file without a name that has what is kept, for the caller to close; below 0, with errno: that failed. */
int line_history_file(const struct line_history *h);

void line_history_free(struct line_history *h);

/*
 * One line that a server watches without an end: the port, which may go and come back, the frames,
 * and the last table.  Whatever the board does is counted, and ends nothing.  Memory is bounded: the
 * model of a stream grows, so after MODEL_SNAPSHOTS of them another one is begun beside it and takes
 * its place with the first table.
 */
struct line_watch {
    const char *port;   /* the caller's */
    char *name;         /* last part of its path, printable */
    unsigned long baud;
    /* what came, in whole stretches where there are frames */
    void (*bytes)(void *context, const uint8_t *bytes, size_t length);
    void (*event)(void *context, const struct stream_event *event);        /* behind the bytes that end it */
    void *context;

    /* the rest may be read */
    int in;                  /* -1: the port is away */
    bool more;               /* the last turn left bytes, perhaps */
    struct frame_decoder stream;
    struct stream_preface preface;
    double retry, heard;     /* monotonic_seconds(): of the next attempt to open it, of the last byte */
    uint64_t opened, hangups; /* how often the port came and went */
    uint64_t boots;          /* of the board */
    uint64_t ends;           /* runs that ended */

    /* private to line_watch.c */
    struct model *model, *next;
    struct boot_watch boot;
};

/* Begin; the caller sets the first members, all others are zero. */
void line_watch_begin(struct line_watch *l);

/* Open the port if that is due, and take what came, as much as a turn has time for.  Never waits. */
void line_watch_serve(struct line_watch *l);

/* Write to the board; false if the port is away or does not take it all at once. */
bool line_watch_write(struct line_watch *l, const uint8_t *bytes, size_t length);

/* The newest epoch with a table, its rows named; NULL: none yet. */
struct epoch *line_watch_epoch(struct line_watch *l);

/* The same of any model, its rows not named. */
struct epoch *line_watch_newest(const struct model *m);

/* The model that this epoch is of; it changes with the next byte that is taken. */
const struct model *line_watch_model(const struct line_watch *l);

void line_watch_end(struct line_watch *l);

/* Sentences about who is refused or dropped, a few a minute; all zeros at first. */
struct refusal_log {
    double begun;
    uint64_t count; /* since then */
};

void refusal_log_tell(struct refusal_log *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tell how many were not told, when that is due. */
void refusal_log_serve(struct refusal_log *r);

/* The same at the end. */
void refusal_log_end(struct refusal_log *r);

/*
 * A unix socket through which several programs use one line at a time: record, control, zoom and top take it as
 * their PORT.  What the board sends goes to all of them; who comes later gets first what names and indexes mean.
 * What they send reaches the board whole, and one COMMAND is under way at a time: the next one waits for its
 * ANSWER, or ANSWER_S seconds, and is that of another client who has one.  A client that does not read, or sends
 * what is neither frames nor lines, is dropped with a sentence.  Host, never waits.
 */

#define MUX_CLIENTS 16
#define MUX_UNREAD  (1u << 20) /* bytes that a client may leave unread: 90 s at 115200 bits a second */
#define MUX_REQUEST 4096       /* bytes of a frame or a line of a client, more than any has */

struct mux_client {
    int socket;
    uint8_t *unread;  /* what it did not take yet */
    size_t length;
    bool begun;       /* it gets what comes: from the next frame on */
    uint8_t request[MUX_REQUEST]; /* what came of frames or lines, and was not passed on */
    size_t got;
};

struct line_mux {
    struct line_watch *line; /* the caller's */
    struct refusal_log *refusals; /* the same */
    char *path;
    int listener;
    struct mux_client *client[MUX_CLIENTS]; /* whose turn it is first */
    size_t clients;
    uint64_t session, id; /* of the COMMAND under way; session 0: none */
    double until;         /* when it is given up, monotonic_seconds() */
    uint64_t dropped;     /* clients that were dropped */
    bool within;          /* the line is within a frame */
};

/* Listen at `folder`/NAME, NAME that of the line, a socket of this mode.  False, with a message. */
bool line_mux_begin(struct line_mux *m, struct line_watch *line, struct refusal_log *refusals, const char *folder,
                    unsigned mode);

/* What the line's callbacks of the same names pass on. */
void line_mux_bytes(struct line_mux *m, const uint8_t *bytes, size_t length);
void line_mux_event(struct line_mux *m, const struct stream_event *event);

/* Take who comes and what the clients send, and hand over what they did not take yet. */
void line_mux_serve(struct line_mux *m);

void line_mux_end(struct line_mux *m);

/* All lines of a server as one OpenMetrics text: their state, and the last table of each. */

/* A text that several readers send; it is freed with the last of them. */
struct shared_text {
    char *bytes;
    size_t length;
    unsigned users;
};

/* Of bytes that free() takes, with one user. */
struct shared_text *shared_text_new(char *bytes, size_t length);
struct shared_text *shared_text_use(struct shared_text *t);

/* Of a struct shared_text, NULL too. */
void shared_text_leave(void *text);

/*
 * When a text that was begun then, and took so many seconds of processor time, is made anew at the earliest: a
 * fortieth of the time goes into it at most.
 */
double shared_text_until(double begun, double took);

/*
 * The page of a line and the event that brings it to who has an older one, as they are and packed: made once of the
 * same data.  A child process makes them, so that no line waits for those of another, whatever that one sends.
 */
enum page_text {PAGE_PLAIN, PAGE_PACKED, EVENT_PLAIN, EVENT_PACKED, PAGE_TEXTS};

struct page_key {
    uint64_t epoch, serial, boots, ends, hangups;
};

struct line_page {
    struct shared_text *text[PAGE_TEXTS]; /* NULL, all of them: none was made */
    uint64_t version; /* how many were made */
    uint64_t tries;   /* and how often that ended, well or not */
    struct page_key key; /* of the last try */
    double next;      /* no other before: shared_text_until(), of its making and its sending */
    unsigned sent;    /* pieces of events, in this turn */
    struct {
        pid_t child;  /* 0: none */
        int file;     /* for what it makes */
        struct page_key key;
        double begun;
    } making;
};

/* A line, the newest part of its stream and, where clients may use it too, its socket. */
struct served_line {
    struct line_watch watch;
    struct line_history history;
    struct line_page page;
    struct line_mux mux;
    bool shared;
};

/* The text, which ends with its mark. */
void line_metrics_put(FILE *out, struct served_line *line, size_t lines);

/* A page for a person: of each line a link to its own, its state, how much came. */
void line_metrics_page(FILE *out, struct served_line *line, size_t lines);

/* The page of `cpuprobe report` of a line that goes on, and the events that bring it newer data. */

#define LIVE_PAGES  "/lines/"  /* a line's number follows: its place on the command line, from 0 */
#define LIVE_EVENTS "/events"  /* behind that: the events of its page */

/* Make the texts of what the line has; false: it has no table yet. */
bool live_page_make(struct shared_text *text[PAGE_TEXTS], struct served_line *line, unsigned number);

/*
 * What stands before the first EVENT_PACKED, each of which can follow any other, and a packed comment, which may
 * stand between two.
 */
extern struct shared_text live_page_head, live_page_alive;

/* Have the page of a line made anew if it is due.  False: it is as it is; true: it comes, and `tries` tells when. */
bool line_page_comes(struct served_line *line, size_t lines, size_t number);

/* Take a page that was made since; the reason why it was not, or NULL. */
const char *line_page_serve(struct line_page *p);

/* What was sent of it took so many seconds of processor time. */
void line_page_charge(struct line_page *p, double seconds);

/* Leave its texts, and end a making. */
void line_page_free(struct line_page *p);

/* Who is connected by HTTP; there is no more of each stage than of its limit in http_clients.c. */

enum http_stage {HTTP_ASKS, HTTP_TAKES, HTTP_FOLLOWS, HTTP_STAGES};

#define HTTP_FOLLOWERS 256 /* more are refused */
#define HTTP_MOST      640 /* above the sum of all limits: who is dropped is connected for a turn more */

struct MHD_Connection;

struct http_client {
    struct MHD_Connection *connection;
    enum http_stage stage;
    bool closing;
    double until; /* it is dropped then, monotonic_seconds() */
    void *waits;  /* a follower that is suspended until there is news; NULL: none is */
    struct served_line *awaits; /* it is suspended until the page of this line is made; NULL: it is not */
    uint64_t tries; /* of that page when it asked */
    bool awaited;   /* it was */
    struct http_client *next;
};

struct http_clients {
    struct refusal_log *refusals; /* the caller's */
    struct http_client *first;
    uint64_t came;                /* so far */
};

struct http_client *http_clients_add(struct http_clients *all, struct MHD_Connection *connection);
void http_clients_remove(struct http_clients *all, struct http_client *gone);
size_t http_clients_in(const struct http_clients *all, enum http_stage stage);
void http_client_enters(struct http_clients *all, struct http_client *c, enum http_stage stage);

/* Something waits to be taken from now on; false: nothing does. */
void http_client_due(struct http_client *c, bool due);

/* Drop who has had its time. */
void http_clients_serve(struct http_clients *all);

/*
 * Whether a request for this host (`Host`) is answered: an address, localhost, or what `listen` names.  Other names
 * may be those of a page elsewhere, bound anew to this machine to read it.
 */
bool http_host_allowed(const char *host, const char *listen);

/*
 * HTTP by libmicrohttpd, in turns of the caller's loop and without a thread: GET /metrics is
 * OpenMetrics, GET / a page with the lines, GET /lines/N the page of a line, which follows it by
 * server-sent events.  Everything else is refused.
 */
#define HTTP_PAGES 3 /* of all lines together */

struct http_server {
    struct served_line *line; /* the caller's, as are the others */
    size_t lines;
    const char *listen;
    struct http_clients clients;
    struct {
        struct shared_text *text;
        double until; /* it is sent: shared_text_until() */
    } kept[HTTP_PAGES];
    struct MHD_Daemon *daemon; /* private, as is `kept` */
};

/* The sentence that tells why this build has no server; NULL: it has one. */
extern const char *const http_server_missing;

/* Listen at `listen`, ADDRESS:PORT, or [ADDRESS]:PORT for IPv6, or NAME:PORT.  False, with a message. */
bool http_server_begin(struct http_server *h);

/* The port that it listens at, which the system has chosen for port 0. */
unsigned http_server_port(const struct http_server *h);

/* Answer who asks.  Never waits. */
void http_server_serve(struct http_server *h);

void http_server_end(struct http_server *h);
