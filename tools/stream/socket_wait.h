/* SPDX-License-Identifier: MIT */
/*
 * Whether the server of a unix socket has accepted a connection, or is busy with another client:
 * connect(2) succeeds in both cases, and an emulator's serial line serves one client at a time.
 */
#pragma once

#include <stdbool.h>

/*
 * Wait `ms` at most for the connected socket to leave its server's queue.  False: it is still in
 * the queue.  If the system gives no information (sock_diag(7)), the socket counts as accepted.
 */
bool socket_is_taken(int socket, int ms);
