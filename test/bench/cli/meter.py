"""Runs programs one after the other and reports the cost of each. Reads and writes lines of JSON.

os.wait4 returns the kernel's account of a process that has ended, in microseconds: all its threads from start to end, and
the processes that it waited for. Node reports a process's own usage only, and /proc counts in ticks of 10 ms.
"""

import json
import os
import signal
import sys
import time

KEPT_BYTES = 4000


def run(job):
    os.chdir(job["cwd"])
    reading, writing = os.pipe()
    begun = time.monotonic_ns()
    pid = os.posix_spawn(
        job["argv"][0],
        job["argv"],
        job["env"],
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, writing, 1),
            (os.POSIX_SPAWN_DUP2, writing, 2),
        ],
        setpgroup=0,
    )
    os.close(writing)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(pid, signal.SIGKILL))
    signal.alarm(job["timeoutSeconds"])
    output = read_all(reading)
    _, status, usage = os.wait4(pid, 0)
    signal.alarm(0)
    return {
        "exitCode": os.waitstatus_to_exitcode(status),
        "output": output[:KEPT_BYTES].decode("utf-8", "replace"),
        "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
        "wallMs": (time.monotonic_ns() - begun) / 1e6,
    }


def read_all(descriptor):
    chunks = []
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        while chunk := stream.read(65536):
            chunks.append(chunk)
    return b"".join(chunks)


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
