-- SPDX-License-Identifier: MIT
-- How many ways there are to put eight queens on a board.
local function place(row, columns, up, down)
    if row > 8 then return 1 end
    local ways = 0
    for column = 1, 8 do
        local a, b = row + column, row - column
        if not columns[column] and not up[a] and not down[b] then
            columns[column], up[a], down[b] = true, true, true
            ways = ways + place(row + 1, columns, up, down)
            columns[column], up[a], down[b] = nil, nil, nil
        end
    end
    return ways
end
print(string.format("%d ways", place(1, {}, {}, {})))
