#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""promtool and Prometheus's own client library read openmetrics: cells, intervals, losses."""

import re
import sys

import client
import lib

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, whichever Python runs this


def parsed(path):
    """Families by name, by a strict reader of OpenMetrics."""
    try:
        from prometheus_client.openmetrics import parser
    except ImportError:
        client.skip("not installed: python3-prometheus-client (tools/setup clients installs it)")
    return {family.name: family.samples for family in parser.text_string_to_metric_families(path.read_text())}


def check_shares(checks, families, table):
    bounds = {"estimate": "percent", "low": "low", "high": "high", "exact": "exact"}
    wrong = 0
    for sample in families["cpuprobe_share_ratio"]:
        mode, member = sample.labels["mode"], bounds[sample.labels["bound"]]
        row = next(r for r in table["tasks"] if str(r["id"]) == sample.labels["id"])
        expected = row["total" if mode == "none" else mode][member]
        wrong += expected is None or abs(100 * sample.value - expected) > 1e-6
    checks.check(not wrong, f"{len(families['cpuprobe_share_ratio'])} shares and ends of intervals, {wrong} wrong")


def main():
    checks = lib.Checks()
    client.need("promtool")
    out, table = client.exported(checks, "openmetrics"), lib.stat(client.recorded(checks))
    said, _ = client.ran("sh", "-c", f"promtool check metrics < {out.absolute()}")
    # It reads the format before OpenMetrics, in which the help of a counter has its whole name.
    others = [line for line in said.splitlines() if not re.fullmatch(r"cpuprobe_\w+_total no help text", line)]
    checks.check(not others, f"promtool finds nothing: {others[:3]}")
    families, found = parsed(out), {}
    for sample in families["cpuprobe_samples"]:
        found[sample.labels["task"]] = found.get(sample.labels["task"], 0) + int(sample.value)
    client.same(checks, "samples", {task: n for task, n in found.items() if n}, client.tasks(table))
    check_shares(checks, families, table)
    lost = {sample.labels["cause"]: sample.value for sample in families["cpuprobe_lost_samples"]}
    checks.check(lost == table["lost"], f"losses: {lost}")
    checks.finish()


if __name__ == "__main__":
    main()
