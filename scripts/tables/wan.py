"""The tables of docs/06-sizing-an-aggregator.md."""
import json
import os
import subprocess

TOPOLOGY = "tb/configs/nine_city.yaml"
CONFIGURATION = "tb/configs/wan9.yaml"
ALL_NINE = {"rounds": [[["NYC", "CHI", "LAX", "LON", "FRA", "AMS", "TYO", "SEO", "SIN"]]]}
MODES = ["unicast", "multicast", "aggregation", "both", "best schedule", "colocated"]


def schedules(work, bandwidth):
    """Files of the schedule for each mode: all nine at once but for the best one within the card's memory."""
    nine, best = os.path.join(work, "nine.json"), os.path.join(work, "best.json")
    with open(nine, "w") as file:
        json.dump(ALL_NINE, file)
    subprocess.run(["fredsim", "schedule", TOPOLOGY, "--memory", "44.7MB", "--bandwidth", bandwidth, "--json", best],
                   check=True, stdout=subprocess.DEVNULL)
    return {mode: best if mode == "best schedule" else nine for mode in MODES}


def replay(work, schedule, sets):
    result = os.path.join(work, "result.json")
    command = ["fredsim", "run", CONFIGURATION, "--schedule", schedule, "--no-data", "--json", result]
    for key, value in sets.items():
        command += ["--set", f"{key}={value}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(result) as file:
        return json.load(file)


def waiting(result):
    """The share of all sites' time in which they do not compute."""
    return sum(s["waiting_ns"] for s in result["sites"]) / (result["simulated_ns"] * len(result["sites"]))


def modes(work):
    """Times of one synchronization, and what share of their time sites wait when they compute before each round and
    Singapore takes half as long again."""
    computes = [1, 10, 100]
    lines = ["| bandwidth | mode | limit | rounds | time | " +
             " | ".join(f"waiting, {c} s" for c in computes) + " |", "|---" * (5 + len(computes)) + "|"]
    for bandwidth in ("10 Gb/s", "100 Gb/s"):
        files = schedules(work, bandwidth.replace(" ", ""))
        for mode in MODES:
            sets = {"wan.mode": "both" if mode == "best schedule" else mode, "wan.bandwidth": bandwidth}
            result = replay(work, files[mode], sets)
            operations = [o for o in result["operations"] if len(o["npus"]) > 1]
            rounds = {o["id"].split("/")[0] for o in operations}
            slowest = max(operations, key=lambda o: o["end_ns"] - o["start_ns"])
            cells = [bandwidth, mode, slowest["limit"], str(len(rounds)), f"{result['simulated_ns'] / 1e9:.3f} s"]
            for compute in computes:
                sets.update({"wan.compute": f"{compute} s", "wan.straggler": "SIN",
                             "wan.straggler_compute": f"{1.5 * compute} s"})
                cells.append(f"{100 * waiting(replay(work, files[mode], sets)):.1f} %")
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def crossover(work):
    """Simulated times of the exact average against the memory of an aggregator, the data path being without limit."""
    with open("docs/examples-data/threes_and_nine.json") as file:
        candidates = json.load(file)["candidates"]
    lines = ["| memory of an aggregator | threes, 10 Gb/s | all nine, 10 Gb/s | threes, 100 Gb/s | all nine, 100 Gb/s |",
             "|---|---|---|---|---|"]
    for memory in ("1 MB", "44.7 MB", "88.2 MB", "283 MB", "3 GB"):
        cells = [memory]
        for bandwidth in ("10 Gb/s", "100 Gb/s"):
            for number, candidate in enumerate(candidates):
                schedule = os.path.join(work, f"{number}.json")
                with open(schedule, "w") as file:
                    json.dump(candidate, file)
                result = replay(work, schedule, {"aggregator.memory": memory, "aggregator.width": "0",
                                                 "wan.bandwidth": bandwidth})
                cells.append(f"{result['simulated_ns'] / 1e9:.3f} s")
        lines.append("| " + " | ".join(cells) + " |")
    return lines
