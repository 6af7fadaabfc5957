/* SPDX-License-Identifier: MIT */
/* Throws through frames that have something to destroy, and catches by type. */
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

static int destroyed;

struct counted {
    ~counted() { destroyed++; }
};

static int divide(int a, int b)
{
    counted here;

    if (b == 0)
        throw std::invalid_argument("divided " + std::to_string(a) + " by 0");
    return a / b;
}

int main()
{
    std::vector<std::string> said;
    int sum = 0;

    for (int i = 0; i < 3000; i++) {
        try {
            sum += divide(i, i % 3);
        } catch (const std::exception &e) {
            said.push_back(e.what());
        }
    }
    std::cout << sum << ' ' << said.size() << ' ' << destroyed << ' ' << said.back() << std::endl;
    return 0;
}
