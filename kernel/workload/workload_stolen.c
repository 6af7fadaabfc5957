/* SPDX-License-Identifier: MIT */
/*
 * Loads in which time is lost to no task: interrupts stay off, or SMIs take it; and the survey, which looks for
 * such time.
 */
#include "kernel/survey/survey_task.h"
#include "kernel/workload/workload.h"

/*
 * A task that spends a tenth of the time with interrupts off, and another task beside
 * it.  They test row MASKED and the count of missed ticks.
 */
WORKLOAD(workload_masked, "masked", "a task that keeps interrupts off",
         { .name = "MASKER", .program = "masker", .user = 200000, .kernel = 100000,
           .grants = GRANTS_PACE | GRANT_CALL(SYS_MASK) },
         WORKER("NEXT", 100000, 0, 300000));

/* A task that raises SMIs, and another task beside it.  They test row STOLEN. */
WORKLOAD(workload_smi, "smi", "a task that raises SMIs of 150 us",
         { .name = "RAISER", .program = "raiser", .user = 200000, .kernel = 100000, .argument = 150000,
           .smi = true, .grants = GRANTS_CLOCK | GRANTS_PACE | GRANTS_REPORT | GRANT_CALL(SYS_SMI) },
         WORKER("NEXT", 100000, 0, 300000));

/* The survey of the machine (kernel/survey/), and the same with SMIs that it must find. */
#define NOTE "MASKED is the survey's own loop: it looks for stolen time with interrupts off"

WORKLOAD(workload_survey, "survey", "what kind of machine this is for time",
         { .name = "SURVEY", .entry = survey_run, .prepare = survey_prepare, .tell = survey_tell, .note = NOTE });
WORKLOAD(workload_survey_smi, "survey-smi", "the same, while SMIs are raised",
         { .name = "SURVEY", .entry = survey_run, .prepare = survey_prepare_smi, .tell = survey_tell, .note = NOTE });
