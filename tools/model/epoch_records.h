/* SPDX-License-Identifier: MIT */
/* Stores each record in its epoch. */
#pragma once

#include "tools/model/stream_model.h"

/* The head of a frame; all but those of HELLO and of commands begin with the epoch. */
union wire_head {
    uint64_t epoch;
    struct wire_hello hello;
    struct wire_names names;
    struct wire_snapshot snapshot;
    struct wire_cells cells;
    struct wire_exact exact;
    struct wire_text_record text;
    struct wire_fault fault;
    struct wire_report report;
    struct wire_end end;
    struct wire_programs programs;
    struct wire_region region;
    struct wire_lateness lateness;
    struct wire_delta delta;
    struct wire_health health;
    struct wire_samples samples;
    struct wire_places places;
    struct wire_masked_samples masked_samples;
    struct wire_transitions transitions;
    struct wire_logged logged;
    struct wire_received received;
    struct wire_events events;
    struct wire_event_keys event_keys;
    struct wire_event_counts event_counts;
    struct wire_idle idle;
    struct wire_disk disk;
    struct wire_intercept intercept;
    struct wire_acct acct;
    struct wire_calls calls;
    struct wire_rules rules;
    struct wire_ranges ranges;
    struct wire_states states;
    struct wire_call_stacks call_stacks;
    struct wire_stack_walks stack_walks;
    struct wire_procstat procstat;
    struct wire_idletask idletask;
    struct wire_perfcall perfcall;
    struct wire_proctable proctable;
    struct wire_profil profil;
    struct wire_procreads procreads;
    struct wire_process process;
    struct wire_code code;
    struct wire_output output;
    struct wire_survey survey;
};

struct frame {
    struct model *model;
    struct epoch *epoch;
    struct wire_reader reader; /* at the head of the record */
    struct wire_reader rows;   /* at the rows after the head */
    union wire_head head;
    size_t length; /* bytes on the line, zeros included */
};

/* The newest time that the image told. */
static inline void epoch_heard(struct epoch *e, uint64_t time)
{
    if (time > e->heard)
        e->heard = time;
}

/* Keep a frame of any record but END, COMMAND and ANSWER. */
void epoch_add_record(struct frame *f);

/* After the last frame: sort what came, and note violations. */
void epoch_finish(struct epoch *e);

void epoch_free(struct epoch *e);
