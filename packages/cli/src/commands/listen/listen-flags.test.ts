import { describe, expect, it } from "vitest";
import type { Fault } from "../../failures/errors.ts";
import { isWanted, readListenFlags } from "./listen-flags.ts";

describe("the flags", () => {
  const read = (flags: Record<string, unknown>, globalFlags: Record<string, unknown> = {}) => {
    const faults: Fault[] = [];
    return { ...readListenFlags({ flags, globalFlags }, 60_000, faults), faults };
  };

  it("have defaults, which set no limits", () => {
    expect(read({})).toMatchObject({
      ...{ port: 4810, host: "127.0.0.1", isVerifying: true, toleranceMs: 300_000, faults: [] },
      ...{ count: Number.POSITIVE_INFINITY, timeoutMs: undefined, events: undefined, forward: undefined },
    });
    expect(read({}, { timeout: "60" }).timeoutMs).toBe(60_000);
  });

  it.each([
    [{ port: "65536" }, "--port"],
    [{ count: "0" }, "--count"],
    [{ count: "1.5" }, "--count"],
    [{ tolerance: "-1" }, "--tolerance"],
    [{ path: "callbacks" }, "--path"],
    [{ path: "/a b" }, "--path"],
    [{ events: "a,,b" }, "--events"],
    [{ forward: "localhost:3000" }, "--forward"],
    [{ forward: "ftp://localhost" }, "--forward"],
    [{ forward: "http://[::1]:4811/", port: "4811" }, "--forward"],
    [{ verify: false, secretFile: ["a"] }, "--no-verify"],
  ])("refuse %j", (flags, where) => {
    expect(read(flags).faults.map((fault) => fault.where)).toEqual([where]);
  });

  it.each([
    [undefined, true],
    [["a.b"], true],
    [["x", "a.*"], true],
    [["*"], true],
    [["a"], false],
    [["a.b.*"], false],
  ])("with --events %j, whether a.b is wanted: %s", (events, expected) => {
    expect(isWanted("a.b", events)).toBe(expected);
  });
});
