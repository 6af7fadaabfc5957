/* SPDX-License-Identifier: MIT */
/* Shell's sort with Ciura's gaps, continued: no memory besides the list, and some 10^5 steps for 4096 numbers. */
#include "probe/core/order_statistics.h"

void order_sort(uint64_t *list, size_t count)
{
    static const uint16_t gaps[] = { 1750, 701, 301, 132, 57, 23, 10, 4, 1 };

    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (size_t i = gaps[g]; i < count; i++) {
            const uint64_t one = list[i];
            size_t j = i;

            for (; j >= gaps[g] && list[j - gaps[g]] > one; j -= gaps[g])
                list[j] = list[j - gaps[g]];
            list[j] = one;
        }
}

struct order_statistics order_statistics_of(uint64_t *list, size_t count)
{
    if (count == 0)
        return (struct order_statistics){ 0, 0, 0, 0 };
    order_sort(list, count);
    return (struct order_statistics){
        .count = count, .median = list[(count - 1) / 2], .most = list[count - 1 - count / 1000],
        .worst = list[count - 1],
    };
}
