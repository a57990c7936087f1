// `msgd carriers`, but for its test.

import { randomBytes } from "node:crypto";
import type { CarrierSettings } from "../carriers/kind.ts";
import {
  carriedChannels,
  findKind,
  findKindFault,
  holdsSecret,
  requireKind,
  schemaOf,
  withoutSecrets,
} from "../carriers/kinds.ts";
import { viewTime } from "../domain/calendar.ts";
import {
  type CarrierRow,
  type CarrierSlot,
  countMerchantsOn,
  discardWaiting,
  EVERY_TENANT,
  findCarrier,
  forgetCarriers,
  insertCarrier,
  listCarriers,
  removeCarrier,
  type TextColumns,
} from "../domain/carriers/rows.ts";
import { SIMULATED } from "../domain/carriers/rules.ts";
import type { Channel } from "../domain/contacts.ts";
import { objectOf } from "../domain/document-checks.ts";
import { createMessageTokens } from "../domain/message-tokens.ts";
import { countUnqueued } from "../domain/messages/carrier-queue-rows.ts";
import { PROBE_MESSAGE_ID, PROBE_WORDS, toUnsubscribeUrl, UNSUBSCRIBE_PATH } from "../domain/public-paths.ts";
import { MOST_COUNTED, readQueueBacklog } from "../domain/reports/backlog-rows.ts";
import { addUncarried, countUncarried, noneWaiting, type Uncarried } from "../domain/reports/tenant-carriers.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { requirePrivateFile } from "../platform/data-folder.ts";
import { ConfigError } from "../settings/config.ts";
import type { Store, Transaction } from "../store/store.ts";
import { type Installation, withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  type OutputFlags,
  print,
  printList,
  readTenantId,
  toPrintable,
} from "./environment.ts";
import { findPublicUrl } from "./first-message.ts";
import { findShapeFaults, readJsonFile, requireFaultless } from "./json-file.ts";
import { requireTenant } from "./tenants.ts";
import { describeWaiting, LONGEST_WAIT, viewWaiting, type WaitingView } from "./waiting.ts";

export interface CarrierFlags extends OutputFlags {
  readonly tenant: string;
  readonly channel: string;
  readonly second?: boolean;
}

/** Time for which a removed carrier's name is kept: longer than anything that it took is in doubt. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Random bytes of a name, after its kind. */
const NAME_BYTES = 5;

/** `msgd carriers set`: gives a tenant a carrier for a channel, in place of the one before. Throws with every fault. */
export async function runCarriersSet(
  flags: CarrierFlags & { file?: string; simulated?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  const slot = readSlot(flags);
  const settings = readSettings(flags, slot);
  await withKnownStore(flags, environment, async (store, installation) => {
    await requireLive(store, slot);
    const { seal } = await installation.openSecretBox(store);
    const name = drawName(settings.kind);
    const setAt = environment.clock.now();
    const sealedSettings = seal(JSON.stringify(settings), bindCarrier({ name, ...slot }));
    const columns = columnsOf(settings);
    const { sender } = columns;
    const { before, sharers, waiting } = await store.write(async (tx) => {
      await requireFirst(tx, slot);
      if (settings.kind === SIMULATED) await requireNoSecond(tx, slot);
      const replaced = await findCarrier(tx, slot);
      const waiting = await countWaiting(tx, slot, { carrier: replaced, now: setAt });
      if (settings.kind === SIMULATED && waiting.waiting > 0) refuseSimulation(slot, waiting);
      await removeCarrier(tx, { ...slot, now: setAt });
      await forgetCarriers(tx, setAt - KEPT_MS);
      await insertCarrier(tx, { name, ...slot, kind: settings.kind, sealedSettings, setAt, ...columns });
      // merchants whose texts may leave from the carrier's sender
      const sharers = sender === null ? 0 : await countMerchantsOn(tx, { tenantId: slot.tenantId, sender });
      return { before: replaced, sharers, waiting };
    });
    print(environment.output, flags.output, view({ name, ...slot, kind: settings.kind, setAt }));
    const { err } = environment.output;
    const second = slot.isSecond === 1 ? " --second" : "";
    const instead = before === undefined ? "" : `, in place of ${before.name}`;
    err(`A running server takes it within a second, and at once for what is accepted from now on${instead}.\n`);
    if (waiting.waiting > 0 && slot.isSecond === 0)
      err(`${describeWaiting(waiting)}: ${waiting.waiting === 1 ? "it is" : "they are"} given to it.\n`);
    if (settings.kind === SIMULATED) {
      err("It sends nothing: messages are DELIVERED, and charged, and reach nobody.\n");
      return;
    }
    if (sharers > 1) {
      err(
        `${sender} is shared by ${sharers} merchants: a STOP to it ends the texts of all of them, one-time passwords too.\n`,
      );
    }
    await warnOfPublicUrl(settings, { installation, pepper: await installation.readPepper(store) }, environment);
    err(`Try it: msgd carriers test --tenant <id> --channel ${slot.channel}${second} --to <yourself>\n`);
  });
}

function drawName(kind: string): string {
  return `${kind}-${randomBytes(NAME_BYTES).toString("hex")}`;
}

/** Counts what waits for a slot: for the carrier that is in use there, for one that there is not, and for another attempt. */
async function countWaiting(
  tx: Transaction,
  slot: CarrierSlot,
  { carrier, now }: { carrier: CarrierRow | undefined; now: number },
): Promise<Uncarried> {
  const inQueue = carrier === undefined ? noneWaiting : await readQueueBacklog(tx, carrier.name);
  const uncarried = addUncarried(inQueue, await countUncarried(tx, slot.tenantId, slot.channel));
  // a second carrier is given nothing that was put off, and simulated messages are meant for nobody
  if (slot.isSecond === 1 || carrier?.kind === SIMULATED) return uncarried;
  const discards = (await listCarriers(tx)).filter(
    ({ tenantId, channel }) => tenantId === slot.tenantId && channel === slot.channel,
  );
  const discardedAt = Math.max(-1, ...discards.map((row) => row.discardedAt ?? -1));
  return addUncarried(uncarried, await countUnqueued(tx, { ...slot, discardedAt, now, most: MOST_COUNTED }));
}

/** Throws: what waits is meant for people, and is not to be simulated. */
function refuseSimulation(slot: CarrierSlot, waiting: Uncarried): never {
  throw new Error(
    `${describeWaiting(waiting)}, and would be DELIVERED and charged, and reach nobody: end what waits first, uncharged, with ${discardCommand(slot)}`,
  );
}

function discardCommand({ tenantId, channel }: CarrierSlot): string {
  return `msgd carriers remove --tenant ${tenantId === EVERY_TENANT ? "all" : tenantId} --channel ${channel} --discard`;
}

function readSettings(
  { file, simulated = false }: { file?: string; simulated?: boolean },
  slot: CarrierSlot,
): CarrierSettings {
  if (simulated === (file !== undefined))
    throw new ConfigError(
      `expected one of --file <file>, which describes the carrier, and --simulated: received ${simulated ? "both" : "neither"}`,
    );
  if (file !== undefined) {
    const settings = requireCarrier(readJsonFile(file), slot);
    if (holdsSecret(settings)) requirePrivateFile(file);
    return settings;
  }
  if (slot.isSecond === 0) return { kind: SIMULATED };
  throw new ConfigError(
    "--second: expected a carrier of --file: what the first cannot be given waits for it, and is not to be simulated",
  );
}

/** Warns where people who unsubscribe from the carrier's mails would not reach this installation. */
export async function warnOfPublicUrl(
  settings: CarrierSettings,
  { installation, pepper }: { installation: Installation; pepper: string },
  { env, fetch, output }: CommandEnvironment,
): Promise<void> {
  const publicUrl = findKind(settings.kind)?.findPublicUrl?.(settings, findPublicUrl(installation, env));
  if (publicUrl === undefined) return;
  const fault = await findPublicUrlFault(publicUrl, { pepper, fetch });
  if (fault !== undefined) output.err(`${fault}\n`);
}

function columnsOf(settings: CarrierSettings): TextColumns {
  const none = { sender: null, merchantNumbers: 0, account: null } as const;
  return findKind(settings.kind)?.toTextColumns?.(settings) ?? none;
}

/** `msgd carriers list`: lists the carriers in use and what waits for each, without their settings. */
export async function runCarriersList(
  flags: OutputFlags & { tenant?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = flags.tenant === undefined ? undefined : readTenant(flags.tenant);
  await withKnownStore(flags, environment, async (store) => {
    const views = await store.read(async (tx) => {
      const carriers = (await listCarriers(tx)).filter(
        (carrier) => carrier.removedAt === null && (tenantId === undefined || carrier.tenantId === tenantId),
      );
      return Promise.all(
        carriers.map(async (carrier) => ({
          ...view(carrier),
          ...viewWaiting(await readQueueBacklog(tx, carrier.name)),
        })),
      );
    });
    const none =
      "There is no carrier yet: messages of live tenants wait for one, which msgd carriers set gives them. Test tenants are simulated.";
    printList(environment.output, { format: flags.output, rows: views, none, describe });
  });
}

/** `msgd carriers show`: prints the settings of the carrier in use; of its secrets only that they are set. */
export async function runCarriersShow(flags: CarrierFlags, environment: CommandEnvironment): Promise<void> {
  const slot = readSlot(flags);
  await withKnownStore(flags, environment, async (store, installation) => {
    const carrier = (await store.read((tx) => findCarrier(tx, slot))) ?? refuseMissing(slot);
    const box = await installation.openSecretBox(store);
    const settings = JSON.parse(box.open(carrier.sealedSettings, bindCarrier(carrier)));
    const shown = { ...view(carrier), settings: withoutSecrets(settings) };
    const { output } = environment;
    if (flags.output === "json") output.out(`${JSON.stringify(shown)}\n`);
    else {
      print(output, "text", view(carrier));
      output.out(`\n${JSON.stringify(shown.settings, null, 2).split("\n").map(toPrintable).join("\n")}\n`);
    }
  });
}

/**
 * `msgd carriers remove`: ends the carrier in use. What waits for it waits on, is carried by the one of all tenants, or with
 * `--discard` ends, which it does too where the carrier was removed before.
 */
export async function runCarriersRemove(
  flags: CarrierFlags & { discard?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  const slot = readSlot(flags);
  const { discard = false } = flags;
  if (discard && slot.isSecond === 1)
    throw new ConfigError("--discard: expected no --second: what waits for the second is given to the first");
  await withKnownStore(flags, environment, async (store) => {
    await requireLive(store, slot);
    const now = environment.clock.now();
    const { removed, common, waiting } = await store.write((tx) => remove(tx, slot, { discard, now }));
    const of = removed === undefined ? viewSlot(slot) : view(removed);
    const { err } = environment.output;
    print(environment.output, flags.output, { ...of, ...viewWaiting(waiting) });
    if (removed !== undefined)
      err("A running server gives it nothing more within a second; what it took is waited for.\n");
    const what = waiting.waiting === 0 ? "Nothing waits" : describeWaiting(waiting);
    err(`${what}. ${describeFuture(slot, { discard, common, waiting })}\n`);
  });
}

async function remove(tx: Transaction, slot: CarrierSlot, { discard, now }: { discard: boolean; now: number }) {
  const carrier = await findCarrier(tx, slot);
  if (carrier === undefined && !discard) refuseMissing(slot);
  const common = await findCarrier(tx, { ...slot, tenantId: EVERY_TENANT });
  const heir = slot.tenantId === EVERY_TENANT ? undefined : common;
  if (discard && heir !== undefined)
    throw new Error(`--discard: ${heir.name} carries ${slot.channel} for all tenants, and is given what waits`);
  await requireNoSecond(tx, slot);
  const waiting = await countWaiting(tx, slot, { carrier, now });
  if (carrier !== undefined) await removeCarrier(tx, { ...slot, now });
  if (discard) await discardWaiting(tx, { ...slot, name: drawName("none"), now });
  return { removed: carrier, common: heir, waiting };
}

/** Describes what becomes of what waits, and of what comes. */
function describeFuture(
  slot: CarrierSlot,
  { discard, common, waiting }: { discard: boolean; common: CarrierRow | undefined; waiting: Uncarried },
): string {
  const { channel, isSecond } = slot;
  if (isSecond === 1) return "The first carries all.";
  if (common !== undefined) return `${common.name} carries ${channel} now, which is the one of all tenants.`;
  const future = `What comes waits for a carrier, which msgd carriers set gives: ${LONGEST_WAIT}.`;
  if (waiting.waiting === 0) return future;
  const [it, ends, waits] = waiting.waiting === 1 ? ["It", "ends", "waits"] : ["They", "end", "wait"];
  const when = "within a second, at the next attempt if put off, or when a server is started";
  if (discard) return `${it} ${ends} FAILED and uncharged, ${when}. ${future}`;
  return `${it} ${waits} on. ${future} To end what waits uncharged: ${discardCommand(slot)}`;
}

export function readSlot({ tenant, channel, second = false }: CarrierFlags): CarrierSlot {
  return { tenantId: readTenant(tenant), channel: readChannel(channel), isSecond: second ? 1 : 0 };
}

/** Throws for a second carrier where there is no first, or one that is never out of reach. */
async function requireFirst(tx: Transaction, slot: CarrierSlot): Promise<void> {
  if (slot.isSecond === 0) return;
  const first = await findCarrier(tx, { ...slot, isSecond: 0 });
  if (first === undefined) throw new Error(`${missing({ ...slot, isSecond: 0 })}: set that first, without --second`);
  if (first.kind === SIMULATED)
    throw new Error(`${first.name} is simulated, and never out of reach: set another one first, without --second`);
}

/** Throws for a first carrier while there is a second. */
async function requireNoSecond(tx: Transaction, slot: CarrierSlot): Promise<void> {
  if (slot.isSecond === 0 && (await findCarrier(tx, { ...slot, isSecond: 1 })) !== undefined)
    throw new Error(`there is a second carrier for ${slot.channel}: remove that first, with --second`);
}

function readTenant(flag: string): number {
  return flag === "all" ? EVERY_TENANT : readTenantId(flag);
}

function readChannel(flag: string): Channel {
  const channel = carriedChannels.find((carried) => carried === flag);
  if (channel !== undefined) return channel;
  throw new ConfigError(`--channel: expected one of ${carriedChannels.join(", ")}, received "${flag}"`);
}

/** Throws an error with a line for each fault of the document. */
function requireCarrier(document: unknown, { tenantId, channel }: CarrierSlot): CarrierSettings {
  const undone = "nothing was set";
  const kindFault = findKindFault(document, channel);
  if (kindFault !== undefined) requireFaultless([kindFault], undone);
  const kind = requireKind(document as CarrierSettings);
  const faults = kind.findFaults(objectOf(document, ""), { isForAllTenants: tenantId === EVERY_TENANT });
  requireFaultless([...findShapeFaults(document, schemaOf(kind)), ...faults], undone);
  return kind.complete(document as object);
}

/** Throws for a test tenant, whose messages are meant to reach nobody. */
export async function requireLive(store: Store, { tenantId }: CarrierSlot): Promise<void> {
  if (tenantId === EVERY_TENANT) return;
  const { mode } = await requireTenant(store, tenantId);
  if (mode === "live") return;
  throw new Error(`tenant ${tenantId} is a test tenant, which stays simulated: msgd tenants list shows live ones`);
}

export function refuseMissing(slot: CarrierSlot): never {
  throw new Error(`${missing(slot)}: msgd carriers list shows those in use`);
}

function missing({ tenantId, channel, isSecond }: CarrierSlot): string {
  const second = isSecond === 1 ? "second " : "";
  const owner =
    tenantId === EVERY_TENANT
      ? `tenants have no common ${second}carrier`
      : `tenant ${tenantId} has no ${second}carrier of its own`;
  return `${owner} for ${channel}`;
}

type CarrierView = Readonly<Record<"name" | "tenantId" | "channel" | "kind" | "setAt", string>> & {
  /** The second is for when the first cannot be reached. */
  readonly rank: "first" | "second";
  /** Time since which it cannot be reached, and the reason; null if it can, or nobody has tried. */
  readonly down: string | null;
};

type Viewed = Pick<CarrierRow, "name" | "tenantId" | "channel" | "isSecond" | "kind" | "setAt"> &
  Partial<Pick<CarrierRow, "downSince" | "downWords">>;

function view(carrier: Viewed): CarrierView {
  const { name, isSecond, kind, setAt, downSince = null, downWords } = carrier;
  const down = downSince === null ? null : `since ${viewTime(downSince)}: ${toPrintable(downWords ?? "")}`;
  const rank = isSecond === 1 ? "second" : "first";
  return { name, ...viewSlot(carrier), rank, kind, setAt: viewTime(setAt), down };
}

function viewSlot({ tenantId, channel }: Pick<CarrierRow, "tenantId" | "channel">) {
  return { tenantId: tenantId === EVERY_TENANT ? "all" : String(tenantId), channel };
}

function describe(carrier: CarrierView & WaitingView): string {
  const { name, tenantId, channel, rank, kind, setAt, down, waiting, waitingSince } = carrier;
  const owner = `${tenantId === "all" ? "all live tenants" : `tenant ${tenantId}`}${rank === "second" ? ", second" : ""}`;
  const state = down === null ? "" : `  DOWN ${down}`;
  const count = waiting === MOST_COUNTED ? `${waiting} or more` : waiting;
  const backlog = waitingSince === null ? "" : `  ${count} waiting since ${waitingSince}`;
  return `${name}  ${channel}  ${kind}  ${owner}  set ${setAt}${backlog}${state}\n`;
}

const ANSWER_MS = 5_000;
/** Requests of mail programs (RFC 8058), and of people who open the link. */
const requests = [
  { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) },
  { method: "GET" },
] as const;

/**
 * Asks whether the URL of unsubscribe links leads to this installation, whose servers know the probe by the pepper. Returns a
 * warning for the operator if not.
 */
async function findPublicUrlFault(
  publicUrl: string,
  { pepper, fetch }: { pepper: string; fetch: CommandEnvironment["fetch"] },
): Promise<string | undefined> {
  const url = toUnsubscribeUrl(publicUrl, createMessageTokens(pepper, "unsubscribe").make(PROBE_MESSAGE_ID));
  const shown = toUnsubscribeUrl(publicUrl, "");
  for (const request of requests) {
    const answer = await ask(url, request, fetch);
    if (answer === undefined) continue;
    return `Warning: recipients of MARKETING mails cannot unsubscribe. ${request.method} ${shown}… ${answer}. Have the proxy at ${new URL(publicUrl).host} pass ${UNSUBSCRIBE_PATH} to msgd serve on this database, and try again: msgd carriers test.`;
  }
  return undefined;
}

/** Returns in a few words what came instead of the answer to the probe; undefined for that. */
async function ask(url: string, request: (typeof requests)[number], send: typeof fetch): Promise<string | undefined> {
  try {
    // a program that unsubscribes follows no redirect
    const reply = await send(url, { ...request, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    if (reply.status !== 200) {
      await reply.body?.cancel();
      return `was answered with ${reply.status}`;
    }
    return (await reply.text()).includes(PROBE_WORDS) ? undefined : "was answered by somebody else";
  } catch (error) {
    return `was not answered (${nameCause(error)})`;
  }
}

function nameCause(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === "TimeoutError") return `not within ${ANSWER_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}
