/* SPDX-License-Identifier: MIT */
/* Lua as a program of its own: runs the script that its first argument names. */
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    lua_State *const l = luaL_newstate();

    if (argc < 2 || l == NULL)
        return 2;
    luaL_openlibs(l);
    if (luaL_dofile(l, argv[1])) {
        fprintf(stderr, "%s\n", lua_tostring(l, -1));
        return 1;
    }
    lua_close(l);
    return 0;
}
