/* SPDX-License-Identifier: MIT */
/* Whether a change of the configuration can be had, and the plan for it. */
#include "kernel/tick/reconfigure.h"

#include "kernel/lib/run_state.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/trace_control.h"
#include "probe/command/command.h"
#include "probe/config/config_table.h"

/* What the tasks, their memory and the line stand on. */
static const enum config_key fixed[] = {
    CONFIG_CLOCK, CONFIG_SCHED, CONFIG_ACCOUNT, CONFIG_TASKS, CONFIG_STDIN, CONFIG_IDENTITY, CONFIG_SERIAL,
    CONFIG_SLU, CONFIG_HEALTH, CONFIG_WATCHDOG, CONFIG_SHELL,
};

/* Whether nothing of this is settled for the whole run. */
static bool can_change_to(const struct config *wanted, struct refusal *why)
{
    if (wanted->second_tick != TICK_AUTO || run_config()->second_tick != TICK_AUTO)
        return REFUSE(why, "two sources side by side tick for the whole run");
    for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (!config_same(wanted, run_config(), fixed[i]))
            return REFUSE_WITH(why, "%1= cannot change while the image runs",
                               REFUSAL_STRING(config_table[fixed[i]].key));
    if ((wanted->tick == TICK_NONE) == tick_facts.ticks)
        return REFUSE(why, "with tick=none no tick can be had, nor given up, while the image runs");
    return true;
}

static bool make_plan(struct tick_plan *a, struct refusal *why)
{
    /* Another source has a rate of its own where none is asked for; the one in force stays as it is. */
    if (!config_given(&a->config, CONFIG_TICK))
        a->config.given |= config_bit(CONFIG_RATE);
    if (!config_given(&a->config, CONFIG_INTERVAL)) /* a source may have had it fixed */
        a->config.interval = tick_plan_interval_asked();
    return tick_plan_make(a, why) && monitors_resolve_tasks(&a->monitors, &a->config, why) &&
           trace_control_resolve(&a->config, why) && trace_control_plan(&a->config, why);
}

bool reconfigure_check(struct reconfiguration *r, const struct config *wanted, uint64_t seed, struct refusal *why)
{
    if (!config_check(wanted, why) || !can_change_to(wanted, why))
        return false;
    r->plan.config = *wanted;
    r->plan.seed = seed;
    r->seconds = config_given(wanted, CONFIG_SECONDS);
    return make_plan(&r->plan, why);
}

bool reconfigure_to(struct reconfiguration *r, const struct config *wanted, struct refusal *why)
{
    if (config_equal(wanted, run_config()))
        return REFUSE(why, COMMAND_IN_FORCE);
    return reconfigure_check(r, wanted, wanted->seed != 0 ? wanted->seed : sampler_seed(), why);
}

uint64_t reconfigure_next_seed(void)
{
    return sampler_seed() % INT64_MAX + 1;
}

void reconfigure_apply(const struct reconfiguration *r)
{
    tick_plan_apply(&r->plan);
}
