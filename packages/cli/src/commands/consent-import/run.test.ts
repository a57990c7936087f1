import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, reply, type Service, service, type World } from "../../testing/world.ts";

const STOPPED = "+12025550688";
const OTHER = "+12025550699";

interface Consent {
  contact: string;
  status: string;
  source?: string;
  channel?: string;
}

/** Starts a service with these consents of merchant m1. */
const having = (...consents: Consent[]) =>
  service((response, { method, body }) => {
    if (method === "GET") {
      const own = { merchantId: "m1", channel: "SMS", source: "form", updatedAt: "2026-01-15T12:00:00.000Z" };
      return reply(
        response,
        200,
        consents.map((consent) => ({ ...own, ...consent })),
      );
    }
    return reply(response, 200, { source: "form", updatedAt: "2026-01-15T12:00:00.000Z", ...JSON.parse(body) });
  });

/** Starts a service without consents that calls `record` for each row. */
const recording = (record: (consent: Consent, key: string, done: () => void) => void) =>
  service((response, { method, body, headers }) => {
    if (method === "GET") return reply(response, 200, []);
    record(JSON.parse(body), String(headers["idempotency-key"]), () => reply(response, 200, JSON.parse(body)));
  });

const stopped = () => having({ contact: STOPPED, status: "OPT_OUT", source: "SMS_REPLY:STOP" });
const optIn = (contact: string) => `${contact},OPT_IN\n`;
const optOut = (contact: string) => `${contact},OPT_OUT\n`;

function scene({ env }: Service, rows: string, { channel = "SMS", cwd = folder() } = {}) {
  writeFileSync(join(cwd, "list.csv"), `contact,status\n${rows}`);
  return (argv: readonly string[] = [], world: Partial<World> = {}) =>
    msgctl(["consent", "import", "list.csv", "--set", "merchantId=m1", "--set", `channel=${channel}`, ...argv], {
      ...{ cwd, env: { NO_COLOR: "1", ...env }, catalog },
      ...world,
    });
}

const recorded = ({ received }: Service) =>
  received.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body).contact);

it("without a terminal, records nothing if a row would override a recipient's STOP", async () => {
  const answering = await stopped();
  const ended = await scene(answering, optIn(STOPPED) + optIn(OTHER))();
  expect(ended.exitCode).toBe(9);
  expect(ended.stderr).toBe(
    [
      "error: 1 contact has opted out by a reply or a link, and this list would opt them in; nothing was recorded",
      "hint: Give --keep-stops to leave them out.",
      "hint: Give -y to opt them in if they have agreed again.",
      "",
    ].join("\n"),
  );
  expect(recorded(answering)).toEqual([]);
});

it.each([
  [["--keep-stops"], "1 done, 0 failed, 1 left out, 0 open", [OTHER]],
  [["-y"], "2 done, 0 failed, 0 open", [STOPPED, OTHER]],
])("handles overridden STOPs as %j says, and reports them even with --quiet", async (flags, said, contacts) => {
  const answering = await stopped();
  const run = scene(answering, optIn(STOPPED) + optIn(OTHER));
  const ended = await run(flags);
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(said) });
  expect(recorded(answering).sort()).toEqual([...contacts].sort());
  const again = await run([...flags, "--quiet"]);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("1 contact has opted out") });
  // the run is complete without the skipped rows, so the list is recorded again
  expect(recorded(answering)).toHaveLength(2 * contacts.length);
});

it.each([
  ["leave them out", "\r", 0, [OTHER]],
  ["record nothing", "\u001b[B\r", 130, []],
  ["opt them in", "\u001b[B\u001b[B\r", 0, [STOPPED, OTHER]],
])("asks at a terminal: %s", async (_, keys, exitCode, contacts) => {
  const answering = await stopped();
  const ended = await scene(answering, optIn(STOPPED) + optIn(OTHER))([], {
    ...{ terminal: 100, dialogue: [["What should happen to their rows", keys]] },
  });
  expect([ended.exitCode, recorded(answering).sort()]).toEqual([exitCode, contacts]);
});

it.each<[string, Consent[], string]>([
  ["only opt-outs", [{ contact: STOPPED, status: "OPT_OUT", source: "SMS_REPLY:STOP" }], optOut(STOPPED)],
  [
    "an opt-out as the last row of the contact",
    [{ contact: STOPPED, status: "OPT_OUT", source: "SMS_REPLY:STOP" }],
    optIn(STOPPED) + optOut(STOPPED),
  ],
  ["an opt-out that the merchant recorded", [{ contact: STOPPED, status: "OPT_OUT" }], optIn(STOPPED)],
  [
    "an opt-out on another channel",
    [{ contact: STOPPED, status: "OPT_OUT", source: "SMS_REPLY:STOP", channel: "VOICE" }],
    optIn(STOPPED),
  ],
  [
    "a contact who has opted in again",
    [{ contact: STOPPED, status: "OPT_IN", source: "SMS_REPLY:START" }],
    optIn(STOPPED),
  ],
])("does not ask if the list or the service has %s", async (_, consents, rows) => {
  const answering = await having(...consents);
  expect((await scene(answering, rows)()).exitCode).toBe(0);
});

it("records nothing if the service does not say who has opted out", async () => {
  const answering = await service((response) => reply(response, 200, { hello: "world" }));
  expect((await scene(answering, optIn(OTHER))(["--retries", "0"])).exitCode).not.toBe(0);
  expect(recorded(answering)).toEqual([]);
});

it.each([
  ["1.20255E+10", "a spreadsheet has shortened this number"],
  ["(202) 555-0100", "because channel is SMS"],
  ["ada@example.com", "because channel is SMS"],
  ["\uFF0B12025550100", "because channel is SMS"],
])("refuses %j before the first row is recorded, and in a dry run", async (contact, said) => {
  const answering = await having();
  const run = scene(answering, optIn(OTHER) + optIn(contact));
  for (const flags of [[], ["--dry-run"]]) {
    const ended = await run(flags);
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
    expect(ended.stderr).toContain("1 of 2 rows is not valid; nothing was recorded");
  }
  expect(answering.received).toEqual([]);
});

it.each(["ada@gmail", "ada..b@example.com", "Äda@example.com"])(
  "refuses the address %j before the first row",
  async (contact) => {
    const answering = await having();
    const ended = await scene(answering, optIn("ada@example.com") + optIn(contact), { channel: "EMAIL" })();
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("line 3, contact: received") });
    expect(answering.received).toEqual([]);
  },
);

it("consent record refuses a contact that does not fit the channel, too", async () => {
  const flags = ["--merchant-id", "m1", "--channel", "EMAIL", "--contact", OTHER, "--status", "OPT_IN", "--dry-run"];
  const ended = await msgctl(["consent", "record", ...flags], { catalog });
  expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("because channel is EMAIL") });
});

it("records all consents again each time a list is run", async () => {
  const states = new Map<string, string>();
  const known = new Set<string>();
  const answering = await recording(({ contact, status }, key, done) => {
    if (!known.has(key)) states.set(contact, status);
    known.add(key);
    done();
  });
  for (const status of ["OPT_OUT", "OPT_IN", "OPT_OUT"]) {
    expect((await scene(answering, `${OTHER},${status}\n`)(["--quiet"])).exitCode).toBe(0);
    expect(states.get(OTHER)).toBe(status);
  }
});

it("records the rows of one contact in order", async () => {
  const ended: string[] = [];
  const answering = await recording(({ contact, status }, _key, done) => {
    const record = () => {
      ended.push(`${contact} ${status}`);
      done();
    };
    // the first row takes longer than all others
    if (status === "OPT_IN") setTimeout(record, 50);
    else record();
  });
  expect((await scene(answering, optIn(OTHER) + optOut(OTHER) + optOut(STOPPED))()).exitCode).toBe(0);
  expect(ended).toEqual([`${STOPPED} OPT_OUT`, `${OTHER} OPT_IN`, `${OTHER} OPT_OUT`]);
});

it("skips an open row on resumption if a later row of its contact is done", async () => {
  const ended: string[] = [];
  let isBusy = true;
  const answering = await service((response, { method, body }) => {
    if (method === "GET") return reply(response, 200, []);
    const { contact, status } = JSON.parse(body);
    if (isBusy && status === "OPT_IN")
      return reply(response, 503, { code: "unavailable", status: 503, title: "x", type: "x" });
    ended.push(`${contact} ${status}`);
    reply(response, 200, JSON.parse(body));
  });
  const run = scene(answering, optIn(OTHER) + optOut(OTHER) + optIn(STOPPED));
  expect((await run(["--retries", "0"])).exitCode).toBe(8);
  isBusy = false;
  expect(await run(["--quiet"])).toMatchObject({
    ...{ exitCode: 0, stderr: expect.stringContaining("1 row is left out: a later row of the same consent is done.") },
  });
  expect(ended).toEqual([`${OTHER} OPT_OUT`, `${STOPPED} OPT_IN`]);
});

it("writes no refused row to the failed file if a later row of its contact is done", async () => {
  const answering = await service((response, { method, body }) => {
    if (method === "GET") return reply(response, 200, []);
    const { status } = JSON.parse(body);
    if (status === "OPT_IN")
      return reply(response, 422, { code: "validation_error", status: 422, title: "x", type: "x", errors: [] });
    reply(response, 200, JSON.parse(body));
  });
  const cwd = folder();
  const run = scene(answering, optIn(OTHER) + optOut(OTHER) + optIn(STOPPED), { cwd });
  expect((await run()).exitCode).toBe(8);
  const kept = readFileSync(join(cwd, "list.failed.csv"), "utf8").trimEnd().split("\n");
  expect(kept).toEqual([expect.stringContaining("contact,status"), expect.stringContaining(`${STOPPED},OPT_IN,`)]);
});

it.each([[["-y"]], [["--keep-stops"]], [[]]])(
  "skips an opt-in that a later row revokes, so that nobody is opted in temporarily, with %j",
  async (flags) => {
    const answering = await stopped();
    const ended = await scene(answering, optIn(STOPPED) + optOut(STOPPED))(flags);
    expect(ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("1 done, 0 failed, 1 left out, 0 open"),
    });
    expect(ended.stderr).toContain("1 opt-in is left out: the contact has opted out, and a later row says so.");
    expect(answering.received.map(({ body }) => body).join()).not.toContain("OPT_IN");
  },
);

it("imports consents without a question if no STOP is overridden", async () => {
  const answering = await having();
  const cwd = folder();
  writeFileSync(join(cwd, "answers.csv"), `Mobile,status\n${optIn(STOPPED)}${optOut(OTHER)}`);
  const set = ["--set", "merchantId=m1", "--set", "channel=SMS", "--map", "mobile=contact"];
  const ended = await msgctl(["consent", "import", "answers.csv", ...set], { cwd, env: answering.env, catalog });
  expect(ended).toEqual({ exitCode: 0, stdout: "", stderr: "2 rows: 2 done, 0 failed, 0 open.\n" });
  const posted = answering.received.filter(({ method }) => method === "POST");
  expect(posted.map(({ url, body }) => [url, JSON.parse(body)]).sort()).toEqual([
    ["/api/v1/consents", { merchantId: "m1", channel: "SMS", contact: STOPPED, status: "OPT_IN" }],
    ["/api/v1/consents", { merchantId: "m1", channel: "SMS", contact: OTHER, status: "OPT_OUT" }],
  ]);
});

it("does not read consents from the service if a list has only opt-outs", async () => {
  const answering = await stopped();
  expect((await scene(answering, optOut(STOPPED) + optOut(OTHER))()).exitCode).toBe(0);
  expect(answering.received.map(({ method }) => method)).toEqual(["POST", "POST"]);
});
