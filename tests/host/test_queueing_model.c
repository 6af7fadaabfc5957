/* SPDX-License-Identifier: MIT */
/* Mean value analysis against networks that are solved by hand, and against what any solution must fulfil. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/near.h"
#include "tools/analysis/queueing_model.h"

#define VISIT(time) {.visits = 1.0, .service = (time), .residual = (time)}

static const enum queueing_discipline both[] = {QUEUEING_SHARED, QUEUEING_FIFO};

static struct queueing_model model_of(unsigned stations, enum queueing_discipline all,
                                      const struct queueing_class *class, size_t classes)
{
    struct queueing_model m = {.stations = stations, .classes = classes, .class = class};

    for (unsigned s = 0; s < stations; s++)
        m.discipline[s] = all;
    return m;
}

/*
 * The interactive system of Lazowska, Zahorjan, Graham, Sevcik, "Quantitative System Performance" (1984), 6.4:
 * demands 0.605, 2.1, 1.35 s, think time 15 s, 3 users.  By hand:
 *     N = 1: response 4.055, throughput 1/19.055, queues 0.03175 0.11021 0.07085
 *     N = 2: 0.62421 + 2.33144 + 1.44565 = 4.40129, 2/19.40129, queues 0.064347 0.240339 0.149026
 *     N = 3: 0.643930 + 2.604712 + 1.551185 = 4.799827, 3/19.799827 = 0.151516
 */
static void one_class(void **state)
{
    const struct queueing_class class = {.population = 3, .think = 15.0,
                                         .at = {VISIT(0.605), VISIT(2.1), VISIT(1.35)}};
    struct queueing_result r;
    bool exact;

    (void)state;
    for (unsigned i = 0; i < 2; i++) { /* with exponential services both disciplines give the same */
        const struct queueing_model m = model_of(3, both[i], &class, 1);

        assert_true(queueing_solve(&m, &r, &exact));
        assert_true(exact);
        check_near(r.response, 4.799827, 1e-5);
        check_near(r.throughput, 0.151516, 1e-6);
        check_near(r.time[1], 2.604712, 1e-5);
        check_near(r.queue[1], 0.151516 * 2.604712, 1e-5);
    }
}

/*
 * The same book's example of two classes, 7.4: demands 1 and 3 of A, 2 and 4 of B, one customer each.  Alone A has
 * the queues 1/4 and 3/4, B 1/3 and 2/3; together A responds in 1 * 4/3 + 3 * 5/3 = 19/3,
 * B in 2 * 5/4 + 4 * 7/4 = 19/2.
 */
static void two_classes(void **state)
{
    const struct queueing_class class[] = {
        {.population = 1, .at = {VISIT(1.0), VISIT(3.0)}},
        {.population = 1, .at = {VISIT(2.0), VISIT(4.0)}},
    };
    const struct queueing_model m = model_of(2, QUEUEING_SHARED, class, 2);
    struct queueing_result r[2];
    bool exact;

    (void)state;
    assert_true(queueing_solve(&m, r, &exact));
    check_near(r[0].response, 19.0 / 3.0, 1e-12);
    check_near(r[1].response, 19.0 / 2.0, 1e-12);
    check_near(r[0].throughput, 3.0 / 19.0, 1e-12);
    check_near(r[1].throughput, 2.0 / 19.0, 1e-12);
}

/* N customers at M stations of equal demands D: N / (D (N + M - 1)) cycles in a unit of time. */
static void balanced(void **state)
{
    (void)state;
    for (unsigned n = 1; n < 40; n++) {
        const struct queueing_class class = {.population = n, .at = {VISIT(0.5), VISIT(0.5), VISIT(0.5), VISIT(0.5)}};
        const struct queueing_model m = model_of(4, QUEUEING_SHARED, &class, 1);
        struct queueing_result r;
        bool exact;

        assert_true(queueing_solve(&m, &r, &exact));
        check_near(r.throughput, n / (0.5 * (n + 3.0)), 1e-12);
    }
}

/*
 * Two customers, a shared station and one in order of arrival whose services all take 1: half of one is left when
 * another arrives at any moment, 3/4 where the station is in use half the time.  Alone: 1 + 1, queue and use 1/2
 * each; together 1 * 1.5 and 1 + (1/2 - 1/2) * 1 + 1/2 * 3/4 = 1.375.  Then two visits of half the service: each of
 * them waits.  Then the second station alone: it is always in use,
 * and each customer waits for the whole service of the other.
 */
static void residual_service(void **state)
{
    struct queueing_class class = {.population = 2,
                                   .at = {VISIT(1.0), {.visits = 1.0, .service = 1.0, .residual = 0.5}}};
    struct queueing_model m = {.stations = 2, .discipline = {QUEUEING_SHARED, QUEUEING_FIFO}, .classes = 1,
                               .class = &class};
    struct queueing_result r;
    bool exact;

    (void)state;
    assert_true(queueing_solve(&m, &r, &exact));
    check_near(r.time[0], 1.5, 1e-12);
    check_near(r.time[1], 1.375, 1e-12);
    class.at[1] = (struct queueing_demand){.visits = 2.0, .service = 0.5, .residual = 0.25};
    assert_true(queueing_solve(&m, &r, &exact));
    check_near(r.time[1], 2.0 * (0.5 + 0.5 * 0.375), 1e-12);
    class.at[0] = (struct queueing_demand){0};
    assert_true(queueing_solve(&m, &r, &exact));
    check_near(r.throughput, 1.0, 1e-12);
}

/* What goes through a station that is asked for more than it can do is what it can do. */
static void bounds(void **state)
{
    struct queueing_class class[20];
    struct queueing_model m = {.stations = 2, .discipline = {QUEUEING_SHARED, QUEUEING_FIFO}, .classes = 20,
                               .class = class};
    const struct queueing_class same = {.population = 20, .think = 0.5, .at = {VISIT(0.01), VISIT(0.02)}};
    const struct queueing_model one = {.stations = 2, .discipline = {QUEUEING_SHARED, QUEUEING_FIFO}, .classes = 1,
                                       .class = &same};
    struct queueing_result r[20], truth;
    double throughput = 0.0;
    bool exact;

    (void)state;
    for (unsigned k = 0; k < 20; k++) {
        class[k] = same;
        class[k].population = 1;
    }
    assert_true(queueing_solve(&one, &truth, &exact));
    assert_true(exact);
    assert_true(queueing_solve(&m, r, &exact)); /* 2^20 combinations: too many */
    assert_false(exact);
    for (unsigned k = 0; k < 20; k++) {
        throughput += r[k].throughput;
        check_near(r[k].throughput * (0.5 + r[k].response), 1.0, 1e-9); /* Little's law */
        check_near(r[k].queue[1], r[k].throughput * r[k].time[1], 1e-12);
    }
    check_near(throughput, truth.throughput, 0.05 * truth.throughput);
    assert_true(truth.throughput * 0.02 <= 1.0 + 1e-9 && throughput * 0.02 <= 1.0 + 1e-9);
}

static void refused(void **state)
{
    const struct queueing_class wrong[] = {
        {.population = 0, .at = {VISIT(1.0)}},
        {.population = 1, .think = 1.0},
        {.population = 1, .think = -1.0, .at = {VISIT(1.0)}},
        {.population = 1, .at = {VISIT(NAN)}},
        {.population = 1, .at = {VISIT(-1.0)}},
        {.population = 1, .think = INFINITY, .at = {VISIT(1.0)}},
    };
    struct queueing_result r;
    bool exact;

    (void)state;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const struct queueing_model m = model_of(1, QUEUEING_SHARED, &wrong[i], 1);

        assert_false(queueing_solve(&m, &r, &exact));
    }
    assert_false(queueing_solve(&(struct queueing_model){.stations = 1}, &r, &exact));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_class),  cmocka_unit_test(two_classes), cmocka_unit_test(balanced),
        cmocka_unit_test(residual_service), cmocka_unit_test(bounds), cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
