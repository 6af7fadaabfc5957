/* SPDX-License-Identifier: MIT */
/* Profiles from raw samples: the part of profile.c that reads raw samples. */
#pragma once

#include "tools/analysis/profile.h"

/* Fill the profile; its request, name and estimator are set already. */
void profile_from_samples(struct profile *p, const struct epoch *e);

/* The task with the most raw samples: for a run whose table did not arrive. */
bool profile_busiest_by_samples(const struct epoch *e, uint32_t *id);

/* Raw samples of a task (or ROW_ANY) in each mode, without late samples. */
void profile_modes_by_samples(const struct epoch *e, uint32_t task, uint64_t hits[MODES]);
