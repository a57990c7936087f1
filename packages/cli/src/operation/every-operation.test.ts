/** Tests every real command: its help, and its examples as they are printed. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { hints } from "../generated/hints.ts";
import { records } from "../generated/records.ts";
import type { OperationRecord } from "../model/record.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { msgctl, reply, SECRET, service } from "../testing/world.ts";

const all = Object.values(records);

it("the index and the records have the same operations", async () => {
  const indexed = catalog.index.groups.flatMap(({ commands }) => commands.map(({ operationId }) => operationId));
  expect(indexed.sort()).toEqual(Object.keys(records).sort());
  expect(all.length).toBeGreaterThan(0);
  for (const operationId of indexed) expect(await catalog.record(operationId)).toBe(records[operationId]);
  await expect(catalog.record("none")).rejects.toThrow("none");
});

it("the catalog has hints for problem codes of the service", async () => {
  expect(await catalog.hint("consent_required")).toBe(hints.consent_required);
  expect(await catalog.hint("toString")).toBeUndefined();
});

const byName = (record: OperationRecord) => [`${record.group} ${record.name}`, record] as const;

/** Defines one test for all commands. It reports each command that fails, with the reason. */
function itEach(words: string, check: (record: OperationRecord) => Promise<void>): void {
  it(words, async () => {
    for (const record of all) {
      await check(record).catch((error) => expect.soft(error, `${record.group} ${record.name}`).toBeUndefined());
    }
  });
}

describe("each command of an operation", () => {
  itEach("shows its summary, every value it takes and every field it gives", async (record) => {
    const { exitCode, stdout } = await msgctl([record.group, record.name, "--help"], { catalog });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(record.summary);
    expect(stdout).toContain(`USAGE\n  msgctl ${record.group} ${record.name}`);
    for (const { name, positional, enum: values = [] } of record.inputs) {
      expect(stdout).toMatch(positional ? `<${name}>` : new RegExp(`--(\\[no-\\])?${name}(-file)?\\b`));
      for (const value of values) expect(stdout).toContain(value);
    }
    for (const field of record.output.fields) expect(stdout).toContain(field);
    expect(stdout).toContain(`EXAMPLES\n  # ${record.examples[0]?.title}\n  msgctl ${record.group} ${record.name}`);
  });

  itEach("has help that fits into 80 and 200 columns, examples aside", async (record) => {
    for (const terminal of [80, 200]) {
      const world = { catalog, terminal, env: { NO_COLOR: "1" } };
      const { stdout } = await msgctl([record.group, record.name, "--help"], world);
      const [text = ""] = stdout.split("\nEXAMPLES\n");
      expect(text.split("\n").filter((line) => line.length > terminal)).toEqual([]);
    }
  });

  itEach("is found by its aliases", async (record) => {
    for (const alias of record.aliases) {
      const { stdout } = await msgctl([record.group, alias, "--help"], { catalog });
      expect(stdout).toContain(`USAGE\n  msgctl ${record.group} ${record.name}`);
    }
  });

  // a test for each command, since all of them together would take minutes on a busy machine
  it.each(all.map(byName))("%s runs its examples unchanged", async (_, record) => {
    const fills = record.inputs.flatMap(({ fill }) => fill ?? []);
    const { env, received } = await service((response, { url }) => {
      const fill = fills.find(({ operation }) => records[operation]?.path === url);
      if (fill === undefined) answer(response, record);
      else reply(response, 200, { tenantId: 1, [fill.field]: "1" });
    });
    for (const { argv } of record.examples) {
      const ended = await msgctl([...argv, "-y", "-o", "json"], { env, catalog });
      expect([ended.stderr.replace("Done.\n", ""), ended.exitCode]).toEqual(["", 0]);
      expect(() => JSON.parse(ended.stdout)).not.toThrow();
      expect((await msgctl([...argv, "-y"], { env, catalog })).exitCode).toBe(0);
    }
    const own = received.filter(({ url }) => !fills.some(({ operation }) => records[operation]?.path === url));
    expect(received).toHaveLength(own.length * (1 + fills.length));
    for (const { method, url } of own) {
      expect(method).toBe(record.method);
      expect(decodeURIComponent(url ?? "").split("?")[0]).toMatch(pathPattern(record));
    }
    expect(own).toHaveLength(record.examples.length * 2);
  });

  itEach("names everything it lacks and everything that is wrong, and sends nothing", async (record) => {
    const { env, received } = await service((response) => answer(response, record));
    const required = record.inputs.filter(({ required, fill }) => required && fill === undefined);
    const ended = await msgctl([record.group, record.name], { env, catalog });
    if (required.length === 0) return expect([ended.exitCode, received.length]).toEqual([0, 1]);
    expect(ended.exitCode).toBe(9);
    for (const { name, positional } of required)
      expect(ended.stderr).toContain(positional ? `<${name}>:` : `--${name}:`);
    expect(received).toEqual([]);
  });
});

function pathPattern({ path }: OperationRecord): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/{}]+")}$`);
}

/** Returns the smallest reply that counts as a success. */
function answer(response: ServerResponse, { output: { kind }, identity }: OperationRecord): void {
  if (kind === "none") response.writeHead(204).end();
  else if (kind === "text") response.setHeader("content-type", "application/xml").end(`<${identity}/>`);
  else
    reply(
      response,
      200,
      kind === "list" ? [] : Object.fromEntries([identity ?? []].flat(2).map((name) => [name, "1"])),
    );
}

describe("SIP passwords", () => {
  const user = { sipUsername: "alice", password: SECRET, extension: "100" };
  const xml = `<document><param name="a1-hash" value="${SECRET}"/></document>`;

  it.each([["table"], ["json"]])("are masked in %s, and shown on request", async (format) => {
    const { env } = await service((response, { url }) => {
      if (url?.includes("directory")) response.setHeader("content-type", "application/xml").end(xml);
      else reply(response, 200, { tenantId: 1, sipUsers: [user, { ...user, password: null }] });
    });
    for (const words of [["show"], ["directory", "alice"]]) {
      const argv = ["provisioning", ...words, "-o", format];
      const masked = await msgctl(argv, { env, catalog });
      expect(masked.stdout).not.toContain(SECRET);
      expect(masked.stderr).toBe("1 secret is masked; --show-secrets shows it.\n");
      expect((await msgctl([...argv, "--show-secrets"], { env, catalog })).stdout).toContain(SECRET);
    }
  });
});

describe("a list of consents", () => {
  const consents = [
    { merchantId: "demo", channel: "SMS", contact: "+12025550100", status: "OPT_IN", source: "form" },
    { merchantId: "demo", channel: "EMAIL", contact: "delivered@simulator.example", status: "OPT_OUT", source: null },
  ].map((consent) => ({ ...consent, updatedAt: "2026-03-01T10:20:30.456Z" }));

  it.each([
    [
      80,
      [
        "merch…  channel  contact                      status   source  updatedAt",
        "demo    SMS      +12025550100                 OPT_IN   form    2026-03-01 10:20Z",
        "demo    EMAIL    delivered@simulator.example  OPT_OUT  -       2026-03-01 10:20Z",
      ],
    ],
    [
      200,
      [
        "merchantId  channel  contact                      status   source  updatedAt",
        "demo        SMS      +12025550100                 OPT_IN   form    2026-03-01 10:20:30 UTC",
        "demo        EMAIL    delivered@simulator.example  OPT_OUT  -       2026-03-01 10:20:30 UTC",
      ],
    ],
  ])("fits a terminal of %i columns", async (terminal, lines) => {
    const { env } = await service((response) => reply(response, 200, consents));
    const { stdout } = await msgctl(["consent", "list"], { catalog, terminal, env: { ...env, NO_COLOR: "1" } });
    expect(stdout.trimEnd().split("\n")).toEqual(lines);
  });
});

it("direct sends keep the plus of a phone number, and send --body as the email body", async () => {
  const { env, received } = await service((response) => reply(response, 200, { messageId: "msg_1", status: "QUEUED" }));
  await msgctl(["send", "direct-sms", "--to", "+12025550100", "--message", "Hi"], { env, catalog });
  await msgctl(["send", "direct-email", "--to", "a@example.com", "--body", "<p>Hi</p>"], { env, catalog });
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    { to: "+12025550100", message: "Hi" },
    { to: "a@example.com", body: "<p>Hi</p>" },
  ]);
});

describe("at 80 and at 60 columns", () => {
  const at = (distanceMs: number) => new Date(createFakeClock().now() + distanceMs).toISOString();
  const merchantId = "bright-dental-of-portland";
  const credits = { smsCredits: 100_000 };
  const merchant = {
    ...{ merchantId, displayName: "Bright Dental of Portland, Oregon, and its sister practices", active: true },
    ...{ usage: { smsUsed: 123_456 }, limits: { smsLimit: 1_000_000 }, credits },
  };
  const consent = { merchantId, channel: "EMAIL", contact: "jane.doe+reminders@mail.example.com", status: "OPT_OUT" };
  const call = { requestId: "123456789", batchId: "987654321", toNumber: "+442071838750", finalStatus: "SCHEDULED" };
  const number = { ...call, callStatus: "IN_PROGRESS", playbackStatus: "NOT_STARTED", billingState: "PROVISIONAL" };
  const message = "80 % of the month's SMS are used up; the rest will last for about six days at this pace.";

  it.each<[string, object, readonly string[]]>([
    ["merchants list", merchant, [merchantId, "123456", "1000000", "100000"]],
    [
      "consent list",
      { ...consent, source: "web form of March", updatedAt: at(-180_000) },
      [merchantId, consent.contact, "OPT_OUT", "3 min ago"],
    ],
    [
      "tts list",
      { ...call, status: "SYNTHESIZING", useCase: "appointment reminder", createdAt: at(-5 * 86_400_000) },
      ["123456789", "987654321", "+442071838750", "SYNTHESIZING", "5 days ago"],
    ],
    ["tts numbers 9", number, ["123456789", "+442071838750", "SCHEDULED"]],
    [
      "alerts list",
      {
        merchantId,
        severity: "CRITICAL",
        alertType: "USAGE_THRESHOLD",
        channel: "SMS",
        message,
        createdAt: at(-7_200_000),
      },
      [merchantId, "CRITICAL", "2 h ago"],
    ],
  ])("%s shows its ids, states and times in full", async (words, row, whole) => {
    const { env } = await service((response) => reply(response, 200, [row, row]));
    for (const terminal of [80, 60]) {
      const world = { catalog, terminal, env: { ...env, NO_COLOR: "1" }, clock: createFakeClock() };
      const { stdout } = await msgctl(words.split(" "), world);
      for (const text of whole)
        expect(stdout).toMatch(new RegExp(`(?:^|[\\s(])${text.replace(/[+.]/g, "\\$&")}(?:[\\s)]|$)`, "m"));
    }
    // output for programs has exact times
    const piped = await msgctl(words.split(" "), { catalog, env, clock: createFakeClock() });
    expect(piped.stdout).not.toContain("ago");
  });
});
