import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, reply, SECRET, service } from "../../testing/world.ts";
import { readApiPath } from "./api-path.ts";

it.each<[string, [string, string][], string | undefined]>([
  ["merchants/m1", [], "/api/v1/merchants/m1"],
  ["/merchants/m1", [], "/api/v1/merchants/m1"],
  ["/api/v1/merchants/m1", [], "/api/v1/merchants/m1"],
  ["consent?contact=+1202", [["q", "a b&c={d}"]], "/api/v1/consent?contact=%2B1202&q=a%20b%26c%3D%7Bd%7D"],
  [
    "tts",
    [
      ["a", "1"],
      ["a", "2"],
    ],
    "/api/v1/tts?a=1&a=2",
  ],
  ["a/{b}", [], "/api/v1/a/%7Bb%7D"],
  ["a/./b", [], "/api/v1/a/b"],
  ["", [], undefined],
  ["/", [], undefined],
  ["/api/v1/", [], undefined],
  ["../admin", [], undefined],
  ["/api/v1/../../healthz", [], undefined],
  ["%2e%2e/admin", [], undefined],
  ["a/%2E%2e/../admin/../..", [], undefined],
  ["..\\admin", [], undefined],
  ["//evil.example/api/v1/x", [], undefined],
  ["/\\evil.example", [], undefined],
  ["https://evil.example/api/v1/merchants", [], undefined],
  ["javascript:alert(1)", [], undefined],
  ["merchants#x", [], undefined],
  ["a\nb", [], undefined],
])("the path %j with the parameters %j is read as %j", (text, parameters, path) => {
  expect(readApiPath(text, parameters)).toBe(path);
});

describe("msgctl api", () => {
  it("sends a request that no command makes, with the credential and an idempotency key", async () => {
    const { env, received } = await service((response) => reply(response, 200, { id: 7, deep: { done: true } }));
    const argv = ["api", "POST", "rockets", "--parameter", "to=+1202", "--body-file", "-", "--idempotency-key", "k1"];
    const body = '{"weight": 9223372036854775807, "list": [1]}';
    const ended = await msgctl([...argv, "-o", "json"], { env, catalog, stdin: body });
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([0, { id: 7, deep: { done: true } }]);
    expect(received).toMatchObject([{ method: "POST", url: "/api/v1/rockets?to=%2B1202" }]);
    expect(received[0]?.body).toBe('{"weight":9223372036854775807,"list":[1]}');
    expect(received[0]?.headers).toMatchObject({ "x-api-secret": SECRET, "idempotency-key": "k1" });
  });

  it("shows an operation of the contract as its command does, secrets masked", async () => {
    const users = { tenantId: 1, sipUsers: [{ sipUsername: "alice", password: SECRET }] };
    const { env } = await service((response) => reply(response, 200, users));
    const known = await catalog.record("getVoiceProvisioning");
    for (const path of [known.path, `${known.path}/other`]) {
      const { stdout } = await msgctl(["api", "GET", path, "-o", "json"], { env, catalog });
      expect(stdout).toContain("alice");
      expect(stdout).not.toContain(SECRET);
    }
  });

  it("reports a refusal as other commands do, and names body fields by JSON pointers", async () => {
    const errors = [{ pointer: "/merchantId", code: "required", detail: "Missing." }];
    const problem = { code: "validation_error", status: 422, title: "No.", detail: "Not so.", errors };
    const { env } = await service((response) => reply(response, 422, problem));
    const cwd = folder();
    writeFileSync(join(cwd, "body.json"), "{}");
    const ended = await msgctl(["api", "POST", "consent", "--body-file", "body.json"], { env, catalog, cwd });
    expect([ended.exitCode, ended.stdout]).toEqual([4, ""]);
    expect(ended.stderr).toContain("/merchantId: Missing.");
  });

  it.each([
    [["GET", "../x"], 2, '<path>: received "../x"; expected a path below /api/v1/'],
    [["GET", "https://evil.example/api/v1/x"], 2, "<path>: received"],
    [["GTE", "x"], 2, "did you mean GET?"],
    [["GET", "x", "--parameter", "a"], 2, '--parameter: received "a"; expected name=value'],
    [["GET", "x", "--body-file", "-"], 2, "--body-file: a GET request has no body"],
    [["POST", "x", "--body-file", "none.json"], 2, '--body-file: "none.json" cannot be read'],
    [["POST", "x", "--set", "a=1"], 2, "--set: fills the fields of a command"],
    [["GET"], 9, "<path>: missing"],
  ])("refuses %j with %i, and sends nothing", async (argv, exitCode, said) => {
    const { env, received } = await service((response) => reply(response, 200, {}));
    const ended = await msgctl(["api", ...argv], { env, catalog, stdin: '"text"' });
    expect([ended.exitCode, ended.stdout, received]).toEqual([exitCode, "", []]);
    expect(ended.stderr).toContain(said);
  });

  it("refuses a body that is not an object, and does not quote it", async () => {
    const { env, received } = await service((response) => reply(response, 200, {}));
    for (const stdin of [SECRET, `["${SECRET}"]`]) {
      const ended = await msgctl(["api", "POST", "x", "--body-file", "-"], { env, catalog, stdin });
      expect([ended.exitCode, received]).toEqual([2, []]);
      expect(ended.stderr).toContain("--body-file: holds no JSON object");
      expect(ended.stderr).not.toContain(SECRET);
    }
  });
});
