// A command loads only libraries that it uses, because loading is most of the cost of a start.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loopback, serve } from "../packages/loopback-service.ts";
import { filesOf, type Library, libraries, librariesIn } from "./bundled-libraries.ts";
import { runAndListFiles } from "./loaded-files.ts";
import { merchantsReply } from "./merchants-reply.ts";

const program = fileURLToPath(new URL("../../packages/cli/bin/msgctl.cjs", import.meta.url));
const dist = fileURLToPath(new URL("../../packages/cli/dist", import.meta.url));
const registration = fileURLToPath(new URL("../../examples/registration.yaml", import.meta.url));
const sms = ["--merchant-id", "demo", "--to", "+12025550100", "--message", "Hello", "--type", "OTP"];

const registrationReply = JSON.stringify({ merchantId: "demo", brands: [], campaigns: [], numbers: [] });

const cwd = mkdtempSync(join(tmpdir(), "msgctl-start-"));
let service: Loopback;
beforeAll(async () => {
  service = await serve(({ url }, response) => {
    const reply = url?.endsWith("/messaging/status") ? registrationReply : merchantsReply;
    response.writeHead(200, { "content-type": "application/json" }).end(reply);
  });
});
afterAll(async () => {
  await service.close();
  rmSync(cwd, { recursive: true });
});

it.each(libraries)("the bundle has %s in one file", (library) => {
  expect(filesOf(library, dist)).toHaveLength(1);
});

describe("msgctl loads", () => {
  it.each<[line: readonly string[], used: readonly Library[]]>([
    [["--version"], []],
    [["--help"], []],
    [["send", "--help"], []],
    [["send", "sms", "--help"], []],
    [["send", "bulk", "--help"], []],
    [["send", "sms", ...sms, "--dry-run"], []],
    [["merchants", "list"], []],
    [["merchants", "list", "-o", "json"], []],
    [["merchants", "list", "-o", "csv"], []],
    [["config", "path"], []],
    [["registration", "apply", "--help"], []],
    [["merchants", "list", "-o", "yaml"], []],
    // the following commands use libraries
    [["registration", "apply", registration, "--dry-run", "--quiet", "-o", "raw"], ["yaml"]],
    [["merchants", "list", "--query", "[].merchantId"], ["jmespath"]],
    [["schema", "merchants", "list"], ["contract"]],
  ])("for %j the libraries %j", async (line, used) => {
    const env = { MSGCTL_BASE_URL: service.origin, MSGCTL_API_KEY: "key", MSGCTL_API_SECRET: "secret" };
    const { exitCode, stdout, stderr, files } = await runAndListFiles(program, line, { cwd, env });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).not.toBe("");
    expect(files.map(({ path }) => basename(path))).toContain("main.cjs");
    expect(librariesIn(files.map(({ path }) => path))).toEqual(used);
  });
});
