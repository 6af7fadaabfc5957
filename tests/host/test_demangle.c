/* SPDX-License-Identifier: MIT */
/*
 * Encoded names: C++ against c++filt, Rust by its rules, names that are none,
 * and names that stand for more than any memory holds.
 */
#include "tests/host/shell.h"
#include "tools/symbols/demangle.h"

static void check(const char *name, const char *want)
{
    char *text = demangle(name);

    if (want)
        assert_string_equal(text ? text : "not encoded", want);
    else
        assert_null(text);
    free(text);
}

static void test_cpp(void **state)
{
    (void)state;
    check("_ZN3foo3barEv", "foo::bar()");
    check("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size() const");
    check("_ZplRK5pointS1_", "operator+(point const&, point const&)");
    check("_ZN3foo3barEv.cold", "foo::bar() [clone .cold]");
    check("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const");
}

static void test_rust(void **state)
{
    (void)state;
    check("_ZN4core3fmt9Formatter3new17h0123456789abcdefE", "core::fmt::Formatter::new");
    check("_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
          "<alloc::string::String as core::fmt::Debug>::fmt");
    check("_RNvCs1234_7mycrate3foo", "mycrate::foo");
    check("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>");
}

static void test_plain(void **state)
{
    static const char *const names[] = {
        "", "_", "_Z", "_R", "main", "re|sp", "c$mul", "_start", "_Zzz", "_Rust", "__ZN3foo3barEv",
        "_ZN3fooE3", "_ZN99999999999999999999fooE", "search.constprop.0", "i", "_RNv", "_ZN",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        check(names[i], NULL);
}

/* Each prefix, and each byte spoiled: whatever comes out, nothing breaks. */
static void test_damaged(void **state)
{
    static const char *const whole[] = {
        "_ZNKSt6vectorIiSaIiEE4sizeEv", "_ZZ4mainENKUliE_clEi",
        "_RINvNtC3std3mem8align_ofdE",  "_ZN4core3fmt9Formatter3new17h0123456789abcdefE",
    };
    char name[100];

    (void)state;
    for (size_t k = 0; k < sizeof(whole) / sizeof(whole[0]); k++)
        for (size_t i = 0; i < strlen(whole[k]); i++)
            for (unsigned spoil = 0; spoil < 256; spoil++) {
                strcpy(name, whole[k]);
                name[i] = (char)spoil;
                free(demangle(name));
            }
}

/* pair<S0, S0> of pair<S1, S1> of ...: each level doubles what is printed. */
static void make_bomb(char *name, size_t size, unsigned levels)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = (size_t)snprintf(name, size, "_Z1fSt4pairIiiE");

    for (unsigned i = 0; i < levels; i++) {
        char last[8] = "S0_"; /* S_ is std::pair itself */

        if (i)
            snprintf(last, sizeof(last), "S%c_", digits[i]);
        length += (size_t)snprintf(name + length, size - length, "S_I%s%sE", last, last);
    }
}

static void test_bomb(void **state)
{
    static char name[100000];
    char *small;

    (void)state;
    make_bomb(name, sizeof(name), 6);
    small = demangle(name);
    assert_non_null(small);
    assert_true(strlen(small) > 1000); /* the bomb is one */
    free(small);
    make_bomb(name, sizeof(name), 33);
    check(name, NULL);
    memset(name, 'P', 50000);
    memcpy(name, "_Z1f", 4);
    check(name, NULL);
    name[10000] = '\0';
    free(demangle(name));
}

/* What g++ names its functions, as c++filt reads them. */
static void test_oracle(void **state)
{
    static const char source[] = "#include <map>\n#include <string>\n"
                                 "namespace a { template <class T> struct s { T f(T x) const; };\n"
                                 "template <class T> T s<T>::f(T x) const { return x; }\n"
                                 "template struct s<std::map<std::string, int>>; }\n"
                                 "int g(std::map<std::string, int> &m) { return m[\"x\"]; }\n";
    char line[20000], shown[20000];
    unsigned count = 0;
    FILE *names, *want;

    (void)state;
    shell_write("o.cpp", source);
    shell("g++ -c o.cpp -o o.o && nm -j o.o | grep ^_Z >names && c++filt <names >want");
    names = fopen(shell_path("names"), "r");
    want = fopen(shell_path("want"), "r");
    while (fgets(line, sizeof(line), names) && fgets(shown, sizeof(shown), want)) {
        line[strcspn(line, "\n")] = '\0';
        shown[strcspn(shown, "\n")] = '\0';
        check(line, shown);
        count++;
    }
    assert_true(count > 20);
    fclose(names);
    fclose(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpp),     cmocka_unit_test(test_rust), cmocka_unit_test(test_plain),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_bomb), cmocka_unit_test(test_oracle),
    };
    return cmocka_run_group_tests(tests, shell_begin, shell_end);
}
