/* SPDX-License-Identifier: MIT */
/* The survey of the machine (kernel/survey/), and the same with SMIs that it must find. */
#include "kernel/survey/survey_task.h"
#include "kernel/workload/workload.h"

#define NOTE "MASKED is the survey's own loop: it looks for stolen time with interrupts off"

static const struct workload_task alone[] = {
    { .name = "SURVEY", .entry = survey_run, .prepare = survey_prepare, .tell = survey_tell, .note = NOTE },
};

WORKLOAD(workload_survey, "survey", "what kind of machine this is for time", alone);

static const struct workload_task disturbed[] = {
    { .name = "SURVEY", .entry = survey_run, .prepare = survey_prepare_smi, .tell = survey_tell, .note = NOTE },
};

WORKLOAD(workload_survey_smi, "survey-smi", "the same, while SMIs are raised", disturbed);
