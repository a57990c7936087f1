// Checks that a server stops gracefully if it gets a stop signal while it starts, before any caller can know its address.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MsgdFolder } from "./msgd-process.ts";

const msgd = fileURLToPath(new URL("../../bin/msgd", import.meta.url));
let folder: MsgdFolder;

beforeEach(() => {
  folder = new MsgdFolder();
});
afterEach(() => folder.remove());

/** Makes the server send itself the signal as soon as it has written a line that begins with `lineStart`. */
function stopAt(lineStart: string, signal: NodeJS.Signals): string {
  const source = `
    for (const stream of [process.stdout, process.stderr]) {
      const { write } = stream;
      stream.write = function (text, ...rest) {
        const isDone = write.call(this, text, ...rest);
        if (text.startsWith(${JSON.stringify(lineStart)})) process.kill(process.pid, ${JSON.stringify(signal)});
        return isDone;
      };
    }`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

describe("a server that gets a stop signal while it starts", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("exits with 0 on %s as it reports its address", async (signal) => {
    const args = [
      "--import",
      stopAt("msgd listening on ", signal),
      msgd,
      "serve",
      "--data",
      folder.path,
      "--port",
      "0",
    ];
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, args, (error, stdout) =>
        resolve({ code: error?.code ?? 0, signal: error?.signal ?? null, stdout }),
      );
    });
    expect(ended).toEqual({ code: 0, signal: null, stdout: expect.stringMatching(/^msgd listening on http/) });
    // it left no lock that would keep the next server from starting
    const next = await folder.serve();
    expect(await next.end("SIGTERM")).toBe(0);
  });
});
