import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprint, isInstalled, listBuildInputs, matchesLock } from "../../scripts/freshness.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "setup-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: string | object): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

describe("a lock", () => {
  const here = { platform: "linux", arch: "x64" };
  const wanted = {
    packages: {
      "": { version: "0.1.0" },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
      "node_modules/b-linux": { version: "1.0.0", integrity: "sha512-b", optional: true, os: ["linux"], cpu: ["x64"] },
      "node_modules/b-darwin": { version: "1.0.0", integrity: "sha512-c", optional: true, os: ["darwin"] },
    },
  };
  const { "node_modules/a": a, "node_modules/b-linux": forLinux, "node_modules/b-darwin": forMac } = wanted.packages;
  const installed = (packages: object) => ({ packages: { "node_modules/a": a, ...packages } });

  it("is met without the packages of other systems", () => {
    expect(matchesLock(wanted, installed({ "node_modules/b-linux": forLinux }), here)).toBe(true);
  });

  it.each([
    ["another version", { "node_modules/a": { ...a, version: "1.0.1" } }],
    ["other contents", { "node_modules/a": { ...a, integrity: "sha512-z" } }],
    ["packages copied from another system", { "node_modules/b-darwin": forMac }],
  ])("is not met by %s", (_, packages) => {
    expect(matchesLock(wanted, installed(packages), here)).toBe(false);
  });

  it("is not met while a package is missing", () => {
    expect(matchesLock(wanted, { packages: { "node_modules/b-linux": forLinux } }, here)).toBe(false);
  });

  it("understands systems that are ruled out", () => {
    const lock = { packages: { "node_modules/a": { os: ["!win32"] } } };
    expect(matchesLock(lock, lock, here)).toBe(true);
    expect(matchesLock(lock, lock, { ...here, platform: "win32" })).toBe(false);
  });
});

describe("an install", () => {
  const packages = { "node_modules/a": { version: "1.0.0", integrity: "sha512-a" } };
  beforeEach(() => {
    write("package-lock.json", { packages: { "": {}, ...packages } });
    write("node_modules/.package-lock.json", { packages });
    write("node_modules/a/package.json", { name: "a" });
  });

  it("is whole with every package in its place", () => {
    expect(isInstalled(root)).toBe(true);
  });

  it.each([
    ["npm was cut off before its last act", () => rmSync(join(root, "node_modules/.package-lock.json"))],
    ["npm was cut off in its last act", () => write("node_modules/.package-lock.json", '{ "packages": {')],
    ["a package was removed", () => rmSync(join(root, "node_modules/a"), { recursive: true })],
    [
      "the lock changed",
      () => write("package-lock.json", { packages: { ...packages, "node_modules/new": { version: "2.0.0" } } }),
    ],
  ])("is not whole when %s", (_, happen) => {
    happen();
    expect(isInstalled(root)).toBe(false);
  });
});

describe("the inputs of the build", () => {
  const now = () => fingerprint(root, listBuildInputs(root));
  beforeEach(() => {
    write("packages/a/package.json", { name: "a" });
    write("packages/a/src/index.ts", "export {};");
    write("packages/a/src/deep/er.ts", "export const a = 1;");
    for (const name of ["tsup.config.ts", "tsconfig.json", "package-lock.json"]) write(name, name);
    write("scripts/bundled-licences.ts", "");
    write("scripts/cli-bundle.ts", "");
  });

  it.each([
    ["a source changed", () => write("packages/a/src/deep/er.ts", "export const a = 2;")],
    ["a source came", () => write("packages/a/src/new.ts", "")],
    ["a source went", () => rmSync(join(root, "packages/a/src/index.ts"))],
    ["a source moved", () => renameSync(join(root, "packages/a/src/index.ts"), join(root, "packages/a/src/main.ts"))],
    ["a package changed its manifest", () => write("packages/a/package.json", { name: "b" })],
    ["the dependencies changed", () => write("package-lock.json", "other")],
    ["how it is built changed", () => write("tsup.config.ts", "other")],
    ["what the build leaves beside the program changed", () => write("scripts/bundled-licences.ts", "other")],
    ["how msgctl is bundled changed", () => write("scripts/cli-bundle.ts", "other")],
  ])("are others when %s", (_, happen) => {
    const before = now();
    happen();
    expect(now()).not.toBe(before);
  });

  it.each([
    ["nothing happened", () => {}],
    ["a file was written again as it was", () => write("packages/a/src/index.ts", "export {};")],
    ["a test changed", () => write("packages/a/src/index.test.ts", "other")],
    ["something was built", () => write("packages/a/dist/index.js", "other")],
  ])("are the same when %s", (_, happen) => {
    const before = now();
    happen();
    expect(now()).toBe(before);
  });
});
