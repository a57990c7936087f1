// Live tenants send texts over stand-ins for APIs, which lose answers, refuse, and repeat, reorder and forge their events: no
// text is sent twice or lost, and each message ends as its API knows it. API_TEXTS=10000 sends ten thousand over each.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdapterDouble, type AdapterTreatment, sign } from "../../packages/server/src/testing/adapter-double.ts";
import { TelnyxDouble, type TelnyxTreatment } from "../../packages/server/src/testing/telnyx-double.ts";
import { type Callback, type Treatment, TwilioDouble } from "../../packages/server/src/testing/twilio-double.ts";
import { createPost } from "./create-post.ts";
import { MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const TEXTS = Number(process.env.API_TEXTS ?? 100);
const AT_ONCE = 32;
const CONNECTIONS = 16;
/** The URL at which the APIs reach the server, through a proxy. */
const PUBLIC_URL = "https://msg.acme.example";

/** The fault of a text by the last digit of its recipient; `none` for the other digits. */
const faults = ["none", "lose-answer", "cut", "invalid", "opted-out", "broken", "undelivered", "lose-refusal"] as const;
type Fault = (typeof faults)[number];
const faultOf = (to: string): Fault => faults[Number(to.slice(-1))] ?? "none";

/** The status and reason of a message whose text had a fault. */
const ends: Record<Fault, readonly [status: string, reason: string | null]> = {
  none: ["DELIVERED", null],
  "lose-answer": ["DELIVERED", null],
  // the API does not have them, but nothing proves it
  cut: ["SENDING", null],
  broken: ["SENDING", null],
  invalid: ["FAILED", "UNKNOWN_HANDSET"],
  "opted-out": ["FAILED", "OPTED_OUT"],
  undelivered: ["UNDELIVERED", "UNKNOWN_HANDSET"],
  "lose-refusal": ["DELIVERED", null],
};
const isTaken = (fault: Fault) => ["DELIVERED", "UNDELIVERED"].includes(ends[fault][0]);

/** A stand-in for an API. */
interface Api {
  readonly settings: object;
  /** Sets how it treats a text to a phone. It asks the client to wait while `isBusy` returns true. */
  treatBy(isBusy: () => boolean, choose: (to: string) => Fault): void;
  /** Phones of the texts that it took, in order. */
  listTaken(): readonly string[];
  /** Returns the events about a text that it took, some twice and in the wrong order, and a forged one. */
  tellOf(index: number): { readonly genuine: readonly Callback[]; readonly forged: Callback };
  close(): Promise<void>;
}

const apis: Record<string, () => Promise<Api>> = {
  async twilio() {
    const double = await TwilioDouble.listen();
    const refusals: Partial<Record<Fault, Treatment>> = {
      invalid: { status: 400, code: 21211, message: "Invalid 'To' Phone Number" },
      "opted-out": { status: 400, code: 21610, message: "Attempt to send to unsubscribed recipient" },
      broken: { status: 500, code: 20500, message: "Internal Server Error" },
    };
    const busy = { status: 429, code: 20429, message: "Too many requests", retryAfter: "1" };
    return {
      settings: double.settings({ connections: CONNECTIONS }),
      treatBy: (isBusy, choose) => {
        double.treat = treatmentOf({ isBusy, choose, busy, refusals });
      },
      listTaken: () => double.taken.map(({ to }) => to),
      tellOf(index) {
        const text = at(double.taken, index);
        const isLost = faultOf(text.to) === "undelivered";
        const end = isLost ? double.report(text, "undelivered", 30005) : double.report(text, "delivered");
        const forged = { ...double.report(text, "failed", 30007), headers: end.headers };
        return { genuine: [end, double.report(text, "sent"), end, double.report(text, "queued")], forged };
      },
      close: () => double.close(),
    };
  },
  async telnyx() {
    const double = await TelnyxDouble.listen();
    const refusals: Partial<Record<Fault, TelnyxTreatment>> = {
      invalid: { status: 400, code: "40310", title: "Invalid 'to' address" },
      "opted-out": { status: 400, code: "40300", title: "Blocked due to STOP message" },
      broken: { status: 500, code: "10007", title: "Unexpected error" },
    };
    const busy = { status: 429, code: "10011", title: "Too many requests", retryAfter: "1" };
    return {
      settings: double.settings({ connections: CONNECTIONS }),
      treatBy: (isBusy, choose) => {
        double.treat = treatmentOf({ isBusy, choose, busy, refusals });
      },
      listTaken: () => double.taken.map(({ to }) => to),
      tellOf(index) {
        const text = at(double.taken, index);
        const isLost = faultOf(text.to) === "undelivered";
        const failed = { status: "delivery_failed", code: "40012", title: "Invalid destination number" };
        const end = double.report(text, isLost ? failed : { status: "delivered" }, Date.now());
        const forged = { ...double.report(text, { status: "sending_failed" }, Date.now()), headers: end.headers };
        return { genuine: [end, double.report(text, { status: "sent" }, Date.now()), end], forged };
      },
      close: () => double.close(),
    };
  },
  async http() {
    const double = await AdapterDouble.listen();
    const treatments: Partial<Record<Fault, AdapterTreatment>> = {
      invalid: { outcome: "refused", reason: "UNKNOWN_HANDSET" },
      "opted-out": { outcome: "refused", reason: "OPTED_OUT", optOut: true },
      broken: { status: 500 },
      "lose-refusal": "lose-refusal",
    };
    return {
      settings: double.settings({ connections: CONNECTIONS }),
      treatBy(isBusy, choose) {
        double.treat = (to, attempt) => {
          if (isBusy()) return { status: 429, retryAfter: "1" };
          // the attempt after the lost one is taken
          const fault = choose(to);
          return fault === "lose-refusal" && attempt > 1 ? "accept" : (treatments[fault] ?? lossOf(fault));
        };
      },
      listTaken: () => double.taken.map(({ message }) => message.to),
      tellOf(index) {
        const taken = at(double.taken, index);
        const isLost = faultOf(taken.message.to) === "undelivered";
        const end = isLost ? double.report(taken, "UNDELIVERED", "UNKNOWN_HANDSET") : double.report(taken, "DELIVERED");
        const secret = `whsec_${Buffer.alloc(32, "forger").toString("base64")}`;
        const forged = sign(end.url, end.body, { id: "forged", now: Date.now(), secret });
        return { genuine: [end, double.report(taken, "SENT"), end], forged };
      },
      async close() {
        expect(double.faults).toEqual([]);
        await double.close();
      },
    };
  },
};

/** Returns how to treat a text: as busy, by its refusal, or by its loss. */
function treatmentOf<T>({
  isBusy,
  choose,
  busy,
  refusals,
}: {
  isBusy: () => boolean;
  choose: (to: string) => Fault;
  busy: T;
  refusals: Partial<Record<Fault, T>>;
}) {
  return (to: string) => {
    if (isBusy()) return busy;
    const fault = choose(to);
    return refusals[fault] ?? lossOf(fault);
  };
}

function lossOf(fault: Fault): "accept" | "lose-answer" | "cut" {
  return fault === "lose-answer" || fault === "cut" ? fault : "accept";
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no ${index} of ${list.length}`);
  return found;
}

const folder = new MsgdFolder();
let server: MsgdProcess;
beforeAll(async () => {
  folder.createTenant();
  server = await folder.serve("--public-url", PUBLIC_URL, "--consent-policy", "opt_out_only");
});
afterAll(() => folder.remove());

/** Delivers an event as an API does, through the proxy: again, until it is taken or refused. Resolves to the status. */
async function deliver({ url, headers, body }: Callback): Promise<number> {
  for (;;) {
    const { status } = await fetch(url.replace(PUBLIC_URL, server.baseUrl), { method: "POST", headers, body });
    if (status < 500) return status;
    await sleep(50);
  }
}

/** Calls `work` with each number below `count`, some at a time. */
async function forEach(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const workNext = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workNext));
}

it.each(Object.keys(apis))(
  "each text over %s is sent once, and ends as the API knows it",
  async (kind) => {
    const api = await (apis[kind] as () => Promise<Api>)();
    const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", kind);
    const post = createPost(server.baseUrl, folder.createKey(tenantId));
    const file = join(folder.parent, `${kind}.json`);
    writeFileSync(file, JSON.stringify(api.settings), { mode: 0o600 });
    folder.command("carriers", "set", "--tenant", tenantId, "--channel", "SMS", "--file", file);
    const made = await post("/api/v1/merchants", { merchantId: "shop", displayName: "Shop", smsLimit: 100_000 });
    expect(made.status).toBe(200);
    let asked = 0;
    let isBusy = true;
    const decided = new Set<string>();
    api.treatBy(
      () => {
        asked += 1;
        return isBusy && asked % 10 === 0;
      },
      (to) => {
        decided.add(to);
        return faultOf(to);
      },
    );
    const ids = new Map<string, string>();
    await forEach(TEXTS, async (index) => {
      const to = `+1415${5_550_000 + index}`;
      const reply = await post("/api/v1/messages/sms", {
        merchantId: "shop",
        type: "TRANSACTIONAL",
        to,
        message: "Hi",
      });
      expect(reply.status).toBe(200);
      ids.set(((await reply.json()) as { messageId: string }).messageId, to);
    });
    isBusy = false;
    // those that wait after a 429, or a lost refusal, are sent too
    await expect.poll(() => decided.size, { interval: 100 }).toBe(TEXTS);
    const expectedTaken = [...ids.values()].filter((to) => isTaken(faultOf(to))).toSorted();
    await expect.poll(() => api.listTaken().length, { interval: 100 }).toBe(expectedTaken.length);
    expect(api.listTaken().toSorted()).toEqual(expectedTaken);
    await forEach(expectedTaken.length, async (index) => {
      const { genuine, forged } = api.tellOf(index);
      expect(await deliver(forged)).toBe(403);
      for (const event of genuine) expect(await deliver(event)).toBe(204);
    });
    const wanted = Object.fromEntries([...ids].map(([messageId, to]) => [messageId, ends[faultOf(to)]]));
    const read = () => {
      const query = ["messages", "list", "--tenant", tenantId, "--limit", "10000"];
      const listed = folder.command<{ messageId: string; status: string; reason: string | null }[]>(...query);
      return Object.fromEntries(listed.map(({ messageId, status, reason }) => [messageId, [status, reason]]));
    };
    await expect.poll(read, { interval: 1_000 }).toEqual(wanted);
    expect(api.listTaken()).toHaveLength(expectedTaken.length);
    await api.close();
  },
  900_000,
);
