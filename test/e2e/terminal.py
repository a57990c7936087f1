"""Runs a program at a pseudo-terminal and types for it, because Node cannot open a pseudo-terminal.

Reads one JSON object: argv, cwd, env, columns, rows, steps, stdout ("pipe" or "terminal"), timeoutSeconds. A step is the text to
await on the screen, and the keys to type then. The keys "SIGINT" and "SIGHUP" are sent as signals instead. Writes one JSON
object: exitCode (negative for a signal), screen, stdout (the output to the pipe), unmet (steps whose text never appeared).
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

job = json.load(sys.stdin)
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", job["rows"], job["columns"], 0, 0))
child = subprocess.Popen(
    job["argv"],
    cwd=job["cwd"],
    env=job["env"],
    stdin=slave,
    stdout=subprocess.PIPE if job["stdout"] == "pipe" else slave,
    stderr=slave,
    # a new session with this terminal, so that Ctrl-C reaches only the program
    start_new_session=True,
    preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
)
os.close(slave)

written = {master: b""}
if child.stdout is not None:
    written[child.stdout.fileno()] = b""
open_files = set(written)
steps = list(job["steps"])
seen = 0
deadline = time.monotonic() + job["timeoutSeconds"]
while open_files:
    readable, _, _ = select.select(list(open_files), [], [], max(0, deadline - time.monotonic()))
    if not readable:
        child.kill()
        break
    for file in readable:
        try:
            data = os.read(file, 65536)
        except OSError:  # Linux ends a terminal with an error, other systems with nothing to read
            data = b""
        if data:
            written[file] += data
        else:
            open_files.discard(file)
    while steps and (found := written[master].find(steps[0][0].encode(), seen)) >= 0:
        text, keys = steps.pop(0)
        # output from before the keys cannot answer them, so skip it; if no keys are typed, the next step may await it
        seen = found + len(text.encode()) if keys == "" else len(written[master])
        if keys in ("SIGINT", "SIGHUP"):
            child.send_signal(signal.Signals[keys])
        else:
            os.write(master, keys.encode())

exit_code = child.wait()
texts = {file: data.decode("utf-8", "replace") for file, data in written.items()}
screen = texts.pop(master)
json.dump({"exitCode": exit_code, "screen": screen, "stdout": "".join(texts.values()), "unmet": steps}, sys.stdout)
