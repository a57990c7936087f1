import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLine, usage } from "./command-line.ts";
import { Refusal } from "./refusal.ts";

const own = { MSGCTL_API_KEY: "mkt_1", MSGCTL_API_SECRET: "mks_1" };
const demo = { baseUrl: "http://127.0.0.1:4800", apiKey: "mkt_demo", apiSecret: "mks_demo" };
let empty: string;
let demoFolder: string;
beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), "line-"));
  demoFolder = mkdtempSync(join(tmpdir(), "line-"));
  mkdirSync(join(demoFolder, ".msgd"));
  writeFileSync(join(demoFolder, ".msgd/demo-credential.json"), JSON.stringify(demo), { mode: 0o600 });
});
afterAll(() => {
  for (const folder of [empty, demoFolder]) rmSync(folder, { recursive: true });
});

const read = (line: string, env: NodeJS.ProcessEnv = own, cwd = empty) =>
  readLine(line.split(" ").filter(Boolean), { env, cwd });
const readChecks = (line: string, env?: NodeJS.ProcessEnv) => {
  const asked = read(line, env);
  if (typeof asked === "string") throw new Error(`${line} requests a text`);
  return asked;
};

describe("the command line", () => {
  it("defaults to all operations and a table", () => {
    expect(read("--base-url http://localhost:8080")).toEqual({
      baseUrl: new URL("http://localhost:8080"),
      credential: { apiKey: "mkt_1", apiSecret: "mks_1" },
      others: {},
      operationIds: Object.keys(operations),
      isJson: false,
      deadlineMs: 300_000,
    });
  });

  it("selects operations by name or by tag, each only once", () => {
    const asked = readChecks("--base-url http://localhost --only merchants --only getMerchant --only sendSms -o json");
    expect(asked).toMatchObject({ isJson: true });
    expect(asked.operationIds).toEqual(["upsertMerchant", "listMerchants", "getMerchant", "sendSms"]);
  });

  it("allows another machine with -y", () => {
    expect(read("--base-url https://staging.example/base -y --timeout 3600")).toMatchObject({
      ...{ baseUrl: new URL("https://staging.example/base"), deadlineMs: 3_600_000 },
    });
  });

  it("reads the other credentials from the environment", () => {
    const env = { ...own, MSGCTL_SPARE_API_KEY: "mkt_2", MSGCTL_SPARE_API_SECRET: "mks_2", MSGCTL_REVOKED_API_KEY: "" };
    expect(readChecks("--base-url http://localhost", env).others).toEqual({
      spare: { apiKey: "mkt_2", apiSecret: "mks_2" },
    });
  });

  it("is not validated if help or the version is requested", () => {
    expect(read("--help --only nobody", {})).toBe("help");
    expect(read("-V --only nobody", {})).toBe("version");
  });
});

describe("the demo server of the folder", () => {
  it("is checked with its credential, unless the environment has another", () => {
    const { apiKey, apiSecret } = demo;
    expect(read("", {}, demoFolder)).toMatchObject({
      baseUrl: new URL(demo.baseUrl),
      credential: { apiKey, apiSecret },
    });
    expect(read("", own, demoFolder)).toMatchObject({
      baseUrl: new URL(demo.baseUrl),
      credential: { apiKey: "mkt_1" },
    });
  });

  it("is the only server that gets its credential", () => {
    expect(() => read("--base-url http://127.0.0.1:4801", {}, demoFolder)).toThrow(/there is no credential/);
  });
});

it.each<[title: string, line: string, env: NodeJS.ProcessEnv, words: RegExp]>([
  [
    "half a credential",
    "--base-url http://localhost",
    { MSGCTL_API_KEY: "k" },
    /MSGCTL_API_SECRET must be set together/,
  ],
  ["no credential", "--base-url http://localhost", {}, /there is no credential/],
  ["no address", "", own, /--base-url is missing/],
  ["an address with a password", "--base-url http://a:b@localhost", own, /without credentials(?!.*a:b)/],
  ["another machine without -y", "--base-url http://192.0.2.1", own, /not on this machine.*-y/],
  ["an unknown operation", "--only nobody", own, /operationId or a tag .*received nobody/],
  ["an unknown output", "-o xml", own, /table or json, received xml/],
  ["a time that is too long", "--timeout 3601", own, /1 to 3600 seconds, received 3601/],
  ["an unknown flag", "--fast", own, /--fast.*See --help/],
])("%s is refused", (_title, line, env, words) => {
  const flags = line.includes("--base-url") || line === "" ? line : `--base-url http://localhost ${line}`;
  expect(() => read(flags, env)).toThrow(words);
  expect(() => read(flags, env)).toThrow(Refusal);
});

it("explains every flag in lines of 80 characters", () => {
  for (const flag of ["--base-url", "--only", "--output", "--timeout", "--yes", "--help", "--version"])
    expect(usage).toContain(flag);
  expect(usage.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
