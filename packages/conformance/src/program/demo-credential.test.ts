import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readDemoCredential } from "./demo-credential.ts";
import { Refusal } from "./refusal.ts";

const demo = { baseUrl: "http://127.0.0.1:4800", apiKey: "mkt_demo", apiSecret: "mks_demo" };
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-"));
  file = join(folder, ".msgd/demo-credential.json");
  mkdirSync(join(folder, ".msgd"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(content: unknown): void {
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
}

it("reads only the credential and the address from the server's file", () => {
  write({ ...demo, tenantId: "1", callbackSecret: "whsec_1" });
  expect(readDemoCredential(folder)).toEqual(demo);
});

it("finds no credential if no server was started", () => {
  expect(readDemoCredential(folder)).toBeUndefined();
  expect(readDemoCredential(join(folder, "elsewhere"))).toBeUndefined();
});

it.each<[title: string, content: unknown, words: RegExp]>([
  ["no JSON", "mks_secret", /does not hold a JSON object$/],
  ["a list", [demo], /does not hold a JSON object$/],
  ["no secret", { ...demo, apiSecret: undefined }, /lacks baseUrl, apiKey or apiSecret/],
  [
    "another machine",
    { ...demo, baseUrl: "https://evil.example" },
    /points to "https:\/\/evil.example", which is not on/,
  ],
])("refuses %s", (_title, content, words) => {
  write(content);
  expect(() => readDemoCredential(folder)).toThrow(words);
  expect(() => readDemoCredential(folder)).toThrow(Refusal);
});

it("refuses a folder in place of the file", () => {
  mkdirSync(file);
  expect(() => readDemoCredential(folder)).toThrow(/is something other than a file|cannot be read/);
});

it.skipIf(process.platform === "win32")("refuses a link, and a file that others can read", () => {
  write(demo);
  chmodSync(file, 0o640);
  expect(() => readDemoCredential(folder)).toThrow(/may read it \(mode 0640; expected 0600\)/);
  rmSync(file);
  writeFileSync(join(folder, "other.json"), JSON.stringify(demo), { mode: 0o600 });
  symlinkSync(join(folder, "other.json"), file);
  expect(() => readDemoCredential(folder)).toThrow(/is a symbolic link/);
});
