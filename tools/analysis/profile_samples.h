/* SPDX-License-Identifier: MIT */
/* Profiles from raw samples: the part of profile.c that reads raw samples. */
#pragma once

#include "tools/analysis/profile.h"

/* Fill the profile; its request, name and estimator are set already. */
void profile_from_samples(struct profile *p, const struct epoch *e);

/* The atom of a place, -1: it has none.  Of a profile from raw samples. */
int32_t profile_atom_of(const struct profile *p, const struct sample_place *place);

/* The task with the most raw samples: for a run whose table did not arrive. */
bool profile_busiest_by_samples(const struct epoch *e, uint32_t *id);

/* Raw samples of a task (or ROW_ANY) in each mode, without late samples. */
void profile_modes_by_samples(const struct epoch *e, uint32_t task, uint64_t hits[MODES]);

/* The row of the table that a sample at this place is in: its task, or MASKED or STOLEN if it was late. */
uint32_t profile_row_of(const struct sample_place *place);

/* The task whose program is at a place, by row id; ROW_ANY: the image is. */
uint32_t profile_code_of(const struct sample_place *place);

/* The estimator of shares of an epoch's raw samples, which may be thinned. */
struct estimator profile_samples_estimator(const struct epoch *e);
