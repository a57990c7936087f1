import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { openBrowser, page, type Spawn } from "./programs.ts";

/** Replaces a program by one that ends as `act` specifies. */
function programs(act: (child: EventEmitter) => unknown) {
  const started: (readonly unknown[])[] = [];
  const killed: string[] = [];
  const stdin = new PassThrough();
  const spawn: Spawn = (file, args, { shell }) => {
    started.push([file, ...args, ...(shell ? ["by a shell"] : [])]);
    const child = Object.assign(new EventEmitter(), {
      stdin,
      unref: () => {},
      kill() {
        killed.push(String(file));
        child.emit("close", null);
      },
    });
    setImmediate(() => act(child));
    return child as unknown as ChildProcess;
  };
  return { spawn, started, killed, stdin };
}

const signal = new AbortController().signal;

it.each<[Record<string, string>, unknown[][]]>([
  [{}, [["less", "-FRX"]]],
  [{ PAGER: "" }, [["less", "-FRX"]]],
  [{ PAGER: "bat --plain" }, [["bat --plain", "by a shell"]]],
  [{ PAGER: "more", MSGCTL_PAGER: "most" }, [["most", "by a shell"]]],
  [{ PAGER: "more", MSGCTL_PAGER: "" }, []],
])("a text is shown in the pager that %j names", async (env, expected) => {
  const { spawn, started, stdin } = programs((child) => child.emit("close", 0));
  expect(await page("rows", { env, signal }, spawn)).toBe(expected.length > 0);
  expect(started).toEqual(expected);
  if (expected.length > 0) expect(String(stdin.read())).toBe("rows");
});

it.each([
  ["is not there", (child: EventEmitter) => child.emit("error", new Error("ENOENT"))],
  ["the shell does not find", (child: EventEmitter) => child.emit("close", 127)],
])("page returns false for a pager that %s", async (_, act) => {
  expect(await page("rows", { env: {}, signal }, programs(act).spawn)).toBe(false);
});

it("page returns true even if the user quits the pager before the end of the text", async () => {
  const { spawn, stdin } = programs((child) => {
    stdin.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    child.emit("close", 1);
  });
  expect(await page("rows", { env: {}, signal }, spawn)).toBe(true);
});

it("page leaves Ctrl-C to the pager, and ends the pager when the command ends", async () => {
  let interrupted = 0;
  const onSigint = () => {
    interrupted += 1;
  };
  process.on("SIGINT", onSigint);
  const ending = new AbortController();
  const { spawn, killed } = programs(() => {
    process.emit("SIGINT", "SIGINT");
    ending.abort();
  });
  expect(await page("rows", { env: {}, signal: ending.signal }, spawn)).toBe(true);
  expect([interrupted, killed]).toEqual([0, ["less"]]);
  process.emit("SIGINT", "SIGINT");
  process.removeListener("SIGINT", onSigint);
  expect(interrupted).toBe(1);
});

const url = "http://127.0.0.1:4800/docs/send/sms?a=$(touch%20bad)&b=1";
const isUnix = process.platform === "linux";

it.runIf(isUnix).each<[Record<string, string>, unknown[][], boolean]>([
  [{ DISPLAY: ":0" }, [["xdg-open", url]], true],
  [{ WAYLAND_DISPLAY: "wayland-0", BROWSER: "firefox" }, [["firefox", url]], true],
  [{ BROWSER: "w3m" }, [["w3m", url]], true],
  [{}, [], false],
])("an address is opened with %j, without a shell", async (env, expected, isOpened) => {
  const { spawn, started } = programs((child) => child.emit("close", 0));
  expect(await openBrowser(url, { env, clock: systemClock, signal }, spawn)).toBe(isOpened);
  expect(started).toEqual(expected);
});

it.runIf(isUnix).each([
  ["is not there", (child: EventEmitter) => child.emit("error", new Error("ENOENT"))],
  ["finds nothing to open it with", (child: EventEmitter) => child.emit("close", 3)],
])("openBrowser returns false for a browser that %s", async (_, act) => {
  const world = { env: { DISPLAY: ":0" }, clock: systemClock, signal };
  expect(await openBrowser(url, world, programs(act).spawn)).toBe(false);
});

it.runIf(isUnix)("openBrowser returns true if the browser keeps running", async () => {
  const clock = { now: () => 0, pause: async () => {} };
  expect(await openBrowser(url, { env: { DISPLAY: ":0" }, clock, signal }, programs(() => {}).spawn)).toBe(true);
});
