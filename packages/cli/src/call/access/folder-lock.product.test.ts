import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { folder } from "../../testing/world.ts";
import { changeFolder } from "./folder-lock.ts";

it.runIf(process.platform === "linux")(
  "takes over from a process that has ended and that nobody has seen end",
  async () => {
    const path = folder();
    // the shell's child ends, and the sleep that the shell becomes never asks for it
    const shell = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void shell.kill());
    const [pid] = (await once(shell.stdout, "data")).map((text) => String(text).trim());
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "latin1")).toContain(") Z "));
    writeFileSync(join(path, "lock"), `${pid} killed ${hostname()}`);
    expect(await changeFolder(path, new AbortController().signal, () => "done")).toBe("done");
  },
);
