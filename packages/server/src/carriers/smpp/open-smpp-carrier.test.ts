// Outcomes of submissions. The clock stands still unless a test advances it.

import type { PDU } from "smpp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { type Peer, ScriptedSmsc, submissionOf, until } from "../../testing/scripted-smsc.ts";
import type { EventSink, Provider, ProviderEvent, Submission, SubmitOutcome } from "../provider.ts";
import { openSmppCarrier, type SmppCarrierOptions } from "./open-smpp-carrier.ts";
import { statuses } from "./pdus.ts";
import type { SmppSettings } from "./settings.ts";

let clock: VirtualClock;
let smsc: ScriptedSmsc;
let carrier: Provider;
/** Contents of the messages that were handed over, in order. */
let handedOver: string[];
let told: ProviderEvent[];
/** Records the next events. A test may replace it. */
let sink: EventSink;

beforeEach(async () => {
  clock = createVirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  smsc = await ScriptedSmsc.listen();
  handedOver = [];
  told = [];
  sink = async () => {};
});

afterEach(async () => {
  const stopped = carrier.stop();
  await clock.advanceBy(60_000);
  await stopped;
  await smsc.close();
});

async function open(settings: Partial<SmppSettings> = {}, options: Partial<SmppCarrierOptions> = {}): Promise<void> {
  const logger = { warn: () => {}, error: () => {} };
  carrier = await openSmppCarrier({
    name: "c",
    settings: smsc.settings(settings),
    clock,
    logger,
    random: () => 0,
    ...options,
  });
  carrier.start((event) => {
    told.push(event);
    return sink(event);
  });
}

async function openBound(
  settings: Partial<SmppSettings> = {},
  options: Partial<SmppCarrierOptions> = {},
): Promise<void> {
  await open(settings, options);
  await smsc.bound(settings.binds);
}

function submit(
  content: string,
  {
    signal = new AbortController().signal,
    handOver = async () => {},
    ...others
  }: Partial<Submission> & { signal?: AbortSignal; handOver?: () => Promise<void> } = {},
): Promise<SubmitOutcome> {
  return carrier.submit(
    submissionOf({ clientReference: content, content, giveUpAt: clock.now() + 3_600_000, ...others }),
    {
      signal,
      handOver: async () => {
        await handOver();
        handedOver.push(content);
      },
    },
  );
}

/** Answers the n-th submission with the n-th status, and later ones with success. */
function answerWith(...statuses: number[]): void {
  smsc.onPdu = (pdu, peer) => {
    const status = pdu.command === "submit_sm" ? (statuses.shift() ?? 0) : 0;
    if (status === 0) smsc.answerWell(pdu, peer);
    else peer.answer(pdu, { command_status: status });
  };
}

/** Answers every request except submissions. */
function answerNoSubmission(): void {
  smsc.onPdu = (pdu, peer) => {
    if (pdu.command !== "submit_sm") smsc.answerWell(pdu, peer);
  };
}

function lastRequest(): PDU {
  const last = smsc.requests("submit_sm").at(-1);
  if (last === undefined) throw new Error("nothing was submitted");
  return last;
}

/** Submits a text whose response does not arrive in time. */
async function submitInVain(content: string): Promise<void> {
  await openBound({}, { answerTimeoutMs: 5_000 });
  answerNoSubmission();
  await timeOut(submit(content), 1);
}

/** Waits until this many parts were submitted, then lets the time for their responses pass. */
async function timeOut(outcome: Promise<SubmitOutcome>, parts: number): Promise<void> {
  const rejected = expect(outcome).rejects.toThrow("no answer to submit_sm within 5000 ms");
  await until(() => smsc.texts().length === parts);
  await smsc.exchange();
  await clock.advanceBy(5_000);
  await rejected;
}

/** Waits until the carrier has noticed that no session is bound. */
async function untilUnbound(): Promise<void> {
  const handOver = () => Promise.reject(new Error("a session is bound"));
  const isReady = () =>
    submit("", { handOver }).then(
      () => false,
      () => true,
    );
  while (await isReady()) await new Promise((resume) => setImmediate(resume));
}

/** Returns the promise's value, or "waiting" if it is still pending after all work in progress. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  await smsc.exchange();
  return Promise.race([promise, Promise.resolve("waiting")]);
}

const long = `${"a".repeat(153)}${"b".repeat(153)}c`;

describe("a message", () => {
  it("is accepted, with the carrier's id", async () => {
    await openBound();
    expect(await submit("Hello")).toEqual({ outcome: "taken", providerMessageId: "id-1", parts: ["id-1"] });
    expect(smsc.requests("submit_sm")[0]).toMatchObject({
      source_addr_ton: 1,
      source_addr: "12025550199",
      dest_addr_ton: 1,
      destination_addr: "12025550100",
      esm_class: 0,
      registered_delivery: 1,
      validity_period: "000000010000000R",
      data_coding: 0,
    });
    expect(smsc.texts()).toEqual(["Hello"]);
  });

  it("leaves right after the hand-over, not before", async () => {
    await openBound();
    let release = () => {};
    const outcome = submit("Hello", {
      handOver: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    expect(await stateOf(outcome)).toBe("waiting");
    expect(smsc.texts()).toEqual([]);
    release();
    expect(await outcome).toMatchObject({ outcome: "taken" });
    expect(smsc.texts()).toEqual(["Hello"]);
  });

  it("does not leave if the hand-over is refused, and frees its slot in the window", async () => {
    await openBound({ window: 1 });
    const handOver = () => Promise.reject(new Error("the lease was lost"));
    await expect(submit("one", { handOver })).rejects.toThrow("the lease was lost");
    expect(await submit("two")).toMatchObject({ outcome: "taken" });
    expect(smsc.texts()).toEqual(["two"]);
  });

  it("does not leave if it is aborted during the hand-over", async () => {
    await openBound();
    const controller = new AbortController();
    const handOver = async () => controller.abort(new Error("too late"));
    await expect(submit("Hello", { signal: controller.signal, handOver })).rejects.toThrow("too late");
    await smsc.exchange();
    expect(smsc.texts()).toEqual([]);
  });

  it("is deferred if the session ends during the hand-over", async () => {
    await openBound();
    let release = () => {};
    const outcome = submit("Hello", {
      handOver: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    await stateOf(outcome);
    smsc.peer.socket.destroy();
    await untilUnbound();
    release();
    expect(await outcome).toMatchObject({ outcome: "deferred" });
    expect(smsc.texts()).toEqual([]);
  });

  it("is in doubt if the connection is lost before the response", async () => {
    await openBound();
    smsc.onPdu = (_pdu, { socket }) => socket.destroy();
    await expect(submit("Hello")).rejects.toThrow(/closed the connection|ECONNRESET/);
    expect(handedOver).toEqual(["Hello"]);
  });

  it("is in doubt if no response arrives in time; responses to other requests are ignored", async () => {
    await submitInVain("one");
    smsc.peer.send("submit_sm_resp", { sequence_number: 4_711, message_id: "of nobody" });
    smsc.onPdu = (pdu, peer) => smsc.answerWell(pdu, peer);
    expect(await submit("two")).toMatchObject({ providerMessageId: "id-1" });
    expect(told).toEqual([]);
  });

  it("is in doubt if a generic_nack carries no error", async () => {
    await openBound({}, { answerTimeoutMs: 5_000 });
    smsc.onPdu = ({ sequence_number }, peer) => peer.send("generic_nack", { sequence_number });
    const outcome = submit("one");
    const rejected = expect(outcome).rejects.toThrow("no answer");
    await until(() => smsc.texts().length === 1);
    await clock.advanceBy(5_000);
    await rejected;
  });

  it("gets an id that matches no receipt if the carrier gives it none", async () => {
    await openBound();
    smsc.onPdu = (pdu, peer) => peer.answer(pdu);
    expect(await submit("Hello")).toEqual({ outcome: "taken", providerMessageId: "Hello-1", parts: ["Hello-1"] });
  });

  it.each([
    ["same", "00AB", "ab"],
    ["hex-as-decimal", "33E95179", "870928761"],
    ["decimal-as-hex", "0000000026", "26"],
  ] as const)("has its id normalized to match its receipts: %s", async (receiptIds, message_id, part) => {
    await openBound({ receiptIds });
    smsc.onPdu = (pdu, peer) => peer.answer(pdu, { message_id });
    expect(await submit("Hello")).toEqual({ outcome: "taken", providerMessageId: part, parts: [part] });
  });
});

describe("a late response", () => {
  const answerLate = (fields: object) => smsc.peer.answer(lastRequest(), fields);

  it.each([
    [{ message_id: "00AB" }, { outcome: "taken", providerMessageId: "ab", parts: ["ab"] }],
    [
      { command_status: statuses.ESME_RINVDSTADR },
      { outcome: "refused", reason: "UNKNOWN_HANDSET", isOptOut: false, detail: "ESME_RINVDSTADR (11)" },
    ],
    [
      { command_status: statuses.ESME_RMSGQFUL },
      { outcome: "deferred", retryAfterMs: 10_000, detail: "ESME_RMSGQFUL (20)" },
    ],
  ])("is reported once: %j", async (fields, answer) => {
    await submitInVain("one");
    for (let times = 0; times < 2; times += 1) answerLate(fields);
    await smsc.exchange();
    expect(told).toEqual([
      { kind: "late-answer", attempt: 1, eventId: "late answer one 1", clientReference: "one", answer },
    ]);
  });

  it("is reported if it is a generic_nack", async () => {
    await submitInVain("one");
    const { sequence_number } = lastRequest();
    smsc.peer.send("generic_nack", { sequence_number, command_status: 3 });
    await smsc.exchange();
    expect(told).toMatchObject([{ answer: { outcome: "failed", detail: "ESME_RINVCMDID (3)" } }]);
  });

  it("is reported again until it is recorded", async () => {
    await submitInVain("one");
    sink = () => Promise.reject(new Error("the disk is full"));
    answerLate({ message_id: "1" });
    await until(() => told.length === 1);
    sink = async () => {};
    await clock.advanceBy(1_000);
    await until(() => told.length === 2);
    await clock.advanceBy(60_000);
    expect(told).toHaveLength(2);
    expect(told[1]).toEqual(told[0]);
  });

  it("decides the outcome of the whole message if it belongs to the last of several parts", async () => {
    await openBound({}, { answerTimeoutMs: 5_000 });
    smsc.onPdu = (pdu, peer) => {
      if (pdu.command !== "submit_sm" || smsc.texts().length < 3) smsc.answerWell(pdu, peer);
    };
    await timeOut(submit(long), 3);
    answerLate({ message_id: "id-3" });
    await smsc.exchange();
    const answer = { outcome: "taken", providerMessageId: "id-1", parts: ["id-1", "id-2", "id-3"] };
    expect(told).toMatchObject([{ kind: "late-answer", answer }]);
  });

  it.each([
    [1, { message_id: "id-1" }],
    [2, { command_status: statuses.ESME_RINVDSTADR }],
    [2, { message_id: "id-2" }],
  ])("leaves the message in doubt if it belongs to part %i of three: %j", async (count, fields) => {
    await openBound({}, { answerTimeoutMs: 5_000 });
    smsc.onPdu = (pdu, peer) => {
      if (pdu.command !== "submit_sm" || smsc.texts().length < count) smsc.answerWell(pdu, peer);
    };
    await timeOut(submit(long), count);
    answerLate(fields);
    await smsc.exchange();
    expect(told).toEqual([]);
    expect(smsc.texts()).toHaveLength(count);
  });
});

describe("a status", () => {
  it.each([
    [88, { outcome: "deferred", retryAfterMs: 1_000, detail: "ESME_RTHROTTLED (88)" }],
    [20, { outcome: "deferred", retryAfterMs: 10_000, detail: "ESME_RMSGQFUL (20)" }],
    [8, { outcome: "deferred", retryAfterMs: 30_000, detail: "ESME_RSYSERR (8)" }],
    [11, { outcome: "refused", reason: "UNKNOWN_HANDSET", isOptOut: false, detail: "ESME_RINVDSTADR (11)" }],
    [69, { outcome: "failed", detail: "ESME_RSUBMITFAIL (69)" }],
    [1034, { outcome: "failed", detail: "status 1034" }],
  ])("of %i", async (status, outcome) => {
    await openBound();
    answerWith(status);
    expect(await submit("Hello")).toEqual(outcome);
  });

  it("counts if it arrives in a generic_nack", async () => {
    await openBound();
    smsc.onPdu = ({ sequence_number }, peer) => peer.send("generic_nack", { sequence_number, command_status: 3 });
    expect(await submit("Hello")).toEqual({ outcome: "failed", detail: "ESME_RINVCMDID (3)" });
  });
});

describe("the window", () => {
  it("with one slot sends messages one after another, in order", async () => {
    await openBound({ window: 1 });
    answerNoSubmission();
    const outcomes = ["one", "two", "three"].map((content) => submit(content));
    for (const sent of [["one"], ["one", "two"], ["one", "two", "three"]]) {
      await until(() => smsc.texts().length === sent.length);
      await smsc.exchange();
      expect(smsc.texts()).toEqual(sent);
      expect(handedOver).toEqual(sent);
      smsc.answerLast();
    }
    expect((await Promise.all(outcomes)).map(({ outcome }) => outcome)).toEqual(["taken", "taken", "taken"]);
  });

  it("applies to each session, and messages are spread over all sessions", async () => {
    await openBound({ window: 2, binds: 2 });
    const peers: unknown[] = [];
    smsc.onPdu = (pdu, peer) => {
      if (pdu.command === "submit_sm") peers.push(peer);
      else smsc.answerWell(pdu, peer);
    };
    for (let number = 1; number <= 5; number += 1) submit(`text ${number}`).catch(() => {});
    await until(() => peers.length === 4);
    await smsc.exchange();
    expect(peers).toHaveLength(4);
    expect(peers.filter((peer) => peer === peers[0])).toHaveLength(2);
  });

  it("does not block a submission for longer than its timeout", async () => {
    await openBound({ window: 1 });
    answerNoSubmission();
    submit("one").catch(() => {});
    const controller = new AbortController();
    const given = submit("two", { signal: controller.signal });
    const third = submit("three");
    await smsc.exchange();
    controller.abort(new Error("too late"));
    await expect(given).rejects.toThrow("too late");
    smsc.answerLast();
    await until(() => smsc.texts().length === 2);
    expect(smsc.texts()).toEqual(["one", "three"]);
    expect(handedOver).toEqual(["one", "three"]);
    third.catch(() => {});
  });

  it("is never entered by a submission that was already aborted", async () => {
    await openBound();
    await expect(submit("one", { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
    expect(handedOver).toEqual([]);
  });
});

describe("the rate", () => {
  it("drops when the carrier throttles, and rises again", async () => {
    await openBound({ window: 20 });
    answerWith(...Array(20).fill(88));
    const first = await Promise.all(Array.from({ length: 20 }, (_none, index) => submit(`throttled ${index}`)));
    expect(first.every(({ outcome }) => outcome === "deferred")).toBe(true);
    let taken = 0;
    for (let number = 0; number < 30; number += 1) {
      void submit(`text ${number}`).then(() => {
        taken += 1;
      });
    }
    /** Counts the messages handed over in a period. Each leaves when those before it are accepted. */
    const sendFor = async (seconds: number) => {
      const before = handedOver.length;
      for (let tenths = 0; tenths < 10 * seconds; tenths += 1) {
        await clock.advanceBy(100);
        await until(() => taken === handedOver.length - 20);
      }
      return handedOver.length - before;
    };
    const [firstSecond, nextSecond] = [await sendFor(1), await sendFor(1)];
    // the carrier throttled twenty messages, so about ten leave in the first second and more in the next
    expect(firstSecond).toBeGreaterThanOrEqual(9);
    expect(firstSecond).toBeLessThanOrEqual(11);
    expect(nextSecond).toBeGreaterThan(firstSecond);
  });
});

describe("a long text", () => {
  it.each([
    ["udh", 3, ["id-1", "id-2", "id-3"]],
    ["sar", 3, ["id-1", "id-2", "id-3"]],
    ["payload", 1, ["id-1"]],
  ] as const)("is accepted with all its parts by %s", async (longTexts, count, parts) => {
    await openBound({ longTexts });
    expect(await submit(long)).toEqual({ outcome: "taken", providerMessageId: "id-1", parts });
    expect(smsc.requests("submit_sm")).toHaveLength(count);
    expect(handedOver).toEqual([long]);
    const sent = smsc.requests("submit_sm").map(({ esm_class = 0, short_message, message_payload }) => {
      return (message_payload ?? short_message?.subarray(esm_class === 0x40 ? 6 : 0))?.toString();
    });
    expect(sent.join("")).toBe(long);
  });

  it("is submitted in parts, in order, each after the previous part was accepted", async () => {
    await openBound();
    answerNoSubmission();
    const outcome = submit(long);
    for (let count = 1; count <= 3; count += 1) {
      await until(() => smsc.texts().length === count);
      await smsc.exchange();
      expect(smsc.texts()).toHaveLength(count);
      smsc.answerLast();
    }
    expect(await outcome).toMatchObject({ parts: ["id-1", "id-2", "id-3"] });
  });

  it("does not leave if its first part is not accepted", async () => {
    await openBound();
    answerWith(88);
    expect(await submit(long)).toMatchObject({ outcome: "deferred" });
    answerWith(11);
    const refused = submit(long);
    await clock.advanceBy(1_000);
    expect(await refused).toMatchObject({ outcome: "refused" });
    expect(smsc.texts()).toHaveLength(2);
  });

  it("waits if its second part is throttled, then sends that part again", async () => {
    await openBound();
    answerWith(0, 88, 8);
    const outcome = submit(long);
    await until(() => smsc.texts().length === 2);
    await smsc.exchange();
    await clock.advanceBy(1_000);
    await until(() => smsc.texts().length === 3);
    await smsc.exchange();
    await clock.advanceBy(29_999);
    await smsc.exchange();
    expect(smsc.texts()).toHaveLength(3);
    await clock.advanceBy(1);
    await until(() => smsc.texts().length === 4);
    await smsc.exchange();
    await clock.advanceBy(2_000);
    expect(await outcome).toEqual({ outcome: "taken", providerMessageId: "id-1", parts: ["id-1", "id-2", "id-3"] });
    const numbers = smsc.requests("submit_sm").map(({ short_message }) => short_message?.[5]);
    expect(numbers).toEqual([1, 2, 2, 2, 3]);
  });

  it.each([
    ["is refused", [0, 11], "part 2 of 3, after other parts were accepted: ESME_RINVDSTADR (11)"],
    ["fails", [0, 0, 69], "part 3 of 3, after other parts were accepted: ESME_RSUBMITFAIL (69)"],
    ["is throttled until the timeout", [0, 20], "part 2 of 3, after other parts were accepted: no time is left"],
  ])("is in doubt if a later part %s", async (_what, given, words) => {
    await openBound({}, { answerTimeoutMs: 9_000 });
    answerWith(...given);
    await expect(submit(long)).rejects.toThrow(words);
  });

  it("is in doubt if its session ends while a part waits", async () => {
    await openBound({ binds: 2 });
    answerWith(0, 88);
    const rejected = expect(submit(long)).rejects.toThrow("the session ended");
    await until(() => smsc.texts().length === 2);
    await smsc.exchange();
    for (const { socket } of smsc.peers) socket.destroy();
    await untilUnbound();
    await clock.advanceBy(1_000);
    await rejected;
    expect(smsc.texts()).toHaveLength(2);
  });
});

describe("the carrier's capacity", () => {
  it("is the sum of the sessions' windows, smaller while throttled, zero without a session; changes are reported", async () => {
    const told: (string | undefined)[] = [];
    const logger = { warn: () => {}, error: () => {} };
    carrier = await openSmppCarrier({
      name: "c",
      settings: smsc.settings({ binds: 2 }),
      clock,
      logger,
      random: () => 0,
    });
    carrier.start(
      async () => {},
      (unreached) => told.push(unreached),
    );
    expect(carrier.capacity?.()).toBe(0);
    await smsc.bound(2);
    expect([carrier.capacity?.(), told]).toEqual([20, [undefined, undefined]]);
    smsc.onPdu = (pdu, peer) => peer.answer(pdu, { command_status: statuses.ESME_RTHROTTLED });
    await Promise.all([submit("one"), submit("two")]);
    expect(carrier.capacity?.()).toBe(4);
    for (const { socket } of smsc.peers) socket.destroy();
    await until(() => told.length > 2);
    expect([carrier.capacity?.(), told[2]]).toEqual([0, expect.stringContaining("closed the connection")]);
  });
});

describe("without a session", () => {
  it("defers messages at once, without writing to a socket", async () => {
    await open();
    smsc.onPdu = () => {};
    await until(() => smsc.requests("bind_transceiver").length === 1);
    const outcomes = await Promise.all(Array.from({ length: 300 }, (_none, index) => submit(`text ${index}`)));
    const detail = `not bound to 127.0.0.1:${smsc.port}: no connection yet`;
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ outcome: "deferred", retryAfterMs: 1_000, detail, isUnreached: true })]),
    );
    expect(handedOver).toEqual([]);
    await smsc.exchange();
    expect(smsc.texts()).toEqual([]);
  });

  it("defers messages with the reason, for pauses that grow with the outage", async () => {
    const port = smsc.port;
    await smsc.close();
    smsc = await ScriptedSmsc.listen();
    await open({ port, host: "localhost" });
    const words = async () => ((await submit("Hello")) as { detail: string }).detail;
    let detail = await words();
    while (!detail.includes("ECONNREFUSED")) {
      await new Promise((resolve) => setImmediate(resolve));
      detail = await words();
    }
    expect(detail).toContain(`not bound to localhost:${port}: `);
    for (const [downMs, retryAfterMs] of [
      [500, 1_000],
      [20_000, 20_500],
      [3_600_000, 60_000],
    ] as const) {
      await clock.advanceBy(downMs);
      expect(await submit("Hello")).toMatchObject({ outcome: "deferred", retryAfterMs });
    }
  });

  it("reports a wrong password, and retries until it is right", async () => {
    smsc.onPdu = (pdu, peer) => peer.answer(pdu, { command_status: 14 });
    await open();
    await until(() => smsc.peers.length === 1 && smsc.peer.socket.destroyed);
    expect(await submit("Hello")).toMatchObject({
      outcome: "deferred",
      detail: expect.stringContaining("the bind was refused: ESME_RINVPASWD (14)"),
    });
    smsc.onPdu = (pdu, peer) => smsc.answerWell(pdu, peer);
    await clock.advanceBy(1_000);
    await smsc.bound(2);
    expect(await submit("Hello")).toMatchObject({ outcome: "taken" });
  });

  it("defers queued messages", async () => {
    await openBound({ window: 1 });
    answerNoSubmission();
    const first = submit("one");
    const second = submit("two");
    await until(() => smsc.texts().length === 1);
    smsc.peer.socket.destroy();
    await expect(first).rejects.toThrow();
    expect(await second).toMatchObject({ outcome: "deferred" });
    expect(handedOver).toEqual(["one"]);
  });

  it("defers messages before the start and after the stop", async () => {
    carrier = await openSmppCarrier({
      name: "c",
      settings: smsc.settings(),
      clock,
      logger: { warn: () => {}, error: () => {} },
    });
    expect(await submit("Hello")).toMatchObject({
      outcome: "deferred",
      detail: expect.stringContaining("the carrier was not started"),
    });
    carrier.start((event) => {
      told.push(event);
      return sink(event);
    });
    await smsc.bound();
    await carrier.stop();
    expect(await submit("Hello")).toMatchObject({
      outcome: "deferred",
      detail: expect.stringContaining("the carrier was stopped"),
    });
  });

  it("uses the remaining sessions if one of several ends", async () => {
    await openBound({ binds: 2 });
    smsc.peers[0]?.socket.destroy();
    await smsc.exchange();
    const outcomes = await Promise.all(["one", "two"].map((content) => submit(content)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["taken", "taken"]);
  });
});

describe("separate binds", () => {
  /** Binds transmitters and receivers, and refuses what the bind of a connection does not allow. */
  async function openSeparate(binds = 1): Promise<(command: string) => Peer[]> {
    const roles = new Map<Peer, string>();
    smsc.onPdu = (pdu, peer) => {
      const { command } = pdu;
      if (command === "bind_transceiver") peer.answer(pdu, { command_status: statuses.ESME_RBINDFAIL });
      else if (command === "submit_sm" && roles.get(peer) !== "bind_transmitter")
        peer.answer(pdu, { command_status: statuses.ESME_RINVBNDSTS });
      else smsc.answerWell(pdu, peer);
      if (command.startsWith("bind_")) roles.set(peer, command);
    };
    await open({ bind: "separate", binds });
    await smsc.bound(2 * binds);
    return (command) => smsc.peers.filter((peer) => roles.get(peer) === command && !peer.socket.destroyed);
  }

  const receipt = { esm_class: 4, sequence_number: 5, short_message: Buffer.from("id:id-1 stat:DELIVRD") };

  it("submit over transmitters and receive over receivers, as many of each as there are binds", async () => {
    const peersOf = await openSeparate(2);
    expect([peersOf("bind_transmitter"), peersOf("bind_receiver")].map(({ length }) => length)).toEqual([2, 2]);
    expect(carrier.capacity?.()).toBe(2 * 10);
    const outcomes = await Promise.all(["one", "two", "three"].map((content) => submit(content)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["taken", "taken", "taken"]);
    peersOf("bind_receiver")[0]?.send("deliver_sm", receipt);
    await until(() => smsc.requests("deliver_sm_resp").length === 1);
    expect(told).toMatchObject([{ kind: "part-receipt", part: "id-1", status: "DELIVERED" }]);
  });

  it("go on submitting without a receiver, which binds again", async () => {
    const peersOf = await openSeparate();
    peersOf("bind_receiver")[0]?.socket.destroy();
    await smsc.exchange();
    expect(await submit("Hello")).toMatchObject({ outcome: "taken" });
    await clock.advanceBy(1_000);
    await until(() => peersOf("bind_receiver").length === 1);
  });

  it("go on receiving without a transmitter, and defer messages", async () => {
    const peersOf = await openSeparate();
    peersOf("bind_transmitter")[0]?.socket.destroy();
    await until(() => carrier.capacity?.() === 0);
    expect(await submit("Hello")).toMatchObject({
      outcome: "deferred",
      isUnreached: true,
      detail: expect.stringContaining("the carrier closed the connection"),
    });
    peersOf("bind_receiver")[0]?.send("deliver_sm", receipt);
    await until(() => told.length === 1);
  });
});

describe("a stop", () => {
  it("waits for the responses to submitted messages, defers queued ones, and unbinds", async () => {
    await openBound({ window: 1 });
    answerNoSubmission();
    const first = submit("one");
    const second = submit("two");
    await until(() => smsc.texts().length === 1);
    const stopped = carrier.stop();
    expect(await second).toMatchObject({ outcome: "deferred" });
    await smsc.exchange();
    expect(smsc.requests("unbind")).toHaveLength(0);
    smsc.answerLast();
    expect(await first).toMatchObject({ outcome: "taken" });
    await stopped;
    expect(smsc.requests("unbind")).toHaveLength(1);
  });

  it("ends after a timeout if the carrier no longer answers", async () => {
    await openBound();
    answerNoSubmission();
    const outcome = submit("one");
    const rejected = expect(outcome).rejects.toThrow("the carrier was stopped");
    await until(() => smsc.texts().length === 1);
    smsc.onPdu = () => {};
    const stopped = carrier.stop();
    await clock.advanceBy(5_000);
    await until(() => smsc.requests("unbind").length === 1);
    await clock.advanceBy(2_000);
    await stopped;
    await rejected;
  });

  it("prevents further sessions", async () => {
    smsc.onPdu = () => {};
    await open();
    await until(() => smsc.peers.length === 1);
    await carrier.stop();
    await clock.advanceBy(600_000);
    await until(() => smsc.peer.socket.destroyed);
    expect(smsc.peers).toHaveLength(1);
  });
});
