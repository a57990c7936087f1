// Kills a server that gives mails to a carrier which nobody can ask, again and again; then lets all settle and counts at the
// carrier.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type MailServer, openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import { findFreePort } from "../bench/process.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { between } from "./between.ts";
import { readFolder, waitForNone } from "./data.ts";

export interface MailResult {
  readonly kills: number;
  readonly acknowledged: number;
  /** Mails that the carrier took. */
  readonly taken: number;
  /** Mails of which nobody knows, and that say so. */
  readonly unknown: number;
  /** Taken more than once. */
  readonly doubled: string[];
  /** Acknowledged, not taken, and not said to be UNKNOWN. */
  readonly lost: string[];
  /** Said to have been sent, and not taken. */
  readonly claimed: string[];
  /** Not in a final state. */
  readonly stuck: string[];
}

const HANDS = 12;
const RETRY_MS = 50;
const LONGEST_ANSWER_MS = 25;
const LONGEST_LOAD_MS = 600;
const SETTLE_BOUND_MS = 120_000;
/** Past the 72 hours in which a receipt is waited for. */
const HOURS_LATER = 100;

/** A row for each mail that is still to be given to the carrier, or is on its way there. */
const unsent = `
  SELECT 1 FROM messages WHERE status = 'QUEUED'
  UNION ALL SELECT 1 FROM dispatches WHERE state IN ('ready', 'submitting', 'handed-over')`;
/** A row for each mail that is waited for. */
const awaited = "SELECT 1 FROM dispatches";

/** Runs `rounds` rounds on a folder of its own, which is gone afterwards. */
export async function runMailRounds(rounds: number): Promise<MailResult> {
  const folder = new MsgdFolder();
  const carrier = await openMailServer();
  carrier.delay = () => between(0, LONGEST_ANSWER_MS);
  const flags = ["--port", String(await findFreePort()), "--log-level", "silent"];
  const serve = (offsetMs = 0) =>
    folder.serveWith(new URL(`preload.mjs?offsetMs=${offsetMs}`, import.meta.url), ...flags);
  try {
    const credential = makeTenant(folder, carrier);
    let server = await serve();
    await setLimit(server, credential);
    const load = new MailLoad(server.baseUrl, credential);
    for (let round = 1; round <= rounds; round++) {
      await load.waitForMore();
      await sleep(between(0, LONGEST_LOAD_MS));
      await server.end("SIGKILL");
      server = await serve();
    }
    const acknowledged = await load.finish();
    const { own } = readFolder(folder.path);
    await waitForNone(own, () => unsent, SETTLE_BOUND_MS);
    await server.end("SIGTERM");
    const offsetMs = HOURS_LATER * 3_600_000;
    server = await serve(offsetMs);
    await waitForNone(own, () => awaited, SETTLE_BOUND_MS);
    await server.end("SIGTERM");
    const rows = await own<{ id: string; status: string }>("SELECT message_id AS id, status FROM messages");
    return { kills: rounds, acknowledged: acknowledged.length, ...compare(acknowledged, rows, carrier) };
  } finally {
    await carrier.close();
    await folder.remove();
  }
}

function makeTenant(folder: MsgdFolder, { port }: MailServer): Credential {
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  const settings = { kind: "smtp", host: "127.0.0.1", port, tls: "none", from: "no-reply@acme.example" };
  const file = join(folder.parent, "carrier.json");
  // with a return path each mail says which message it is
  writeFileSync(file, JSON.stringify({ ...settings, returnPath: "bounces@acme.example" }));
  folder.command("carriers", "set", "--tenant", tenantId, "--channel", "EMAIL", "--file", file);
  return folder.createKey(tenantId);
}

function post(baseUrl: string, { apiKey, apiSecret }: Credential, path: string, body: object, key?: string) {
  return fetch(`${baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": apiKey,
      "x-api-secret": apiSecret,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
}

async function setLimit({ baseUrl }: MsgdProcess, credential: Credential): Promise<void> {
  const merchant = { merchantId: "first", displayName: "First", emailLimit: 1_000_000 };
  const reply = await post(baseUrl, credential, "merchants", merchant);
  if (!reply.ok) throw new Error(`the merchant was not made: ${await reply.text()}`);
}

/** Sends mails one after the other, each until it is acknowledged, whatever becomes of the server. */
class MailLoad {
  readonly #baseUrl: string;
  readonly #credential: Credential;
  readonly #acknowledged: string[] = [];
  readonly #hands: Promise<void>[];
  #isFinishing = false;

  constructor(baseUrl: string, credential: Credential) {
    this.#baseUrl = baseUrl;
    this.#credential = credential;
    this.#hands = Array.from({ length: HANDS }, (_none, hand) => this.#work(hand));
  }

  /** Until each hand has had an acknowledgement or two more. */
  async waitForMore(): Promise<void> {
    const before = this.#acknowledged.length;
    while (this.#acknowledged.length < before + 2 * HANDS) await sleep(RETRY_MS);
  }

  async finish(): Promise<readonly string[]> {
    this.#isFinishing = true;
    await Promise.all(this.#hands);
    return this.#acknowledged;
  }

  async #work(hand: number): Promise<void> {
    for (let count = 0; !this.#isFinishing; count++) {
      const mail = { merchantId: "first", to: `ada${hand}@example.com`, subject: "Hi", body: "42", type: "OTP" };
      for (;;) {
        const messageId = await this.#try(mail, `mail-${hand}-${count}`);
        if (messageId !== undefined) {
          this.#acknowledged.push(messageId);
          break;
        }
        await sleep(RETRY_MS);
      }
      await sleep(between(0, LONGEST_ANSWER_MS));
    }
  }

  async #try(mail: object, key: string): Promise<string | undefined> {
    try {
      const reply = await post(this.#baseUrl, this.#credential, "messages/email", mail, key);
      return reply.ok ? ((await reply.json()) as { messageId: string }).messageId : undefined;
    } catch {
      return undefined;
    }
  }
}

const finals = new Set(["SENT", "DELIVERED", "UNDELIVERED", "FAILED", "EXPIRED", "UNKNOWN"]);

function compare(
  acknowledged: readonly string[],
  rows: readonly { id: string; status: string }[],
  { taken }: MailServer,
): Omit<MailResult, "kills" | "acknowledged"> {
  const times = new Map<string, number>();
  for (const { envid = "" } of taken) times.set(envid, (times.get(envid) ?? 0) + 1);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const known = [...new Set([...acknowledged, ...statuses.keys(), ...times.keys()])];
  const of = (id: string) => ({ id, status: statuses.get(id) ?? "nothing", times: times.get(id) ?? 0 });
  const found = known.map(of);
  const name = ({ id, status, times: count }: ReturnType<typeof of>) => `${id}: ${status}, taken ${count} times`;
  return {
    taken: taken.length,
    unknown: found.filter(({ status }) => status === "UNKNOWN").length,
    doubled: found.filter(({ times: count }) => count > 1).map(name),
    lost: found.filter(({ status, times: count }) => count === 0 && status !== "UNKNOWN").map(name),
    claimed: found
      .filter(({ status, times: count }) => count === 0 && (status === "SENT" || status === "DELIVERED"))
      .map(name),
    stuck: found.filter(({ status }) => !finals.has(status)).map(name),
  };
}
