import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../testing/world.ts";
import { standardStream } from "./standard-stream.ts";

const LONG = "0123456789".repeat(40_000);

describe.skipIf(process.platform === "win32")("a stream that is no terminal", () => {
  it("loses nothing where the pipe is not to block and its reader is behind", async () => {
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
    // the writer holds this process until cat has taken what a pipe does not hold; the rest waits in cat's own pipe
    standardStream(descriptor).write(LONG.slice(0, 100_000));
    closeSync(descriptor);
    expect(await received).toBe(LONG.slice(0, 100_000));
  });

  it("writes a file whole, and says that it is none to draw on", () => {
    const path = join(folder(), "out.txt");
    writeFileSync(path, "");
    const descriptor = openSync(path, "a");
    const sink = standardStream(descriptor);
    sink.write(LONG);
    sink.write("é\n");
    closeSync(descriptor);
    expect([sink.isTTY, sink.columns, readFileSync(path, "utf8")]).toEqual([false, undefined, `${LONG}é\n`]);
  });
});
