import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../testing/world.ts";
import { standardStream } from "./standard-stream.ts";

const LONG = "0123456789".repeat(40_000);

it.skipIf(process.platform === "win32")(
  "no output is lost if a non-blocking pipe is full because its reader is slow",
  async () => {
    const path = join(folder(), "pipe");
    execFileSync("mkfifo", [path]);
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const reader = spawn("cat", [path], { stdio: ["ignore", "pipe", "inherit"] });
    const received = (async () => {
      let text = "";
      for await (const chunk of reader.stdout) text += String(chunk);
      return text;
    })();
    await once(reader, "spawn");
    // the write blocks this process until cat has read all but a pipe's capacity; cat then waits on its own output
    standardStream(descriptor).write(LONG.slice(0, 100_000));
    closeSync(descriptor);
    expect(await received).toBe(LONG.slice(0, 100_000));
  },
);
