// Tests how sessions are opened, kept, ended and reopened, and how they handle a misbehaving carrier.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import { ScriptedSmsc, submissionOf, until } from "../../testing/scripted-smsc.ts";
import { makeSelfSignedCertificate } from "../../testing/self-signed-certificate.ts";
import type { Provider, ProviderEvent, SubmitOutcome } from "../provider.ts";
import { openSmppCarrier } from "./open-smpp-carrier.ts";
import type { SmppSettings } from "./settings.ts";

let clock: VirtualClock;
let smsc: ScriptedSmsc;
let carrier: Provider;
/** Reasons why sessions ended. */
let reasons: string[];
let told: ProviderEvent[];

beforeEach(async () => {
  clock = createVirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  smsc = await ScriptedSmsc.listen();
  reasons = [];
  told = [];
});

afterEach(async () => {
  const stopped = carrier.stop();
  await clock.advanceBy(60_000);
  await stopped;
  await smsc.close();
});

async function open(settings: Partial<SmppSettings> = {}): Promise<void> {
  const warn = (details: object) => reasons.push(String((details as { reason?: unknown }).reason));
  const logger = { warn, error: () => {} };
  carrier = await openSmppCarrier({ name: "c", settings: smsc.settings(settings), clock, logger, random: () => 0 });
  carrier.start(async (event) => void told.push(event));
}

async function openBound(): Promise<void> {
  await open();
  await smsc.bound();
}

function submit(content = "Hello"): Promise<SubmitOutcome> {
  return carrier.submit(submissionOf({ content, clientReference: content }), unbounded);
}

/** Returns the answers to the SMSC's requests with this sequence number. */
function answersTo(sequenceNumber: number): string[] {
  const answers = smsc.received.filter((pdu) => pdu.isResponse() && pdu.sequence_number === sequenceNumber);
  return answers.map(({ command, command_status }) => `${command} ${command_status}`);
}

const neverAnswer = () => {};
const answerWell: ScriptedSmsc["onPdu"] = (pdu, peer) => smsc.answerWell(pdu, peer);

it("a session binds as a transceiver of version 3.4", async () => {
  await open({ systemType: "VMA" });
  await smsc.bound();
  expect(smsc.requests("bind_transceiver")).toEqual([
    expect.objectContaining({ system_id: "msgd", password: "secret", system_type: "VMA", interface_version: 0x34 }),
  ]);
});

describe("a session over TLS", () => {
  const certificate = makeSelfSignedCertificate();

  it("binds to a carrier whose certificate is signed by the given CA", async () => {
    await smsc.close();
    smsc = await ScriptedSmsc.listen(certificate);
    await open({ tls: "tls", ca: certificate.cert });
    await smsc.bound();
    expect(await submit()).toMatchObject({ outcome: "taken" });
  });

  it("sends nothing to a carrier with an untrusted certificate", async () => {
    await smsc.close();
    smsc = await ScriptedSmsc.listen(certificate);
    await open({ tls: "tls" });
    await until(() => reasons.length === 1);
    expect(reasons[0]).toMatch(/self-signed certificate/);
    expect(smsc.received).toEqual([]);
  });

  it("gives up a carrier that does not complete the handshake in ten seconds", async () => {
    await open({ tls: "tls" });
    await until(() => smsc.peers.length === 1);
    await clock.advanceBy(9_999);
    expect(reasons).toEqual([]);
    await clock.advanceBy(1);
    expect(reasons).toEqual(["no connection within 10000 ms"]);
  });
});

describe("a session that ended is opened again", () => {
  it("after growing pauses, indefinitely", async () => {
    smsc.onPdu = (_pdu, { socket }) => socket.destroy();
    const connectedAt: number[] = [];
    smsc.onConnection = () => connectedAt.push(clock.now());
    await open();
    const pausesMs = [1, 2, 4, 8, 16, 30, 30, 30, 30].map((seconds) => seconds * 1_000);
    for (const [index, pauseMs] of pausesMs.entries()) {
      await until(() => reasons.length === index + 1);
      await clock.advanceBy(pauseMs);
    }
    await until(() => reasons.length === pausesMs.length + 1);
    expect(connectedAt.slice(1).map((at, index) => at - (connectedAt[index] ?? 0))).toEqual(pausesMs);
  });

  it("and then carries messages", async () => {
    await openBound();
    smsc.peer.socket.destroy();
    await until(() => reasons.length === 1);
    expect(await submit()).toMatchObject({ outcome: "deferred" });
    await clock.advanceBy(1_000);
    await smsc.bound(2);
    expect(await submit()).toMatchObject({ outcome: "taken" });
  });

  it("if the bind is never answered", async () => {
    smsc.onPdu = neverAnswer;
    await open();
    await until(() => smsc.requests("bind_transceiver").length === 1);
    await clock.advanceBy(10_000);
    expect(reasons).toEqual(["no answer to bind_transceiver within 10000 ms"]);
    smsc.onPdu = answerWell;
    await clock.advanceBy(1_000);
    await smsc.bound(2);
    expect(await submit()).toMatchObject({ outcome: "taken" });
  });

  it("if the carrier unbinds, after its unbind was answered", async () => {
    await openBound();
    smsc.peer.send("unbind", { sequence_number: 77 });
    await until(() => reasons.length === 1);
    await until(() => answersTo(77).length === 1);
    expect(reasons).toEqual(["the carrier unbound"]);
    expect(answersTo(77)).toEqual(["unbind_resp 0"]);
    await clock.advanceBy(1_000);
    await smsc.bound(2);
  });
});

describe("a carrier that unbinds", () => {
  /** Submits two texts that are not answered, then lets the carrier unbind. */
  async function unbindMeanwhile(): Promise<{ outcomes: Promise<PromiseSettledResult<SubmitOutcome>[]> }> {
    smsc.onPdu = neverAnswer;
    const outcomes = Promise.allSettled([submit("one"), submit("two")]);
    await until(() => smsc.requests("submit_sm").length === 2);
    smsc.peer.send("unbind", { sequence_number: 77 });
    await smsc.exchange();
    expect([reasons, answersTo(77)]).toEqual([[], []]);
    return { outcomes };
  }

  it("is read until it has answered the messages in flight", async () => {
    await openBound();
    const { outcomes } = await unbindMeanwhile();
    expect(await submit("three")).toMatchObject({ outcome: "deferred" });
    for (const request of smsc.requests("submit_sm")) smsc.answerWell(request, smsc.peer);
    expect(await outcomes).toMatchObject([
      { value: { outcome: "taken", providerMessageId: "id-1" } },
      { value: { outcome: "taken", providerMessageId: "id-2" } },
    ]);
    await until(() => reasons.length === 1 && answersTo(77).length === 1);
    expect(reasons).toEqual(["the carrier unbound"]);
  });

  it("gets an answer after five seconds at the latest, and is read until it closes the connection", async () => {
    smsc.closesWithPeer = false;
    await openBound();
    const { outcomes } = await unbindMeanwhile();
    await clock.advanceBy(4_999);
    expect(answersTo(77)).toEqual([]);
    await clock.advanceBy(1);
    await until(() => answersTo(77).length === 1);
    const [first, second] = smsc.requests("submit_sm");
    if (first !== undefined) smsc.answerWell(first, smsc.peer);
    smsc.peer.send("deliver_sm", { sequence_number: 78, data_coding: 0, short_message: Buffer.from("STOP") });
    if (second !== undefined) smsc.answerWell(second, smsc.peer);
    smsc.peer.socket.end();
    expect(await outcomes).toMatchObject([
      { value: { outcome: "taken", providerMessageId: "id-1" } },
      { value: { outcome: "taken", providerMessageId: "id-2" } },
    ]);
    await until(() => reasons.length === 1);
    expect(reasons).toEqual(["the carrier unbound"]);
    // it could not be acknowledged, so the carrier delivers it again
    expect(told).toEqual([]);
  });

  it("is disconnected if it does not close the connection in two seconds", async () => {
    smsc.closesWithPeer = false;
    await openBound();
    const { outcomes } = await unbindMeanwhile();
    await clock.advanceBy(5_000);
    await until(() => answersTo(77).length === 1);
    await clock.advanceBy(1_999);
    expect(reasons).toEqual([]);
    await clock.advanceBy(1);
    expect(await outcomes).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    expect(reasons).toEqual(["the carrier unbound"]);
  });
});

describe("a silent carrier", () => {
  it("is probed after every twenty seconds of silence, and kept if it answers", async () => {
    await openBound();
    await smsc.exchange();
    const asked = () => smsc.requests("enquire_link").length;
    for (let times = 1; times <= 3; times += 1) {
      await clock.advanceBy(20_000);
      expect(asked()).toBe(times - 1);
      await clock.advanceBy(20_000);
      await until(() => asked() === times);
      await smsc.exchange();
    }
    expect(reasons).toEqual([]);
    expect(smsc.peers).toHaveLength(1);
  });

  it("is not probed while it sends", async () => {
    await openBound();
    for (let times = 1; times <= 6; times += 1) {
      await smsc.exchange();
      await clock.advanceBy(15_000);
    }
    expect(smsc.requests("enquire_link")).toEqual([]);
  });

  it("is disconnected if it does not answer, and its unanswered messages are in doubt", async () => {
    await openBound();
    await smsc.exchange();
    smsc.onPdu = neverAnswer;
    const outcome = submit();
    const rejected = expect(outcome).rejects.toThrow("no answer to enquire_link within 10000 ms");
    await until(() => smsc.requests("submit_sm").length === 1);
    await clock.advanceBy(40_000 - 1);
    expect(smsc.requests("enquire_link")).toEqual([]);
    await clock.advanceBy(1);
    await until(() => smsc.requests("enquire_link").length === 1);
    await clock.advanceBy(10_000);
    await rejected;
    expect(reasons).toEqual(["no answer to enquire_link within 10000 ms"]);
  });
});

describe("invalid input", () => {
  /** Encodes a deliver_sm, which a test may then damage. */
  function deliverSm(sequence_number: number, fields: object = {}): Buffer {
    return smsc.encode("deliver_sm", { sequence_number, data_coding: 0, short_message: Buffer.from("x"), ...fields });
  }

  function cutTo(length: number, frame: Buffer): Buffer {
    const cut = Buffer.from(frame.subarray(0, length));
    cut.writeUInt32BE(length, 0);
    return cut;
  }

  it.each([
    ["a deliver_sm without a body", () => cutTo(16, deliverSm(5)), "generic_nack 2"],
    ["a deliver_sm cut off in its addresses", () => cutTo(24, deliverSm(5)), "generic_nack 2"],
    ["a data_sm that is cut off", () => cutTo(20, smsc.encode("data_sm", { sequence_number: 5 })), "generic_nack 2"],
    ["a parameter that is cut off", () => cutTo(38, deliverSm(5, { sar_msg_ref_num: 7 })), "generic_nack 2"],
    ["an unknown command", () => Buffer.from("00000010000000990000000000000005", "hex"), "generic_nack 3"],
    [
      "a command for carriers",
      () => smsc.encode("submit_sm", { sequence_number: 5, data_coding: 0 }),
      "generic_nack 3",
    ],
  ])("is refused (%s), and the session continues", async (_what, make, answer) => {
    await openBound();
    smsc.peer.socket.write(make());
    await until(() => answersTo(5).length === 1);
    expect(answersTo(5)).toEqual([answer]);
    expect(await submit()).toMatchObject({ outcome: "taken" });
    expect(smsc.peers).toHaveLength(1);
  });

  it.each([
    ["an unknown response", () => Buffer.from("00000010800000990000000000000005", "hex")],
    ["a response without a request", () => smsc.encode("submit_sm_resp", { sequence_number: 5, message_id: "x" })],
    ["a refusal without a request", () => smsc.encode("generic_nack", { sequence_number: 5, command_status: 3 })],
    ["an alert, which has no response", () => smsc.encode("alert_notification", { sequence_number: 5 })],
  ])("is ignored (%s)", async (_what, make) => {
    await openBound();
    smsc.peer.socket.write(make());
    expect(await submit()).toMatchObject({ outcome: "taken" });
    await smsc.exchange();
    expect(answersTo(5)).toEqual([]);
    expect(smsc.peers).toHaveLength(1);
  });

  it("does not settle a submission if it is a response of another kind", async () => {
    await openBound();
    smsc.onPdu = (pdu, peer) => {
      if (pdu.command === "submit_sm") peer.send("enquire_link_resp", { sequence_number: pdu.sequence_number });
      smsc.answerWell(pdu, peer);
    };
    expect(await submit()).toMatchObject({ outcome: "taken", providerMessageId: "id-1" });
  });

  it("counts as a response by its status, even if its parameters cannot be read", async () => {
    await openBound();
    smsc.onPdu = ({ sequence_number }, { socket }) => {
      const whole = smsc.encode("submit_sm_resp", { sequence_number, message_id: "", sar_msg_ref_num: 7 });
      socket.write(cutTo(whole.length - 1, whole));
    };
    expect(await submit()).toMatchObject({ outcome: "taken", providerMessageId: "Hello-1" });
  });

  it.each([0, 15, 65_537, 0xffff_ffff])(
    "with a length of %i ends the session, and another session is opened",
    async (length) => {
      await openBound();
      const header = Buffer.alloc(16);
      header.writeUInt32BE(length, 0);
      smsc.peer.socket.write(header);
      await until(() => reasons.length === 1);
      expect(reasons).toEqual([expect.stringContaining(`${length} bytes`)]);
      await clock.advanceBy(1_000);
      await smsc.bound(2);
      expect(await submit()).toMatchObject({ outcome: "taken" });
    },
  );
});

describe("a slow carrier", () => {
  it("is understood if it sends a byte at a time", async () => {
    smsc.onPdu = (pdu, { socket }) => {
      const fields = { sequence_number: pdu.sequence_number, message_id: "slow" };
      const frame = smsc.encode(
        `${pdu.command}_resp`,
        pdu.command === "submit_sm" ? fields : { ...fields, message_id: undefined },
      );
      sendSlowly(socket, frame);
    };
    await open();
    let outcome = await submit();
    while (outcome.outcome === "deferred") {
      await new Promise((resume) => setImmediate(resume));
      outcome = await submit();
    }
    expect(outcome).toMatchObject({ outcome: "taken", providerMessageId: "slow" });
  });

  function sendSlowly(socket: { write(bytes: Buffer, done: () => void): unknown }, frame: Buffer): void {
    if (frame.length > 0)
      socket.write(frame.subarray(0, 1), () => setImmediate(() => sendSlowly(socket, frame.subarray(1))));
  }

  it("is no longer read, and then disconnected, if it sends requests but reads no answers", async () => {
    await openBound();
    const { socket } = smsc.peer;
    socket.pause();
    const questions = Buffer.concat(Array<Buffer>(4_000).fill(smsc.encode("enquire_link", { sequence_number: 9 })));
    // 16 MiB are buffered here only if the carrier under test has stopped reading
    while (socket.writableLength < 16 * 1_048_576) {
      socket.write(questions);
      await new Promise((resume) => setImmediate(resume));
    }
    for (let waitedS = 0; waitedS <= 70; waitedS += 10) await clock.advanceBy(10_000);
    await until(() => reasons.length === 1);
    expect(reasons).toEqual(["no answer to enquire_link within 10000 ms"]);
  });
});
