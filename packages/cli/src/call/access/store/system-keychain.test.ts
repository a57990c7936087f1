import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyringModule } from "../../../testing/keyring-module.ts";
import { folder } from "../../../testing/world.ts";
import { loadKeychain } from "./system-keychain.ts";

describe("the keychain", () => {
  it("reads, writes and removes entries of msgctl in a store that survives the session", () => {
    const keychain = loadKeychain(keyringModule(""));
    expect(keychain?.read("prod")).toBeNull();
    keychain?.write("prod", "text");
    expect([keychain?.read("prod"), keychain?.remove("prod"), keychain?.remove("prod")]).toEqual(["text", true, false]);
  });

  it("is undefined if the module is not installed or does not load", () => {
    const broken = join(folder(), "broken.cjs");
    writeFileSync(broken, 'throw new Error("no binary for this system")');
    expect([loadKeychain("@msgctl/not-installed"), loadKeychain(broken)]).toEqual([undefined, undefined]);
  });

  it("lets Ctrl-C end the process during a call, and restores the signal handlers afterwards", () => {
    const listener = () => {};
    process.on("SIGINT", listener);
    const before = process.listeners("SIGINT");
    const module = keyringModule('if (process.listeners("SIGINT").length > 0) throw new Error("still listening")');
    expect(loadKeychain(module)?.read("prod")).toBeNull();
    expect(() => loadKeychain(keyringModule('throw new Error("locked")'))?.read("prod")).toThrow("locked");
    expect(process.listeners("SIGINT")).toEqual(before);
    process.removeListener("SIGINT", listener);
  });
});
