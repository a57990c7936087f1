/** The file itself, on modules that behave as the native one may. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../../testing/world.ts";
import { loadKeychain, probeKeychain } from "./system-keychain.ts";

/** Keeps its entries in a file, so that a process of its own sees them too; each method begins with `trouble`. */
function moduleWith(trouble: string) {
  const path = folder();
  const module = join(path, "keyring.cjs");
  const kept = JSON.stringify(join(path, "entries.json"));
  writeFileSync(
    module,
    `const fs = require("node:fs");
const all = () => JSON.parse(fs.existsSync(${kept}) ? fs.readFileSync(${kept}, "utf8") : "{}");
const keep = (entries) => fs.writeFileSync(${kept}, JSON.stringify(entries));
exports.Entry = class {
  constructor(service, account, { linux }) { this.name = [service, account, linux.store].join("/"); }
  getPassword() { ${trouble}; return all()[this.name] ?? null; }
  setPassword(text) { ${trouble}; keep({ ...all(), [this.name]: text }); }
  deletePassword() { ${trouble}; const { [this.name]: gone, ...others } = all(); keep(others); return gone !== undefined; }
};`,
  );
  return module;
}

const signal = new AbortController().signal;

describe("the keychain", () => {
  it("reads, writes and removes entries of msgctl in a store that outlives the session", () => {
    const keychain = loadKeychain(moduleWith(""));
    expect(keychain?.read("prod")).toBeNull();
    keychain?.write("prod", "text");
    expect([keychain?.read("prod"), keychain?.remove("prod"), keychain?.remove("prod")]).toEqual(["text", true, false]);
  });

  it("is none where the module is not installed or does not load", () => {
    const broken = join(folder(), "broken.cjs");
    writeFileSync(broken, 'throw new Error("no binary for this system")');
    expect([loadKeychain("@msgctl/not-installed"), loadKeychain(broken)]).toEqual([undefined, undefined]);
  });

  it("lets Ctrl-C end the process while a call waits, and listens again afterwards", () => {
    const listener = () => {};
    process.on("SIGINT", listener);
    const before = process.listeners("SIGINT");
    const module = moduleWith('if (process.listeners("SIGINT").length > 0) throw new Error("still listening")');
    expect(loadKeychain(module)?.read("prod")).toBeNull();
    expect(() => loadKeychain(moduleWith('throw new Error("locked")'))?.read("prod")).toThrow("locked");
    expect(process.listeners("SIGINT")).toEqual(before);
    process.removeListener("SIGINT", listener);
  });
});

describe("the probe", () => {
  it.each<[string, string, string | undefined]>([
    ["works", "", undefined],
    ["is locked", 'throw new Error("the collection is locked")', "the collection is locked"],
    ["fails without a word", "process.exit(7)", "it does not work here"],
    ["keeps nothing", "return null", "it did not keep what was written"],
    ["hangs", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", "it did not answer within 0.5 seconds"],
  ])("tells one that %s", async (_, trouble, expected) => {
    const timeoutMs = trouble.startsWith("Atomics") ? 500 : 20_000;
    expect(await probeKeychain(signal, { module: moduleWith(trouble), timeoutMs })).toBe(expected);
  });

  it("tells one that is not installed, and stops when the user does", async () => {
    expect(await probeKeychain(signal, { module: "@msgctl/not-installed" })).toContain("is not installed");
    const module = moduleWith("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)");
    expect(await probeKeychain(AbortSignal.abort(), { module })).toBe("it does not work here");
  });
});
