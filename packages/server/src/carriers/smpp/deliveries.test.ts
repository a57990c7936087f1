// Deliveries from a carrier: receipts and texts from phones. Each is acknowledged when it is recorded, not before.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import { ScriptedSmsc, submissionOf, until } from "../../testing/scripted-smsc.ts";
import type { EventSink, Provider, ProviderEvent } from "../provider.ts";
import { openSmppCarrier } from "./open-smpp-carrier.ts";
import type { SmppSettings } from "./settings.ts";

let clock: VirtualClock;
let smsc: ScriptedSmsc;
let carrier: Provider;
let told: ProviderEvent[];
let warnings: string[];
/** Fields of the logged warnings. */
let details: object[];
/** Records the next events. A test may replace it. */
let sink: EventSink;

beforeEach(async () => {
  clock = createVirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  smsc = await ScriptedSmsc.listen();
  told = [];
  warnings = [];
  details = [];
  sink = async () => {};
});

afterEach(async () => {
  const stopped = carrier.stop();
  await clock.advanceBy(60_000);
  await stopped;
  await smsc.close();
});

async function open(settings: Partial<SmppSettings> = {}): Promise<void> {
  const warn = (given: object, message: string) => {
    warnings.push(message);
    details.push(given);
  };
  const logger = { warn, error: () => {} };
  carrier = await openSmppCarrier({ name: "c", settings: smsc.settings(settings), clock, logger, random: () => 0 });
  carrier.start((event) => {
    told.push(event);
    return sink(event);
  });
}

async function openBound(settings: Partial<SmppSettings> = {}): Promise<void> {
  await open(settings);
  await smsc.bound(settings.binds);
}

/** Delays the recording of events until the returned function is called. */
function holdBack(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  sink = () => released;
  return release;
}

const receiptText = (id: string, stat = "DELIVRD") =>
  Buffer.from(`id:${id} sub:001 done date:2603011200 stat:${stat} err:000`);

function deliverReceipt(sequence_number: number, id: string, peer = smsc.peer, stat?: string): void {
  peer.send("deliver_sm", { sequence_number, esm_class: 4, data_coding: 0, short_message: receiptText(id, stat) });
}

function deliverText(sequence_number: number, text: string, fields: object = {}, peer = smsc.peer): void {
  const addresses = {
    source_addr_ton: 1,
    source_addr: "12025550100",
    dest_addr_ton: 1,
    destination_addr: "12025550199",
  };
  peer.send("deliver_sm", {
    sequence_number,
    ...addresses,
    data_coding: 0,
    short_message: Buffer.from(text),
    ...fields,
  });
}

/** Statuses with which deliveries were answered, by sequence number. */
function answers(): Record<number, number> {
  const responses = smsc.received.filter(({ command }) => command === "deliver_sm_resp" || command === "data_sm_resp");
  return Object.fromEntries(responses.map(({ sequence_number, command_status }) => [sequence_number, command_status]));
}

async function untilAnswered(count: number): Promise<void> {
  await until(() => Object.keys(answers()).length >= count);
}

const texts = () => told.map((event) => (event.kind === "inbound" ? event.text : event.kind));

describe("a receipt", () => {
  it.each([
    ["by receipted_message_id", "deliver_sm", { esm_class: 4, receipted_message_id: "42", message_state: 2 }],
    ["by its text", "deliver_sm", { esm_class: 4, short_message: receiptText("42") }],
    ["by its text in message_payload", "deliver_sm", { esm_class: 4, message_payload: receiptText("42") }],
    ["by its text in a data_sm", "data_sm", { esm_class: 4, message_payload: receiptText("42") }],
  ])("is reported and acknowledged if it names its message %s", async (_how, command, fields) => {
    await openBound();
    smsc.peer.send(command, { sequence_number: 5, data_coding: 0, ...fields });
    await untilAnswered(1);
    expect(answers()).toEqual({ 5: 0 });
    expect(told).toEqual([
      expect.objectContaining({ kind: "part-receipt", part: "42", status: "DELIVERED", reason: null }),
    ]);
  });

  it("is acknowledged only when it is recorded", async () => {
    await openBound();
    const release = holdBack();
    deliverReceipt(5, "42");
    await until(() => told.length === 1);
    await smsc.exchange();
    expect(answers()).toEqual({});
    expect(carrier.isBusy()).toBe(true);
    release();
    await untilAnswered(1);
    expect(answers()).toEqual({ 5: 0 });
    expect(carrier.isBusy()).toBe(false);
  });

  it("is refused if it cannot be recorded, and has the same event id when delivered again", async () => {
    await openBound();
    sink = () => Promise.reject(new Error("the disk is full"));
    deliverReceipt(5, "42");
    await untilAnswered(1);
    sink = async () => {};
    deliverReceipt(6, "42");
    await untilAnswered(2);
    expect(answers()).toEqual({ 5: 100, 6: 0 });
    expect(told[1]).toEqual(told[0]);
    expect(warnings).toEqual(["failed to record a carrier's report; the carrier is expected to repeat it"]);
  });

  it("may arrive before the response to its submission", async () => {
    await openBound();
    smsc.onPdu = (pdu, peer) => {
      if (pdu.command === "submit_sm") deliverReceipt(5, "0042", peer);
      if (pdu.command === "deliver_sm_resp")
        peer.send("submit_sm_resp", { sequence_number: submitted(), message_id: "42" });
    };
    const submitted = () => smsc.requests("submit_sm")[0]?.sequence_number;
    const outcome = await carrier.submit(submissionOf(), unbounded);
    expect(outcome).toMatchObject({ providerMessageId: "42" });
    expect(told).toEqual([expect.objectContaining({ part: "42" })]);
  });

  it("is matched to its message even if it writes the id in a different base than the response", async () => {
    await openBound({ receiptIds: "hex-as-decimal" });
    smsc.onPdu = (pdu, peer) => peer.answer(pdu, pdu.command === "submit_sm" ? { message_id: "33E95179" } : {});
    const outcome = await carrier.submit(submissionOf(), unbounded);
    deliverReceipt(5, "0870928761");
    await untilAnswered(1);
    expect(told).toEqual([
      expect.objectContaining({ part: (outcome as { providerMessageId: string }).providerMessageId }),
    ]);
  });

  it("is acknowledged and logged if it names no message; otherwise the carrier would repeat it for ever", async () => {
    await openBound();
    smsc.peer.send("deliver_sm", { sequence_number: 5, esm_class: 4, data_coding: 0, short_message: Buffer.from("?") });
    await untilAnswered(1);
    expect(answers()).toEqual({ 5: 0 });
    expect(told).toEqual([]);
    expect(warnings).toEqual(["got a receipt without a message id or a known state"]);
    expect(details).toEqual([{ carrier: "c", receipt: "?" }]);
  });

  it.each([
    ["each", false],
    ["one", true],
  ] as const)("covers all parts of its message if the carrier gives %s", async (receipts, coversAllParts) => {
    await openBound({ receipts });
    deliverReceipt(5, "42");
    await untilAnswered(1);
    expect(told).toMatchObject([{ part: "42", status: "DELIVERED", coversAllParts }]);
  });

  it("is reported and logged if it names a message but no known state", async () => {
    await openBound();
    deliverReceipt(5, "42", smsc.peer, "EXPIRD");
    await untilAnswered(1);
    const receipt = "id:42 sub:001 done date:2603011200 stat:EXPIRD err:000";
    expect(told).toEqual([
      expect.objectContaining({
        part: "42",
        status: "SENT",
        detail: `a receipt without a known state: ${receipt}`,
        hasUnknownState: true,
      }),
    ]);
    expect(details).toEqual([{ carrier: "c", receipt }]);
  });
});

describe("a burst of receipts right after the bind", () => {
  it("is recorded completely, with a limited number at once", async () => {
    const count = 5_000;
    let underWay = 0;
    let most = 0;
    sink = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resume) => setImmediate(resume));
      underWay -= 1;
    };
    smsc.onPdu = (pdu, peer) => {
      if (pdu.command !== "bind_transceiver") return smsc.answerWell(pdu, peer);
      const receipts = Array.from({ length: count }, (_none, index) => {
        const short_message = receiptText(`m-${index}`);
        return smsc.encode("deliver_sm", { sequence_number: index + 1, esm_class: 4, data_coding: 0, short_message });
      });
      const response = smsc.encode("bind_transceiver_resp", { sequence_number: pdu.sequence_number });
      peer.socket.write(Buffer.concat([response, ...receipts]));
    };
    await open();
    await untilAnswered(count);
    expect(new Set(Object.values(answers()))).toEqual(new Set([0]));
    expect(new Set(told.map((event) => event.kind === "part-receipt" && event.part)).size).toBe(count);
    expect(most).toBe(256);
  });

  it("is read only as fast as it is recorded, without losing the session", async () => {
    await openBound();
    const release = holdBack();
    for (let number = 1; number <= 300; number += 1) deliverReceipt(number, `m-${number}`);
    smsc.peer.send("enquire_link", { sequence_number: 999 });
    await until(() => told.length === 256);
    // longer than the session of a silent carrier is kept
    await clock.advanceBy(90_000);
    expect(told).toHaveLength(256);
    expect(smsc.received.map(({ sequence_number }) => sequence_number)).not.toContain(999);
    release();
    await untilAnswered(300);
    expect(told).toHaveLength(300);
    expect(smsc.peers).toHaveLength(1);
  });
});

describe("a text from a phone", () => {
  it("is reported with its number, and acknowledged", async () => {
    await openBound();
    deliverText(5, "STOP");
    await untilAnswered(1);
    expect(answers()).toEqual({ 5: 0 });
    expect(told).toEqual([
      { kind: "inbound", eventId: expect.any(String), from: "+12025550100", to: "+12025550199", text: "STOP" },
    ]);
  });

  it("is reported if its PDU has 64 kB", async () => {
    await openBound();
    const text = "a".repeat(65_000);
    deliverText(5, "", { message_payload: Buffer.from(text) });
    await untilAnswered(1);
    expect(answers()).toEqual({ 5: 0 });
    expect(texts()).toEqual([text]);
  });

  it("is not treated as a receipt, even if it reads like one", async () => {
    await openBound();
    deliverText(5, receiptText("42").toString());
    await untilAnswered(1);
    expect(told).toEqual([expect.objectContaining({ kind: "inbound" })]);
  });

  it("is refused, to be delivered again, if it cannot be recorded", async () => {
    await openBound();
    sink = () => Promise.reject(new Error("the disk is full"));
    deliverText(5, "STOP");
    await untilAnswered(1);
    expect(answers()).toEqual({ 5: 100 });
  });

  it("is a separate event each time, even with the same text", async () => {
    await openBound({ binds: 2 });
    for (const peer of smsc.peers) deliverText(5, "YES", {}, peer);
    deliverText(6, "YES");
    await until(() => told.length === 3);
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(3);
  });

  it("is joined from its parts, even from different sessions", async () => {
    await openBound({ binds: 2 });
    const [one, other] = smsc.peers;
    const header = (number: number) => Buffer.from([5, 0, 3, 9, 2, number]);
    const part = (number: number, text: string) => ({
      esm_class: 0x40,
      short_message: Buffer.concat([header(number), Buffer.from(text)]),
    });
    deliverText(5, "", part(2, "nd of it"), one);
    await smsc.exchange();
    expect(answers()).toEqual({});
    // parts that wait do not make the carrier busy; otherwise a virtual clock would wait for them
    expect(carrier.isBusy()).toBe(false);
    deliverText(6, "", part(1, "The e"), other);
    await untilAnswered(2);
    expect(texts()).toEqual(["The end of it"]);
    expect(answers()).toEqual({ 5: 0, 6: 0 });
  });

  it("is reported in parts if some of them do not arrive", async () => {
    await openBound();
    const sar = { sar_msg_ref_num: 700, sar_total_segments: 2, sar_segment_seqnum: 1 };
    deliverText(5, "half", sar);
    await smsc.exchange();
    await clock.advanceBy(8_000);
    await untilAnswered(1);
    expect(texts()).toEqual(["half"]);
  });
});

describe("a carrier that is stopped", () => {
  it("finishes and acknowledges deliveries that are being recorded", async () => {
    await openBound();
    const release = holdBack();
    deliverReceipt(5, "42");
    await until(() => told.length === 1);
    let isStopped = false;
    const stopped = carrier.stop().then(() => {
      isStopped = true;
    });
    await smsc.exchange();
    expect(isStopped).toBe(false);
    release();
    await stopped;
    expect(answers()).toEqual({ 5: 0 });
    const order = smsc.received.map(({ command }) => command).filter((command) => /deliver|^unbind$/.test(command));
    expect(order).toEqual(["deliver_sm_resp", "unbind"]);
  });

  it("refuses new deliveries and waiting parts, so that they are delivered again", async () => {
    await openBound();
    const release = holdBack();
    deliverReceipt(5, "42");
    deliverText(6, "half", { sar_msg_ref_num: 700, sar_total_segments: 2, sar_segment_seqnum: 1 });
    await until(() => told.length === 1);
    await smsc.exchange();
    const stopped = carrier.stop();
    await untilAnswered(1);
    deliverReceipt(7, "43");
    await untilAnswered(2);
    release();
    await stopped;
    expect(told).toHaveLength(1);
    expect(answers()).toEqual({ 5: 0, 6: 100, 7: 100 });
  });
});

it("a session acknowledges the deliveries that are being recorded when the peer unbinds", async () => {
  await openBound();
  const release = holdBack();
  deliverText(5, "STOP");
  await until(() => told.length === 1);
  smsc.peer.send("unbind", { sequence_number: 77 });
  await smsc.exchange();
  release();
  await until(() => warnings.length === 1 && smsc.requests("unbind_resp").length === 1);
  expect(answers()).toEqual({ 5: 0 });
});

it("a carrier that is stopped finishes recording the reports of a session that has ended", async () => {
  await openBound();
  const release = holdBack();
  deliverReceipt(5, "42");
  await until(() => told.length === 1);
  smsc.peer.socket.destroy();
  await until(() => warnings.length === 1);
  await clock.advanceBy(1_000);
  await smsc.bound(2);
  let isStopped = false;
  const stopped = carrier.stop().then(() => {
    isStopped = true;
  });
  await smsc.exchange();
  await clock.advanceBy(60_000);
  expect(isStopped).toBe(false);
  release();
  await stopped;
});

it("a delivery loses only its acknowledgement if the session ends early", async () => {
  await openBound();
  const release = holdBack();
  deliverReceipt(5, "42");
  await until(() => told.length === 1);
  smsc.peer.socket.destroy();
  release();
  await clock.settle();
  await until(() => warnings.length === 1);
  await clock.advanceBy(1_000);
  await smsc.bound(2);
  deliverReceipt(6, "42");
  await untilAnswered(1);
  expect(told[1]).toEqual(told[0]);
});
