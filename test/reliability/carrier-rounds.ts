// Kills a server that gives messages to a carrier, again and again; then lets all settle and counts at the carrier.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../bench/process.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { between } from "./between.ts";
import { type Carried, compareCarried, type Taken } from "./carried.ts";
import { readFolder, waitForNone } from "./data.ts";
import { unsent } from "./open-work.ts";
import { PersistentLoad, post, type Sending } from "./persistent-load.ts";

/** A carrier that takes everything, and counts it. */
export interface CountingCarrier {
  readonly channel: "EMAIL" | "SMS" | "VOICE";
  /** As `msgd carriers set` reads them. */
  readonly settings: object;
  /** Of the server that speaks to it. */
  readonly flags?: readonly string[];
  /** Whether it tells the end of all that it took: what it answered for then does not stay SENT. */
  readonly tellsEnds: boolean;
  /** By recipient. */
  countTaken(): Taken;
  close(): Promise<void>;
}

export interface CarrierResult extends Carried {
  readonly kills: number;
  readonly acknowledged: number;
  /** Whose end the carrier told and the server does not know. */
  readonly untold: string[];
}

const LONGEST_LOAD_MS = 600;
const SETTLE_BOUND_MS = 120_000;
/** Past the 72 hours in which a receipt is waited for. */
const HOURS_LATER = 100;

/** Those whose end is not told. */
const sent = "SELECT recipient FROM messages WHERE status = 'SENT'";
/** A row for each message that is waited for. */
const awaited = "SELECT 1 FROM dispatches";

/** Runs `rounds` rounds on a folder of its own, which is gone afterwards. */
export async function runCarrierRounds(
  rounds: number,
  sending: Sending,
  open: (folder: string) => Promise<CountingCarrier>,
): Promise<CarrierResult> {
  const folder = new MsgdFolder();
  const carrier = await open(folder.parent);
  const flags = ["--port", String(await findFreePort()), "--log-level", "silent", ...(carrier.flags ?? [])];
  const serve = (offsetMs = 0) =>
    folder.serveWith(new URL(`preload.mjs?offsetMs=${offsetMs}`, import.meta.url), ...flags);
  try {
    const credential = makeTenant(folder, carrier);
    let server = await serve();
    await setLimits(server.baseUrl, credential);
    const load = new PersistentLoad(server.baseUrl, credential, sending);
    for (let round = 1; round <= rounds; round++) {
      await load.waitForMore();
      await sleep(between(0, LONGEST_LOAD_MS));
      await server.end("SIGKILL");
      server = await serve();
    }
    await load.waitForMore();
    const acknowledged = await load.finish();
    const { own } = readFolder(folder.path);
    await waitForNone(own, () => unsent, SETTLE_BOUND_MS);
    if (carrier.tellsEnds) await waitForNone(own, () => sent, SETTLE_BOUND_MS);
    const untold = carrier.tellsEnds ? await own<{ recipient: string }>(sent) : [];
    await server.end("SIGTERM");
    server = await serve(HOURS_LATER * 3_600_000);
    await waitForNone(own, () => awaited, SETTLE_BOUND_MS);
    await server.end("SIGTERM");
    const rows = await own<{ recipient: string; status: string }>("SELECT recipient, status FROM messages");
    return {
      kills: rounds,
      acknowledged: acknowledged.length,
      untold: untold.map(({ recipient }) => recipient),
      ...compareCarried(acknowledged, rows, carrier.countTaken()),
    };
  } finally {
    await carrier.close();
    await folder.remove();
  }
}

function makeTenant(folder: MsgdFolder, { channel, settings }: CountingCarrier): Credential {
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  const file = join(folder.parent, "carrier.json");
  writeFileSync(file, JSON.stringify(settings));
  folder.command("carriers", "set", "--tenant", tenantId, "--channel", channel, "--file", file);
  return folder.createKey(tenantId);
}

async function setLimits(baseUrl: string, credential: Credential): Promise<void> {
  const limits = { emailLimit: 1_000_000, smsLimit: 1_000_000, voiceMinutesLimit: 1_000_000 };
  const body = { merchantId: "first", displayName: "First", ...limits };
  const { ok, said } = await post(baseUrl, credential, { path: "merchants", body });
  if (!ok) throw new Error(`the merchant was not made: ${said}`);
}
