import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  lockDataFolder,
  openDataFolder,
  readPepper,
  requireDatabaseInPlace,
  requireNoLink,
  writePrivateFile,
} from "./data-folder.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-folder-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;
const open = () => openDataFolder(join(parent, "a", "data"));

describe("the data folder", () => {
  it.skipIf(process.platform === "win32")("is private to its owner, and so is the pepper in it", () => {
    const folder = open();
    const pepper = readPepper(folder);
    expect(modeOf(folder.path)).toBe(0o700);
    expect(modeOf(join(folder.path, "pepper"))).toBe(0o600);
    expect(pepper).toMatch(/^[\w-]{43}$/);
    expect(readPepper(open())).toBe(pepper);
  });

  it.skipIf(process.platform !== "linux")("reports the system's error if it cannot be created", () => {
    // `mkdirSync` with `recursive` would never return below /proc
    expect(() => openDataFolder("/proc/data")).toThrow(expect.objectContaining({ code: "ENOENT", syscall: "mkdir" }));
    writeFileSync(join(parent, "file"), "");
    expect(() => openDataFolder(join(parent, "file"))).toThrow(expect.objectContaining({ code: "EEXIST" }));
    expect(() => openDataFolder(join(parent, "file", "a"))).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
  });

  it("does not replace a damaged pepper, because no credential would work any more", () => {
    const folder = open();
    writeFileSync(join(folder.path, "pepper"), "");
    expect(() => readPepper(folder)).toThrow(/damaged.*backup/);
  });

  it("is locked by one server at a time", () => {
    const folder = open();
    const lock = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow(/another msgd serves/);
    lock.release();
    lockDataFolder(folder).release();
  });
});

describe("the database of a data folder", () => {
  it("may be missing before the first start of a server, but not after it", () => {
    const folder = open();
    requireDatabaseInPlace(folder);
    writeFileSync(folder.simulatorFile, "");
    expect(() => requireDatabaseInPlace(folder)).toThrow(`${folder.databaseFile} is missing, though a server`);
    writeFileSync(folder.databaseFile, "");
    expect(() => requireDatabaseInPlace(folder)).toThrow(`${folder.databaseFile} is empty, though a server`);
    writeFileSync(folder.databaseFile, "SQLite");
    requireDatabaseInPlace(folder);
  });

  it.skipIf(process.platform === "win32")("must not be a link, but its folder may be one", () => {
    const folder = open();
    requireNoLink(folder);
    writeFileSync(folder.databaseFile, "");
    symlinkSync(folder.path, join(parent, "link"));
    requireNoLink(openDataFolder(join(parent, "link")));
    renameSync(folder.databaseFile, join(parent, "moved.db"));
    symlinkSync(join(parent, "moved.db"), folder.databaseFile);
    expect(() => requireNoLink(folder)).toThrow(`${folder.databaseFile} is a link: move the whole folder`);
  });
});

describe("a private file", () => {
  it.skipIf(process.platform === "win32")("replaces a link, and leaves its target alone", () => {
    const target = join(parent, "target");
    const file = join(parent, "credential.json");
    writeFileSync(target, "somebody's");
    chmodSync(target, 0o644);
    symlinkSync(target, file);
    writePrivateFile(file, "secret");
    expect([readFileSync(target, "utf8"), modeOf(target)]).toEqual(["somebody's", 0o644]);
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["secret", 0o600]);
  });

  it.skipIf(process.platform === "win32")("is never readable by others, even if it replaces a file that was", () => {
    const file = join(parent, "credential.json");
    writeFileSync(file, "old");
    chmodSync(file, 0o644);
    const { ino } = statSync(file);
    writePrivateFile(file, "secret");
    expect(modeOf(file)).toBe(0o600);
    expect(statSync(file).ino).not.toBe(ino);
  });

  it("leaves no draft, whether it succeeds or not", () => {
    const file = join(parent, "credential.json");
    // drafts of a killed process, and files with similar names
    for (const rest of ["0123456789ab", "0123456789abc", "bak"]) writeFileSync(`${file}.${rest}`, "sec");
    writePrivateFile(file, "secret");
    expect(readdirSync(parent).sort()).toEqual([
      "credential.json",
      "credential.json.0123456789abc",
      "credential.json.bak",
    ]);
    for (const rest of ["0123456789abc", "bak"]) rmSync(`${file}.${rest}`);
    expect(() => writePrivateFile(parent, "secret")).toThrow();
    expect(readdirSync(parent)).toEqual(["credential.json"]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`${basename(parent)}.`))).toEqual([]);
  });
});
