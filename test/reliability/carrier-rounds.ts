// Repeatedly disturbs servers that submit messages to a carrier. Then lets all messages settle, and counts them at the carrier.

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

/** A carrier that accepts and counts all messages. */
export interface CountingCarrier {
  readonly channel: "EMAIL" | "SMS" | "VOICE";
  /** Settings for `msgd carriers set`. */
  readonly settings: object;
  /** Flags of the server that uses the carrier. */
  readonly flags?: readonly string[];
  /** Whether the carrier reports the end of each message that it accepted. If so, no accepted message may stay SENT. */
  readonly tellsEnds: boolean;
  /** Counts the accepted messages by recipient. */
  countTaken(): Taken;
  close(): Promise<void>;
}

export interface CarrierResult extends Carried {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Number of acknowledged messages that a database lost when it went back to an older state. */
  readonly gone: number;
  /** Recipients of texts that are UNKNOWN and were not accepted, although they were requested after the last disturbance. */
  readonly unsentUnduly: string[];
  /** Recipients of messages whose end the carrier reported but the server did not record. */
  readonly untold: string[];
}

/** Disturbs the servers in a round. The load and the servers are running when it is called and when it resolves. */
export type Disturb<Servers> = (round: {
  /** Number of the round, from 1. */
  readonly number: number;
  readonly servers: Servers;
  readonly load: PersistentLoad;
  /**
   * Notes which acknowledged messages are missing from the database, except the first `after`. Call only while the load is
   * paused.
   */
  noteGone(after: number): Promise<void>;
}) => Promise<void>;

export interface CarrierRoundsPlan<Servers extends CarrierServers> {
  readonly rounds: number;
  readonly sending: Sending;
  /** Opens the carrier, which may keep files in the folder, and report to the first server. */
  readonly open: (folder: string, baseUrl: string) => Promise<CountingCarrier>;
  readonly begin: () => Promise<Servers>;
  readonly disturb: Disturb<Servers>;
}

const LONGEST_LOAD_MS = 600;
const SETTLE_BOUND_MS = 120_000;
/** Longer than the lease of a text that its carrier has not answered. */
const LEASES_OVER_MS = 120_000;
/** Longer than the 72 hours in which a receipt is awaited. */
const HOURS_LATER = 100;
/** Longer than the six hours for which a carrier may repeat reports after a start. */
const HEARD_OUT_HOURS = 7;

/** Selects messages whose end was not reported. */
const sent = "SELECT recipient FROM messages WHERE status = 'SENT'";
/** Selects a row for each message that is still in progress. */
const awaited = "SELECT 1 FROM dispatches";

/** Kills a server on a temporary folder in each of `rounds` rounds. */
export function runKillRounds(
  rounds: number,
  sending: Sending,
  open: (folder: string, baseUrl: string) => Promise<CountingCarrier>,
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

/** Runs rounds on temporary servers. */
export async function runCarrierRounds<Servers extends CarrierServers>({
  rounds,
  sending,
  open,
  begin,
  disturb,
}: CarrierRoundsPlan<Servers>): Promise<CarrierResult> {
  const servers = await begin();
  const { own, baseUrls } = servers;
  const carrier = await open(servers.folder, baseUrls[0] ?? "");
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
    // if a message were looked up only hours later, its wait for a receipt would begin then
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
  if (!ok) throw new Error(`the merchant was not created: ${said}`);
}
