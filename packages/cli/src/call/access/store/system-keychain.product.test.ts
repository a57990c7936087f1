import { describe, expect, it } from "vitest";
import { keyringModule } from "../../../testing/keyring-module.ts";
import { probeKeychain } from "./system-keychain.ts";

const signal = new AbortController().signal;

describe("the probe of a keychain", () => {
  it.each<[string, string, string | undefined]>([
    ["works", "", undefined],
    ["is locked", 'throw new Error("the collection is locked")', "the collection is locked"],
    ["fails without a message", "process.exit(7)", "it does not work here"],
    ["does not store entries", "return null", "it did not keep what was written"],
    ["hangs", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", "it did not answer within 0.5 seconds"],
  ])("reports a keychain that %s", async (_, trouble, expected) => {
    const timeoutMs = trouble.startsWith("Atomics") ? 500 : 20_000;
    expect(await probeKeychain(signal, { module: keyringModule(trouble), timeoutMs })).toBe(expected);
  });

  it("reports a module that is not installed, and stops when the user interrupts", async () => {
    expect(await probeKeychain(signal, { module: "@msgctl/not-installed" })).toContain("is not installed");
    const module = keyringModule("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)");
    expect(await probeKeychain(AbortSignal.abort(), { module })).toBe("it does not work here");
  });
});
