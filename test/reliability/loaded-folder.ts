// A data folder under load, and the servers that run on it one after the other.

import { join } from "node:path";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { type Acknowledgement, merchantId, quota } from "./actions.ts";
import { type Comparison, compare, type Ends } from "./comparison.ts";
import { type Data, hasRow, readFolder, waitForNone } from "./data.ts";
import type { LoadReport } from "./load.ts";
import { LoadProcess } from "./load-process.ts";
import { dueQuery, dueReports, openQuery, pendingPayments } from "./open-work.ts";

/** Longer than any event takes, even on a machine that is busy with other work. */
const SETTLE_BOUND_MS = 120_000;
/** Hours: longer than the ten minutes after which a server asks about a payment that the processor did not answer. */
const PAYMENT_ASKED_HOURS = 0.25;
/** Longer than the six hours after a start within which carriers may repeat a report. */
const HEARD_OUT_HOURS = 7;

export interface Settled extends LoadReport, Comparison {
  /** Time from the end of the load until no work was in progress, in milliseconds. */
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

  /** Creates the folder and a merchant, and starts the load and a server with the preload. */
  static async begin(): Promise<LoadedFolder> {
    const folder = new MsgdFolder();
    const credential = folder.createTenant();
    const port = await findFreePort();
    const flags = ["--port", String(port), "--log-level", "silent", "--consent-policy", "opt_out_only"];
    const server = await folder.serveWith(preloadAt(0), ...flags);
    await addMerchant(server, credential);
    return new LoadedFolder({ folder, server, credential, flags });
  }

  /** Starts the next server with the current clock offset. */
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

  /** Performs an action outside of the load, once. */
  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const reply = await post(this.server, this.#credential, path, { merchantId, ...body });
    if (!reply.ok) throw new Error(`${path} was refused: ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  note(acknowledgement: Omit<Acknowledgement, "isReplay">): void {
    this.#acknowledged.push({ ...acknowledgement, isReplay: false });
  }

  /**
   * Ends the load, lets all work end, and compares the records. `select` omits acknowledgements that were lost by design. With
   * `otherEnds`, the clock is advanced past the 72 hours after which messages without a report are given up.
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
   * Advances the clock by each number of hours in turn, until all work has ended: for example past the 72 hours after which
   * messages are given up, and then to the day if recipients may not be called at night.
   */
  async #passTime(steps: readonly number[]): Promise<void> {
    for (const hours of steps) {
      if (!(await hasRow(this.data.own, `${openQuery(this.now())} UNION ALL ${pendingPayments}`))) return;
      if (hours > 0) {
        await this.server.end("SIGTERM");
        this.offsetMs += hours * 3_600_000;
        await this.serve();
      }
      await this.#waitUntilIdle();
    }
  }

  /** Advances the clock of the running server past the time in which carriers may repeat a report. */
  async #hearOut(): Promise<void> {
    if (!(await hasRow(this.data.own, openQuery(this.now())))) return;
    await this.setForward(HEARD_OUT_HOURS * 3_600_000);
    await this.#waitUntilIdle();
  }

  /** Waits until nothing is due, neither in the server nor at the carrier, whose reports may make more work due. */
  async #waitUntilIdle(): Promise<void> {
    const { own, ledger } = this.data;
    do {
      if (!(await waitForNone(own, () => dueQuery(this.now()), SETTLE_BOUND_MS))) return;
      if (!(await waitForNone(ledger, () => dueReports(this.now()), SETTLE_BOUND_MS))) return;
    } while (await hasRow(own, dueQuery(this.now())));
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
  if (!reply.ok) throw new Error(`the merchant was not created: ${await reply.text()}`);
}
