import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../../store/invariants.ts";
import { type InMemoryService, openInMemoryService, secrets } from "../../testing/in-memory-service.ts";
import { answering, openReceiver, type Receiver } from "../../testing/receivers.ts";
import { beginErasure, continueErasure } from "../recipients/recipients.ts";
import { canMove, listStates, type ToldStatus, toldSequence } from "../transitions.ts";
import { type EventSubscription, removeSubscription, saveSubscription } from "./event-rows.ts";
import { readCallbackSecrets } from "./secrets.ts";

const merchantId = "shop";
const delivered = "+12025550100";
const undelivered = "+12025550110";
const saysStop = "+12025550150";
const saysText = "+12025550153";
const minuteMs = 60_000;

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

async function open(): Promise<InMemoryService> {
  const service = await openInMemoryService({ allowPrivateCallbacks: true });
  toClose.push(() => service.close());
  await service.start();
  const merchant = { merchantId, displayName: "Shop", smsLimit: 100, emailLimit: 100, voiceMinutesLimit: 100 };
  await service.call("POST", "/api/v1/merchants", { body: merchant });
  return service;
}

async function openHook(status = 200): Promise<Receiver> {
  const receiver = await openReceiver(answering(status));
  toClose.push(receiver.close);
  return receiver;
}

function subscribe(
  { store, clock, credential }: InMemoryService,
  url: string,
  events: Partial<Pick<EventSubscription, "tellsUpdates" | "tellsTexts">> = {},
): Promise<void> {
  const tenantId = credential.tenantId;
  return store.write((tx) =>
    saveSubscription(tx, { tenantId, url, tellsUpdates: 1, tellsTexts: 1, ...events, setAt: clock.now() }),
  );
}

async function send(service: InMemoryService, to: string): Promise<string> {
  const body = { merchantId, to, message: "Hello", type: "TRANSACTIONAL" };
  const reply = await service.call("POST", "/api/v1/messages/sms", { body });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().messageId;
}

interface Posted {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}
const eventsOf = ({ received }: Receiver): Posted[] => received.map(({ body }) => JSON.parse(body));

async function countRows({ store }: InMemoryService, table: "message_events" | "callbacks"): Promise<number> {
  const row = await store.read((tx) => tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`));
  return row?.count ?? 0;
}

describe("events of messages", () => {
  it("are signed, and report each change of a message once and in order", async () => {
    const service = await open();
    const hook = await openHook();
    await subscribe(service, hook.url);
    const messageId = await send(service, undelivered);
    await service.clock.advanceBy(minuteMs);
    const events = eventsOf(hook);
    expect(events.map(({ type, data }) => [type, data.status, data.deliveryReason, data.sequence])).toEqual([
      ["message.updated", "SENT", null, 1],
      ["message.updated", "UNDELIVERED", "UNREACHABLE", 3],
    ]);
    for (const { timestamp, data } of events) {
      expect(data).toMatchObject({ messageId, merchantId, channel: "SMS", type: "TRANSACTIONAL", to: undelivered });
      expect(data.tenantId).toBe(String(service.credential.tenantId));
      expect(data.updatedAt).toBe(timestamp);
    }
    const ids = hook.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2);
    const tenantId = service.credential.tenantId;
    const [secret = ""] = await service.store.write((tx) =>
      readCallbackSecrets(tx, secrets, { tenantId, now: service.clock.now() }),
    );
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    for (const { headers, body } of hook.received) {
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    }
    expect(await countRows(service, "message_events")).toBe(0);
  });

  it("are not written for a tenant without a URL, nor after it was removed", async () => {
    const service = await open();
    await send(service, delivered);
    await service.clock.advanceBy(minuteMs);
    expect([await countRows(service, "message_events"), await countRows(service, "callbacks")]).toEqual([0, 0]);
    const hook = await openHook();
    await subscribe(service, hook.url);
    await service.store.write((tx) => removeSubscription(tx, service.credential.tenantId));
    await send(service, delivered);
    await service.clock.advanceBy(minuteMs);
    expect([hook.received.length, await countRows(service, "callbacks")]).toEqual([0, 0]);
  });

  it("are only those of the chosen types", async () => {
    const service = await open();
    const hook = await openHook();
    await subscribe(service, hook.url, { tellsUpdates: 0 });
    const messageId = await send(service, saysText);
    await service.clock.advanceBy(minuteMs);
    expect(eventsOf(hook).map(({ type, data }) => [type, data.messageId])).toEqual([["message.received", messageId]]);
  });

  it("tell of keywords with what was done, and of free text, but not of the confirmations", async () => {
    const service = await open();
    const hook = await openHook();
    await subscribe(service, hook.url);
    const stopped = await send(service, saysStop);
    const asked = await send(service, saysText);
    await service.clock.advanceBy(minuteMs);
    const received = eventsOf(hook).filter(({ type }) => type === "message.received");
    expect(received.map(({ data }) => [data.messageId, data.from, data.action]).sort()).toEqual(
      [
        [stopped, saysStop, "OPTED_OUT"],
        [asked, saysText, "RECEIVED"],
      ].sort(),
    );
    expect(received.map(({ data }) => data.merchantId)).toEqual([merchantId, merchantId]);
    const updated = eventsOf(hook).filter(({ type }) => type === "message.updated");
    expect(new Set(updated.map(({ data }) => data.messageId))).toEqual(new Set([stopped, asked]));
  });

  it("tell of a reply that the simulator makes", async () => {
    const service = await open();
    const hook = await openHook();
    const messageId = await send(service, delivered);
    await subscribe(service, hook.url);
    const { tenantId } = service.credential;
    const body = { tenantId: String(tenantId), messageId, replyBody: "At ten?" };
    const reply = await service.call("POST", "/api/v1/simulator/reply", { body });
    expect(reply.statusCode, reply.body).toBe(200);
    await service.clock.advanceBy(minuteMs);
    expect(eventsOf(hook).filter(({ type }) => type === "message.received")).toMatchObject([
      { data: { messageId, from: delivered, to: null, text: "At ten?", action: "RECEIVED" } },
    ]);
  });

  it("stop when the receiver answers 410, until the URL is set again", async () => {
    const service = await open();
    const gone = await openHook(410);
    await subscribe(service, gone.url);
    await send(service, delivered);
    await service.clock.advanceBy(minuteMs);
    expect(gone.received.length).toBe(1);
    await send(service, delivered);
    await service.clock.advanceBy(minuteMs);
    expect(gone.received.length).toBe(1);
    await subscribe(service, gone.url);
    await send(service, delivered);
    await service.clock.advanceBy(minuteMs);
    expect(gone.received.length).toBe(2);
  });

  it("of an erased recipient are neither posted nor kept", async () => {
    const service = await open();
    const failing = await openHook(500);
    await subscribe(service, failing.url);
    await send(service, saysText);
    await send(service, delivered);
    await service.clock.advanceBy(2_000);
    expect(failing.received.filter(({ body }) => body.includes(saysText)).length).toBeGreaterThan(0);
    const scope = { tenantId: service.credential.tenantId, merchantId: null };
    const erasureId = await service.store.write((tx) =>
      beginErasure(tx, scope, { contact: saysText, digest: "digest", now: service.clock.now() }),
    );
    await service.clock.settle();
    while (
      (await service.store.write((tx) => continueErasure(tx, erasureId, service.clock.now()))).state !== "ended"
    ) {}
    const posted = failing.received.length;
    await service.clock.advanceBy(10 * minuteMs);
    const later = failing.received.slice(posted).map(({ body }) => body);
    expect(later.filter((body) => body.includes(saysText))).toEqual([]);
    expect(later.filter((body) => body.includes(delivered)).length).toBeGreaterThan(0);
    const kept = await service.store.read((tx) => tx.all("SELECT * FROM callbacks"));
    expect(JSON.stringify(kept)).not.toContain(saysText);
    expect((await service.store.read(checkInvariants)).filter(({ faults }) => faults.length > 0)).toEqual([]);
  });
});

it("the sequence rises with each move between states that are told", () => {
  const told = Object.keys(toldSequence) as ToldStatus[];
  const moves = told.flatMap((from) =>
    told.filter((to) => canMove("message", from, to)).map((to) => [from, to] as const),
  );
  expect(moves.length).toBeGreaterThan(5);
  expect(moves.filter(([from, to]) => toldSequence[from] >= toldSequence[to])).toEqual([]);
  expect(listStates("message").filter((state) => !(state in toldSequence))).toEqual(["QUEUED", "SENDING"]);
});
