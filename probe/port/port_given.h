/* SPDX-License-Identifier: MIT */
/*
 * The optional fields of struct cpuprobe_port and struct cpuprobe_options, as HELLO's `line` names those that a port
 * gives, with a space between two: for the port, and for a host that tells what is there and what is not.
 */
#pragma once

#define PORT_OPTIONAL(F) \
    F(build) F(arm) F(left) F(shared) F(wait) F(name_of) F(read) F(nmi) F(account) F(commands) F(intervals) \
    F(samples) F(events) F(regions)

enum port_optional {
#define PORT_BIT_NUMBER(name) PORT_GIVES_##name,
    PORT_OPTIONAL(PORT_BIT_NUMBER)
#undef PORT_BIT_NUMBER
    PORT_OPTIONALS
};
