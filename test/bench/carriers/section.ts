// Measures the rate at which a server submits messages by the real protocols. The carriers are separate processes on this
// machine that only accept and count messages. Emails are compared with nodemailer alone, the lower bound of their cost.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import nodemailer from "nodemailer";
import type { CarrierSettings } from "../../../packages/server/src/carriers/kind.ts";
import { requireKind } from "../../../packages/server/src/carriers/kinds.ts";
import { reserveUsage } from "../../../packages/server/src/domain/billing/rows.ts";
import { insertCarrier } from "../../../packages/server/src/domain/carriers/rows.ts";
import { upsertMerchant, upsertQuota } from "../../../packages/server/src/domain/merchants/rows.ts";
import { bindCarrier } from "../../../packages/server/src/domain/tenancy/credentials.ts";
import { createTenant } from "../../../packages/server/src/domain/tenancy/tenants.ts";
import { systemClock } from "../../../packages/server/src/platform/clock.ts";
import { createIds } from "../../../packages/server/src/platform/ids.ts";
import { createSecretBox } from "../../../packages/server/src/platform/secret-box.ts";
import { openService } from "../../../packages/server/src/service.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import { addMessage } from "../../../packages/server/src/testing/messages.ts";
import type { SectionOutput } from "../section-output.ts";
import { measureBeside } from "./beside.ts";
import { startSink } from "./sink.ts";

const CONNECTIONS = 16;
const mail = { subject: "Your code", content: "<html><body><p>Your code is <b>123456</b>.</p></body></html>" };
const text = { subject: null, content: "Your code is 123456." };

const kinds = {
  smtp: {
    channel: "EMAIL",
    program: "mail-sink.ts",
    settings: (port: number) => ({
      ...{ host: "127.0.0.1", port, tls: "none", from: "no-reply@acme.example", connections: CONNECTIONS },
    }),
  },
  smpp: {
    channel: "SMS",
    program: "text-sink.ts",
    settings: (port: number) => ({
      ...{ host: "127.0.0.1", port, tls: "none", systemId: "bench", password: "bench" },
      ...{ sender: "+12025550199", window: 100 },
    }),
  },
  // with its default number of connections
  twilio: {
    channel: "SMS",
    program: "api-sink.ts",
    settings: (port: number) => ({
      ...{ accountSid: `AC${"0".repeat(32)}`, authToken: "bench", from: "+12025550199" },
      baseUrl: `http://127.0.0.1:${port}`,
    }),
  },
} as const;

/** Returns the messages per second, measured from a full backlog until the carrier has accepted all of it. */
async function measure(kind: keyof typeof kinds, messages: number): Promise<number> {
  const { channel, program, settings } = kinds[kind];
  const sink = await startSink(program);
  const document = { kind, ...settings(sink.port) };
  const folder = mkdtempSync(join(tmpdir(), "msgd-carriers-"));
  const secrets = createSecretBox(() => [Buffer.alloc(32, 7)]);
  const service = await openService({
    database: { file: join(folder, "msgd.db") },
    simulator: { file: join(folder, "simulator.db") },
    publicUrl: "https://msg.acme.example",
    pepper: "for the bench alone",
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock: systemClock,
    secrets,
    carrierPollIntervalMs: 500,
    isAlone: true,
  });
  try {
    await fill(service.store, {
      channel,
      messages,
      settings: requireKind(document).complete(document),
      seal: secrets.seal,
    });
    const start = performance.now();
    await service.start();
    while ((await countSent(service.store)) < messages) await sleep(50);
    const perSecond = (1_000 * messages) / (performance.now() - start);
    const taken = await sink.countTaken();
    if (taken !== messages) throw new Error(`the carrier took ${taken} of ${messages} messages`);
    return perSecond;
  } finally {
    await service.close();
    sink.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function countSent(store: Store): Promise<number> {
  const row = await store.read((tx) =>
    tx.get<{ count: number }>("SELECT COUNT(*) AS count FROM messages WHERE status = 'SENT'"),
  );
  return row?.count ?? 0;
}

interface Backlog {
  readonly channel: "EMAIL" | "SMS";
  readonly messages: number;
  readonly settings: CarrierSettings;
  readonly seal: (secret: string, binding: string) => string;
}

async function fill(store: Store, { channel, messages, settings, seal }: Backlog): Promise<void> {
  const now = Date.now();
  const { tenantId } = await store.write((tx) =>
    createTenant(tx, { name: "Bench", timezone: "UTC", mode: "live", now }),
  );
  const merchant = { tenantId, merchantId: "bench" };
  const carrier = { name: `${settings.kind}-bench`, tenantId, channel };
  const eventsId = requireKind(settings).receivesEvents?.(settings) === true ? "bench" : null;
  const sealedSettings = seal(JSON.stringify(settings), bindCarrier(carrier));
  await store.write(async (tx) => {
    await insertCarrier(tx, { ...carrier, isSecond: 0, kind: settings.kind, sealedSettings, setAt: now, eventsId });
    await upsertMerchant(tx, { ...merchant, displayName: "Bench", active: true, now });
    await upsertQuota(tx, { ...merchant, channel, limit: 1_000_000_000, credits: 0 });
  });
  const newId = createIds();
  const period = `${new Date(now).toISOString().slice(0, 7)}-01`;
  const [recipient, said] = channel === "EMAIL" ? ["ada@example.com", mail] : ["+12025550100", text];
  for (let done = 0; done < messages; done += 1_000) {
    const count = Math.min(1_000, messages - done);
    await store.write(async (tx) => {
      await reserveUsage(tx, { ...merchant, channel, period }, { units: count, creditUnits: 0 });
      for (let index = 0; index < count; index += 1) {
        await addMessage(tx, {
          ...{ ...merchant, messageId: newId("msg", now), channel, type: "OTP", purpose: "SEND", recipient, ...said },
          ...{ units: 1, creditUnits: 0, period, now },
        });
      }
    });
  }
}

/** Sends the same emails with nodemailer alone, without storing anything. */
async function measureNodemailer(messages: number): Promise<number> {
  const sink = await startSink("mail-sink.ts");
  const transport = nodemailer.createTransport({
    ...{ host: "127.0.0.1", port: sink.port, ignoreTLS: true, pool: true },
    ...{ maxConnections: CONNECTIONS, maxMessages: Number.POSITIVE_INFINITY },
  });
  const start = performance.now();
  let begun = 0;
  const hands = Array.from({ length: 2 * CONNECTIONS }, async () => {
    for (; begun < messages; ) {
      begun += 1;
      const address = { from: "no-reply@acme.example", to: "ada@example.com" };
      await transport.sendMail({ ...address, subject: mail.subject, html: mail.content, text: "Your code is 123456." });
    }
  });
  await Promise.all(hands);
  const perSecond = (1_000 * messages) / (performance.now() - start);
  transport.close();
  sink.end();
  return perSecond;
}

export async function benchCarriers(
  { print, printGoal }: SectionOutput,
  { messages, seconds }: { messages: number; seconds: number },
): Promise<void> {
  print(
    `\nReal carriers: a backlog of ${messages} messages to a peer on this machine, median of three alternating runs\n`,
  );
  const rounds: { mails: number; alone: number; texts: number; requests: number }[] = [];
  for (let round = 0; round < 3; round += 1) {
    rounds.push({
      mails: await measure("smtp", messages),
      alone: await measureNodemailer(messages),
      texts: await measure("smpp", messages),
      requests: await measure("twilio", Math.ceil(messages / 4)),
    });
  }
  const median = (name: keyof (typeof rounds)[number]) =>
    rounds.map((round) => round[name]).sort((one, other) => one - other)[1] ?? 0;
  const [mails, alone, texts, requests] = [median("mails"), median("alone"), median("texts"), median("requests")];
  printGoal("mails", `${mails.toFixed(0)} /s`, "≥ 800 /s", mails >= 800);
  print(`  nodemailer alone ${alone.toFixed(0)} /s: mails at ${((100 * mails) / alone).toFixed(0)} % of it`);
  printGoal("texts", `${texts.toFixed(0)} /s`, "≥ 2000 /s", texts >= 2_000);
  printGoal("texts by an API", `${requests.toFixed(0)} /s`, "≥ 300 /s", requests >= 300);
  print("  a quarter of the backlog, each answer after 50 ms, 20 connections");
  await benchBeside({ print, printGoal }, seconds);
}

/** Paces that the carrier keeps up with: an API is at most as fast as its connections. */
const beside = [
  { name: "SMPP", kind: "smpp", pace: 1_200 },
  { name: "an API", kind: "twilio", pace: 300 },
] as const;

async function benchBeside({ print, printGoal }: SectionOutput, seconds: number): Promise<void> {
  print("\nSends of texts on 4 connections while msgd submits them, median of three alternating runs\n");
  for (const { name, kind, pace } of beside) {
    const { program, settings } = kinds[kind];
    const document = (port: number) => ({ kind, ...settings(port) });
    const { simulated, carried } = await measureBeside({ program, settings: document, pace, seconds });
    const ratio = carried.p99Ms / simulated.p99Ms;
    print(`${pace} a second, to the simulated carrier  p50 ${toMs(simulated.p50Ms)}, p99 ${toMs(simulated.p99Ms)}`);
    print(`${pace} a second, to ${name.padEnd(22)}  p50 ${toMs(carried.p50Ms)}, p99 ${toMs(carried.p99Ms)}`);
    printGoal(`p99 with ${name}`, `${ratio.toFixed(2)} times`, "≤ 1.15 times", ratio <= 1.15);
  }
}

const toMs = (ms: number) => `${ms.toFixed(2)} ms`;
