# SPDX-License-Identifier: MIT
# Builds the image, the host tool and the tests: sources by wildcard, a folder a list, everything made under build/.

# make and the shell take such a path apart.
ifneq ($(shell pwd | LC_ALL=C grep -c '[][[:space:]"$$&;|<>()*?\`#!=:{}'"'"']'),0)
$(error The path of this folder has a blank, a quote or another of the characters \
    $$ & ; | < > ( ) * ? \ ` # ! = : [ ] { } in it, with which nothing can be built: move the folder)
endif

CC       = gcc
# The image's own compiler: its tick counts on what GCC's options do (flatten, no shrink-wrapping,
# link-time optimization).
IMAGE_CC = gcc
ifneq ($(findstring clang,$(notdir $(IMAGE_CC))),)
$(error The image is built by GCC: leave IMAGE_CC alone, CC=clang builds what runs on the host)
endif
NASM    = nasm
OBJCOPY = objcopy
EFI_LIB = /usr/lib
EFI_INC = /usr/include/efi

# What install and build targets run by themselves: every processor, unless -j says otherwise
BUILD        = tools/build/progress $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

PREFIX       = /usr/local
DESTDIR      =

WARN         = -std=c11 -g -Wall -Wextra -Werror $(if $(findstring clang,$(CC)),-Wno-missing-field-initializers)
# One answer from every checkout: no path of this machine may reach a build id.
HERE         = -ffile-prefix-map=$(CURDIR)=.
DEPS         = -MMD -MP
comma        = ,
# NASM 2.16 leaves included files out of what -MD writes beside the object; -M, which writes nothing else, has them.
NASM_DEPS    = $(NASM) -I. -M -MP -MT $@ -MF
FREESTANDING = $(WARN) -O2 -I. $(HERE) -ffreestanding -fno-stack-protector -fcf-protection=none
CORE_FLAGS   = $(FREESTANDING) -fno-pic -fno-pie -mno-red-zone -mcmodel=kernel -fno-asynchronous-unwind-tables \
               -flto=auto \
               -frandom-seed=$@ -fno-align-loops -fno-align-jumps -flto-partition=one
# Each function makes a frame at once, and a call that ends one is a call: stack= tells callers by frame pointers.
TASK_FRAMES  = -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-shrink-wrap -fno-optimize-sibling-calls
TASK_FLAGS   = $(FREESTANDING) -fno-pic -fno-pie -fno-asynchronous-unwind-tables -mgeneral-regs-only $(TASK_FRAMES)
EFI_FLAGS    = $(FREESTANDING) -fpic -fshort-wchar -mno-red-zone -mgeneral-regs-only -maccumulate-outgoing-args \
               -DGNU_EFI_USE_MS_ABI -isystem $(EFI_INC) -isystem $(EFI_INC)/x86_64
# A BIOS starts us on any processor; drivers/io.h knows addresses of 64 bits.
DISK_FLAGS   = $(FREESTANDING) -Os -m32 -march=i486 -mgeneral-regs-only -fno-pic -fno-pie \
               -fno-asynchronous-unwind-tables \
               -fno-tree-loop-distribute-patterns
HOST_FLAGS   = $(WARN) -O2 -I. -D_GNU_SOURCE
# What is packed: its build id is made of debug information too, in which the folder would stand.  Of that it has
# functions and lines; variables, a seventh of the compiler's time, has build/host/cpuprobe.
PACKED       = -fdebug-prefix-map=$(CURDIR)=. -g1
HOST_LIBS    = -lmicrohttpd -ljansson -lz -lpcre2-8 -ldw -lelf -lcapstone -liberty -lncursesw -lm
# The same as archives, with what those need; one has none (tools/serve/no_http_server.c).
STATIC_LIBS  = -Wl,--start-group $(filter-out -lmicrohttpd,$(HOST_LIBS)) -ltinfo -lbz2 -llzma -lzstd -Wl,--end-group
SAN_FLAGS    = $(HOST_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# libFuzzer is clang's; another compiler's warnings are no errors here.
SECONDS      = 60
FUZZ_CC      = clang
FUZZ_FLAGS   = $(filter-out -Werror,$(HOST_FLAGS)) -O1 -fsanitize=address,undefined,float-cast-overflow \
               -fno-sanitize-recover=all \
               -fno-omit-frame-pointer

# Interrupt context saves no vector register: of the core, who may use them says so by this line (tests/portable.sh).
USES_VECTORS = /* Uses vector registers: task context only. */
VECTOR_C := $(shell grep -rlxF --include='*.c' '$(USES_VECTORS)' kernel probe)

# Ticks that save only the registers that they change: those that a C function may change, but rax, rdx, rsi and rdi
STRAIGHT_C = $(wildcard kernel/source/straight/*.c)

# A port is compiled as one file, with the sizes and the search of a port (amalgamation).
PROBE_C  = $(filter-out probe/port/%,$(wildcard probe/*/*.c))
# What doors that read file systems share, and the core does without
FILES_C  = boot/config.c boot/task_files.c
CORE_C   = $(filter-out $(FILES_C) kernel/trap/asm_offsets.c kernel/tasks/%,$(wildcard boot/*.c kernel/*.c \
           kernel/*/*.c drivers/*.c uart/*.c) $(PROBE_C) $(STRAIGHT_C))
CORE_ASM = $(filter-out boot/rom.asm kernel/tasks/%,$(wildcard boot/*.asm kernel/*/*.asm drivers/*.asm))
CORE_OBJ = $(CORE_C:%.c=build/kernel/%.o) $(CORE_ASM:%.asm=build/kernel/%.asm.o)

UNCURED_C   = $(wildcard drivers/*.c uart/*.c) kernel/firmware/hw_takeover.c kernel/cpu/control_registers.c \
              kernel/source/source_pit.c kernel/source/source_hpet.c kernel/source/source_lapic.c $(STRAIGHT_C) \
              kernel/sched/clock_lapic.c kernel/tick/handler_cost.c tests/qemu/uncured.c
NESTED_C    = kernel/source/nmi.c $(STRAIGHT_C)
NESTED_OBJ  = $(NESTED_C:%.c=build/nested/%.o) $(filter-out $(NESTED_C:%.c=build/kernel/%.o),$(CORE_OBJ))
STRUCK_C    = kernel/source/source_pit.c kernel/source/source_lapic.c $(STRAIGHT_C)
DISTURBED_OBJ = build/struck/kernel/measure/one_shot.o \
                $(filter-out build/kernel/kernel/measure/one_shot.o,$(CORE_OBJ))
OTHER_LAPIC = $(filter-out build/kernel/drivers/lapic.o,$(CORE_OBJ))
STRUCK_OBJ  = $(STRUCK_C:%.c=build/struck/%.o) $(filter-out $(STRUCK_C:%.c=build/kernel/%.o),$(CORE_OBJ))
UNCURED_OBJ = $(UNCURED_C:%.c=build/uncured/%.o) $(filter-out $(UNCURED_C:%.c=build/kernel/%.o),$(CORE_OBJ))

# A program is one source file; NAME.ld links it otherwise than program.ld does,
# NAME.syms renames symbols of its object.
TASK_DIRS  = kernel/tasks kernel/tasks/hostile
vpath %.c    $(TASK_DIRS) kernel/tasks/runtime
vpath %.asm  $(TASK_DIRS) kernel/tasks/runtime
TASK_C     = $(notdir $(wildcard $(TASK_DIRS:=/*.c)))
# Programs that there are a second time, NAME-traced, with calls and times by function (-finstrument-functions).
TRACED     = nested
TASK_ASM   = $(notdir $(wildcard $(TASK_DIRS:=/*.asm)))
TASKS      = $(sort $(TASK_C:.c=) $(TASK_ASM:.asm=) $(TRACED:=-traced))
TASK_ELF   = $(TASKS:%=build/tasks/%.elf)
TASK_BARE  = $(TASK_ELF:.elf=.stripped.elf)
TASK_OWN   = $(patsubst kernel/tasks/%.ld,build/tasks/%.elf,$(wildcard kernel/tasks/*.ld))
TASK_FIXED = build/tasks/rogue-fixed.elf
TASK_NAMED = $(patsubst kernel/tasks/%.syms,build/tasks/%.asm.o,$(wildcard kernel/tasks/*.syms))

EFI_C     = $(wildcard boot/uefi/*.c) $(FILES_C) boot/memory_map.c uart/uart16550.c
EFI_OBJ   = $(EFI_C:%.c=build/efi/%.o) build/efi/boot/uefi/core.asm.o
DISK_C    = $(wildcard boot/disk/*.c) $(FILES_C) uart/uart16550.c
DISK_OBJ  = build/disk/boot/disk/start.asm.o $(DISK_C:%.c=build/disk/%.o)

STATIC_C  = tools/serve/no_http_server.c tools/symbols/search_trees.c
TOOL_C    = $(filter-out tools/emulator/% tools/hwmon/% tools/viewer/% $(STATIC_C),$(wildcard tools/*/*.c))
HWMON_C   = $(wildcard tools/hwmon/*.c)
SHARED_C  = $(PROBE_C) $(filter-out tools/cmd/main.c,$(TOOL_C)) $(filter-out tools/hwmon/plugin.c,$(HWMON_C)) \
            $(FILES_C) boot/disk/fat16.c
TOOL_OBJ  = $(patsubst %.c,build/host/plain/%.o,$(PROBE_C) $(TOOL_C))
STATIC_OBJ = $(filter-out %/http_server.o %/http_clients.o,$(TOOL_OBJ)) $(STATIC_C:%.c=build/host/plain/%.o)
PLAIN_OBJ = $(SHARED_C:%.c=build/host/plain/%.o)
SAN_OBJ   = $(SHARED_C:%.c=build/host/san/%.o)
UNIT_C    = $(wildcard tests/host/test_*.c)
UNITS     = $(UNIT_C:tests/host/%.c=build/host/%)
FUZZERS   = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_OBJ  = $(patsubst %.c,build/fuzz/%.o,$(PROBE_C) $(filter-out tools/cmd/main.c,$(TOOL_C)))
REPLAYS   = $(FUZZERS:%=build/host/fuzz_%)
HELPERS   = $(patsubst tests/host/%.c,build/host/%,$(wildcard tests/host/simulate.c tests/host/simulate_alias.c \
            tests/host/simulate_few.c tests/host/simulate_masked.c tests/host/simulate_thinned.c \
            tests/host/design_effect.c tests/host/lost_records.c tests/host/replay.c tests/host/retrace.c \
            tests/host/make_dump.c tests/host/make_large.c tests/host/make_events.c tests/host/bench_events.c \
            tests/host/bench_samples.c tests/host/bench_symbols.c tests/host/text_of_dump.c tests/host/sum_events.c \
            tests/host/sum_states.c))
# The page that needs no installation: of the host tool what reads a stream and makes its report, in whole rooms.
# What WASI has nothing for is left out, and its like is in tools/viewer/.
VIEWER_ROOMS = analysis base json model records report samples stat stream symbols talk timeline viewer viewer/wasi
VIEWER_OUT = $(addprefix tools/,$(addsuffix .c,base/interrupt base/output_file base/own_file base/pager \
             base/temporary stream/line_rate stream/port stream/stream_file symbols/demangle symbols/disassembly \
             symbols/dwarf_file symbols/line_table symbols/search_trees))
VIEWER_OF = $(addprefix tools/,$(addsuffix .c,archive/stream_preface cmd/cmd_report cmd/cmd_stat cmd/root draw/svg \
            export/stack_names export/stacks live/live_code live/live_link live/live_run live/live_table \
            live/live_view serve/line_data serve/line_history serve/line_watch input/class_tree_input \
            trace/class_sequence trace/time_grid trace/waits view/callers_view view/histogram_view \
            view/procstat_json view/profile_json view/zoom_view))
VIEWER_C  = $(filter-out $(VIEWER_OUT),$(foreach room,$(VIEWER_ROOMS),$(wildcard tools/$(room)/*.c))) $(VIEWER_OF) \
            $(PROBE_C)
VIEWER_OBJ = $(VIEWER_C:%.c=build/viewer/%.o)
VIEWER_CALLS = run live_begin live_turn live_changed live_page live_key live_tell
WASM_CC   = clang --target=wasm32-wasi --sysroot=/usr
# -Oz: smaller than by -O2, and as fast.  -nostdlibinc: in /usr/include is the C library of the system.
WASM_FLAGS = -std=c11 -Wall -Wextra -Wno-missing-field-initializers -Oz -nostdlibinc -I tools/viewer/wasi \
             -isystem /usr/include/wasm32-wasi -I. -D_GNU_SOURCE -D_WASI_EMULATED_SIGNAL $(HERE)
WASM_STACK = 1048576
BARE      = $(patsubst tests/qemu/%.asm,build/qemu/%.bin,$(wildcard tests/qemu/*.asm))
PLUGINS   = $(patsubst tests/qemu/count/%.c,build/qemu/%.so,$(wildcard tests/qemu/count/*.c))
# What tools/boot needs of ours besides an image
EMULATOR  = build/hlt_sync.so build/supervise
# What its --hwmon needs, which is built with the host tool and its libraries
HWMON     = build/hwmon.so build/hwmon.words

.PHONY: survey units amalgamation install uninstall deb release static viewer all run shell iso check check-long \
    check-clients check-debian13 coverage bench papers schemas example pictures lint fuzz host image efi rom disk \
    linux tests deps clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: image efi rom build/cpuprobe.img linux host ## the image for each door, and the host tool (default)

run: ## install what is missing, build, sample the paper's system, print the table
	@tools/setup build run
	@+$(BUILD) image build/cpuprobe
	@tools/build/run-figure3

survey: ## install what is missing, build, tell what kind of machine this is for time: here that of QEMU
	@tools/setup build run
	@+$(BUILD) image
	@tools/boot --shift 3 --timeout 300 -- tasks=survey seconds=20 seed=1

shell: ## install what is missing, build, open the shell of a running image; Ctrl-] leaves
	@tools/setup build run
	@+$(BUILD) image
	@tools/shell

check: ## install what is missing, build, run the tests; TEST=name runs one
	@tools/setup build run check
	-@tools/setup port
	@+$(BUILD) all tests
	@tests/run $(TEST:%='%')

check-long: ## every test, also those that take minutes
	@tools/setup build run check
	@+$(BUILD) all tests
	@tests/run --long $(TEST:%='%')

check-clients: ## the tests in which programs of others read what the host tool writes; one that is not there is \
    skipped
	@tools/setup build run check
	-@tools/setup clients
	@+$(BUILD) all tests build/viewer.html
	@tests/run --clients $(TEST:%='%')

check-debian13: ## the project in a fresh Debian 13, which mmdebstrap makes: run, then its tests
	@tools/setup build run
	-@tools/setup chroot
	@+$(BUILD) image rom host build/host/make_dump
	@tests/debian13 figure3 exact doors hwmon programs samples audit determinism bochs 'unit-*'

bench: ## the cost of a tick, in instructions and as a slow-down; writes build/bench.json and the tables of \
    docs/COST.md
	@tools/setup build run check
	@+$(BUILD) all tests
	@tools/bench --write

schemas: ## the schemas of what --json prints, of the declarations of the reports; writes docs/schema/ and the \
    tables of docs/JSON.md
	@tools/setup build
	@+$(BUILD) host
	@tools/build/schemas

papers: ## repeat the experiments of the papers; writes docs/REPRODUCTION.md, docs/METHODS.md and their figures; \
    PROOF=name one of them
	@tools/setup build run check
	@+$(BUILD) all tests
	@tools/papers $(PROOF:%='%')

example: ## run the paper's worked example and the commands that pages quote; writes docs/EXAMPLE.md, \
    docs/pictures/, the quotations
	@tools/setup build run check
	@+$(BUILD) image rom host
	@tools/example
	@tools/build/quote --write

pictures: example ## the same as example

lint: ## check the sources: clang-tidy, shellcheck, pyflakes
	@tools/setup lint
	@tests/lint

coverage: ## the lines and branches of probe/ and tools/ that the host tests run
	@tools/setup build run check
	@+$(BUILD) all
	@tests/coverage

fuzz: ## look for inputs that break the host tool, SECONDS=n for each target (60)
	@tools/setup host fuzz
	@+$(BUILD) $(FUZZERS:%=build/fuzz/fuzz_%)
	@tests/fuzz/fuzz.sh $(SECONDS) $(FUZZERS)
	@+$(BUILD) rom build/host/attack build/host/make_dump build/host/cpuprobe build/cpuprobe
	@tests/fuzz/attack.py $(SECONDS)
	@tests/fuzz/client.py $(SECONDS)

host: build/cpuprobe $(HWMON) ## the host tool and the hardware monitor alone (needs neither NASM nor QEMU)
image: build/cpuprobe.elf $(EMULATOR) ## the image for the multiboot door
efi: build/BOOTX64.EFI $(EMULATOR) ## the image for the UEFI door
rom: build/cpuprobe.rom $(EMULATOR) ## the image for the flash door
linux: build/cpuprobe.bz $(EMULATOR) ## the image for loaders of Linux: kexec, GRUB, U-Boot
disk: build/cpuprobe.img $(EMULATOR) ## the image for a disk or a stick, BIOS and UEFI; says how to write it
	@tools/build/how-to-write $<
tests: $(UNITS) $(HELPERS) $(REPLAYS) build/host/cpuprobe build/host/attack build/cpuprobe-static $(BARE) $(PLUGINS) \
    $(EMULATOR) $(HWMON) build/core.bin build/cpuprobe.iso build/uncured.bin build/uncured.efi build/uncured.rom \
    build/hostile.efi build/nested.elf build/struck.elf build/disturbed.elf build/x2apic.rom build/x2apic-early.rom \
    ## build what the tests run

units: $(UNITS) ## build the tests of the host tool's parts

amalgamation: build/cpuprobe-core.c ## the core as one file and its header, for another kernel (docs/PORTING.md)

build/cpuprobe-core.c: tools/build/amalgamate LICENSE $(wildcard probe/*/*.[ch])
	tools/build/amalgamate build

install: all build/install/made ## copy tool, scripts, images, pages, man pages and completion to DESTDIR/PREFIX \
    (/usr/local)
	@tools/install/copy "$(DESTDIR)" "$(PREFIX)"

uninstall: ## remove what install copied
	@tools/install/copy --remove "$(DESTDIR)" "$(PREFIX)"

iso: ## install what is missing, build the ISO that GRUB boots, by BIOS and UEFI; says how to write it
	@tools/setup build iso
	@+$(BUILD) build/cpuprobe.iso $(EMULATOR)
	@tools/build/how-to-write build/cpuprobe.iso

deb: ## install what is missing, build, pack what install copies as a Debian package in build/deb/
	@tools/setup build deb
	@+$(BUILD) all build/install/made
	@tools/install/deb build/deb

static: ## install what is missing, build the host tool as one file that needs no library of the system: \
    build/cpuprobe-static
	@tools/setup static
	@+$(BUILD) build/cpuprobe-static

viewer: ## install what is missing, build the page that shows a dump in any browser, without an installation: \
    build/viewer.html
	@tools/setup viewer
	@+$(BUILD) build/viewer.html

release: ## install what is missing, build, put the images, the static host tool, the page for a browser, the \
    sources and checksums of all into build/release/
	@tools/setup build static viewer iso
	@+$(BUILD) image efi rom build/cpuprobe.img linux build/cpuprobe.iso build/cpuprobe-static build/viewer.html
	@tools/build/release build/release

deps: ## install all packages that building, running and testing need
	@tools/setup build run check

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n -e ':more; /^[a-z-]*:.*\\$$/ { N; s/ *\\\n */ /; b more; }' \
		-e 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

# The core image.  One piece at the link: the compiler knows which registers a function of its own piece changes.
$(CORE_OBJ): REGISTERS = -mgeneral-regs-only
$(VECTOR_C:%.c=build/kernel/%.o): REGISTERS = -msse2 -mfpmath=sse -fno-math-errno
$(foreach to,kernel uncured nested struck,$(STRAIGHT_C:%.c=build/$(to)/%.o)): CORE_FLAGS += -fno-lto \
    $(patsubst %,-fcall-saved-%,rcx r8 r9 r10 r11) -Os

build/kernel/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) $(REGISTERS) $(DEPS) -c $< -o $@

build/kernel/%.asm.o: %.asm build/offsets.inc Makefile
	@mkdir -p $(@D)
	@$(NASM_DEPS) $(@:.o=.d) $<
	$(NASM) -f elf64 -I. $< -o $@

build/cpuprobe.elf: $(CORE_OBJ)
build/uncured.elf: $(UNCURED_OBJ)
build/nested.elf: $(NESTED_OBJ)
build/struck.elf: $(STRUCK_OBJ)
build/disturbed.elf: $(DISTURBED_OBJ)
build/x2apic.elf: build/x2apic/drivers/lapic.o $(OTHER_LAPIC)
build/x2apic-early.elf: build/x2apic-early/drivers/lapic.o $(OTHER_LAPIC)
build/cpuprobe.elf build/uncured.elf build/nested.elf build/struck.elf build/disturbed.elf build/x2apic.elf \
    build/x2apic-early.elf: linker.ld tools/build/embed-symbols $(TASK_ELF)
	$(IMAGE_CC) $(CORE_FLAGS) -mgeneral-regs-only -nostdlib -static \
		-Wl,-n,--no-warn-rwx-segments,-z,noexecstack,-z,max-page-size=4096,--build-id=sha1 \
		$(if $(filter-out build/cpuprobe.elf,$@),-Wl$(comma)--defsym=test_image=1) -T linker.ld $(filter %.o,$^) \
		-o $@.linked
	tools/build/embed-symbols $@.symbols $@.linked $(if $(filter build/uncured.elf,$@),,$(TASK_ELF))
	$(OBJCOPY) --update-section .symbols=$@.symbols $@.linked $@

build/core.bin: build/cpuprobe.elf
build/uncured.bin: build/uncured.elf
build/x2apic.bin: build/x2apic.elf
build/x2apic-early.bin: build/x2apic-early.elf
build/core.bin build/uncured.bin build/x2apic.bin build/x2apic-early.bin:
	$(OBJCOPY) -O binary $< $@

# The same, but able to leave a cure of hostile hardware out (tests/qemu/uncured.h)
build/uncured/%.o: %.c tests/qemu/uncured.h Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) -mgeneral-regs-only -include tests/qemu/uncured.h $(DEPS) -c $< -o $@

# The same, but struck by NMIs within its NMI (tests/qemu/nested.h)
build/nested/%.o: %.c tests/qemu/nested.h tests/qemu/own_nmi.h Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) -mgeneral-regs-only -include tests/qemu/nested.h $(DEPS) -c $< -o $@

# The same, but struck by NMIs that nobody asked for, behind the arming of a one-shot (tests/qemu/struck.h)
build/struck/%.o: %.c tests/qemu/struck.h tests/qemu/own_nmi.h Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) -mgeneral-regs-only -include tests/qemu/struck.h $(DEPS) -c $< -o $@

# The same, on a processor whose local APIC is locked in x2APIC mode (tests/bochs/x2apic.h)
build/x2apic/%.o: %.c tests/bochs/x2apic.h Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) -mgeneral-regs-only -include tests/bochs/x2apic.h $(DEPS) -c $< -o $@

build/x2apic-early/%.o: %.c tests/bochs/x2apic.h Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) -mgeneral-regs-only -DEARLY -include tests/bochs/x2apic.h $(DEPS) -c $< -o $@

# What the compiler knows of structs and constants, for assembly
build/offsets.inc: kernel/trap/asm_offsets.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CORE_FLAGS) -fno-lto -mgeneral-regs-only $(DEPS) -MF build/offsets.d -MT $@ -S $< -o build/offsets.s
	sed -n 's/^->\([A-Z0-9_]*\) \$$\{0,1\}/\1 equ /p' build/offsets.s > $@

# The user programs, put into the core through build/programs.inc
build/kernel/kernel/mm/programs.asm.o: build/programs.inc $(TASK_BARE)

build/programs.inc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '; made by make: PROGRAM name, file' \
		$(foreach p,$(TASKS),'PROGRAM $(p), "build/tasks/$(p).stripped.elf"') > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

build/tasks/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(TASK_FLAGS) $(DEPS) -c $< -o $@

# Without frames: what those add to a leaf that has hooks is not in the cost that the hooks measure of themselves.
HOOK_FLAGS = $(filter-out $(TASK_FRAMES),$(TASK_FLAGS)) -finstrument-functions \
             -finstrument-functions-exclude-file-list=.h

build/tasks/%-traced.o: %.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(HOOK_FLAGS) $(DEPS) -c $< -o $@

# It measures its own cost by functions that are instrumented.
build/tasks/instrument.o: kernel/tasks/runtime/instrument.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(HOOK_FLAGS) $(DEPS) -c $< -o $@

build/tasks/offsets.inc: kernel/tasks/runtime/offsets.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(TASK_FLAGS) $(DEPS) -MF build/tasks/offsets.d -MT $@ -S $< -o build/tasks/offsets.s
	sed -n 's/^->\([A-Z0-9_]*\) \$$\{0,1\}/\1 equ /p' build/tasks/offsets.s > $@

build/tasks/%.asm.o: %.asm build/offsets.inc build/tasks/offsets.inc Makefile
	@mkdir -p $(@D)
	@$(NASM_DEPS) $(@:.o=.d) $<
	$(NASM) -f elf64 $(TASK_LINES) -I. $< -o $@
	$(if $(TASK_LINES),$(OBJCOPY) $(TASK_UNIT) -w -N '..@*' $(patsubst %,--redefine-syms=%,$(filter %.syms,$^)) $@)

# Of what NASM writes the lines alone are of use: kernel/tasks/runtime/dwarf_unit.inc
$(TASK_ASM:%.asm=build/tasks/%.asm.o): TASK_LINES = -g -F dwarf
TASK_UNIT = $(foreach s,abbrev info aranges,-R .debug_$(s) --rename-section .unit_$(s)=.debug_$(s))

$(TASK_NAMED): build/tasks/%.asm.o: kernel/tasks/%.syms

# Another of the same: where and how ROGUE stands
build/tasks/rogue-fixed.asm.o: kernel/tasks/rogue.syms
$(TASK_FIXED): kernel/tasks/rogue.ld

$(TASK_C:%.c=build/tasks/%.elf): build/tasks/%.elf: build/tasks/%.o
$(TASK_ASM:%.asm=build/tasks/%.elf): build/tasks/%.elf: build/tasks/%.asm.o
$(TRACED:%=build/tasks/%-traced.elf): build/tasks/%.elf: build/tasks/%.o build/tasks/instrument.o
$(TASK_OWN): build/tasks/%.elf: kernel/tasks/%.ld
$(filter-out $(TASK_OWN) $(TASK_FIXED),$(TASK_ELF)): kernel/tasks/runtime/program.ld

# -n: the file packs its pieces, at whatever addresses they stand.
$(TASK_ELF): build/tasks/start.asm.o
	$(IMAGE_CC) -nostdlib -static -no-pie -Wl,-z,noexecstack -Wl,--build-id=sha1 -Wl,-n \
		$(patsubst %,-T %,$(filter %.ld,$^)) $(filter %.o,$^) -o $@

build/tasks/%.stripped.elf: build/tasks/%.elf
	strip -o $@ $<

# The UEFI door: an EFI application that carries the core as a block of bytes
build/efi/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(EFI_FLAGS) $(DEPS) -c $< -o $@

build/efi/boot/uefi/core.asm.o: CORE_BIN = build/core.bin
build/efi/uncured.asm.o: CORE_BIN = build/uncured.bin
build/efi/boot/uefi/core.asm.o: build/core.bin
build/efi/uncured.asm.o: build/uncured.bin
build/efi/boot/uefi/core.asm.o build/efi/uncured.asm.o: boot/uefi/core.asm Makefile
	@mkdir -p $(@D)
	$(NASM) -f elf64 -I. -D 'CORE="$(CORE_BIN)"' $< -o $@

# Beside the door: the same with the core that can leave cures out, and the application that makes hostile states
build/efi/tests/qemu/hostile_uefi.o: build/qemu/hostile_resident.bin

build/efi/door.so: $(EFI_OBJ)
build/efi/uncured.so: $(filter-out %/core.asm.o,$(EFI_OBJ)) build/efi/uncured.asm.o
build/efi/hostile.so: build/efi/tests/qemu/hostile_uefi.o
build/efi/door.so build/efi/uncured.so build/efi/hostile.so:
	ld -nostdlib -znocombreloc -znoexecstack -shared -Bsymbolic -s --no-undefined -T $(EFI_LIB)/elf_x86_64_efi.lds \
		$(EFI_LIB)/crt0-efi-x86_64.o $^ -L$(EFI_LIB) -lefi -lgnuefi -o $@

build/BOOTX64.EFI: build/efi/door.so
build/uncured.efi: build/efi/uncured.so
build/hostile.efi: build/efi/hostile.so
build/BOOTX64.EFI build/uncured.efi build/hostile.efi:
	$(OBJCOPY) -j .text -j .sdata -j .data -j .dynamic -j .dynsym -j .rel -j .rela -j .rel.* -j .rela.* -j .rodata \
		-j .reloc --target=efi-app-x86_64 --subsystem=10 $< $@

# The flash door: the core behind a reset vector of its own
build/cpuprobe.rom: build/core.bin
build/uncured.rom: build/uncured.bin
build/x2apic.rom: build/x2apic.bin
build/x2apic-early.rom: build/x2apic-early.bin
build/cpuprobe.rom build/uncured.rom build/x2apic.rom build/x2apic-early.rom: boot/rom.asm Makefile
	@$(NASM_DEPS) $(@:.rom=.rom.d) -DCORE='"$(filter %.bin,$^)"' $<
	$(NASM) -f bin -I. -DCORE='"$(filter %.bin,$^)"' $< -o $@

# The disk door: a first sector, a loader of files, and the UEFI door's own file
build/disk/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(IMAGE_CC) $(DISK_FLAGS) $(DEPS) -c $< -o $@

build/disk/%.asm.o: %.asm Makefile
	@mkdir -p $(@D)
	@$(NASM_DEPS) $(@:.o=.d) $<
	$(NASM) -f elf32 -I. $< -o $@

build/disk/mbr.bin: boot/disk/mbr.asm Makefile
	@mkdir -p $(@D)
	@$(NASM_DEPS) $(@:.bin=.d) $<
	$(NASM) -f bin -I. $< -o $@

build/disk/loader.elf: $(DISK_OBJ) boot/disk/disk.ld
	ld -m elf_i386 --no-warn-rwx-segments -T boot/disk/disk.ld $(DISK_OBJ) -o $@

build/disk/loader.bin: build/disk/loader.elf
	$(OBJCOPY) -O binary $< $@

# The Linux door: the core behind a header; it tells loaders how much memory the core takes
build/cpuprobe.bz: boot/linux/setup.asm build/core.bin build/cpuprobe.elf Makefile
	@$(NASM_DEPS) $@.d $<
	$(NASM) -f bin -I. -D CORE_MEMORY=0x$$(nm build/cpuprobe.elf | sed -n 's/ A image_memory$$//p') $< -o $@

build/cpuprobe.iso: build/cpuprobe.elf build/BOOTX64.EFI $(wildcard boot/iso/*) tools/build/image-iso tools/iso-config
	tools/build/image-iso $@ build/cpuprobe.elf build/BOOTX64.EFI

build/cpuprobe.img: build/disk/mbr.bin build/disk/loader.bin build/BOOTX64.EFI boot/disk/cpuprobe.cfg \
    tools/build/image-disk
	tools/build/image-disk $@ $(filter-out tools/build/image-disk,$^)

# The host tool, and the tests that run on the host
build/host/plain/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(HOST_FLAGS) $(PACKED) $(DEPS) -c $< -o $@

build/host/san/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(SAN_FLAGS) $(DEPS) -c $< -o $@

# What the assembler puts into the page of a report
build/host/plain/tools/report/report_page.o build/host/san/tools/report/report_page.o \
    build/fuzz/tools/report/report_page.o: $(wildcard tools/report/page/*)

# The link of the image takes one processor for long: what it needs is made first, so that this is compiled beside it.
ifneq ($(filter image all,$(or $(MAKECMDGOALS),all)),)
$(TOOL_OBJ): | $(CORE_OBJ) $(TASK_ELF)
endif

build/cpuprobe: $(TOOL_OBJ)
	$(CC) $^ $(HOST_LIBS) -o $@

# Without names of its own functions, which nobody who runs it needs
build/cpuprobe-static: $(STATIC_OBJ)
	$(CC) -static-pie -s $^ $(STATIC_LIBS) -o $@

# The page that needs no installation
build/viewer/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(WASM_CC) $(WASM_FLAGS) $(DEPS) -c $< -o $@

build/viewer/tools/report/report_page.o: $(wildcard tools/report/page/*)

build/viewer/viewer.wasm: $(VIEWER_OBJ)
	$(WASM_CC) -mexec-model=reactor -Wl,-z,stack-size=$(WASM_STACK),--stack-first,--strip-all \
		$(VIEWER_CALLS:%=-Wl,--export=viewer_%) $^ -lwasi-emulated-signal -lm -o $@

build/viewer.html: build/viewer/viewer.wasm tools/build/viewer $(wildcard tools/viewer/page/*)
	tools/build/viewer $< $@

# Man pages and completion, from what the tool knows of itself
build/install/made: build/cpuprobe tools/install/man tools/install/completion tools/boot tools/run tools/shell
	@mkdir -p $(@D)
	build/cpuprobe help --json > $(@D)/help.json
	rm -rf $(@D)/man
	tools/install/man $(@D)/man < $(@D)/help.json
	tools/install/completion $(@D) < $(@D)/help.json
	touch $@

# Archives, so that a test that includes a .c file to reach its statics still links.
build/host/plain.a: $(PLAIN_OBJ)
build/host/san.a: $(SAN_OBJ)
build/host/plain.a build/host/san.a:
	@rm -f $@
	ar rcs $@ $^

build/host/test_%: build/host/san/tests/host/test_%.o build/host/san.a
	$(CC) $(SAN_FLAGS) $^ -lcmocka $(HOST_LIBS) -o $@

build/host/test_port build/host/test_port_fields: build/host/san/build/cpuprobe-core.o

$(HELPERS): build/host/%: build/host/plain/tests/host/%.o build/host/plain.a
	$(CC) $(filter %.o,$^) $(filter %.a,$^) $(HOST_LIBS) -o $@

# Fuzz targets: with what has been found before, by the compiler of all tests; and with libFuzzer
$(REPLAYS): build/host/%: build/host/san/tests/fuzz/%.o build/host/san/tests/fuzz/replay.o build/host/san.a
	$(CC) $(SAN_FLAGS) $(filter %.o,$^) $(filter %.a,$^) $(HOST_LIBS) -o $@

# The tool under sanitizers, for noise
build/host/cpuprobe: build/host/san/tools/cmd/main.o build/host/san.a
	$(CC) $(SAN_FLAGS) $^ $(HOST_LIBS) -o $@

MUTATE    = mutate_stream mutate_records mutate_events
build/host/attack: $(patsubst %,build/host/san/tests/fuzz/%.o,attack lines oracle $(MUTATE)) build/host/san.a
	$(CC) $(SAN_FLAGS) $^ $(HOST_LIBS) -o $@
build/host/fuzz_stream: $(patsubst %,build/host/san/tests/fuzz/%.o,lines oracle)

build/fuzz/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link $(DEPS) -c $< -o $@

build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o $(FUZZ_OBJ)
	$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer $^ $(HOST_LIBS) -o $@

build/fuzz/fuzz_stream: $(patsubst %,build/fuzz/tests/fuzz/%.o,lines oracle)
build/fuzz/fuzz_stream build/fuzz/fuzz_timeline: $(patsubst %,build/fuzz/tests/fuzz/%.o,$(MUTATE))
build/fuzz/fuzz_elf: build/fuzz/tests/fuzz/mutate_elf.o

# The image's own display, run on the host
build/host/text_of_dump: $(patsubst %,build/host/plain/kernel/%.o,report/report_histogram mm/symbols lib/run_state)

# The recorded world
build/host/replay build/host/retrace: build/host/plain/tests/host/recorded.o

# Small images of the tests, flat, with a multiboot header of their own
build/qemu/%.bin: tests/qemu/%.asm Makefile
	@mkdir -p $(@D)
	@$(NASM_DEPS) $@.d $<
	$(NASM) -f bin -I. $< -o $@

build/supervise: $(patsubst %,build/host/plain/tools/%.o,emulator/supervise base/temporary)
	$(CC) $^ -o $@

# Plugins that QEMU loads: it has the functions that are missing here
$(PLUGINS): build/qemu/%.so: tests/qemu/count/%.c Makefile
build/hlt_sync.so: tools/emulator/hlt_sync.c Makefile
$(PLUGINS) build/hlt_sync.so:
	@mkdir -p $(@D)
	$(CC) $(HOST_FLAGS) -fPIC -fvisibility=hidden -shared $(DEPS) -MF $(@:.so=.d) $< -o $@

# The hardware monitor, with what it uses of the probe and of the host tool
build/hwmon/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(HOST_FLAGS) $(PACKED) -fPIC -fvisibility=hidden $(DEPS) -c $< -o $@

build/hwmon/shared.a: $(patsubst %.c,build/hwmon/%.o,$(PROBE_C) $(wildcard tools/base/*.c) tools/symbols/elf_file.c \
    tools/symbols/elf_table.c)
	@rm -f $@
	ar rcs $@ $^

build/hwmon.so: $(HWMON_C:%.c=build/hwmon/%.o) build/hwmon/shared.a
	$(CC) -shared $^ -lm -o $@

# What hwmon has to know of the image
build/hwmon.words: tools/hwmon/image.words build/offsets.inc
	cat $< > $@
	sed -n 's/^TASK_NAME equ /label=/p; s/^TASK_NAME_BYTES equ /:/p' build/offsets.inc | tr -d '\n' >> $@

-include $(shell find build -name '*.d' -type f 2>/dev/null)
