/* SPDX-License-Identifier: MIT */
/* Sums how long a run was in each class of states that the image recorded (monitor=states), as JSON. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/report/report_run.h"

/* The list in the order of their letters; NULL where it recorded none.  Host only. */
json_t *report_classes_json(const struct report_run *run);
extern const struct report_object report_class_object;
