/* SPDX-License-Identifier: MIT */
/*
 * The wire format: ids, fields, structs, encoder, decoder and the table in
 * docs/PROTOCOL.md are all generated from the lists below.
 *
 * A frame is   0x00  COBS( type, sequence low, sequence high, fields, CRC-32 )  0x00
 * where the CRC (little-endian) covers all bytes before it.  A number is an unsigned
 * LEB128; a text is its length and its bytes.  Row fields repeat to the end of the
 * frame.  A decoder ignores unknown fields at the end only if the minor version is
 * above its own, skips and counts unknown types, and refuses an unknown major version.
 * A number that may be negative is encoded by wire_zigzag().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/coding/leb128.h"

#define WIRE_MAJOR 1
#define WIRE_MINOR 10

/*
 * A bit of the epoch identifier: a record with it describes the second source of the
 * epoch whose identifier is the same without this bit.
 */
#define WIRE_SECOND (1ull << 63)

/* Most bytes of the fields of one frame; WIRE_FRAME_MAX is for the whole encoded frame with its zeros. */
#ifndef WIRE_FIELDS_MAX
#define WIRE_FIELDS_MAX 1940
#endif
/* No row ends past this: in a longer frame one damaged byte would lose more rows. */
#define WIRE_ROWS_MAX 640
/* The codes of a frame, with the fields before them, end here: the same holds for them. */
#ifndef WIRE_CODES_MAX
#define WIRE_CODES_MAX 1408
#endif

#define WIRE_FRAME_MAX  (WIRE_FIELDS_MAX + 7 + (WIRE_FIELDS_MAX + 7) / 254 + 1 + 2)

/*
 * record: NAME, name (its head is read into struct wire_name, a row into struct wire_name_row), id, how the host
 * keeps it, what it is.  How: READ (counted and printed only), TALK (the same, and of no epoch), SUMMED(f) and OWN(f)
 * by a function keep_f() of the host; what SUMMED keeps does not grow with a run.  ALL in their order, by KEYS the
 * last of each key, and the LAST are kept, checked and reported by the roles of their fields and by their rules
 * alone; of REPORTED(how, members) ones the host has a report of its own, whose JSON has so many members of each key
 * of the rows, or of each head where there are none; 0: of the last alone.
 */
#define WIRE_RECORDS(R) \
    R(HELLO, hello, 1, SUMMED(hello), "the sender, and all that a table needs; repeated within ten seconds") \
    R(NAMES, names, 2, OWN(names), "names of row ids; new ones at once, all within ten seconds") \
    R(SNAPSHOT, snapshot, 3, SUMMED(snapshot), "head of a snapshot: counters, cumulative since the epoch began") \
    R(CELLS, cells, 4, SUMMED(part), "part of a snapshot: sampled rows") \
    R(EXACT, exact, 5, SUMMED(part), "part of a snapshot: exact rows") \
    R(TEXT, text_record, 6, REPORTED(ALL, 8), "a message of the image") \
    R(FAULT, fault, 7, REPORTED(ALL, 11), "a fault ended a task") \
    R(REPORT, report, 8, REPORTED(ALL, 6), "a number that a task reported") \
    R(END, end, 9, SUMMED(end), "the run is over; nothing follows in this epoch") \
    R(PROGRAMS, programs, 10, OWN(programs), \
      "programs that tasks run, by build id; new ones at once, all within ten seconds") \
    R(REGION, region, 11, SUMMED(part), "part of a snapshot: hits by address in one task and mode") \
    R(SAMPLES, samples, 12, SUMMED(samples), "raw samples, in the order of their ticks") \
    R(PLACES, places, 13, SUMMED(samples), "the meaning of the indexes of raw samples; constant in an epoch") \
    R(LATENESS, lateness, 14, SUMMED(part), "part of a snapshot: late ticks by their lateness") \
    R(HEALTH, health, 15, REPORTED(KEYS, 4), \
      "the state of the machine; after an epoch's first HELLO, and before the last END") \
    R(TRANSITIONS, transitions, 16, SUMMED(transitions), "account=log: changes of cell, in their order; before END") \
    R(LOGGED, logged, 17, SUMMED(transitions), "account=log: the meaning of TRANSITIONS; after the last one") \
    R(COMMAND, command, 18, TALK, "from the host: a line of the command language; docs, \"Commands\"") \
    R(ANSWER, answer, 19, TALK, "the answer to a COMMAND") \
    R(RECEIVED, received, 20, READ, \
      "counts of received bytes and frames since the boot; each second if changed") \
    R(EVENTS, events, 21, SUMMED(events), "monitor=events: events, in their order") \
    R(EVENT_KEYS, event_keys, 22, REPORTED(KEYS, 0), "the meaning of the indexes of events; constant in an epoch") \
    R(EVENT_COUNTS, event_counts, 23, REPORTED(KEYS, 0), \
      "events by class, cumulative since the epoch began; each second") \
    R(IDLE, idle, 24, REPORTED(ALL, 8), "monitor=idle: the idle counters, cumulative; with each snapshot") \
    R(DISK, disk, 25, REPORTED(LAST, 0), "counters of the disk since the boot; with each snapshot once it was used") \
    R(INTERCEPT, intercept, 26, REPORTED(KEYS, 0), \
      "monitor=intercept: interrupts by vector, cumulative; with each snapshot") \
    R(ACCT, acct, 27, REPORTED(ALL, 19), \
      "monitor=acct: what tasks have used; every acct= seconds, and once after their end") \
    R(CALLS, calls, 28, REPORTED(KEYS, 24), \
      "calls and times by function that a program counts itself, cumulative; with each snapshot") \
    R(MASKED_SAMPLES, masked_samples, 29, SUMMED(samples), \
      "delivery=nmi: which raw samples found interrupts off; after each PACKED_SAMPLES") \
    R(RULES, rules, 30, REPORTED(KEYS, 0), "when=: what its rules have counted, cumulative; with each snapshot") \
    R(RANGES, ranges, 31, REPORTED(ALL, 0), \
      "monitor=acct: time of tasks by the user event before it, cumulative; with each ACCT") \
    R(STATES, states, 32, SUMMED(states), "monitor=states: classes of states as runs, in their order") \
    R(CALL_STACKS, call_stacks, 33, REPORTED(KEYS, 45), \
      "monitor=callers, stack=: counts and times by call stack, cumulative; with each snapshot") \
    R(PROCSTAT, procstat, 34, REPORTED(ALL, 0), \
      "monitor=procstat: tick counters of modes and tasks, cumulative; with each snapshot") \
    R(IDLETASK, idletask, 35, REPORTED(ALL, 0), \
      "monitor=idletask: how far tasks at idle priority counted, cumulative; with each snapshot") \
    R(PERFCALL, perfcall, 36, REPORTED(LAST, 0), \
      "monitor=perfcall: the performance counters, cumulative; with each snapshot") \
    R(PROCTABLE, proctable, 37, REPORTED(ALL, 0), \
      "monitor=proctable: the table of processes, passes cumulative; with each snapshot") \
    R(PROFIL, profil, 38, REPORTED(LAST, 0), \
      "monitor=profil: the profile of a task, as its own memory has it; with each snapshot") \
    R(PROCREADS, procreads, 39, REPORTED(KEYS, 0), \
      "monitor=procstat: what tasks' readings of its texts cost, cumulative; with each snapshot") \
    R(OUTPUT, output, 40, REPORTED(LAST, 0), "bytes that a program wrote, in their order") \
    R(CODE, code, 41, OWN(code), \
      "from now on a program has other code at some addresses, which its file does not name") \
    R(PROCESS, process, 42, REPORTED(LAST, 5), \
      "a task that runs a file: where it is loaded, how it ended, calls that it missed; each second") \
    R(STACK_WALKS, stack_walks, 43, REPORTED(LAST, 0), \
      "stack=: how samples in user mode found their callers, cumulative; before their CALL_STACKS") \
    R(DELTA, delta, 44, SUMMED(delta), "a snapshot by what has changed since a whole one; docs, \"Deltas\"") \
    R(SURVEY, survey, 45, REPORTED(LAST, 0), \
      "tasks=survey: what takes time from a loop that nothing may interrupt; before END") \
    R(SURVEY_CLOCKS, survey_clocks, 46, REPORTED(KEYS, 0), \
      "tasks=survey: each clock between two readings of it; before its SURVEY") \
    R(SURVEY_TIMES, survey_times, 47, REPORTED(KEYS, 0), \
      "tasks=survey: what accesses, ticks and interrupts take; before its SURVEY") \
    R(PACKED_SAMPLES, packed_samples, 48, SUMMED(samples), \
      "raw samples, in the order of their ticks; in place of SAMPLES") \
    R(PACKED_PLACES, packed_places, 49, SUMMED(samples), \
      "the meaning of the indexes of raw samples; in place of PLACES") \
    R(PACKED_EVENTS, packed_events, 50, SUMMED(events), \
      "monitor=events: events, in their order; in place of EVENTS") \
    R(PACKED_STATES, packed_states, 51, SUMMED(states), \
      "monitor=states: classes of states as runs, in their order; in place of STATES where that takes fewer bytes") \
    R(SENT, sent, 52, READ, "how many frames were sent in the epoch before it; with each snapshot, and before END") \
    R(KNOWN_LOAD, known_load, 53, REPORTED(KEYS, 0), \
      "of a port that runs the known load: the work of its tasks, cumulative; with each snapshot")

/* Records whose last field, since minor 8, is a number of their own; with the name of their count in SENT. */
#define WIRE_NUMBERED(R) R(TEXT, text_record, texts) R(FAULT, fault, faults) R(REPORT, report, reports) \
                         R(OUTPUT, output, outputs)

/*
 * field: N (number), T (text) or B (bytes), name, what it is, and its role where it has one: KEY rows with the same
 * one, of all these fields, are of one thing, and of heads each key has rows of its own; ID a row id, KEY_ID one that
 * is a part of the key; SERIAL of a snapshot; TIME a moment, never less than before; MOMENT one in any order; SAME of
 * a key ever the same; SUM, MOST never less than before, LEAST never more; FLAG 0 or 1; SIGNED by wire_zigzag(); ROWS
 * of all frames of the head; PART which of these frames, from 0; LINE a text whose line feed at the end is no part of
 * it.
 */
#define WIRE_HEAD_HELLO(N, T, B)                                                            \
    N(major, "major version of the protocol")                                            \
    N(minor, "minor version of the protocol")                                            \
    N(epoch, "identifier of the epoch: new at each boot, reset and change of words")     \
    T(build, "build id of the image, hexadecimal")                                       \
    T(words, "the configuration in force, every word with its value")                    \
    N(clock_hz, "frequency of the time stamps (TSC), Hz, measured")                      \
    N(clock_notes, "bit 0: nothing promises that the TSC keeps its rate; bit 1: TSC stops in HLT")                  \
    N(source_hz, "frequency of the tick source's counter, mHz")                          \
    N(source_clock, "clock units in 65536 counts of the source, measured")               \
    N(mean, "mean interval T, counts, 48.16")                                            \
    N(minimum, "smallest count that fires in time, counts, measured")                    \
    N(handler, "length of the tick handler, clock units, measured")                      \
    N(entry, "length of an empty handler (save, EOI, restore), clock units, measured")   \
    N(stub, "time from an entry to its reading of the TSC, clock units; 0: not known")   \
    N(floor, "least lateness of a tick (latency), clock units, measured")                \
    N(halt_floor, "the same out of HLT, clock units, measured")                          \
    N(late, "lateness above which a tick is late, clock units")                          \
    N(seed, "seed of the generator in force")                                            \
    N(now, "clock units since start", MOMENT)                                            \
    T(source, "the tick source in force")                                                \
    T(door, "the door: how the image was booted")                                        \
    T(machine, "the CPU's brand string")                                                 \
    T(line, "the UART of the stream, and its kind; of a port the optional fields that it gives") \
    N(lead, "from an expiry to the arming of the next interval, clock units, measured")  \
    N(stamp, "clock units in a unit of the times of raw samples; 0: no times")           \
    N(thin, "raw samples: two of this many pairs of ticks are sent; 1: all")             \
    N(halt_late, "the same out of HLT, where both must be exceeded, clock units")        \
    N(clock_period, "period of the system clock, clock units, 48.16; 0: it has none")    \
    N(clock_origin, "time of one of its ticks, clock units since start; 0: none yet")    \
    T(version, "version of the image; not in minor 0")                                   \
    N(port_read, "one IN of the 8259's mask, clock units, measured; from here on not below minor 6") \
    N(port_write, "one OUT of it, likewise")                                                       \
    N(lapic_access, "one read of the local APIC, likewise; 0: there is none")                      \
    N(tick, "what a tick takes of the code that it interrupts, clock units, measured; 0: not known") \
    N(tick_share, "what ticks take of the time at this rate, thousandths of a percent")             \
    N(unit, "clock units in a unit of the schedule, whose points are fixed in clock time; 0: it has none, " \
            "and below minor 8: docs, \"Points\"")

#define WIRE_HEAD_NAMES(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_NAMES(N, T, B)                                                             \
    N(id, "row id")                                                                      \
    T(name, "its name, 1 to 14 characters")                                              \
    N(program, "number of its program; 0: none, it is part of the image")

#define WIRE_HEAD_SNAPSHOT(N, T, B)                                                         \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot in its epoch, from 1")                             \
    N(cells, "number of CELLS frames that belong to it")                                 \
    N(exacts, "number of EXACT frames that belong to it; 0: not measured")               \
    N(regions, "number of regions that belong to it")                                    \
    N(final, "1: the run ended as configured, with this snapshot")                       \
    N(ticks, "how often the source fired")                                               \
    N(samples, "ticks that the handler took: the denominator")                           \
    N(late, "late samples: rows MASKED and STOLEN")                                      \
    N(excess, "sum of the lateness beyond the floor, clock units")                       \
    N(missed_overrun, "periods that passed without a tick, interrupts off")              \
    N(missed_source, "ticks that the device lost")                                       \
    N(lost_table, "samples that found no record in five tries: row LOST")                \
    N(lost_ring, "samples that found no room in a ring")                                 \
    N(begin, "first arming, clock units since start")                                    \
    N(end, "last expiry, clock units since start")                                       \
    N(made, "when the snapshot was sent, clock units since start", MOMENT)               \
    N(monitor, "exact time of row MONITOR in the window, clock units")                   \
    N(transitions, "changes of cell in the exact table")                                 \
    N(generator, "state of the generator after the last tick")                           \
    N(intervals, "sum of the intervals, counts")                                         \
    N(changes_user, "pairs with exactly one sample in user mode")                        \
    N(changes_supervisor, "pairs with exactly one sample in supervisor mode")            \
    N(changes_kernel, "pairs with exactly one sample in kernel mode")                    \
    N(changes_interrupt, "pairs with exactly one sample in interrupt mode")              \
    N(first, "first expiry, clock units since start; 0: there was none")                 \
    N(lateness, "sum of the lateness of late samples, clock units")                      \
    N(buckets, "number of rows of its LATENESS frame; 0: it has none")                   \
    N(points, "points of the schedule up to `end`; 0: it has none, and below minor 8, as the next") \
    N(in_handler, "of these, those that fell into handlers of ticks: no samples")        \
    N(arrivals, "ticks in time whose arrival was measured against their point")          \
    N(earliest, "the earliest of these, clock units after its point, zigzag")            \
    N(latest, "the latest of these, likewise")                                           \
    N(arrived, "the sum of all, likewise, modulo 2^64")

#define WIRE_HEAD_CELLS(N, T, B)                                                            \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot")                                                  \
    N(part, "which CELLS frame of the snapshot, from 0")
#define WIRE_ROW_CELLS(N, T, B)                                                             \
    N(id, "row id")                                                                      \
    N(user, "hits in user mode")                                                         \
    N(supervisor, "hits in supervisor mode")                                             \
    N(kernel, "hits in kernel mode")                                                     \
    N(interrupt, "hits in interrupt mode")                                               \
    N(total, "hits of the row")                                                          \
    N(changes_user, "pairs with exactly one sample in the cell")                         \
    N(changes_supervisor, "the same")                                                    \
    N(changes_kernel, "the same")                                                        \
    N(changes_interrupt, "the same")                                                     \
    N(changes_total, "pairs with exactly one sample in the row")

#define WIRE_HEAD_EXACT(N, T, B)                                                            \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot")                                                  \
    N(part, "which EXACT frame of the snapshot, from 0")
#define WIRE_ROW_EXACT(N, T, B)                                                             \
    N(id, "row id")                                                                      \
    N(user, "time in user mode, interrupts on, clock units")                             \
    N(supervisor, "the same")                                                            \
    N(kernel, "the same")                                                                \
    N(interrupt, "the same")                                                             \
    N(masked_user, "time in the cell with interrupts off, clock units")                  \
    N(masked_supervisor, "the same")                                                     \
    N(masked_kernel, "the same")                                                         \
    N(masked_interrupt, "the same")

#define WIRE_HEAD_TEXT(N, T, B)                                                             \
    N(epoch, "identifier of the epoch; 0: the one in force")                             \
    N(severity, "0 note, 1 warning, 2 error")                                            \
    T(text, "the message and a line feed", LINE)                                            \
    N(number, "which TEXT of the epoch it is, from 1; not below minor 8; 0: not told")

#define WIRE_HEAD_FAULT(N, T, B)                                                            \
    N(epoch, "identifier of the epoch; 0: the one in force")                             \
    N(time, "clock units since start", MOMENT)                                           \
    N(id, "row id of the task", ID)                                                      \
    N(mode, "0 user, 1 supervisor, 2 kernel")                                            \
    N(vector, "exception vector")                                                        \
    N(error, "error code")                                                               \
    N(pc, "address of the instruction")                                                  \
    N(address, "address that it touched, for a page fault")                              \
    T(name, "name of the task")                                                          \
    T(cause, "the cause as text")                                                        \
    N(number, "which FAULT of the epoch it is, as that of TEXT")

#define WIRE_HEAD_REPORT(N, T, B)                                                           \
    N(epoch, "identifier of the epoch; 0: the one in force")                             \
    N(time, "clock units since start", MOMENT)                                           \
    N(id, "row id of the task", ID)                                                      \
    N(value, "the number")                                                               \
    T(name, "name of the task")                                                          \
    N(number, "which REPORT of the epoch it is, as that of TEXT")

#define WIRE_HEAD_END(N, T, B)                                                              \
    N(epoch, "identifier of the epoch")                                                  \
    N(status, "0 the run was complete, 1 it failed")                                     \
    T(reason, "why it ended")

#define WIRE_HEAD_PROGRAMS(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_PROGRAMS(N, T, B)                                                       \
    N(number, "its number, from 1")                                                      \
    T(name, "its name")                                                                  \
    T(build, "build id of its ELF file, hexadecimal; without one `loaded:` and the hash of what it loads, or " \
             "empty below minor 9")

#define WIRE_HEAD_REGION(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot")                                                  \
    N(number, "which region of the snapshot, from 0")                                    \
    N(part, "which REGION frame of the region, from 0")                                  \
    N(parts, "number of REGION frames of the region")                                    \
    N(task, "row id; the id of row ANY: every task")                                     \
    N(mode, "0 user, 1 supervisor, 2 kernel, 3 interrupt")                               \
    N(low, "first address of the region")                                                \
    N(high, "first address after it")                                                    \
    N(base, "address where slot 0 begins")                                               \
    N(shift, "a slot has 2 to this power bytes")                                         \
    N(below, "hits of the task in the mode, below the region")                           \
    N(above, "the same above it")                                                        \
    N(active, "hits of the task in the mode, anywhere")                                  \
    N(changes_below, "pairs with exactly one sample below the region")                   \
    N(changes_above, "the same above it")                                                \
    N(changes_active, "the same of the task in the mode")
#define WIRE_ROW_REGION(N, T, B)                                                         \
    N(slot, "which slot, 0 to 511; slots without a hit are omitted")                     \
    N(hits, "hits in it")                                                                \
    N(changes, "pairs with exactly one sample in it")

/* probe/stream/sample_encode.h says how codes and steps are read. */
#define WIRE_HEAD_SAMPLES(N, T, B)                                                       \
    N(epoch, "identifier of the epoch")                                                  \
    N(first, "number of the first sample here, from 0")                                  \
    N(count, "number of samples here")                                                   \
    N(lost, "samples so far that found no room in the ring")                             \
    N(time, "of the first, clock units since start; 0: the samples have no times")       \
    N(generator, "state of the schedule after the first sample's tick: generator")       \
    N(phase, "the same: 0 none drawn or no pairs, 1 its sample does not pair with the one before, 2 it does") \
    N(fraction, "the same: 1/65536 counts left over by strata or intervals")             \
    N(carry, "the same, counts, zigzag: stratified: rest of the stratum; narrow: jitter") \
    N(second, "the same: second interval of the stratum, counts, zigzag; else 0")        \
    B(codes, "the places of the samples")                                                \
    B(steps, "their times less those of the schedule")

/* docs/PROTOCOL.md, "Packed samples", says how codes and steps are read. */
#define WIRE_HEAD_PACKED_SAMPLES(N, T, B)                                                \
    WIRE_HEAD_SAMPLES(N, T, B)                                                           \
    N(late, "lateness of the first sample, clock units; from here on not below minor 8") \
    N(arrivals, "samples here whose arrival was measured against their point")           \
    N(earliest, "the earliest of these, clock units after its point, zigzag")            \
    N(latest, "the latest of these, likewise")                                           \
    N(arrived, "that of the one which its number draws, likewise")

#define WIRE_HEAD_MASKED_SAMPLES(N, T, B)                                                \
    N(epoch, "identifier of the epoch")                                                  \
    N(first, "number of the first sample that it tells of")                              \
    N(count, "number of samples that it tells of")                                       \
    B(off, "a bit for each, eight to a byte, low bits first: 1 interrupts were off")

#define WIRE_HEAD_PLACES(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_PLACES(N, T, B)                                                         \
    N(index, "the index that codes of SAMPLES use")                                      \
    N(task, "row id")                                                                    \
    N(mode, "as in REGION, plus 4 if the sample is MASKED, 8 if it is STOLEN")            \
    N(pc, "address of the instruction, zigzag")

#define WIRE_HEAD_PACKED_PLACES(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_PACKED_PLACES(N, T, B)                                                  \
    N(what, "mode as in PLACES, and 16 times the zigzag of what the index is more than 1 above that of the " \
            "row before")                                                                \
    N(task, "1 to 255: as so many rows before; else row id + 256")                       \
    N(pc, "address of the instruction less that of the last row in user mode, or not in user mode, as this " \
          "is, zigzag")

#define WIRE_HEAD_LATENESS(N, T, B)                                                      \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot")
#define WIRE_ROW_LATENESS(N, T, B)                                                       \
    N(bucket, "b: lateness in clock units has b binary digits; empty ones omitted")        \
    N(count, "late samples in it")

/* probe/stats/snapshot_delta.h says how the changes are read. */
#define WIRE_HEAD_DELTA(N, T, B)                                                         \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot in its epoch")                                     \
    N(base, "number of the whole snapshot that it differs from")                         \
    N(part, "which DELTA frame of the snapshot, from 0")                                 \
    N(last, "1: the last of these")                                                      \
    N(samples, "as in SNAPSHOT")                                                         \
    N(end, "as in SNAPSHOT")                                                             \
    B(changes, "what differs")

#define WIRE_HEAD_HEALTH(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_HEALTH(N, T, B)                                                         \
    T(name, "what was examined", KEY)                                                    \
    T(value, "what was found, for people to read")

#define WIRE_HEAD_TRANSITIONS(N, T, B)                                                   \
    N(epoch, "identifier of the epoch")                                                  \
    N(first, "number of the first change in the frame, from 0; the others follow it")
#define WIRE_ROW_TRANSITIONS(N, T, B)                                                    \
    N(cell, "the cell that ended: 0 MONITOR, else 1 + 8 task + 2 mode + (1: masked)")    \
    N(time, "its time, clock units, zigzag")

#define WIRE_HEAD_LOGGED(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(transitions, "changes of cell in the window")                                      \
    N(lost, "of these, the first ones, which the log had to drop")
#define WIRE_ROW_LOGGED(N, T, B)                                                         \
    N(task, "task number as in TRANSITIONS")                                             \
    N(id, "its row id")

#define WIRE_HEAD_COMMAND(N, T, B)                                                       \
    N(boot, "the boot for which it is meant; 0: any")                                    \
    N(session, "drawn at random by the host, not 0")                                     \
    N(id, "number of the command in its session, from 1")                                \
    T(line, "the command, at most 255 printable characters")

#define WIRE_HEAD_ANSWER(N, T, B)                                                        \
    N(boot, "identifier of the boot: that of its first epoch")                           \
    N(session, "as in the COMMAND")                                                      \
    N(id, "as in the COMMAND")                                                           \
    N(status, "0 done, 1 refused, 2 for another boot, 3 older than an answered one")             \
    N(repeated, "1: it was answered before; this is the same answer")                    \
    N(part, "which ANSWER frame of the command, from 0")                                 \
    N(parts, "number of its ANSWER frames")                                              \
    N(took, "from the last received byte to this frame, clock units")                    \
    T(text, "the answer: lines, separated by line feeds")

#define WIRE_HEAD_RECEIVED(N, T, B)                                                      \
    N(epoch, "identifier of the epoch")                                                  \
    N(bytes, "bytes that were read")                                                     \
    N(lines, "plain lines")                                                              \
    N(commands, "intact COMMAND frames, including repeated ones")                        \
    N(repeated, "of these, answered before")                                             \
    N(refused, "commands and lines that were refused")                                   \
    N(damaged, "stretches between zeros that are not a frame")                           \
    N(foreign, "intact frames of another type than COMMAND")                             \
    N(too_long, "lines and frames that were too long")                                   \
    N(cut, "frames and too long stretches that did not end within a second")              \
    N(overrun, "how often the UART lost bytes (overrun)")                                \
    N(parity, "bytes with a parity error")                                               \
    N(framing, "bytes without a stop bit")                                               \
    N(breaks, "breaks on the line")                                                      \
    N(unread, "bytes that found no room between the UART and its reader")

/* probe/stream/event_encode.h says how codes are read; the classes are enum trace_class. */
#define WIRE_HEAD_EVENTS(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(first, "number of the first event here, from 0 among those that were recorded")    \
    N(count, "number of events here")                                                    \
    N(lost, "events so far that found no room in the buffer")                            \
    N(lost_time, "of the first of these, clock units since start; 0: there is none")     \
    N(time, "of the first event, clock units since start; 0: the events have no times")  \
    N(unit, "clock units in a unit of the times; 0: the events have no times")           \
    N(task, "that ran before the first event: row id, plus its number times 2^32")        \
    B(codes, "the events")
#define WIRE_HEAD_PACKED_EVENTS(N, T, B) WIRE_HEAD_EVENTS(N, T, B)

#define WIRE_HEAD_EVENT_KEYS(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_EVENT_KEYS(N, T, B)                                                     \
    N(index, "the index that codes of events use", KEY)                                  \
    N(class, "class of the event", SAME)                                                 \
    N(argument, "its argument", SAME)

#define WIRE_HEAD_EVENT_COUNTS(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(time, "when they were read, clock units since start", MOST) \
    N(recorded, "events that were recorded", SUM) \
    N(overwritten, "of these, the oldest ones, which later ones replaced", SUM) \
    N(lost, "events that found no room in the buffer", SUM) \
    N(lost_time, "of the first of these, clock units since start; 0: there is none")
#define WIRE_ROW_EVENT_COUNTS(N, T, B) \
    N(class, "class of the events; empty ones omitted", KEY) \
    N(count, "number of them, recorded or not", SUM)
#define WIRE_HEAD_RULES(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(time, "when they were read, clock units since start", MOST) \
    N(counter0, "counter 0") \
    N(counter1, "counter 1") \
    N(counter2, "counter 2") \
    N(counter3, "counter 3") \
    N(counter4, "counter 4") \
    N(counter5, "counter 5") \
    N(counter6, "counter 6") \
    N(counter7, "counter 7")
#define WIRE_ROW_RULES(N, T, B) \
    N(rule, "the rule: its place in when=, from 0", KEY) \
    N(hits, "how often it was met", SUM) \
    N(last, "when last, clock units since start; 0: never", TIME)

/* probe/stream/class_encode.h says how codes are read; the word classes= of HELLO has the tree. */
#define WIRE_HEAD_STATES(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(first, "number of the first run here, from 0")                                     \
    N(count, "number of runs here; 0: the end of the epoch")                             \
    N(lost, "events so far that found no room in the buffer")                            \
    N(lost_time, "of the first of these, clock units since start; 0: there is none")     \
    N(time, "when the first run begins, clock units since start; without runs the end")  \
    N(unit, "clock units in a unit of the lengths")                                      \
    B(codes, "the runs")
#define WIRE_HEAD_PACKED_STATES(N, T, B) WIRE_HEAD_STATES(N, T, B)

#define WIRE_HEAD_IDLE(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(begin, "when the counters began, clock units since start", SAME) \
    N(end, "when they were read, clock units since start; CNT2 is end - begin", TIME) \
    N(idle, "CNT1: the clock across HLT, clock units", SUM) \
    N(io, "of CNT1, while a task waited for a device", SUM) \
    N(halts, "how often the processor was halted", SUM)

#define WIRE_HEAD_CALL_STACKS(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(begin, "when the counters began, clock units since start", SAME) \
    N(end, "when they were read, clock units since start", TIME) \
    N(outside, "samples of tasks in the kernel, on no way from a call", SUM) \
    N(lost, "samples in calls and services, of stacks that found no record", SUM) \
    N(lost_returns, "returns of calls whose stacks found no record", SUM)
#define WIRE_ROW_CALL_STACKS(N, T, B)                                                    \
    N(id, "row id of the task", KEY)                                                     \
    N(mode, "what was called: 1 a service, in supervisor mode; 2 the kernel; 0 nothing: user mode, stack=", KEY) \
    B(pcs, "return addresses, the innermost first, eight bytes each, low bytes first; of mode 0 after the " \
           "interrupted address", KEY)                                                   \
    N(samples, "samples that found the task in the call", SUM)                           \
    N(calls, "calls that have returned; 0 of services and user mode, as all below", SUM) \
    N(ticks, "by the tick difference at the exit: samples of the task in the kernel since the entry", SUM) \
    N(time, "by the time difference at the exit: kernel time and interrupts since the entry, clock units", SUM) \
    N(unmasked, "truth: kernel time with interrupts on, from the gate to the end of the return, clock units", SUM) \
    N(masked, "truth: kernel time with interrupts off, clock units", SUM)

#define WIRE_HEAD_STACK_WALKS(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(callers, "stack=: callers that are looked for, at most") \
    N(whole, "samples in user mode whose callers were found up to the outermost", SUM) \
    N(cut, "samples with more callers than were looked for", SUM) \
    N(broken, "samples where a frame pointer or a return address led nowhere", SUM) \
    N(absent, "samples where a frame was in a page that is not there", SUM) \
    N(lost, "of these four: samples of stacks that found no record", SUM)

/* Ticks of the system clock, whole ones: of two years at 1000 Hz at most.  Load averages; sums that may be added. */
#define WIRE_TICKS_MAX (1ull << 36)
#define WIRE_LOAD_MAX  (1ull << 20)
#define WIRE_SUM_MAX   (1ull << 62)
#define WIRE_HEAD_PROCSTAT(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(begin, "when the counters began, clock units since start", SAME) \
    N(end, "when they were read, clock units since start", TIME) \
    N(hz, "ticks of the system clock a second", SAME) \
    N(user, "ticks that found a task in user or supervisor mode", SUM) \
    N(nice, "the same, the task's nice above 0", SUM) \
    N(system, "ticks that found a task in the kernel", SUM) \
    N(idle, "ticks that found the processor idle, no task waiting for a device", SUM) \
    N(iowait, "ticks that found it idle while a task waited for a device", SUM) \
    N(irq, "ticks that found a handler", SUM) \
    N(running, "tasks that were ready or running") \
    N(blocked, "tasks that waited for a device") \
    N(load1, "load average of 1 minute, times 2048") \
    N(load5, "of 5 minutes") \
    N(load15, "of 15 minutes")
#define WIRE_ROW_PROCSTAT(N, T, B) \
    N(number, "number of the task, which tells tasks of one row apart; those without a tick omitted", KEY) \
    N(id, "row id", ID) \
    N(nice, "its nice value, zigzag", SIGNED) \
    N(user, "ticks that found it in user or supervisor mode") \
    N(system, "ticks that found it in the kernel, or in a handler that had interrupted it")

#define WIRE_HEAD_PROCREADS(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL)
#define WIRE_ROW_PROCREADS(N, T, B) \
    N(file, "0 /proc/stat, 1 /proc/loadavg, 2 /proc/PID/stat of any task; those that nobody read omitted", KEY) \
    N(reads, "how often it was read; not 0", SUM) \
    N(time, "clock units of all readings, with the interrupts meanwhile", SUM) \
    N(least, "of the shortest one", LEAST) \
    N(bytes, "of text that they got", SUM)

#define WIRE_HEAD_OUTPUT(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(time, "when the first of the bytes was written, clock units since start", MOMENT)  \
    N(id, "row id of the task", ID)                                                      \
    N(descriptor, "1 output, 2 errors")                                                  \
    T(name, "name of the task")                                                          \
    B(bytes, "what it wrote")                                                            \
    N(number, "which OUTPUT of the epoch it is, as that of TEXT")

#define WIRE_HEAD_CODE(N, T, B)                                                          \
    N(epoch, "identifier of the epoch")                                                  \
    N(time, "clock units since start", MOMENT)                                           \
    N(id, "row id of the task")                                                          \
    N(generation, "of its code: from 1, each change another one")                        \
    N(from, "lowest address that changed")                                               \
    N(to, "the address behind the last one")                                             \
    T(name, "name of the task")

#define WIRE_HEAD_PROCESS(N, T, B)                                                       \
    N(epoch, "identifier of the epoch")                                                  \
    N(id, "row id of the task", KEY_ID)                                                  \
    N(program, "number of its program in PROGRAMS", SAME)                                \
    N(base, "what was added to the addresses of its file; not 0 for static-pie")         \
    N(state, "0 it runs; 1 it has exited; 2 it was ended")                               \
    N(status, "what it exited with; 128 and a signal, where it sent itself one")         \
    N(generation, "of its code: how often it has changed")                               \
    T(name, "name of the task", KEY)
#define WIRE_ROW_PROCESS(N, T, B)                                                        \
    N(call, "number of a Linux system call that is not there", KEY)                      \
    T(name, "its name; empty: not known")                                                \
    N(count, "how often the task made it and was answered ENOSYS")

#define WIRE_HEAD_IDLETASK(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL)
#define WIRE_ROW_IDLETASK(N, T, B) \
    N(task, "number of the task since the boot, from 1", KEY) \
    N(id, "row id", ID) \
    N(begin, "when its counting or the window began, clock units since start") \
    N(end, "when it was read, clock units since start", TIME) \
    N(count, "how far it counted from begin to end, at idle priority", SUM) \
    N(calibrated, "how far it counted alone, at time-critical priority; not 0", SAME) \
    N(took, "in so many clock units; not 0", SAME)

#define WIRE_HEAD_PERFCALL(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(begin, "when the window began, clock units since start", SAME) \
    N(end, "when they were read, clock units since start", TIME) \
    N(time, "from begin to end, clock units; the sum of the others", SUM) \
    N(idle, "halted", SUM) \
    N(busy, "neither halted nor in a handler of an interrupt", SUM) \
    N(interrupt, "in handlers of interrupts, the probe's ticks among them", SUM)

#define WIRE_HEAD_PROCTABLE(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(time, "when it was read, clock units since start", TIME) \
    N(passes, "of all tasks through the scheduler, also of those that ended", SUM) \
    N(tasks, "tasks in the table: rows of all frames with this serial", ROWS)
#define WIRE_ROW_PROCTABLE(N, T, B) \
    N(task, "number of the task since the boot, from 1; no two have the same; IDLE is 1", KEY) \
    N(id, "row id", ID) \
    N(user, "passes in which it lost the processor in user code", SUM) \
    N(system, "passes in which it did elsewhere", SUM) \
    N(priority, "0: regular; 1: idle; 2: time-critical (wire_zigzag)", SIGNED) \
    N(state, "0: ready; 1: running; 2: sleeping") \
    N(flags, "bit 0: its system time counts as its own")

#define WIRE_PROFIL_BYTES 65536u /* the largest buffer */
#define WIRE_HEAD_PROFIL(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot that the counts were closed with", SERIAL)         \
    N(time, "when the counters were read, clock units since start", MOMENT)              \
    N(id, "row id of the task", ID)                                                      \
    N(number, "number of the task since the boot, which tells tasks of one row apart", KEY) \
    N(buffer, "address of the buffer")                                                   \
    N(bytes, "its size: a counter has two")                                              \
    N(offset, "lowest address of code")                                                  \
    N(scale, "bytes of the buffer for a byte of code, 48.16; 0: the profile was stopped")  \
    N(flags, "1: a trap at each tick")                                                   \
    N(direct, "ticks that were counted by the tick itself, since the window began, as all below") \
    N(trapped, "ticks that were counted by a trap")                                      \
    N(touched, "pages that were first touched by a trap")                                \
    N(calls, "ticks in the kernel, counted at the exit of a call for its caller")        \
    N(calls_touched, "pages that were first touched by these")                           \
    N(outside, "ticks of addresses without a counter")                                   \
    N(lost, "ticks whose counter was full, or that came while a trap was due")           \
    N(stopped, "1: the buffer was no memory of the task, and the profile is over", FLAG) \
    N(part, "which frame of the profile, from 0; the first one alone may have no rows", PART)
#define WIRE_ROW_PROFIL(N, T, B)                                                         \
    N(counter, "place of the counter in the buffer; those that are 0 omitted, ascending") \
    N(count, "what the task's memory has there")

#define WIRE_HEAD_INTERCEPT(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(begin, "when the counters began, clock units since start", SAME) \
    N(end, "when they were read, clock units since start", TIME) \
    N(starts, "how often the gates were redirected", SUM)
#define WIRE_ROW_INTERCEPT(N, T, B) \
    N(vector, "number of the vector; those without interrupts omitted", KEY) \
    T(name, "what it is for") \
    N(tick, "1: its interrupts are ticks, and their time is MONITOR's", FLAG) \
    N(count, "interrupts", SUM) \
    N(time, "of all, without those that interrupted them, clock units", SUM) \
    N(greatest, "of one, clock units", MOST) \
    N(latencies, "interrupts whose latency is known", SUM) \
    N(latency, "from the moment that the device was armed for to the gate, all, clock units", SUM) \
    N(latency_greatest, "of one, clock units", MOST)

#define WIRE_HEAD_ACCT(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that it was closed with", SERIAL) \
    N(time, "when the rows were closed, clock units since start", TIME) \
    N(lost, "records of ended tasks so far that found no room", SUM)
#define WIRE_ROW_ACCT(N, T, B) \
    N(task, "number of the task since the boot, from 1; no two have the same", KEY) \
    N(id, "row id", ID) \
    N(ended, "1: it has ended, and this is its last record; below, times by mode are since the window began or it " \
      "was made, switches, activations and response since the monitor began or it was made, the others since " \
      "it was made", FLAG) \
    WIRE_USE_ACCT(N, T, B)
#define WIRE_USE_ACCT(N, T, B) \
    N(user, "time in user mode, clock units", SUM) \
    N(supervisor, "time in supervisor mode, clock units", SUM) \
    N(kernel, "time in the kernel, clock units", SUM) \
    N(interrupt, "time in interrupt handlers, clock units", SUM) \
    N(switches, "how often it got the processor", SUM) \
    N(calls, "system calls and services", SUM) \
    N(denied, "of these, denied", SUM) \
    N(faults, "1: a fault of its own ended it") \
    N(pages, "pages of memory that it was given") \
    N(io, "requests of devices that were done", SUM) \
    N(io_time, "how long it waited for them, clock units", SUM) \
    N(activations, "from a wake to the next sleep: how many have ended", SUM) \
    N(response, "time of these, clock units", SUM) \
    N(response_greatest, "of one, over its life, clock units", MOST)

#define WIRE_RANGE_MAX 255u
#define WIRE_HEAD_RANGES(N, T, B) \
    N(epoch, "identifier of the epoch") \
    N(serial, "number of the snapshot that ACCT was closed with", SERIAL) \
    N(time, "when the rows were read, clock units since start", TIME)
#define WIRE_ROW_RANGES(N, T, B) \
    N(event, "number of the user event, 0 to 255", KEY) \
    N(times, "such events", SUM) \
    N(time, "for which tasks ran, each from such an event to its next one, clock units; with the ticks and " \
            "interrupts meanwhile", SUM)

#define WIRE_HEAD_DISK(N, T, B) N(epoch, "identifier of the epoch") WIRE_COUNTERS_DISK(N, T, B)
#define WIRE_COUNTERS_DISK(N, T, B) \
    N(time, "when the counters were read, clock units since start", TIME) \
    N(requests, "requests that were taken", SUM) \
    N(done, "of these, completed", SUM) \
    N(refused, "requests that found the queue full", SUM) \
    N(blocks, "blocks that were moved", SUM) \
    N(busy, "time in which the device moved its arm or blocks, clock units", SUM) \
    N(queue, "requests in the queue times how long they were there, clock units", SUM) \
    N(waits, "of the completed ones: from the call to the interrupt, clock units", SUM) \
    N(longest, "most requests in the queue", MOST)
#define WIRE_CALLS_COST 1024u /* calls whose cost is told */
#define WIRE_HEAD_CALLS(N, T, B)                                                         \
    N(epoch, "identifier of the epoch")                                                  \
    N(id, "row id of the task", KEY_ID)                                                  \
    N(number, "number of the task, which tells tasks of one row apart", KEY)             \
    N(program, "number of its program")                                                  \
    N(time, "when its table was read, clock units since start", MOMENT)                  \
    N(since, "when it began to count, clock units since start")                          \
    N(ran, "clock units of the task's time that are counted below")                      \
    N(cost, "what the instrumentation of 1024 calls takes, clock units")                 \
    N(inside, "of it the part that is counted as time of the called function")           \
    N(deep, "calls that were nested too deep: not counted below")                        \
    N(lost, "calls of functions that had no room in the table: not counted below")       \
    N(functions, "number of functions with calls; more than rows: in several frames")
#define WIRE_ROW_CALLS(N, T, B)                                                          \
    N(function, "its address", KEY)                                                      \
    N(calls, "of it")                                                                    \
    N(made, "calls of others that it made")                                              \
    N(inclusive, "clock units of the task's time from call to return; of a recursion that of the outermost call") \
    N(exclusive, "the same without the functions that it called")

#define WIRE_HEAD_SURVEY(N, T, B)                                                        \
    N(epoch, "identifier of the epoch")                                                  \
    N(clock_hz, "frequency of the clock units below, Hz, measured")                      \
    N(begin, "when the loop first ran, clock units since start")                         \
    N(end, "when it last ended, clock units since start", MOMENT)                        \
    N(watched, "for which the loop ran, clock units")                                    \
    N(slices, "in so many slices, each with interrupts off")                             \
    N(round, "median of what a turn of the loop takes, clock units")                     \
    N(threshold, "a turn above this has a gap, clock units")                             \
    N(gaps, "turns that had one")                                                        \
    N(stolen, "time of these beyond the median turn, clock units")                       \
    N(squares, "sum of the squares of their lengths, in units of 256 clock units")       \
    N(greatest, "the longest, clock units")                                              \
    N(ticks, "turns in which ticks came as NMI, whose time is subtracted")         \
    N(period, "between gaps like the usual one, clock units; 0: they have none")         \
    N(period_length, "median length of these, clock units")                              \
    N(period_gaps, "how many these are")                                                 \
    N(period_fits, "distances between them that fit the period")                         \
    N(smi_known, "1: this CPU counts SMIs; smis is 0 otherwise", FLAG)                   \
    N(smis, "SMIs from begin to end, by the CPU")                                        \
    T(hypervisor, "how a hypervisor calls itself; empty: there is none")                 \
    N(baud, "rate that the UART is set to, bit/s; 0: there is none")                     \
    N(characters, "characters that were timed; 0: its transmitter was stuck")            \
    N(characters_least, "their time at the least, clock units")                          \
    N(characters_most, "their time at the most, clock units")
#define WIRE_ROW_SURVEY(N, T, B)                                                         \
    N(us, "gaps from this length on, to that of the next of 1, 2, 5, 10 .. microseconds; of 1 also shorter ones") \
    N(count, "how many; lengths without gaps are omitted")                               \
    N(time, "their time, clock units")

#define WIRE_HEAD_SURVEY_CLOCKS(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_SURVEY_CLOCKS(N, T, B)                                                  \
    T(name, "the clock", KEY)                                                            \
    N(should, "rate that it should have, mHz; 0: none is known")                         \
    N(counts, "of it between two readings; 0: it was not measured")                      \
    N(slack, "counts that it can be more or fewer")                                      \
    N(shortest, "time between the readings at the least, clock units")                   \
    N(longest, "the same at the most")                                                   \
    N(step, "what each difference of two readings in a row is a multiple of, counts; 0: not known") \
    T(note, "why it was not measured, or what is to be known of it; may be empty")

#define WIRE_HEAD_SURVEY_TIMES(N, T, B) N(epoch, "identifier of the epoch")
#define WIRE_ROW_SURVEY_TIMES(N, T, B)                                                   \
    T(name, "what was timed", KEY)                                                       \
    N(count, "how often")                                                                \
    N(median, "clock units, as the next two")                                            \
    N(most, "at most so long in 99.9 %")                                                 \
    N(worst, "the longest")

#define WIRE_HEAD_SENT(N, T, B)                                                          \
    N(epoch, "identifier of the epoch")                                                  \
    N(frames, "frames of the epoch before this one, those that found no room too: its sequence without end") \
    N(texts, "of them TEXT")                                                             \
    N(faults, "of them FAULT")                                                           \
    N(reports, "of them REPORT")                                                         \
    N(outputs, "of them OUTPUT")

#define WIRE_HEAD_KNOWN_LOAD(N, T, B)                                                    \
    N(epoch, "identifier of the epoch")                                                  \
    N(serial, "number of the snapshot that it was sent with", SERIAL)                    \
    N(timed, "units of work that were timed, with interrupts off", SUM)                  \
    N(time, "clock units that these took", SUM)                                          \
    N(sections, "sections with interrupts off in which they were done", SUM)
#define WIRE_ROW_KNOWN_LOAD(N, T, B)                                                     \
    N(part, "0 works twice as long as 1; 2 with interrupts off", KEY)                    \
    N(task, "row id of the task that does it", ID)                                       \
    N(mode, "0 user, 1 supervisor, 2 kernel, 3 interrupt: where it works")               \
    N(units, "units of work that it has done", SUM)

/*
 * Rules beside the roles, of records without a decoder of their own: HEAD of `head`, ROW of `row` with its `head`;
 * NEXT_HEAD against the `head_before`, NEXT_ROW against the `row_before` of the same key with its `head_before`; of
 * rows without a key, against the one before in the frames of the head.
 */
#define WIRE_RULES(HEAD, NEXT_HEAD, ROW, NEXT_ROW) \
    HEAD(TEXT, text_record, head->severity <= 2) HEAD(FAULT, fault, head->mode <= 2) \
    ROW(EVENT_KEYS, event_keys, row->class != 0 && event_read_key(row, &(struct event_key){0})) \
    HEAD(EVENT_COUNTS, event_counts, head->overwritten <= head->recorded && head->recorded < EVENT_NUMBER_MAX) \
    ROW(RULES, rules, row->rule < EVENT_RULES_MAX) \
    HEAD(IDLE, idle, head->begin <= head->end && head->idle <= head->end - head->begin && head->io <= head->idle) \
    NEXT_HEAD(IDLE, idle, head->idle - head_before->idle <= head->end - head_before->end) \
    HEAD(DISK, disk, head->done <= head->requests && head->busy <= head->time) \
    HEAD(INTERCEPT, intercept, head->begin <= head->end) \
    ROW(INTERCEPT, intercept, row->vector < 256 && row->count != 0 && row->latencies <= row->count && \
        row->greatest <= row->time && row->latency_greatest <= row->latency && row->time <= head->end - head->begin) \
    ROW(ACCT, acct, row->task != 0 && row->denied <= row->calls && row->faults <= 1 && row->user <= head->time && \
        row->supervisor <= head->time && row->kernel <= head->time && row->interrupt <= head->time && \
        row->response_greatest <= row->response) NEXT_ROW(IDLETASK, idletask, head->serial != head_before->serial) \
    ROW(RANGES, ranges, row->event <= WIRE_RANGE_MAX && row->times != 0 && row->time <= head->time) \
    NEXT_ROW(RANGES, ranges, row->time - row_before->time <= head->time - head_before->time) \
    HEAD(PROCSTAT, procstat, head->begin <= head->end && head->hz - 1 < 1000 && head->user <= WIRE_TICKS_MAX && \
         head->nice <= WIRE_TICKS_MAX && head->system <= WIRE_TICKS_MAX && head->idle <= WIRE_TICKS_MAX && \
         head->iowait <= WIRE_TICKS_MAX && head->irq <= WIRE_TICKS_MAX && head->load1 <= WIRE_LOAD_MAX && \
         head->load5 <= WIRE_LOAD_MAX && head->load15 <= WIRE_LOAD_MAX) \
    ROW(PROCSTAT, procstat, row->nice <= wire_zigzag(-20) && row->user <= head->user + head->nice && \
        row->system <= head->system + head->irq) NEXT_HEAD(PROCSTAT, procstat, head->serial != head_before->serial) \
    NEXT_HEAD(PROCREADS, procreads, head->serial != head_before->serial) \
    ROW(PROCREADS, procreads, row->file < 3 && row->reads != 0 && row->reads <= WIRE_SUM_MAX && \
        row->time <= WIRE_SUM_MAX && row->bytes <= WIRE_SUM_MAX && row->least <= row->time / row->reads) \
    ROW(IDLETASK, idletask, row->task != 0 && row->begin <= row->end && row->calibrated != 0 && row->took != 0) \
    HEAD(CALL_STACKS, call_stacks, head->begin <= head->end) \
    ROW(CALL_STACKS, call_stacks, row->id <= UINT32_MAX && row->mode <= MODE_KERNEL && row->pcs.length % 8 == 0 && \
        row->pcs.length - 8 <= 8 * (CALL_STACK_DEPTH - 1) && row->unmasked <= head->end - head->begin && \
        row->masked <= head->end - head->begin && row->time <= head->end - head->begin && \
        (row->mode != MODE_USER || !(row->calls | row->ticks | row->time | row->unmasked | row->masked))) \
    HEAD(OUTPUT, output, head->bytes.length != 0) \
    HEAD(STACK_WALKS, stack_walks, head->callers != 0 && head->callers < CALL_STACK_DEPTH && \
         head->lost <= head->whole + head->cut + head->broken + head->absent) \
    HEAD(PERFCALL, perfcall, head->begin <= head->end && head->time == head->end - head->begin && \
         head->idle <= head->time && head->busy <= head->time - head->idle && \
         head->interrupt == head->time - head->idle - head->busy) \
    HEAD(SURVEY, survey, head->clock_hz - 1 < 1ull << 40 && head->begin <= head->end && \
         head->watched <= head->end - head->begin && head->stolen <= head->watched && \
         head->greatest <= head->stolen && (head->gaps != 0 || head->stolen == 0) && \
         (head->period == 0 || head->period_gaps > head->period_fits) && head->period_gaps <= head->gaps && \
         head->characters_least <= head->characters_most) \
    ROW(SURVEY, survey, is_gap_bucket(row->us) && row->count != 0 && row->count <= head->gaps && \
        row->time <= head->stolen) NEXT_ROW(SURVEY, survey, row->us > row_before->us) \
    HEAD(PROFIL, profil, head->bytes <= WIRE_PROFIL_BYTES && (head->stopped == 0 || head->scale == 0)) \
    NEXT_HEAD(PROFIL, profil, head->serial != head_before->serial) \
    ROW(PROFIL, profil, row->counter < head->bytes / 2 && row->count - 1 < UINT16_MAX) \
    NEXT_ROW(PROFIL, profil, row->counter > row_before->counter) \
    HEAD(PROCESS, process, head->program != 0 && head->state <= 2) ROW(PROCESS, process, row->count != 0) \
    ROW(SURVEY_CLOCKS, survey_clocks, row->shortest <= row->longest) \
    ROW(SURVEY_TIMES, survey_times, row->median <= row->most && row->most <= row->worst) \
    ROW(KNOWN_LOAD, known_load, row->part <= 2 && row->mode <= 3) \
    ROW(PROCTABLE, proctable, row->task != 0 && row->priority <= wire_zigzag(1) && row->state <= 2 && \
        row->flags <= 1 && row->user <= head->passes && row->system <= head->passes - row->user)

/* Records whose rows repeat; the others have a head only. */
#define WIRE_ROW_HELLO(N, T, B)
#define WIRE_ROW_SNAPSHOT(N, T, B)
#define WIRE_ROW_TEXT(N, T, B)
#define WIRE_ROW_FAULT(N, T, B)
#define WIRE_ROW_REPORT(N, T, B)
#define WIRE_ROW_END(N, T, B)
#define WIRE_ROW_SAMPLES(N, T, B)
#define WIRE_ROW_MASKED_SAMPLES(N, T, B)
#define WIRE_ROW_PACKED_SAMPLES(N, T, B)
#define WIRE_ROW_COMMAND(N, T, B)
#define WIRE_ROW_ANSWER(N, T, B)
#define WIRE_ROW_RECEIVED(N, T, B)
#define WIRE_ROW_EVENTS(N, T, B)
#define WIRE_ROW_PACKED_EVENTS(N, T, B)
#define WIRE_ROW_STATES(N, T, B)
#define WIRE_ROW_PACKED_STATES(N, T, B)
#define WIRE_ROW_IDLE(N, T, B)
#define WIRE_ROW_PERFCALL(N, T, B)
#define WIRE_ROW_STACK_WALKS(N, T, B)
#define WIRE_ROW_DISK(N, T, B)
#define WIRE_ROW_OUTPUT(N, T, B)
#define WIRE_ROW_CODE(N, T, B)
#define WIRE_ROW_DELTA(N, T, B)
#define WIRE_ROW_SENT(N, T, B)

enum wire_type {
#define WIRE_ID(NAME, name, id, keep, what) WIRE_##NAME = id,
    WIRE_RECORDS(WIRE_ID)
#undef WIRE_ID
};

/* Encode a signed number as an unsigned one: 0, -1, 1, -2, ... as 0, 1, 2, 3, ... */
static inline uint64_t wire_zigzag(int64_t n)
{
    return (uint64_t)n << 1 ^ (uint64_t)(n >> 63);
}
static inline int64_t wire_unzigzag(uint64_t n)
{
    return (int64_t)(n >> 1 ^ -(n & 1));
}

/* Text or bytes in a frame: without a final zero; points into the buffer that was decoded. */
struct wire_text {
    const char *bytes;
    size_t length;
};

/* The bytes of a field, for reading numbers from them. */
static inline struct leb128_bytes wire_bytes_of(struct wire_text text)
{
    const uint8_t *at = (const uint8_t *)text.bytes;

    return (struct leb128_bytes){at, at + text.length};
}

/* The records' structs: a member for each field, in the order of the list, without padding.  Some have no row. */
#define WIRE_MEMBER_N(name, ...) uint64_t name;
#define WIRE_MEMBER_T(name, ...) struct wire_text name;
#define WIRE_STRUCTS(NAME, name, id, keep, what)                                                 \
    __extension__ struct wire_##name { WIRE_HEAD_##NAME(WIRE_MEMBER_N, WIRE_MEMBER_T, WIRE_MEMBER_T) };    \
    __extension__ struct wire_##name##_row { WIRE_ROW_##NAME(WIRE_MEMBER_N, WIRE_MEMBER_T, WIRE_MEMBER_T) };
WIRE_RECORDS(WIRE_STRUCTS)
#undef WIRE_MEMBER_N
#undef WIRE_MEMBER_T
#undef WIRE_STRUCTS

/* A frame that is being written.  The caller owns it; nothing is allocated. */
struct wire_writer {
    size_t length;
    bool full; /* there was no room for a field: the frame must not be sent */
    uint8_t bytes[3 + WIRE_FIELDS_MAX + 4];
};

/* Begin a frame of this type; `head` is the record's head struct, NULL for all zeros. */
void wire_begin(struct wire_writer *w, enum wire_type type, const void *head);

/* Append one row; false, and the frame unchanged, if there is no room. */
bool wire_row(struct wire_writer *w, enum wire_type type, const void *row);

/*
 * End the frame: CRC, COBS and both zeros.  `out` has WIRE_FRAME_MAX bytes.
 * Returns the bytes written, 0 if the frame was full.
 */
size_t wire_end(struct wire_writer *w, uint16_t sequence, uint8_t *out);

/* A frame that is being read: the decoded bytes between type and CRC. */
struct wire_reader {
    enum wire_type type;
    uint16_t sequence;
    const uint8_t *at, *end;
};

/* The bytes between two zeros are an intact frame or are damaged. */
enum wire_verdict {
    WIRE_INTACT,
    WIRE_SHORT,    /* fewer than 7 bytes after decoding */
    WIRE_STUFFING, /* not COBS */
    WIRE_CHECKSUM, /* wrong CRC */
};

/* Open the `length` bytes between two zeros, decoding them in place. */
enum wire_verdict wire_open(struct wire_reader *r, uint8_t *bytes, size_t length);

/*
 * Read the head into the record's struct, or the next row into its row struct.
 * The HELLO of an older minor version lacks the last fields, and records with a number of their own lack that: they
 * are empty, or 0, then.
 * False if the fields are cut short or a number has more than 64 bits (damage that the
 * CRC did not detect, or a foreign sender).  For rows also false at the end of the
 * frame: wire_done() distinguishes the two.
 */
bool wire_read_head(struct wire_reader *r, void *head);
bool wire_read_row(struct wire_reader *r, void *row);
bool wire_done(const struct wire_reader *r);
