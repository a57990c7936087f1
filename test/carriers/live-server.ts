import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { readFolder, waitForNone } from "../reliability/data.ts";
import { unsent } from "../reliability/open-work.ts";

const PATIENCE_MS = 120_000;
const LOOK_MS = 50;

/** Number of messages by status. */
export type Counts = Readonly<Record<string, number>>;

/** A server with one live tenant, which has a carrier. */
export class LiveServer {
  readonly folder: MsgdFolder;
  readonly #credential: Credential;
  readonly #flags: readonly string[];
  #server: MsgdProcess | undefined;

  /** @param flags of the server */
  constructor(
    channel: "EMAIL" | "SMS" | "VOICE",
    settings: object,
    { folder = new MsgdFolder(), flags = [] }: { folder?: MsgdFolder; flags?: readonly string[] } = {},
  ) {
    this.folder = folder;
    this.#flags = flags;
    const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
    const file = join(folder.parent, "carrier.json");
    writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
    folder.command("carriers", "set", "--tenant", tenantId, "--channel", channel, "--file", file);
    this.#credential = folder.createKey(tenantId);
  }

  /** Starts the server with its clock `hoursLater` hours ahead. Receipts are awaited for three days. */
  async start(hoursLater = 0): Promise<void> {
    const flags = ["--log-level", "silent", ...this.#flags];
    const preload = new URL(`../reliability/preload.mjs?offsetMs=${hoursLater * 3_600_000}`, import.meta.url);
    this.#server = await (hoursLater === 0 ? this.folder.serve(...flags) : this.folder.serveWith(preload, ...flags));
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#server?.end(signal);
  }

  /** Calls an operation. If it is refused, throws an error with the problem document. */
  async call<Reply = Record<string, string>>(method: "GET" | "POST", path: string, body?: object): Promise<Reply> {
    const { apiKey, apiSecret } = this.#credential;
    const reply = await fetch(`${this.#server?.baseUrl}/api/v1/${path}`, {
      method,
      headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Reply;
  }

  async addMerchant(): Promise<void> {
    const limits = { emailLimit: 1_000_000, smsLimit: 1_000_000, voiceMinutesLimit: 1_000_000 };
    await this.call("POST", "merchants", { merchantId: "shop", displayName: "Shop", ...limits });
  }

  /** Waits until every message has been submitted to the carrier, or until the time limit. */
  async waitForSent(): Promise<void> {
    await waitForNone(readFolder(this.folder.path).own, () => unsent, PATIENCE_MS);
  }

  /** Waits until the counts satisfy `isSo`, or until the time limit; returns them. */
  async waitFor(isSo: (counts: Counts) => boolean): Promise<Counts> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    let counts = await this.count();
    while (!isSo(counts) && performance.now() < giveUpAt) {
      await sleep(LOOK_MS);
      counts = await this.count();
    }
    return counts;
  }

  /** The status of each message, by its recipient. */
  async readStatuses(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#read<{ recipient: string; status: string }>("SELECT recipient, status FROM messages");
    return new Map(rows.map(({ recipient, status }) => [recipient, status]));
  }

  async count(): Promise<Counts> {
    const text = "SELECT status, COUNT(*) AS count FROM messages GROUP BY status";
    const rows = await this.#read<{ status: string; count: number }>(text);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  #read<Row extends object>(sql: string): Promise<Row[]> {
    return readFolder(this.folder.path).own<Row>(sql);
  }
}

/** Waits until `isSo`, or until the time limit. */
export async function waitUntil(isSo: () => unknown): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo()) && performance.now() < giveUpAt) await sleep(LOOK_MS);
}
