// Does something to servers that give messages to a carrier, again and again; then lets all settle and counts at the carrier.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Credential } from "../e2e/msgd-process.ts";
import { between } from "./between.ts";
import { type Carried, compareCarried, type Taken } from "./carried.ts";
import { type CarrierServers, FolderServer } from "./carrier-servers.ts";
import { waitForNone } from "./data.ts";
import { dueQuery, unsent, waiting } from "./open-work.ts";
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
  readonly rounds: number;
  readonly acknowledged: number;
  /** Acknowledged, and gone with commits that a database that went back does not have. */
  readonly gone: number;
  /** Recipients of texts that are UNKNOWN, were not taken, and could have been: those acknowledged after the last round. */
  readonly unsentUnduly: string[];
  /** Whose end the carrier told and the server does not know. */
  readonly untold: string[];
}

/** What is done in a round. The load is on when it begins and has to be on when it ends, and the servers serve. */
export type Disturb<Servers> = (round: {
  /** From 1. */
  readonly number: number;
  readonly servers: Servers;
  readonly load: PersistentLoad;
  /** Notes what was acknowledged after the first so many and is not in the database any more. Only while the load rests. */
  noteGone(after: number): Promise<void>;
}) => Promise<void>;

export interface CarrierRoundsPlan<Servers extends CarrierServers> {
  readonly rounds: number;
  readonly sending: Sending;
  /** Opens the carrier, which may keep files in the folder. */
  readonly open: (folder: string) => Promise<CountingCarrier>;
  readonly begin: () => Promise<Servers>;
  readonly disturb: Disturb<Servers>;
}

const LONGEST_LOAD_MS = 600;
const SETTLE_BOUND_MS = 120_000;
/** Longer than the lease of a text that its carrier has not answered for. */
const LEASES_OVER_MS = 120_000;
/** Past the 72 hours in which a receipt is waited for. */
const HOURS_LATER = 100;
/** Past the six hours for which a carrier may tell after a start. */
const HEARD_OUT_HOURS = 7;

/** Those whose end is not told. */
const sent = "SELECT recipient FROM messages WHERE status = 'SENT'";
/** A row for each message that is waited for. */
const awaited = "SELECT 1 FROM dispatches";

/** Kills a server on a folder of its own in each of `rounds` rounds. */
export function runKillRounds(
  rounds: number,
  sending: Sending,
  open: (folder: string) => Promise<CountingCarrier>,
): Promise<CarrierResult> {
  return runCarrierRounds({
    rounds,
    sending,
    open,
    begin: FolderServer.begin,
    async disturb({ servers, load }) {
      await load.waitForMore();
      await sleep(between(0, LONGEST_LOAD_MS));
      await servers.end("SIGKILL");
      await servers.serve();
    },
  });
}

/** Runs rounds on servers of their own, which are gone afterwards with all that they kept. */
export async function runCarrierRounds<Servers extends CarrierServers>({
  rounds,
  sending,
  open,
  begin,
  disturb,
}: CarrierRoundsPlan<Servers>): Promise<CarrierResult> {
  const servers = await begin();
  const carrier = await open(servers.folder);
  const { own, baseUrls } = servers;
  try {
    servers.flags = carrier.flags ?? [];
    const credential = await makeTenant(servers, carrier);
    await servers.serve();
    await setLimits(baseUrls[0] ?? "", credential);
    const load = new PersistentLoad(baseUrls, credential, sending);
    const gone = new Set<string>();
    const noteGone = async (after: number) => {
      const rows = await own<{ recipient: string }>("SELECT recipient FROM messages");
      const present = new Set(rows.map(({ recipient }) => recipient));
      for (const recipient of load.acknowledged.slice(after)) if (!present.has(recipient)) gone.add(recipient);
    };
    load.goOn();
    for (let number = 1; number <= rounds; number++) await disturb({ number, servers, load, noteGone });
    const acknowledgedBefore = load.acknowledged.length;
    await load.waitForMore();
    await load.pause();
    await waitForNone(own, () => waiting, SETTLE_BOUND_MS);
    await servers.end("SIGTERM");
    await servers.serve(LEASES_OVER_MS);
    await waitForNone(own, () => unsent, SETTLE_BOUND_MS);
    // what is first asked about hours later waits for its receipt from then on
    await waitForNone(own, () => dueQuery(Date.now() + LEASES_OVER_MS), SETTLE_BOUND_MS);
    if (carrier.tellsEnds) await waitForNone(own, () => sent, SETTLE_BOUND_MS);
    const untold = carrier.tellsEnds ? await own<{ recipient: string }>(sent) : [];
    await servers.end("SIGTERM");
    await servers.serve(HOURS_LATER * 3_600_000);
    await servers.setForward(HEARD_OUT_HOURS * 3_600_000);
    await waitForNone(own, () => awaited, SETTLE_BOUND_MS);
    await servers.end("SIGTERM");
    const rows = await own<{ recipient: string; status: string }>("SELECT recipient, status FROM messages");
    const carried = compareCarried(load.acknowledged, rows, carrier.countTaken(), gone);
    const later = new Set(load.acknowledged.slice(acknowledgedBefore));
    return {
      rounds,
      acknowledged: load.acknowledged.length,
      gone: gone.size,
      untold: untold.map(({ recipient }) => recipient),
      unsentUnduly: carried.unsent.filter((recipient) => later.has(recipient)),
      ...carried,
    };
  } finally {
    await carrier.close();
    await servers.remove();
  }
}

async function makeTenant(servers: CarrierServers, { channel, settings }: CountingCarrier): Promise<Credential> {
  const { tenantId } = await servers.command<{ tenantId: string }>("tenants", "create", "Live");
  const file = join(servers.folder, "carrier.json");
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  await servers.command("carriers", "set", "--tenant", tenantId, "--channel", channel, "--file", file);
  return servers.command("keys", "create", "--tenant", tenantId);
}

async function setLimits(baseUrl: string, credential: Credential): Promise<void> {
  const limits = { emailLimit: 1_000_000, smsLimit: 1_000_000, voiceMinutesLimit: 1_000_000 };
  const body = { merchantId: "first", displayName: "First", ...limits };
  const { ok, said } = await post(baseUrl, credential, { path: "merchants", body });
  if (!ok) throw new Error(`the merchant was not made: ${said}`);
}
