# SPDX-License-Identifier: MIT
"""Speed of the host tool, which is also that of this host, on one made-up stream of raw samples, in one run: beside
zlib's crc32 and memcpy over the same bytes, babeltrace2 on the same samples as CTF, and perf report on as many;
symbols of a million addresses.  Processor times, the least of some."""

import os
import re
import shutil
import subprocess

import lib
from result import Result

SAMPLES = 20_000_000
TEXTS = 1_000_000   # samples that are printed
# decoded and summed, of zlib's crc32 over as many samples as SAMPLES, for which this limit was set
SUMMED = 0.05
BEFORE = 1.375      # bytes that a made-up sample took then (bytes_before of build/host/bench_samples FILE)
TEXT = 5            # times babeltrace2
UNKNOWN = 1.1       # an address in no function, of one in a function
ROUNDS = 3
DAMAGED = 3         # the status of a report: a made-up stream has no table
PERF_SECONDS = 2    # of a busy loop that perf samples


def took(*arguments):
    """Processor seconds of a program, the least of some."""
    least = None
    for _ in range(ROUNDS):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, DAMAGED):
            raise SystemExit(f"{' '.join(map(str, arguments))}: status {process.returncode}")
        seconds = usage.ru_utime + usage.ru_stime
        least = seconds if least is None else min(least, seconds)
    return least


def figures(*arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True)
    return {name: float(value) for name, value, _ in (line.split() for line in done.stdout.splitlines())}


def stream(samples):
    """A stream of so many samples, with times, and what is measured of it."""
    path = lib.folder() / f"{samples}.made"
    return path, figures(lib.ROOT / "build/host/bench_samples", "--synthetic", str(samples), "--write", path)


def speeds():
    path, figure = stream(SAMPLES)
    name = f"{SAMPLES / 1e6:.0f} million made-up samples"
    path.unlink()
    yield Result(f"{name}: memcpy", figure["timed.memcpy"] / 1e9, "GB/s")
    yield Result(f"{name}: zlib's crc32", figure["timed.zlib_crc32"] / 1e9, "GB/s")
    yield Result(f"{name}: decoded", figure["timed.decode_rate"] / 1e6, "million/s")
    yield Result(f"{name}: decoded and summed", figure["timed.collect_rate"] / 1e6, "million/s")
    yield Result(f"{name}: decoded and summed, of zlib's crc32 over them as SAMPLES",
                 figure["timed.collect_ratio"] * BEFORE / figure["timed.bytes_a_sample"], "ratio",
                 at_least=SUMMED)


def texts():
    ctf = lib.folder() / "ctf"
    if not shutil.which("babeltrace2"):
        print("babeltrace2 is not installed: text is not compared")
        return
    path, _ = stream(TEXTS)
    shutil.rmtree(ctf, ignore_errors=True)
    subprocess.run([lib.ROOT / "build/cpuprobe", "export", "--format", "ctf", "-o", ctf, path],
                   stderr=subprocess.DEVNULL, check=False)
    ours, theirs = took(lib.ROOT / "build/cpuprobe", "samples", path), took("babeltrace2", ctf)
    path.unlink()
    shutil.rmtree(ctf)
    yield Result(f"{TEXTS} samples as text: babeltrace2, of cpuprobe", theirs / ours, "ratio", at_least=TEXT)


def perf():
    """No limit: perf's file is made by the kernel of this host, if it lets."""
    data = lib.folder() / "perf.data"
    busy = f"import time\nt = time.process_time()\nwhile time.process_time() - t < {PERF_SECONDS}: pass"
    try:
        done = subprocess.run(["perf", "record", "-o", data, "-e", "cpu-clock", "-F", "20000", "--", "python3", "-c",
                               busy],
                              capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("perf record is not permitted here, or not installed: perf report is not compared")
        return
    count = int(re.search(r"\((\d+) samples\)", done.stderr)[1])
    path, _ = stream(count)
    ours = took(lib.ROOT / "build/cpuprobe", "histogram", "--mode", "all", path)
    theirs = took("perf", "report", "-i", data, "--stdio")
    path.unlink()
    yield Result(f"{count} samples: perf report, of cpuprobe histogram", theirs / ours, "ratio")


def symbols():
    figure = figures(lib.ROOT / "build/host/bench_symbols", lib.ROOT / "build/host/cpuprobe")
    yield Result("a million addresses in functions: found", figure["known"], "ns each")
    yield Result("a million addresses in none, of these", figure["unknown"] / figure["known"], "ratio", UNKNOWN)


def results(_):
    yield from speeds()
    yield from texts()
    yield from perf()
    yield from symbols()
