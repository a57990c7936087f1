// A data folder under load, and the successive servers on it.

import { join } from "node:path";
import { findFreePort } from "../bench/process.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { type Acknowledgement, merchantId, quota } from "./actions.ts";
import { type Comparison, compare, type Ends } from "./comparison.ts";
import { type Data, hasRow, readFolder, waitForNone } from "./data.ts";
import type { LoadReport } from "./load.ts";
import { LoadProcess } from "./load-process.ts";
import { dueQuery, openQuery, pendingPayments } from "./open-work.ts";

/** Only an event that never comes takes longer, on a machine that is busy with other work too. */
const SETTLE_BOUND_MS = 120_000;
/** A payment whose processor did not answer is asked about after ten minutes. */
const PAYMENT_ASKED_HOURS = 0.25;
/** Longer than the six hours for which carriers may repeat a report after a start. */
const HEARD_OUT_HOURS = 7;

export interface Settled extends LoadReport, Comparison {
  /** Time from the end of the load until nothing was under way, in milliseconds. */
  readonly settleMs: number;
}

export class LoadedFolder {
  readonly folder: MsgdFolder;
  readonly data: Data;
  readonly load: LoadProcess;
  readonly port: string;
  /** The current server. */
  server: MsgdProcess;
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  offsetMs = 0;
  /** Actions acknowledged outside of the load. */
  readonly #acknowledged: Acknowledgement[] = [];
  readonly #credential: Credential;
  readonly #flags: readonly string[];

  private constructor(parts: {
    folder: MsgdFolder;
    server: MsgdProcess;
    credential: Credential;
    flags: readonly string[];
  }) {
    this.folder = parts.folder;
    this.data = readFolder(parts.folder.path);
    this.server = parts.server;
    this.port = new URL(parts.server.baseUrl).port;
    this.#credential = parts.credential;
    this.#flags = parts.flags;
    const { apiKey, apiSecret } = parts.credential;
    const file = join(parts.folder.parent, "acknowledged.ndjson");
    this.load = new LoadProcess({ baseUrls: [parts.server.baseUrl], apiKey, apiSecret, file });
  }

  /** Creates the folder and its merchant, and starts a server with the preload, and the load. */
  static async begin(): Promise<LoadedFolder> {
    const folder = new MsgdFolder();
    const credential = folder.createTenant();
    const port = await findFreePort();
    const flags = ["--port", String(port), "--log-level", "silent", "--consent-policy", "opt_out_only"];
    const server = await folder.serveWith(preloadAt(0), ...flags);
    await addMerchant(server, credential);
    return new LoadedFolder({ folder, server, credential, flags });
  }

  /** Starts the next server, with the clock of the last one. */
  async serve(): Promise<void> {
    this.server = await this.folder.serveWith(preloadAt(this.offsetMs), ...this.#flags);
  }

  async setForward(byMs: number): Promise<void> {
    this.offsetMs += byMs;
    await this.server.tell({ setForwardMs: byMs });
  }

  /** The time by the server's clock, in epoch milliseconds. */
  now(): number {
    return Date.now() + this.offsetMs;
  }

  /** Performs an action that is not the load's, once. */
  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const reply = await post(this.server, this.#credential, path, { merchantId, ...body });
    if (!reply.ok) throw new Error(`${path} was refused: ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  note(acknowledgement: Omit<Acknowledgement, "isReplay">): void {
    this.#acknowledged.push({ ...acknowledgement, isReplay: false });
  }

  /**
   * Ends the load, lets everything end, and compares. `select` leaves out what was lost by design. With `otherEnds`, the
   * clock is set beyond the 72 hours after which messages without a report are over too.
   */
  async settle({
    select = (acknowledged) => [...acknowledged],
    otherEnds,
  }: {
    select?: (acknowledged: readonly Acknowledgement[]) => Acknowledgement[];
    otherEnds?: Ends;
  } = {}): Promise<Settled> {
    const report = await this.load.finish();
    const start = performance.now();
    if (otherEnds === undefined) {
      await waitForNone(this.data.own, () => openQuery(this.now()), SETTLE_BOUND_MS);
      await this.#passTime([PAYMENT_ASKED_HOURS]);
    } else {
      await this.#passTime([0, 100, 10, 10]);
      await this.#hearOut();
    }
    const settleMs = performance.now() - start;
    await this.server.end("SIGTERM");
    const acknowledged = [...select(this.load.readAcknowledgements()), ...this.#acknowledged];
    return { settleMs, ...report, ...(await compare(this.data, acknowledged, otherEnds)) };
  }

  /**
   * Advances the clock, by so many hours each time, for as long as anything has no end: beyond the 72 hours, for instance,
   * and then until it is day for recipients who may not be called at night.
   */
  async #passTime(steps: readonly number[]): Promise<void> {
    for (const hours of steps) {
      if (!(await hasRow(this.data.own, `${openQuery(this.now())} UNION ALL ${pendingPayments}`))) return;
      if (hours > 0) {
        await this.server.end("SIGTERM");
        this.offsetMs += hours * 3_600_000;
        await this.serve();
      }
      await waitForNone(this.data.own, () => dueQuery(this.now()), SETTLE_BOUND_MS);
    }
  }

  /** Moves the clock of a running server beyond the time in which carriers may repeat a report. */
  async #hearOut(): Promise<void> {
    if (!(await hasRow(this.data.own, openQuery(this.now())))) return;
    await this.setForward(HEARD_OUT_HOURS * 3_600_000);
    await waitForNone(this.data.own, () => dueQuery(this.now()), SETTLE_BOUND_MS);
  }

  async remove(): Promise<void> {
    this.load.kill();
    await this.folder.remove();
  }
}

function preloadAt(offsetMs: number): URL {
  return new URL(`preload.mjs?offsetMs=${offsetMs}`, import.meta.url);
}

function post({ baseUrl }: MsgdProcess, { apiKey, apiSecret }: Credential, path: string, body: object) {
  return fetch(`${baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
    body: JSON.stringify(body),
  });
}

async function addMerchant(server: MsgdProcess, credential: Credential): Promise<void> {
  const reply = await post(server, credential, "merchants", { merchantId, displayName: "First", ...quota });
  if (!reply.ok) throw new Error(`the merchant was not made: ${await reply.text()}`);
}
