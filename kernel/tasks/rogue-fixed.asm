; SPDX-License-Identifier: MIT
;
; ROGUE repaired: dbwrit is called as often as its work needs, once a period.

%define REPAIRED
%include "kernel/tasks/rogue.asm"
