import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, type Received, reply, service, type World } from "../../testing/world.ts";

const FILE = "merchantId: m1\nbrand:\n  legalBusinessName: Acme\n";
const BRAND = {
  id: 7,
  merchantId: "m1",
  provider: "own",
  providerBrandId: null,
  legalBusinessName: "Acme",
  status: "PENDING",
  updatedAt: "t",
};

/** Starts a service with a registration. `answer` handles all other requests. */
async function registry(refuse?: { status: number; body: object }) {
  const brands: object[] = [];
  return service((response, { method }) => {
    if (method === "POST") {
      if (refuse !== undefined) return reply(response, refuse.status, refuse.body);
      brands.push(BRAND);
      return reply(response, 200, BRAND);
    }
    const head = { readyToSend: false, blockingReason: brands.length === 0 ? "BRAND_MISSING" : "BRAND_PENDING" };
    reply(response, 200, { merchantId: "m1", ...head, brands, campaigns: [], numbers: [] });
  });
}

async function run(flags: readonly string[], world: Partial<World> & { text?: string } = {}) {
  const cwd = folder();
  writeFileSync(join(cwd, "r.yaml"), world.text ?? FILE);
  return msgctl(["registration", "apply", "r.yaml", ...flags], { catalog, cwd, ...world });
}

const writes = (received: readonly Received[]) => received.filter(({ method }) => method === "POST").length;

describe("msgctl registration apply", () => {
  it("does the remaining steps, reports each with the final state, and does nothing the next time", async () => {
    const { env, received } = await registry();
    const first = await run(["-y"], { env });
    expect([first.exitCode, first.stdout]).toEqual([0, expect.stringContaining("BRAND_PENDING")]);
    for (const said of [
      "+ brand Acme\n",
      "1 to create.",
      "+ brand Acme: done (id 7, PENDING)",
      "`msgctl registration wait m1`",
    ])
      expect(first.stderr).toContain(said);
    expect(received.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
    const second = await run([], { env });
    expect([second.exitCode, second.stderr]).toEqual([
      0,
      expect.stringContaining("Nothing to do: the registration matches the file."),
    ]);
    expect(writes(received)).toBe(1);
  });

  it("reads the file from standard input", async () => {
    const { env, received } = await registry();
    const { exitCode } = await msgctl(["registration", "apply", "-", "-y"], { catalog, env, stdin: FILE });
    expect([exitCode, writes(received)]).toEqual([0, 1]);
  });

  it("shows only the plan with --dry-run, as text and as data", async () => {
    const { env, received } = await registry();
    const text = await run(["--dry-run"], { env });
    expect(text).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\+ brand Acme\n/),
      stderr: "Nothing was sent.\n",
    });
    const json = await run(["--dry-run", "-o", "json"], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ merchantId: "m1", changes: 1, blockingReason: "BRAND_MISSING" },
      steps: [{ step: "brand", action: "create", outcome: "planned", id: null, path: "brand" }],
    });
    const queried = await run(["--dry-run", "-q", "steps[].action", "-o", "json", "--quiet"], { env });
    expect([JSON.parse(queried.stdout), queried.stderr]).toEqual([["create"], ""]);
    expect(writes(received)).toBe(0);
  });

  it("needs no credential to check a file", async () => {
    const { exitCode, stdout, stderr } = await run(["--dry-run"]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("1 to create.")]);
    expect(stderr).toContain("assumes that nothing is registered yet");
    expect(await run(["-y"])).toMatchObject({ exitCode: 3, stdout: "" });
  });

  it("changes nothing without a terminal, and suggests -y", async () => {
    const { env, received } = await registry();
    const ended = await run([], { env });
    expect([ended.exitCode, ended.stdout, writes(received)]).toEqual([9, "", 0]);
    expect(ended.stderr).toContain("Give -y to skip the question");
    const json = await run(["-o", "json"], { env });
    expect(JSON.parse(json.stderr)).toMatchObject({ code: "confirmation_needed", exitCode: 9 });
  });

  it.each([
    ["y\r", 0, 1],
    ["\r", 130, 0],
    ["n\r", 130, 0],
    ["\u0003", 130, 0],
  ])("asks once on a terminal, and obeys the answer %j", async (keys, exitCode, count) => {
    const { env, received } = await registry();
    const ended = await run([], { env, terminal: 80, dialogue: [["Go ahead?", keys]] });
    expect([ended.exitCode, writes(received)]).toEqual([exitCode, count]);
    expect(ended.stderr).toContain("+ brand Acme");
  });

  it("sends nothing if the file has faults", async () => {
    const { env, received } = await registry();
    const text = "merchantId: m1\nbrand:\n  legalBusinesName: Acme\n  country: us\n";
    const ended = await run(["-y", "-o", "json"], { env, text });
    expect([ended.exitCode, received]).toEqual([2, []]);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      message: "r.yaml has 3 faults; nothing was sent",
      errors: [
        { where: "brand.legalBusinesName (line 3)" },
        { where: "brand.country (line 4)" },
        { where: "brand.legalBusinessName (line 2)" },
      ],
    });
  });

  it("reports a refusal by its place in the file, on standard error only", async () => {
    const errors = [{ pointer: "/legalBusinessName", code: "too_long", detail: "Expected less." }];
    const body = { code: "validation_error", title: "Not valid", detail: "The body is not valid.", errors };
    const { env } = await registry({ status: 400, body });
    const ended = await run(["-y", "-o", "json"], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ readyToSend: null, steps: [{ outcome: "failed", id: null }] });
    expect(JSON.parse(ended.stderr)).toMatchObject({
      ...{ code: "validation_error", exitCode: 4, status: 400, idempotencyKey: null },
      errors: [{ where: "brand.legalBusinessName (line 3)", message: "Expected less." }],
      hints: expect.arrayContaining([expect.stringContaining("Run the same command again")]),
    });
  });

  it.each([
    [["--curl"], "--curl: shows one request"],
    [["--set", "a=b"], "--set: is for one request"],
    [["--body-file", "a"], "--body-file: is for one request"],
    [["--idempotency-key", "k"], "--idempotency-key: is for one request"],
    [["--columns", "nothing"], "--columns: received"],
  ])("refuses %j", async (flags, said) => {
    const { exitCode, stderr } = await run(flags);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("applies the part of a file that is possible, and exits with 8", async () => {
    const other = { ...BRAND, id: 3, legalBusinessName: "Older", status: "APPROVED" };
    const { env, received } = await service((response, { method }) => {
      if (method === "POST") return reply(response, 200, BRAND);
      const head = { readyToSend: false, blockingReason: "CAMPAIGN_MISSING", campaigns: [], numbers: [] };
      reply(response, 200, { merchantId: "m1", ...head, brands: [other] });
    });
    const texts = [
      "useCase: 2FA",
      "description: d",
      "messageFlow: f",
      "optInMessage: a",
      "optOutMessage: b",
      "helpMessage: c",
    ];
    const lists = ["sampleMessages", "optInKeywords", "optOutKeywords", "helpKeywords"].map((name) => `${name}: [x]`);
    const text = `${FILE}campaign: {campaignReference: c1, ${[...texts, ...lists].join(", ")}}\n`;
    const ended = await run(["-y", "-o", "json"], { env, text });
    expect(ended.exitCode).toBe(8);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      steps: [{ outcome: "done" }, { action: "blocked", outcome: "kept" }],
    });
    expect(JSON.parse(ended.stderr)).toMatchObject({
      code: "steps_blocked",
      errors: [{ where: "campaign (line 4), c1", message: expect.stringContaining("now that is 3 (Older)") }],
    });
    expect(writes(received)).toBe(1);
  });

  it("reports a missing file", async () => {
    const ended = await msgctl(["registration", "apply", "nowhere.yaml"], { catalog });
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"nowhere.yaml" cannot be read: there is no such file'),
    });
  });
});
