/* SPDX-License-Identifier: MIT */
/* Opens, reads and writes the line to an image: termios(3), unix(7). */
#include "tools/stream/port.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "tools/base/cli.h"

/*
 * Whether the server of a unix socket has accepted a connection, or is busy with another client:
 * connect(2) succeeds in both cases, and an emulator's serial line serves one client at a time.
 */

#define LOOK_MS  20
#define REPLY_MS 1000

static bool ask(int link)
{
    const struct {
        struct nlmsghdr head;
        struct unix_diag_req request;
    } message = {
        .head = {sizeof(message), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 1, 0},
        .request = {.sdiag_family = AF_UNIX, .udiag_states = 1 << TCP_LISTEN, .udiag_show = UDIAG_SHOW_ICONS},
    };

    return send(link, &message, sizeof(message), 0) == sizeof(message);
}

/* Whether the socket of this inode is among the connections that a server has not accepted. */
static bool lists(const struct nlmsghdr *m, uint32_t inode)
{
    const char *at = (const char *)NLMSG_DATA(m) + NLMSG_ALIGN(sizeof(struct unix_diag_msg));
    const char *end = (const char *)m + m->nlmsg_len;

    while (at + sizeof(struct rtattr) <= end) {
        struct rtattr a;

        memcpy(&a, at, sizeof(a));
        if (a.rta_len < sizeof(a) || a.rta_len > (size_t)(end - at))
            return false;
        for (size_t i = sizeof(a); a.rta_type == UNIX_DIAG_ICONS && i + sizeof(inode) <= a.rta_len;
             i += sizeof(inode))
            if (!memcmp(at + i, &inode, sizeof(inode)))
                return true;
        at += RTA_ALIGN(a.rta_len);
    }
    return false;
}

/* Read the answer once; false if it has ended or none comes. */
static bool read_part(int link, uint32_t inode, bool *found)
{
    static alignas(struct nlmsghdr) char buffer[1 << 15];
    ssize_t got = recv(link, buffer, sizeof(buffer), 0);

    if (got <= 0)
        return false;
    for (const struct nlmsghdr *m = (void *)buffer; NLMSG_OK(m, got); m = NLMSG_NEXT(m, got)) {
        if (m->nlmsg_type == NLMSG_DONE || m->nlmsg_type == NLMSG_ERROR)
            return false;
        *found |= m->nlmsg_type == SOCK_DIAG_BY_FAMILY && lists(m, inode);
    }
    return true;
}

static bool is_queued(int link, uint32_t inode)
{
    bool found = false;

    if (!ask(link))
        return false;
    while (read_part(link, inode, &found))
        ;
    return found;
}

/*
 * Wait `ms` at most for the connected socket to leave its server's queue.  False: it is still in
 * the queue.  If the system gives no information (sock_diag(7)), the socket counts as accepted.
 */
static bool socket_is_taken(int connected, int ms)
{
    const struct timeval patience = {.tv_sec = REPLY_MS / 1000};
    struct stat self;
    bool queued;
    int link;

    if (fstat(connected, &self))
        return true;
    link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (link < 0)
        return true;
    setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    while ((queued = is_queued(link, (uint32_t)self.st_ino)) && (ms -= LOOK_MS) > 0)
        poll(NULL, 0, LOOK_MS);
    close(link);
    return !queued;
}

#define ACCEPT_MS 3000 /* a free line answers at once; an emulator may be busy */

static const struct {
    unsigned long baud;
    speed_t speed;
} speeds[] = {
    {1200, B1200},     {2400, B2400},     {4800, B4800},     {9600, B9600},
    {19200, B19200},   {38400, B38400},   {57600, B57600},   {115200, B115200},
    {230400, B230400}, {460800, B460800}, {921600, B921600},
};

#define SPEEDS (sizeof(speeds) / sizeof(speeds[0]))

/* The name of a rate; B0: it has none. */
static speed_t speed_named(unsigned long baud)
{
    for (size_t i = 0; i < SPEEDS; i++)
        if (speeds[i].baud == baud)
            return speeds[i].speed;
    return B0;
}

/* tcsetattr(3) succeeds if it could make any of the requested changes. */
static bool keeps_speed(int port, speed_t speed)
{
    struct termios line;

    if (tcgetattr(port, &line))
        return false;
    errno = EINVAL;
    return cfgetospeed(&line) == speed && cfgetispeed(&line) == speed;
}

static bool treats_bytes_alike(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag;
}

/* What was received under other settings: translated, echoed, at another rate.  A tty keeps it. */
static bool discard_stale(int port, const struct termios *before, unsigned long rate)
{
    struct termios now;

    if (tcgetattr(port, &now))
        return false;
    return (treats_bytes_alike(&now, before) && line_rate(port) == rate) || !tcflush(port, TCIFLUSH);
}

static bool set_line(int port, unsigned long baud)
{
    const unsigned long rate = line_rate(port);
    const speed_t speed = speed_named(baud);
    struct termios before, line;

    if (tcgetattr(port, &before))
        return false;
    line = before;
    cfmakeraw(&line);
    line.c_iflag |= IGNBRK;
    line.c_cflag |= CLOCAL | CREAD;
    line.c_cflag &= ~(tcflag_t)(CRTSCTS | CSTOPB);
    line.c_cc[VMIN] = 1;
    line.c_cc[VTIME] = 0;
    if (speed != B0)
        cfsetspeed(&line, speed);
    if (tcsetattr(port, TCSANOW, &line))
        return false;
    return (speed != B0 ? keeps_speed(port, speed) : line_rate_set(port, baud)) && discard_stale(port, &before, rate);
}

/* Two readers would each get only a part of the bytes. */
static bool lock_exclusive(int port)
{
    if (!flock(port, LOCK_EX | LOCK_NB))
        return true;
    errno = errno == EWOULDBLOCK ? EBUSY : errno;
    return false;
}

/* An address holds 107 bytes of a name; of a longer one it holds the descriptor by which the socket was found. */
static bool connect_by_name(int port, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int found = -1, why;
    bool connected;

    if (strlen(name) < sizeof(address.sun_path))
        strcpy(address.sun_path, name);
    else if ((found = open(name, O_PATH | O_CLOEXEC)) >= 0)
        snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", found);
    else
        return false;
    connected = !connect(port, (struct sockaddr *)&address, sizeof(address));
    why = errno;
    if (found >= 0)
        close(found);
    errno = why;
    return connected;
}

static int open_socket(const char *name, enum port_use use)
{
    int port = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), why;

    if (port >= 0 && connect_by_name(port, name)) {
        if (use == PORT_WATCH || socket_is_taken(port, ACCEPT_MS))
            return port;
        errno = EBUSY;
    }
    why = errno;
    if (port >= 0)
        close(port);
    errno = why;
    return -1;
}

bool port_is_line(const char *path)
{
    struct stat what;

    return strcmp(path, "-") && !stat(path, &what) && (S_ISSOCK(what.st_mode) || S_ISCHR(what.st_mode));
}

/* Commands are written to the port; written to a file or a disk they would damage it. */
static bool is_line(const char *name, const struct stat *what)
{
    if (S_ISSOCK(what->st_mode) || S_ISCHR(what->st_mode))
        return true;
    cli_error("%s is %s: a command needs a running image at a serial line, a pty or a unix socket",
              name, S_ISREG(what->st_mode) ? "a file" : S_ISFIFO(what->st_mode) ? "a pipe" :
              S_ISDIR(what->st_mode) ? "a folder" : "a disk");
    return false;
}

static int open_file(const char *name, const struct stat *what, unsigned long baud,
                     enum port_use use)
{
    /* Without carrier, open() of a serial line would block for ever. */
    int wait = S_ISCHR(what->st_mode) ? O_NONBLOCK : 0;
    int port = open(name, (use == PORT_READ ? O_RDONLY : O_RDWR) | O_NOCTTY | O_CLOEXEC | wait);

    if (port >= 0 && use != PORT_READ && !isatty(port)) {
        close(port);
        errno = ENOTTY;
        return -1;
    }
    if (port >= 0 && isatty(port) && !(lock_exclusive(port) && set_line(port, baud))) {
        const int why = errno;

        close(port);
        errno = why;
        return -1;
    }
    return port;
}

int port_try(const char *name, unsigned long baud, enum port_use use)
{
    struct stat what;

    if (!strcmp(name, "-") && use == PORT_READ)
        return STDIN_FILENO;
    if (stat(name, &what))
        return -1;
    return S_ISSOCK(what.st_mode) ? open_socket(name, use) : open_file(name, &what, baud, use);
}

int port_open(const char *name, unsigned long baud, enum port_use use)
{
    struct stat what;
    int port;

    if (use == PORT_TALK && !stat(name, &what) && !is_line(name, &what))
        return -1;
    port = port_try(name, baud, use);
    if (port < 0 && errno == EBUSY)
        cli_error("%s: the line is in use: another program is connected to the image", name);
    else if (port < 0)
        cli_error("%s cannot be opened: %s", name, strerror(errno));
    return port;
}

int port_read(int port, uint8_t *bytes, int room, int ms, char *why)
{
    struct pollfd wait = {.fd = port, .events = POLLIN};
    ssize_t got;

    if (poll(&wait, 1, ms) <= 0)
        return 0;
    got = read(port, bytes, (size_t)room);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (got > 0)
        return (int)got;
    /* EIO: the other side of a pty was closed */
    snprintf(why, PORT_WHY, "the line ended%s%s", got < 0 && errno != EIO ? ": " : "",
             got < 0 && errno != EIO ? strerror(errno) : "");
    return -1;
}

#define WRITE_MS 5000 /* a line that accepts nothing for this long is given up */

bool port_write(int port, const uint8_t *bytes, size_t length, char *why)
{
    while (length) {
        struct pollfd wait = {.fd = port, .events = POLLOUT};
        const int ready = poll(&wait, 1, WRITE_MS);
        ssize_t put;

        if (ready < 0 && errno == EINTR)
            continue;
        errno = ready ? 0 : ETIMEDOUT;
        put = ready ? write(port, bytes, length) : -1;
        if (put < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (put < 0) {
            snprintf(why, PORT_WHY, "it cannot be written: %s", strerror(errno));
            return false;
        }
        bytes += put;
        length -= (size_t)put;
    }
    return true;
}
