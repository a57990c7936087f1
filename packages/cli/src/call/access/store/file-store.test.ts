import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../failures/errors.ts";
import { folder } from "../../../testing/world.ts";
import { refuseForeignOwner } from "../private-file.ts";
import { profileSettings, writeCurrent, writeProfileSettings } from "../profiles.ts";
import { openStore } from "./open-store.ts";

const isWindows = process.platform === "win32";
const prod = { apiKey: "prod-key", apiSecret: "mks_canary" };
const test = { apiKey: "test-key", apiSecret: "mks_canary2" };

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("the file store", () => {
  it("keeps one credential per profile, and leaves other profiles' credentials unchanged", () => {
    const store = openStore(folder());
    expect([store.read("prod"), store.remove("prod")]).toEqual([undefined, false]);
    store.write("prod", prod);
    store.write("test", test);
    store.write("constructor", test);
    expect([store.read("prod"), store.read("test"), store.read("toString")]).toEqual([prod, test, undefined]);
    expect(store.remove("prod")).toBe(true);
    expect([store.read("prod"), store.read("test"), store.read("constructor")]).toEqual([undefined, test, test]);
  });

  it.skipIf(isWindows)("writes a file that only its owner can read, whatever the umask is", () => {
    const path = folder();
    const umask = process.umask(0);
    try {
      openStore(path).write("prod", prod);
      expect(statSync(join(path, "credentials.json")).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
    }
  });

  it("is not affected by the leftovers of a killed writer", () => {
    const path = folder();
    const store = openStore(path);
    store.write("prod", prod);
    writeFileSync(join(path, "credentials.json.new"), '{ "prod": { "apiKey": "pr', { mode: 0o644 });
    expect(store.read("prod")).toEqual(prod);
    store.write("test", test);
    expect([store.read("prod"), store.read("test")]).toEqual([prod, test]);
    expect(readdirSync(path)).toEqual(["credentials.json"]);
    if (!isWindows) expect(statSync(join(path, "credentials.json")).mode & 0o777).toBe(0o600);
  });

  it("neither reads nor replaces a file that it cannot parse", () => {
    const path = folder();
    writeFileSync(join(path, "credentials.json"), "[]", { mode: 0o600 });
    expect(refusal(() => openStore(path).write("prod", prod))).toContain("does not hold a JSON object");
    expect(readFileSync(join(path, "credentials.json"), "utf8")).toBe("[]");
  });
});

describe.skipIf(isWindows)("reads and writes refuse", () => {
  it.each<[string, (file: string, path: string) => void, string]>([
    [
      "a file that others can read",
      (file) => chmodSync(file, 0o640),
      "credentials_exposed: .*mode 0640; expected 0600",
    ],
    [
      "a file that others can write",
      (file) => chmodSync(file, 0o602),
      "credentials_exposed: .*mode 0602; expected 0600",
    ],
    [
      "a folder that others can enter",
      (_, path) => chmodSync(path, 0o711),
      "credentials_exposed: .*0711; expected 0700",
    ],
  ])("%s", (_, loosen, expected) => {
    const path = folder();
    const store = openStore(path);
    store.write("prod", prod);
    loosen(join(path, "credentials.json"), path);
    for (const act of [() => store.read("prod"), () => store.write("test", test), () => store.remove("prod")])
      expect(refusal(act)).toMatch(new RegExp(expected));
    chmodSync(path, 0o700);
    chmodSync(join(path, "credentials.json"), 0o600);
    expect([store.read("prod"), store.read("test")]).toEqual([prod, undefined]);
  });

  it.each(["credentials.json", "config.json"])("%s that is a symbolic link, even to a valid file", (name) => {
    const elsewhere = folder();
    const path = folder();
    writeFileSync(join(elsewhere, name), "{}", { mode: 0o600 });
    symlinkSync(join(elsewhere, name), join(path, name));
    const store = openStore(path);
    const acts = {
      "credentials.json": [() => store.read("prod"), () => store.write("prod", prod)],
      "config.json": [() => profileSettings(path, "prod"), () => writeCurrent(path, "prod")],
    };
    for (const act of acts[name as keyof typeof acts]) expect(refusal(act)).toContain(`${name} is a symbolic link`);
    expect(readFileSync(join(elsewhere, name), "utf8")).toBe("{}");
  });

  it("a folder at the path of the file", () => {
    const path = folder();
    mkdirSync(join(path, "credentials.json"), { mode: 0o700 });
    expect(refusal(() => openStore(path).read("prod"))).toContain("expected a file of your own");
  });

  it("a file of another user", () => {
    expect(refusal(() => refuseForeignOwner("/x/credentials.json", 1001, 1000))).toBe(
      "configuration_not_owned: /x/credentials.json belongs to another user (1001; you are 1000)",
    );
    expect(() => refuseForeignOwner("/x/credentials.json", 1000, 1000)).not.toThrow();
  });

  it.skipIf(process.geteuid?.() !== 0)("files and a folder that belong to another user", () => {
    const path = folder();
    const store = openStore(path);
    store.write("prod", prod);
    writeProfileSettings(path, "prod", { baseUrl: "https://prod.example" });
    for (const name of ["credentials.json", "config.json", "."]) {
      chownSync(join(path, name), 4321, 4321);
      const act = () => [store.read("prod"), profileSettings(path, "prod")];
      expect(refusal(act)).toContain("belongs to another user (4321; you are 0)");
      chownSync(join(path, name), 0, 0);
    }
    expect(store.read("prod")).toEqual(prod);
  });
});
