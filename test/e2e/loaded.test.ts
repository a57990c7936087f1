// What a start loads is most of what it costs: no library where a command does not use it.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loopback, serve } from "../packages/loopback-service.ts";
import { filesWith, libraryMarks, libraryNames, libraryOf } from "./bundled-libraries.ts";
import { runAndListFiles } from "./loaded-files.ts";
import { merchantsReply } from "./merchants-reply.ts";

const program = fileURLToPath(new URL("../../packages/cli/bin/msgctl.cjs", import.meta.url));
const dist = fileURLToPath(new URL("../../packages/cli/dist", import.meta.url));
const sms = ["--merchant-id", "demo", "--to", "+12025550100", "--message", "Hello", "--type", "OTP"];

const cwd = mkdtempSync(join(tmpdir(), "msgctl-start-"));
let service: Loopback;
beforeAll(async () => {
  service = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(merchantsReply);
  });
});
afterAll(async () => {
  await service.close();
  rmSync(cwd, { recursive: true });
});

describe("the bundle", () => {
  it.each(libraryNames)("has %s in one file", (name) => {
    expect(readdirSync(dist).filter((file) => libraryOf(file) === name)).toHaveLength(1);
  });

  it.each(Object.entries(libraryMarks))("has %s nowhere else", (name, mark) => {
    expect(filesWith(mark, dist).map(libraryOf)).toEqual([name]);
  });
});

describe("msgctl loads", () => {
  it.each<[line: readonly string[], libraries: readonly string[]]>([
    [["--version"], []],
    [["--help"], []],
    [["send", "--help"], []],
    [["send", "sms", "--help"], []],
    [["send", "bulk", "--help"], []],
    [["send", "sms", ...sms, "--dry-run"], []],
    [["merchants", "list"], []],
    [["merchants", "list", "-o", "json"], []],
    [["merchants", "list", "-o", "csv"], []],
    // that a library does show where one is used
    [["merchants", "list", "-o", "yaml"], ["yaml"]],
    [["merchants", "list", "--query", "[].merchantId"], ["jmespath"]],
    [["schema", "merchants", "list"], ["contract"]],
  ])("for %j the libraries %j", async (line, libraries) => {
    const env = { MSGCTL_BASE_URL: service.origin, MSGCTL_API_KEY: "key", MSGCTL_API_SECRET: "secret" };
    const { exitCode, stdout, stderr, files } = await runAndListFiles(program, line, { cwd, env });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).not.toBe("");
    expect(files.map(({ path }) => basename(path))).toContain("main.cjs");
    expect(files.flatMap(({ path }) => libraryOf(path) ?? [])).toEqual(libraries);
  });
});
