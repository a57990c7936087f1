// Texts from each kind of peer, some hostile, as the carrier reads and the dispatcher stores them.

import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readDeliveryStatus, readFailedRecipients, readQmailBounce } from "../domain/messages/emails.ts";
import { createWorld, type World } from "../testing/dispatch-world.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openTestStore } from "../testing/test-store.ts";
import { readUnplaced } from "./freeswitch/calls.ts";
import { cleanEvent, type ProviderEvent, type SubmitOutcome } from "./provider.ts";
import { readReceipt } from "./smpp/inbound.ts";
import { loadPduCodec, type PduCodec } from "./smpp/pdus.ts";
import { readFailure, readQueueId } from "./smtp/smtp-carrier.ts";

const HOSTILE = `no\0 \ud800one\u001b[2J \u202eereh\u2066\r\n\u2028is ${"x".repeat(100_000)}`;
const CLEAN = /^[^\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,500}$/u;

let world: World<ScriptedProvider>;
let pdus: PduCodec;
beforeAll(async () => {
  pdus = await loadPduCodec();
});
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});
afterEach(() => world.close());

async function send(outcome: SubmitOutcome): Promise<string> {
  const messageId = await world.accept("+12025550100");
  world.provider.onSubmit = async () => outcome;
  await world.dispatcher().start();
  await world.clock.settle();
  return messageId;
}

async function wordsOf(messageId: string): Promise<string | undefined> {
  const row = await world.store.read((tx) =>
    tx.get<{ words: string }>("SELECT words FROM carrier_words WHERE message_id = $1", messageId),
  );
  return row?.words;
}

const smtp = (responseCode: number, command: string) => {
  const response = `${responseCode} 5.7.1 ${HOSTILE}`;
  const failure = Object.assign(new Error(response), { response, responseCode, command });
  return readFailure(failure, { attempts: 0, mayHaveLeft: false }) as SubmitOutcome;
};

describe("a peer's text is stored as one line", () => {
  it.each([
    ["SMTP, for a refused recipient", smtp(550, "RCPT TO")],
    ["SMTP, for a refused mail", smtp(550, "DATA")],
    ["SMTP, for a deferral", smtp(450, "RCPT TO")],
    ["the event socket, for a call that was not placed", readUnplaced(`-ERR GATEWAY_DOWN ${HOSTILE}`) as SubmitOutcome],
    ["the event socket, for an error without a cause", readUnplaced(HOSTILE) as SubmitOutcome],
  ])("if it comes from %s", async (_peer, outcome) => {
    expect(await wordsOf(await send(outcome))).toMatch(CLEAN);
  });

  const received = (fields: object) => readReceipt(pdus.decode(pdus.encode("deliver_sm", fields)).pdu, "same");
  const report = { kind: "receipt", eventId: "e", status: "UNDELIVERED", reason: null } as const;
  const dsn = (text: string) => ({ ...report, detail: detailOf(readDeliveryStatus(text)) });

  function detailOf(read: ReturnType<typeof readDeliveryStatus>): string {
    if (read?.kind !== "undelivered") throw new Error("no report of a failure");
    return read.detail;
  }

  it.each<[string, () => object | undefined]>([
    [
      "SMPP, in a receipt",
      () => {
        const stat = Buffer.from("id:p stat:UNDELIV\u0085x err:\u009b2J\u0000 text:", "latin1");
        return received({ esm_class: 4, short_message: stat, data_coding: 0 });
      },
    ],
    ["a mail, in its diagnostic", () => dsn(`Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 ${HOSTILE}`)],
    ["a mail, in its status", () => dsn(`Action: failed\nStatus: ${HOSTILE}`)],
    [
      "Exim",
      () => ({ ...report, detail: detailOf(readFailedRecipients("a@b", `  a@b.example\n    550 ${HOSTILE}\n`)) }),
    ],
    [
      "qmail",
      () => ({ ...report, detail: detailOf(readQmailBounce(`Hi. This is the\n\n<a@b>:\n${HOSTILE}\n\n--- Below`)) }),
    ],
  ])("if it comes from %s", async (_peer, read) => {
    const messageId = await send({ outcome: "taken", providerMessageId: "p", parts: ["p"] });
    const event = { clientReference: messageId, providerMessageId: "p", ...read() };
    await world.provider.tell(event as ProviderEvent);
    expect(await wordsOf(messageId)).toMatch(CLEAN);
  });

  it("if it comes in a late answer", async () => {
    const messageId = await send({ outcome: "deferred", retryAfterMs: 3_600_000, detail: "busy" });
    const answer = smtp(550, "RCPT TO");
    await world.provider.tell({ kind: "late-answer", eventId: "late", clientReference: messageId, answer, attempt: 1 });
    expect(await wordsOf(messageId)).toMatch(CLEAN);
  });

  it("if it explains why a carrier cannot be reached", async () => {
    world.provider.capacity = () => 1;
    await world.store.write((tx) =>
      tx.run(
        `INSERT INTO carriers (name, tenant_id, channel, is_second, kind, sealed_settings, set_at)
         VALUES ('scripted', 0, 'SMS', 0, 'smpp', '', 0)`,
      ),
    );
    await send({ outcome: "deferred", retryAfterMs: 1_000, detail: HOSTILE, isUnreached: true });
    const state = await world.store.read((tx) => tx.get<{ words: string }>("SELECT down_words AS words FROM carriers"));
    expect(state?.words).toMatch(CLEAN);
  });
});

it("the id that a mail server gives to a mail is stored as one line", async () => {
  const messageId = await send({ outcome: "taken", providerMessageId: readQueueId(`250 2.0.0 ok ${HOSTILE}`) });
  const { providerMessageId } = (await world.message(messageId)) as unknown as { providerMessageId: string };
  expect(providerMessageId).toMatch(CLEAN);
  expect(providerMessageId.length).toBeLessThanOrEqual(200);
});

it("a person's text keeps its lines, and characters that databases reject are replaced", () => {
  const reply = { kind: "reply", eventId: "r", clientReference: "m", text: "Yes\nplease\0 \ud800!" } as const;
  const inbound = { kind: "inbound", eventId: "i", from: "+1", to: "1", text: reply.text } as const;
  const text = "Yes\nplease\ufffd \ufffd!";
  expect([cleanEvent(reply), cleanEvent(inbound)]).toEqual([
    { ...reply, text },
    { ...inbound, text },
  ]);
});
