/* SPDX-License-Identifier: MIT */
/* Shares a line among the clients of a socket. */
#include "tools/serve/line_mux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define ANSWER_S 2.0
#define BACKLOG  4

/* ---- clients ---- */

static void drop(struct line_mux *m, size_t i, const char *why)
{
    struct mux_client *c = m->client[i];

    if (why) {
        m->dropped++;
        refusal_log_tell(m->refusals, "%s: a client is dropped: %s", m->path, why);
    }
    close(c->socket);
    free(c->unread);
    free(c);
    memmove(&m->client[i], &m->client[i + 1], (--m->clients - i) * sizeof(*m->client));
}

/* Its turn is over: all others come first. */
static void make_last(struct line_mux *m, size_t i)
{
    struct mux_client *c = m->client[i];

    memmove(&m->client[i], &m->client[i + 1], (m->clients - 1 - i) * sizeof(*m->client));
    m->client[m->clients - 1] = c;
}

/* Hand over what waits; false if the client has gone. */
static bool flush(struct mux_client *c)
{
    ssize_t put;

    if (!c->length)
        return true;
    put = send(c->socket, c->unread, c->length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put < 0)
        return errno == EAGAIN || errno == EINTR;
    c->length -= (size_t)put;
    memmove(c->unread, c->unread + put, c->length);
    return true;
}

static bool give(void *client, const uint8_t *bytes, size_t length)
{
    struct mux_client *c = client;

    if (!length)
        return true;
    if (c->length + length > MUX_UNREAD)
        return false;
    c->unread = xrealloc_array(c->unread, c->length + length, 1);
    memcpy(c->unread + c->length, bytes, length);
    c->length += length;
    return true;
}

static void take_client(struct line_mux *m)
{
    const int socket = accept4(m->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct mux_client *c;

    if (socket < 0)
        return;
    if (m->clients == MUX_CLIENTS) {
        refusal_log_tell(m->refusals, "%s: a client is refused: there are %d", m->path, MUX_CLIENTS);
        m->dropped++;
        close(socket);
        return;
    }
    c = xcalloc(1, sizeof(*c));
    c->socket = socket;
    m->client[m->clients++] = c;
}

/* ---- from the line ---- */

/* Between two frames, or where there are none: who waits gets the preface, and what comes from now on. */
static void begin_clients(struct line_mux *m)
{
    for (size_t i = m->clients; i-- > 0;) {
        struct mux_client *c = m->client[i];

        if (c->begun)
            continue;
        c->begun = true;
        if (!preface_write(&m->line->preface, give, c))
            drop(m, i, "what names and indexes mean is more than it may leave unread");
    }
}

void line_mux_bytes(struct line_mux *m, const uint8_t *bytes, size_t length)
{
    if (!m->within || !m->line->preface.frames)
        begin_clients(m);
    m->within = length && bytes[length - 1];
    for (size_t i = m->clients; i-- > 0;)
        if (m->client[i]->begun && !give(m->client[i], bytes, length))
            drop(m, i, "it does not read");
}

void line_mux_event(struct line_mux *m, const struct stream_event *event)
{
    struct wire_reader r = event->reader;
    struct wire_answer answer;

    if (!m->session || event->kind != STREAM_RECORD || r.type != WIRE_ANSWER)
        return;
    memset(&answer, 0, sizeof(answer));
    wire_read_head(&r, &answer);
    if (answer.session == m->session && answer.id == m->id && answer.part + 1 >= answer.parts)
        m->session = 0;
}

/* ---- to the line ---- */

/* The length of the first whole frame or line of what a client sent; 0: none yet. */
static size_t request_length(const struct mux_client *c)
{
    const bool framed = c->got && !c->request[0];

    for (size_t i = framed; i < c->got; i++)
        if (framed ? !c->request[i] : !c->request[i] || c->request[i] == '\r' || c->request[i] == '\n')
            return framed || c->request[i] ? i + 1 : i;
    return 0;
}

/* Whether these are a COMMAND; then its session and id. */
static bool is_command(const uint8_t *bytes, size_t length, struct wire_command *command)
{
    uint8_t copy[MUX_REQUEST];
    struct wire_reader r;

    if (length < 3 || bytes[0] || bytes[length - 1])
        return false;
    memcpy(copy, bytes + 1, length - 2);
    return wire_open(&r, copy, length - 2) == WIRE_INTACT && r.type == WIRE_COMMAND && wire_read_head(&r, command);
}

/* Send a request if none is under way that waits for an answer; false: it has to wait. */
static bool pass_on(struct line_mux *m, const uint8_t *bytes, size_t length)
{
    const double now = monotonic_seconds();
    struct wire_command command;
    const bool asks = is_command(bytes, length, &command);
    const bool again = asks && command.session == m->session && command.id == m->id;

    if (m->session && now < m->until && !again)
        return false;
    if (!line_watch_write(m->line, bytes, length))
        return true; /* the port is away or full: a client sends it again */
    m->session = asks ? command.session : 0;
    m->id = asks ? command.id : 0;
    if (!again) /* who asks again does not keep the others waiting for longer */
        m->until = now + ANSWER_S;
    return true;
}

/* Take what a client sent; false if it has gone, with the reason if that is worth telling. */
static bool take_requests(struct mux_client *c, const char **why)
{
    const size_t room = sizeof(c->request) - c->got;
    const ssize_t got = room ? recv(c->socket, c->request + c->got, room, MSG_DONTWAIT) : -1;

    if (!room && !request_length(c)) {
        *why = "it sends neither frames nor lines";
        return false;
    }
    if (got == 0 || (room && got < 0 && errno != EAGAIN && errno != EINTR))
        return false;
    c->got += got > 0 ? (size_t)got : 0;
    return true;
}

/* Send the first request of a client; false if there is none, or it has to wait. */
static bool send_first(struct line_mux *m, struct mux_client *c)
{
    const size_t length = request_length(c);

    if (!length || !pass_on(m, c->request, length))
        return false;
    c->got -= length;
    memmove(c->request, c->request + length, c->got);
    return true;
}

/* Each client sends one request in its turn, as long as any has one that need not wait. */
static void send_requests(struct line_mux *m)
{
    for (size_t i = 0; i < m->clients;)
        if (send_first(m, m->client[i])) {
            make_last(m, i);
            i = 0;
        } else {
            i++;
        }
}

void line_mux_serve(struct line_mux *m)
{
    take_client(m);
    if (!m->line->preface.frames)
        begin_clients(m);
    for (size_t i = m->clients; i-- > 0;) {
        const char *why = NULL;

        if (!take_requests(m->client[i], &why) || !flush(m->client[i]))
            drop(m, i, why);
    }
    send_requests(m);
}

/* ---- the socket ---- */

static bool refuse(struct line_mux *m, const char *why)
{
    cli_error("%s cannot be listened at: %s", m->path, why);
    return false;
}

/* A socket that a server left behind is removed; one that answers is another server's. */
static bool clear_path(struct line_mux *m, const struct sockaddr_un *address)
{
    struct stat what;
    int other;
    bool answers;

    if (lstat(m->path, &what))
        return true;
    if (!S_ISSOCK(what.st_mode))
        return refuse(m, "something else is there");
    other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    answers = !connect(other, (const struct sockaddr *)address, sizeof(*address)) || errno == EAGAIN;
    close(other);
    return answers ? refuse(m, "another server listens there") : !unlink(m->path) || refuse(m, strerror(errno));
}

/* It never has more than its mode: not even between two calls. */
static bool bind_as(int listener, const struct sockaddr_un *address, unsigned mode)
{
    const mode_t usual = umask(0777 & ~mode);
    const bool bound = !bind(listener, (const struct sockaddr *)address, sizeof(*address));

    umask(usual);
    return bound;
}

bool line_mux_begin(struct line_mux *m, struct line_watch *line, struct refusal_log *refusals, const char *folder,
                    unsigned mode)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    *m = (struct line_mux){.line = line, .refusals = refusals, .path = xasprintf("%s/%s", folder, line->name),
                           .listener = -1};
    if (strlen(m->path) >= sizeof(address.sun_path))
        return refuse(m, strerror(ENAMETOOLONG));
    strcpy(address.sun_path, m->path);
    if (!clear_path(m, &address))
        return false;
    m->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (m->listener < 0 || !bind_as(m->listener, &address, mode) || listen(m->listener, BACKLOG))
        return refuse(m, strerror(errno));
    return true;
}

void line_mux_end(struct line_mux *m)
{
    while (m->clients)
        drop(m, 0, NULL);
    if (m->listener >= 0) {
        close(m->listener);
        unlink(m->path);
    }
    free(m->path);
}
