import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Interruption } from "./interruption.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open({ hasTerminal = true } = {}) {
  const exits: (number | string)[] = [];
  const interrupted = Object.assign(new EventEmitter(), {
    pid: 7,
    exit: (exitCode: number) => void exits.push(exitCode),
    // records how many listeners the signal still has: with none, the signal would end the process
    kill: (pid: number, name: string) => void exits.push(pid, name, interrupted.listenerCount(name)),
  });
  const interruption = new Interruption(interrupted, () => hasTerminal);
  return { interruption, exits, signal: interruption.signal, send: (name: string) => interrupted.emit(name) };
}

it.each([
  ["SIGINT", 130, [130]],
  ["SIGTERM", 143, [143]],
  ["SIGHUP", 129, [7, "SIGHUP", 0]],
] as const)("msgctl gives work a grace period after %s, then exits with %i", async (name, exitCode, exit) => {
  const { interruption, exits, signal, send } = open();
  interruption.graceMs = 5_000;
  send(name);
  expect([signal.aborted, interruption.exitCode]).toEqual([true, exitCode]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(exits).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(exits).toEqual(exit);
});

it("msgctl exits at once on a second Ctrl-C, but not on one right after the first", async () => {
  const { interruption, exits, send } = open();
  interruption.graceMs = 5_000;
  send("SIGINT");
  await vi.advanceTimersByTimeAsync(200);
  send("SIGINT");
  expect(exits).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  send("SIGINT");
  expect(exits).toEqual([130]);
});

it("msgctl stops only once if a closed window or a service manager sends several signals", async () => {
  const { interruption, exits, send } = open();
  interruption.graceMs = 5_000;
  send("SIGHUP");
  await vi.advanceTimersByTimeAsync(1_000);
  send("SIGHUP");
  send("SIGTERM");
  expect([exits, interruption.exitCode]).toEqual([[], 129]);
});

it("msgctl ignores SIGHUP without a terminal, as under nohup, but ends on SIGTERM", () => {
  const { interruption, signal, send } = open({ hasTerminal: false });
  send("SIGHUP");
  expect(signal.aborted).toBe(false);
  send("SIGTERM");
  expect([signal.aborted, interruption.exitCode]).toEqual([true, 143]);
});
