/* SPDX-License-Identifier: MIT */
/* The sections of the JSON of `cpuprobe stat` (docs/JSON.md), a file each.  What was not measured is null.  Host only. */
#pragma once

#include <jansson.h>

#include "tools/stat/stat_report.h"

/* A member of a snapshot that there may not be. */
#define NUMBER_OF(s, member) ((s) ? json_count((s)->member) : json_null())

/* stat_json_cells.c: `tasks` and `modes`. */
json_t *stat_json_rows(const struct stat_report *r);
json_t *stat_json_modes(const struct stat_report *r);

/* stat_json_run.c: `epoch`, `policy`, what was lost, the window, `damage`. */
json_t *stat_json_epoch(const struct stat_report *r);
json_t *stat_json_policy(const struct epoch *e);
void stat_json_put_losses(json_t *root, const struct stat_report *r);
void stat_json_put_window(json_t *root, const struct stat_report *r);
json_t *stat_json_damage(const struct stat_report *r);

/* stat_json_said.c: `faults`, `reports`, `texts`, `events`, `profil`. */
json_t *stat_json_faults(const struct epoch *e);
json_t *stat_json_reports(const struct epoch *e);
json_t *stat_json_texts(const struct epoch *e);
json_t *stat_json_events(const struct epoch *e);
json_t *stat_json_profils(const struct epoch *e);

/* stat_json_alias.c: `alias`; null: the two sources cannot be compared. */
json_t *stat_json_alias(const struct alias_compare *from);
