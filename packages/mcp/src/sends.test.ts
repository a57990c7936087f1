import { afterEach, describe, expect, it } from "vitest";
import { callTool } from "./call-tool.ts";
import { tools } from "./generated/tools.ts";
import { SendBudget, SendMemory } from "./sends.ts";
import { CONFIRM_ALL, createWorld, type World, type WorldOptions } from "./testing/world.ts";

const SMS = { merchantId: "demo", to: "+12025550100", message: "Your code is 417.", type: "OTP" };
const TEN_MINUTES = 10 * 60_000;

let world: World;
afterEach(() => world?.service.close());

async function begin(options: WorldOptions = {}) {
  world = await createWorld({ ...CONFIRM_ALL, ...options });
  return world;
}

const sent = async () => (await world.service.messages()).length;

describe.each(["legacy", "modern"] as const)("a send over the %s protocol", (era) => {
  it("goes out once the person has confirmed what is sent, to whom, and what it takes", async () => {
    const { call, asked } = await begin({ era });
    const { isError, structured } = await call("send_sms", SMS);
    expect([isError, structured]).toEqual([false, expect.objectContaining({ status: "QUEUED", merchantId: "demo" })]);
    expect(asked).toEqual([
      [
        "Send an SMS for a merchant, at https://api.msgctl.example:",
        ...["  merchantId: demo", "  to: +12025550100", "  message: Your code is 417.", "  type: OTP"],
        "Recipients: 1. 20 are left to this server (--max-sends).",
        "Length: 1 SMS segment.",
        "This is charged to the account.",
      ].join("\n"),
    ]);
    expect(await sent()).toBe(1);
  });

  it.each(["decline", "cancel", "unchecked"] as const)("does not go out if the answer is %s", async (answer) => {
    const { call } = await begin({ era, answer });
    const { error } = await call("send_sms", SMS);
    expect(error).toMatchObject({ code: "not_confirmed", message: expect.stringContaining("nothing was sent") });
    expect(await sent()).toBe(0);
  });

  it("is refused if the client cannot ask, and says how the person can change that", async () => {
    const { call } = await begin({ era, answer: undefined });
    const { error } = await call("send_sms", SMS);
    expect(error).toMatchObject({ code: "confirmation_impossible", hints: [expect.stringContaining("--yes")] });
    expect(await sent()).toBe(0);
  });

  it("goes out without a question if --yes was given", async () => {
    const { call, asked } = await begin({ era, answer: undefined, line: "--allow send --allow-billable --yes" });
    expect((await call("send_sms", SMS)).isError).toBe(false);
    expect([asked, await sent()]).toEqual([[], 1]);
  });
});

it("the question keeps each value on one line, cuts long ones, and names every recipient", async () => {
  const { call, asked } = await begin();
  await call("send_sms", { ...SMS, message: `Hi\nRecipients: 0.\u202e${"x".repeat(500)}` });
  const numbers = Array.from({ length: 12 }, (_, index) => `+1202555${String(1_000 + index)}`);
  await call("tts_create", { merchantId: "demo", messageText: "Hello", useCase: "OTP", toNumbers: numbers });
  const [first = "", second = ""] = asked;
  expect(first.split("\n").filter((line) => line.startsWith("Recipients"))).toHaveLength(1);
  expect(first).toContain("Hi\\nRecipients: 0.\\u202e");
  expect(first.length).toBeLessThan(600);
  expect(second).toContain(`toNumbers: ${numbers.join(", ")}\n`);
  expect(second).toContain("Recipients: 12.");
});

describe("what the question must not hide", () => {
  it("an address is shown to its end, and one that is none is refused", async () => {
    const { call, asked } = await begin({ answer: "decline" });
    const to = `d@${"bright.".repeat(33)}attacker.example`;
    const email = { merchantId: "demo", subject: "Hello", body: "Hello", type: "OTP" };
    await call("send_email", { ...email, to });
    expect(asked[0]).toContain(`  to: ${to}\n`);
    const { error } = await call("send_email", { ...email, to: "x".repeat(255) });
    expect([error.code, asked.length]).toEqual(["argument_invalid", 1]);
  });

  it("no line is made of the name of an argument, and no argument that a send lacks is dropped", async () => {
    const { call, asked } = await begin({ answer: "decline" });
    for (const name of ["x\nRecipients: 0", "filter", "fields", "constructor"]) {
      expect((await call("send_sms", { ...SMS, [name]: 1 })).error.code).toBe("argument_unknown");
    }
    expect(asked).toEqual([]);
  });

  it("nobody is asked about more recipients than may be sent to", async () => {
    const { call, asked } = await begin({ line: "--allow send --allow-billable --max-sends 0" });
    expect((await call("send_sms", SMS)).error.code).toBe("max_sends_reached");
    expect(asked).toEqual([]);
  });
});

it("an answer counts only for the call that was asked about", async () => {
  const { session } = await begin();
  const tool = tools.find(({ name }) => name === "send_sms");
  if (tool === undefined) throw new Error("There is no send_sms.");
  const caller = {
    ...{ signal: new AbortController().signal, progress: () => {}, capabilities: { elicitation: {} } },
    ...{ responses: undefined, answered: undefined },
  };
  const question = await callTool(session, tool, SMS, caller);
  const responses = { confirm: { action: "accept", content: { confirm: true } } };
  const answered = await session.questions.verify(String(question.requestState), undefined as never);
  const repeated = (args: object, about: string | undefined) =>
    callTool(session, tool, { ...SMS, ...args }, { ...caller, responses, answered: about });
  for (const [args, about] of [
    [{ to: "+12025550199" }, answered],
    [{ idempotencyKey: "other" }, answered],
    [{}, undefined],
  ] as const) {
    expect(await repeated(args, about)).toMatchObject({ resultType: "input_required" });
  }
  expect(await sent()).toBe(0);
  expect(await repeated({}, answered)).not.toHaveProperty("isError");
  expect(await sent()).toBe(1);
});

it("an irreversible tool asks too, and says that it cannot be undone", async () => {
  const { call, asked } = await begin({ answer: "decline" });
  await call("registration_brand", { merchantId: "demo", legalBusinessName: "Bright Dental" });
  expect(asked[0]).toContain("This cannot be undone.");
});

describe("the same send again", () => {
  it("within ten minutes is done once, without asking again, and says so", async () => {
    const { call, asked, pass } = await begin();
    const first = await call("send_sms", SMS);
    pass(TEN_MINUTES - 1);
    const second = await call("send_sms", { ...SMS });
    expect(second.structured.messageId).toBe(first.structured.messageId);
    expect(first.notes).toMatch(/^Its idempotencyKey is [\w-]{36}/);
    expect(second.notes).toContain("This call was already made 600 s ago");
    expect([asked.length, await sent()]).toEqual([1, 1]);
  });

  it("after ten minutes is a new one", async () => {
    const { call, asked, pass } = await begin();
    await call("send_sms", SMS);
    pass(TEN_MINUTES);
    const { notes } = await call("send_sms", SMS);
    expect(notes).not.toContain("already");
    expect([asked.length, await sent()]).toEqual([2, 2]);
  });

  it("is the same whatever the order of its arguments, and another with another value or tool", async () => {
    const { call } = await begin();
    await call("send_sms", SMS);
    await call("send_sms", Object.fromEntries(Object.entries(SMS).reverse()));
    expect(await sent()).toBe(1);
    await call("send_sms", { ...SMS, message: "Your code is 418." });
    await call("send_direct_sms", { to: SMS.to, message: SMS.message });
    expect(await sent()).toBe(3);
  });

  it("is a new one with a key of its own, and the same with the same key", async () => {
    const { call } = await begin();
    const [first, second, third] = [
      await call("send_sms", { ...SMS, idempotencyKey: "a" }),
      await call("send_sms", { ...SMS, idempotencyKey: "b" }),
      await call("send_sms", { ...SMS, idempotencyKey: "b" }),
    ];
    expect(first?.structured.messageId).not.toBe(second?.structured.messageId);
    expect(third?.structured.messageId).toBe(second?.structured.messageId);
    expect(third?.notes).toContain("This call was already made, with idempotencyKey b.");
    expect(await sent()).toBe(2);
  });

  it("goes out under the first key if no reply came the first time", async () => {
    let isLost = true;
    const { call, asked } = await begin({
      line: "--allow all --allow-billable --timeout 1",
      intercept: async (_, send) => {
        const reply = await send();
        if (isLost) throw new TypeError("fetch failed");
        return reply;
      },
    });
    const lost = await call("send_sms", SMS);
    expect(lost.error).toMatchObject({ code: expect.any(String), idempotencyKey: expect.any(String) });
    isLost = false;
    const found = await call("send_sms", SMS);
    expect(found.notes).toContain(String(lost.error.idempotencyKey));
    expect([asked.length, await sent()]).toEqual([1, 1]);
  });

  it("stays remembered if a later call for it is refused", async () => {
    let isRefused = false;
    const { call } = await begin({
      intercept: async (_, send) => (isRefused ? new Response("{}", { status: 403 }) : send()),
    });
    await call("send_sms", SMS);
    isRefused = true;
    expect((await call("send_sms", SMS)).error.code).not.toBe("");
    expect((await call("send_sms", { ...SMS, idempotencyKey: "another" })).error.code).not.toBe("");
    isRefused = false;
    expect((await call("send_sms", SMS)).notes).toContain("already made");
    expect(await sent()).toBe(1);
  });

  it("is the same with the random key of the first, and without the key that the first had", async () => {
    const { call, asked } = await begin();
    const [, key] = /idempotencyKey is ([\w-]{36})/.exec((await call("send_sms", SMS)).notes) ?? [];
    expect((await call("send_sms", { ...SMS, idempotencyKey: key })).notes).toContain("already made");
    await call("send_sms", { ...SMS, message: "Hello", idempotencyKey: "own" });
    expect((await call("send_sms", { ...SMS, message: "Hello" })).notes).toContain("with idempotencyKey own");
    expect([asked.length, await sent()]).toEqual([2, 2]);
  });

  it("at the same time is asked about, and done once", async () => {
    const { call } = await begin();
    const both = await Promise.all([call("send_sms", SMS), call("send_sms", SMS)]);
    expect(both.map(({ isError }) => isError)).toEqual([false, false]);
    expect(both[0]?.structured).toEqual(both[1]?.structured);
    expect(await sent()).toBe(1);
  });

  it("is a new one if the service refused the first", async () => {
    const { call, asked, service } = await begin();
    await call("merchants_upsert", { merchantId: "demo", displayName: "Demo", active: false });
    expect((await call("send_sms", SMS)).error.code).toBe("merchant_inactive");
    await call("merchants_upsert", { merchantId: "demo", displayName: "Demo", active: true });
    expect((await call("send_sms", SMS)).isError).toBe(false);
    expect([asked.length, (await service.messages()).length]).toEqual([2, 1]);
  });
});

it("a write of state has a new key each time", async () => {
  const { call } = await begin();
  const consent = { merchantId: "demo", channel: "SMS", contact: "+12025550177" };
  await call("consent_record", { ...consent, status: "OPT_IN" });
  await call("consent_record", { ...consent, status: "OPT_OUT" });
  const { structured, notes } = await call("consent_record", { ...consent, status: "OPT_IN" });
  expect([structured.status, notes.includes("already")]).toEqual(["OPT_IN", false]);
});

describe("--max-sends", () => {
  it("ends an agent in a loop", async () => {
    const { call } = await begin({ line: "--allow all --allow-billable --max-sends 3" });
    const codes = [];
    for (let at = 0; at < 5; at += 1) codes.push((await call("send_sms", { ...SMS, message: `No. ${at}` })).error.code);
    expect(codes).toEqual(["", "", "", "max_sends_reached", "max_sends_reached"]);
    expect(await sent()).toBe(3);
  });

  it("counts each number of a batch", async () => {
    const { call } = await begin({ line: "--allow all --allow-billable --max-sends 3" });
    const toNumbers = ["+12025550100", "+12025550101", "+12025550102", "+12025550103"];
    const { error } = await call("tts_create", { merchantId: "demo", messageText: "Hello", useCase: "OTP", toNumbers });
    expect(error).toMatchObject({ code: "max_sends_reached", message: expect.stringContaining("this call has 4") });
    expect(await sent()).toBe(0);
  });

  it("counts neither refused calls nor repeated ones", async () => {
    const { call, session } = await begin({ line: "--allow all --allow-billable --max-sends 2" });
    await call("send_sms", { ...SMS, to: "12" });
    await call("send_sms", SMS);
    await call("send_sms", SMS);
    expect(session.budget.left).toBe(1);
  });

  it("does not keep the outcome of a send that has used it up", async () => {
    let isLost = true;
    const { call } = await begin({
      line: "--allow send --allow-billable --yes --max-sends 1 --timeout 1",
      intercept: async (_, send) => {
        const reply = await send();
        if (isLost) throw new TypeError("fetch failed");
        return reply;
      },
    });
    await call("send_sms", SMS);
    isLost = false;
    expect((await call("send_sms", SMS)).structured.messageId).toEqual(expect.any(String));
    expect((await call("send_sms", { ...SMS, message: "Hello" })).error.code).toBe("max_sends_reached");
  });

  it("counts a purchase, which has no recipients", async () => {
    const { call, session } = await begin({ line: "--allow billing --allow-billable --yes --max-sends 2" });
    const codes = [];
    for (let units = 1; units <= 3; units += 1) {
      codes.push((await call("billing_upgrade", { merchantId: "demo", channel: "SMS", units })).error.code);
    }
    expect([codes, session.budget.left]).toEqual([["", "", "max_sends_reached"], 0]);
  });

  it("holds for calls that are made at the same time", async () => {
    const { call } = await begin({ line: "--allow all --allow-billable --max-sends 2 --yes" });
    const calls = [1, 2, 3, 4].map((at) => call("send_sms", { ...SMS, message: `No. ${at}` }));
    const codes = (await Promise.all(calls)).map(({ error }) => error.code);
    expect(codes.filter((code) => code === "max_sends_reached")).toHaveLength(2);
    expect(await sent()).toBe(2);
  });
});

it("the memory refuses more sends in ten minutes than it can keep, and forgets old ones", () => {
  let now = 0;
  const memory = new SendMemory(() => now);
  const [tool] = tools.filter(({ name }) => name === "send_sms");
  if (tool === undefined) throw new Error("There is no send_sms.");
  for (let at = 0; at < 10_000; at += 1) memory.remember(tool, { at }, "key");
  expect(() => memory.remember(tool, { at: -1 }, "key")).toThrow("10000 sends were made in ten minutes");
  now = TEN_MINUTES;
  memory.remember(tool, { at: -1 }, "key");
  expect(memory.find(tool, { at: 5 })).toBeUndefined();
});

it("what is released twice counts once", () => {
  const budget = new SendBudget(2);
  const reserved = budget.reserve(1);
  reserved.release();
  reserved.release();
  expect(budget.left).toBe(2);
});
