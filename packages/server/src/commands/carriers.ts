// `msgd carriers set`, `list`, `show` and `remove`.

import { randomBytes } from "node:crypto";
import type { CarrierSettings } from "../carriers/kind.ts";
import {
  carriedChannels,
  findKind,
  findKindFault,
  holdsSecret,
  publicUrlOf,
  requireKind,
  schemaOf,
  traitsOf,
  withoutSecrets,
} from "../carriers/kinds.ts";
import { viewTime } from "../domain/calendar.ts";
import {
  type CarrierRow,
  type CarrierSlot,
  countMerchantsOn,
  discardWaiting,
  findCarrier,
  findEventsId,
  forgetCarriers,
  insertCarrier,
  listCarriers,
  removeCarrier,
  type TextColumns,
} from "../domain/carriers/rows.ts";
import { REMOVED_KEPT_DAYS, REMOVED_KEPT_MS, SIMULATED } from "../domain/carriers/rules.ts";
import type { Channel } from "../domain/contacts.ts";
import { objectOf } from "../domain/document-checks.ts";
import { createMessageTokens } from "../domain/message-tokens.ts";
import { countUnqueued } from "../domain/messages/carrier-queue-rows.ts";
import {
  PROBE_MESSAGE_ID,
  PROBE_WORDS,
  toEventsUrl,
  toUnsubscribeUrl,
  UNSUBSCRIBE_PATH,
} from "../domain/public-paths.ts";
import { MOST_COUNTED, readQueueBacklog } from "../domain/reports/backlog-rows.ts";
import { addUncarried, countUncarried, noneWaiting, type Uncarried } from "../domain/reports/tenant-carriers.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { requirePrivateFile } from "../platform/data-folder.ts";
import { ConfigError } from "../settings/config.ts";
import type { Store, Transaction } from "../store/store.ts";
import { noteCommand } from "./command-audit.ts";
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

/** Number of random bytes in a carrier's name, after its kind. */
const NAME_BYTES = 5;

/** `msgd carriers set`: sets a tenant's carrier for a channel; replaces an earlier one. Reports all faults at once. */
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
    const kind = findKind(settings.kind);
    const newEventsId = kind?.receivesEvents?.(settings) ? drawEventsId() : null;
    const { before, eventsId, sharers, waiting } = await store.write(async (tx) => {
      await requireFirst(tx, slot);
      if (settings.kind === SIMULATED) await requireNoSecond(tx, slot);
      const replaced = await findCarrier(tx, slot);
      const waiting = await countWaiting(tx, slot, { carrier: replaced, now: setAt });
      if (settings.kind === SIMULATED && waiting.waiting > 0) refuseSimulation(slot, waiting);
      const ofKind = { ...slot, kind: settings.kind };
      const ofAccount = kind?.hasUrlPerAccount === true ? { account: columns.account } : {};
      // the provider has been told the URL
      const kept = newEventsId === null ? null : await findEventsId(tx, { ...ofKind, ...ofAccount });
      const eventsId = kept ?? newEventsId;
      await removeCarrier(tx, { ...slot, now: setAt });
      await forgetCarriers(tx, setAt - REMOVED_KEPT_MS);
      await insertCarrier(tx, { name, ...ofKind, sealedSettings, setAt, eventsId, ...columns });
      const target = `${nameCarrier(name, slot)}${replaced === undefined ? "" : `, in place of ${replaced.name}`}`;
      await noteCommand(tx, environment, { tenantId: slot.tenantId, operation: "carriers set", target });
      // merchants whose texts may be sent from the carrier's sender
      const sendsTexts = slot.channel === "SMS" && sender !== null;
      const sharers = sendsTexts ? await countMerchantsOn(tx, { tenantId: slot.tenantId, sender }) : 0;
      return { before: replaced, eventsId, sharers, waiting };
    });
    print(environment.output, flags.output, view({ name, ...slot, kind: settings.kind, setAt }));
    const { err } = environment.output;
    const second = slot.isSecond === 1 ? " --second" : "";
    const instead = before === undefined ? "" : `, in place of ${before.name}`;
    err(`Running servers use it within a second. Messages accepted from now on are sent through it${instead}.\n`);
    if (waiting.waiting > 0 && slot.isSecond === 0)
      err(`${describeWaiting(waiting)}: this carrier sends ${waiting.waiting === 1 ? "it" : "them"}.\n`);
    if (settings.kind === SIMULATED) {
      err("It sends nothing: messages end DELIVERED and are charged, but reach nobody.\n");
      return;
    }
    if (sharers > 1) {
      err(
        `${sharers} merchants share ${sender}: a STOP sent to it ends the texts of all of them, even one-time passwords.\n`,
      );
    }
    if (eventsId !== null)
      err(`${describeEvents(findEventsUrl({ eventsId, settings }, installation, environment), { settings, slot })}\n`);
    if (slot.channel === "EMAIL")
      await warnOfPublicUrl(settings, { installation, pepper: await installation.readPepper(store) }, environment);
    const tester = slot.tenantId === EVERY_TENANT ? "<id>" : slot.tenantId;
    err(`Test it: msgd carriers test --tenant ${tester} --channel ${slot.channel}${second} --to <yourself>\n`);
  });
}

/** Number of random bytes in the URL of a carrier's events. */
const EVENTS_ID_BYTES = 16;

export function drawEventsId(): string {
  return randomBytes(EVENTS_ID_BYTES).toString("base64url");
}

/** Returns the URL of the events of a carrier or a payment processor; undefined if the server's public URL is not known. */
export function findEventsUrl(
  { eventsId, settings }: { eventsId: string | null; settings?: CarrierSettings },
  installation: Installation,
  { env }: CommandEnvironment,
): string | undefined {
  const serverUrl = findPublicUrl(installation, env);
  const publicUrl = settings === undefined ? serverUrl : publicUrlOf(settings, serverUrl);
  return eventsId === null || publicUrl === undefined ? undefined : toEventsUrl(publicUrl, eventsId);
}

/** Says which requests of the provider the URL of events takes, and whether to enter it at the provider. */
function describeEvents(
  eventsUrl: string | undefined,
  { settings, slot }: { settings: CarrierSettings; slot: CarrierSlot },
): string {
  if (eventsUrl === undefined)
    return "Warning: it is not used until the server has a public URL (msgd serve --public-url), to which its provider reports.";
  if (findKind(settings.kind)?.traits.namesEventsUrl !== true)
    return `Enter this URL, which is secret, at its provider as the URL of events:\n  ${eventsUrl}`;
  if (slot.channel !== "SMS") return `Each message names this URL for events, which is secret:\n  ${eventsUrl}`;
  return `Each text names this URL for events. For texts from phones, enter it at the provider; it is secret:\n  ${eventsUrl}`;
}

/** Names a carrier for the audit. */
export function nameCarrier(name: string, { channel, isSecond }: CarrierSlot): string {
  return `carrier ${name}, ${channel}${isSecond === 1 ? ", second" : ""}`;
}

export function drawName(kind: string): string {
  return `${kind}-${randomBytes(NAME_BYTES).toString("hex")}`;
}

/** Counts the messages that wait for a slot: in its carrier's queue, for a missing carrier, and for another attempt. */
async function countWaiting(
  tx: Transaction,
  slot: CarrierSlot,
  { carrier, now }: { carrier: CarrierRow | undefined; now: number },
): Promise<Uncarried> {
  const inQueue = carrier === undefined ? noneWaiting : await readQueueBacklog(tx, carrier.name);
  const uncarried = addUncarried(inQueue, await countUncarried(tx, slot.tenantId, slot.channel));
  // Messages that wait for another attempt belong to the first carrier. If it is simulated, they do not count: they would
  // reach nobody.
  if (slot.isSecond === 1 || carrier?.kind === SIMULATED) return uncarried;
  const discards = (await listCarriers(tx)).filter(
    ({ tenantId, channel }) => tenantId === slot.tenantId && channel === slot.channel,
  );
  const discardedAt = Math.max(-1, ...discards.map((row) => row.discardedAt ?? -1));
  return addUncarried(uncarried, await countUnqueued(tx, { ...slot, discardedAt, now, most: MOST_COUNTED }));
}

/** Throws, because the waiting messages are meant for real recipients and must not be simulated. */
function refuseSimulation(slot: CarrierSlot, waiting: Uncarried): never {
  throw new Error(
    `${describeWaiting(waiting)}. A simulated carrier would charge for them, but they would reach nobody: first end them, uncharged, with ${discardCommand(slot)}`,
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
    "--second: expected --file, received --simulated: real messages wait for the second carrier when the first cannot be reached",
  );
}

const NO_PUBLIC_URL =
  "Warning: MARKETING mails have no link to unsubscribe: set publicUrl, or the server's public URL (msgd serve --public-url).\n";

/** Warns if the unsubscribe links in the carrier's mails do not lead to this installation. */
export async function warnOfPublicUrl(
  settings: CarrierSettings,
  { installation, pepper }: { installation: Installation; pepper: string },
  { env, fetch, output }: CommandEnvironment,
): Promise<void> {
  const kind = findKind(settings.kind);
  if (kind?.findPublicUrl === undefined) return;
  const publicUrl = kind.findPublicUrl(settings, findPublicUrl(installation, env));
  if (publicUrl === undefined) return output.err(NO_PUBLIC_URL);
  const fault = await findPublicUrlFault(publicUrl, { pepper, fetch });
  if (fault !== undefined) output.err(`${fault}\n`);
}

function columnsOf(settings: CarrierSettings): TextColumns {
  const none = { sender: null, merchantNumbers: 0, account: null } as const;
  return findKind(settings.kind)?.toTextColumns?.(settings) ?? none;
}

/** `msgd carriers list`: lists the carriers in use and their backlogs, without their settings. */
export async function runCarriersList(
  flags: OutputFlags & { tenant?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = flags.tenant === undefined ? undefined : readTenantOrAll(flags.tenant);
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
      "There is no carrier yet: messages of live tenants wait until msgd carriers set adds one. Messages of test tenants are simulated.";
    printList(environment.output, { format: flags.output, rows: views, none, describe });
  });
}

/** `msgd carriers show`: prints the settings of the carrier in use. For a secret it prints only that it is set. */
export async function runCarriersShow(flags: CarrierFlags, environment: CommandEnvironment): Promise<void> {
  const slot = readSlot(flags);
  await withKnownStore(flags, environment, async (store, installation) => {
    const carrier = (await store.read((tx) => findCarrier(tx, slot))) ?? refuseMissing(slot);
    const box = await installation.openSecretBox(store);
    const settings = JSON.parse(box.open(carrier.sealedSettings, bindCarrier(carrier)));
    const eventsUrl = findEventsUrl({ eventsId: carrier.eventsId, settings }, installation, environment);
    const viewed = { ...view(carrier), ...(eventsUrl === undefined ? {} : { eventsUrl }) };
    const shown = { ...viewed, settings: withoutSecrets(settings) };
    const { output } = environment;
    if (flags.output === "json") output.out(`${JSON.stringify(shown)}\n`);
    else {
      print(output, "text", viewed);
      output.out(`\n${JSON.stringify(shown.settings, null, 2).split("\n").map(toPrintable).join("\n")}\n`);
    }
  });
}

/**
 * `msgd carriers remove`: removes the carrier in use. Its waiting messages go to the carrier of all tenants, if there is one,
 * or keep waiting. With `--discard` they end, even if the carrier was removed before.
 */
export async function runCarriersRemove(
  flags: CarrierFlags & { discard?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  const slot = readSlot(flags);
  const { discard = false } = flags;
  if (discard && slot.isSecond === 1)
    throw new ConfigError(
      "--discard: cannot be combined with --second: messages that wait for the second go to the first",
    );
  await withKnownStore(flags, environment, async (store) => {
    await requireLive(store, slot);
    const now = environment.clock.now();
    const { removed, common, waiting } = await store.write(async (tx) => {
      const done = await remove(tx, slot, { discard, now });
      const target = `${nameCarrier(done.removed?.name ?? "none", slot)}${discard ? ", waiting messages ended" : ""}`;
      await noteCommand(tx, environment, { tenantId: slot.tenantId, operation: "carriers remove", target });
      return done;
    });
    const of = removed === undefined ? viewSlot(slot) : view(removed);
    const { err } = environment.output;
    print(environment.output, flags.output, { ...of, ...viewWaiting(waiting) });
    if (removed !== undefined) err(`A running server stops using it within a second. ${describeReports(removed)}\n`);
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
    throw new Error(`--discard: ${heir.name} carries ${slot.channel} for all tenants, and sends the waiting messages`);
  await requireNoSecond(tx, slot);
  const waiting = await countWaiting(tx, slot, { carrier, now });
  if (carrier !== undefined) await removeCarrier(tx, { ...slot, now });
  if (discard) await discardWaiting(tx, { ...slot, name: drawName("none"), now });
  return { removed: carrier, common: heir, waiting };
}

/** Describes what happens to reports about messages that a removed carrier accepted. */
function describeReports(carrier: CarrierRow): string {
  // bounces arrive as mail, whatever carrier sent the message, and the simulator is part of the server
  if (carrier.kind === SIMULATED || traitsOf(carrier)?.tellsOnlyFailures)
    return "Reports about messages that it accepted are still processed.";
  if (carrier.eventsId !== null)
    return `Reports about messages that it accepted are still processed for ${REMOVED_KEPT_DAYS} days. Its settings are kept for that.`;
  return "Reports about messages that it accepted are processed only once it is set again, and only if they are repeated.";
}

/** Describes what happens to waiting and to future messages. */
function describeFuture(
  slot: CarrierSlot,
  { discard, common, waiting }: { discard: boolean; common: CarrierRow | undefined; waiting: Uncarried },
): string {
  const { channel, isSecond } = slot;
  if (isSecond === 1) return "The first carrier sends everything.";
  if (common !== undefined) return `${common.name}, the carrier of all tenants, carries ${channel} now.`;
  const future = `New messages wait until msgd carriers set adds a carrier: ${LONGEST_WAIT}.`;
  if (waiting.waiting === 0) return future;
  const [it, ends, waits] = waiting.waiting === 1 ? ["It", "ends", "waits"] : ["They", "end", "wait"];
  const when = "within a second, at the next attempt, or when a server is started";
  if (discard) return `${it} ${ends} FAILED and uncharged, ${when}. ${future}`;
  return `${it} ${waits} on. ${future} To end the waiting messages uncharged: ${discardCommand(slot)}`;
}

export function readSlot({ tenant, channel, second = false }: CarrierFlags): CarrierSlot {
  return { tenantId: readTenantOrAll(tenant), channel: readChannel(channel), isSecond: second ? 1 : 0 };
}

/** Throws if a second carrier is to be set but there is no first, or the first is simulated. */
async function requireFirst(tx: Transaction, slot: CarrierSlot): Promise<void> {
  if (slot.isSecond === 0) return;
  const first = await findCarrier(tx, { ...slot, isSecond: 0 });
  if (first === undefined) throw new Error(`${missing({ ...slot, isSecond: 0 })}: set that first, without --second`);
  if (first.kind === SIMULATED)
    throw new Error(`${first.name} is simulated and can always be reached: first set another carrier without --second`);
}

/** Throws if the first carrier is to be removed or simulated while there is a second. */
async function requireNoSecond(tx: Transaction, slot: CarrierSlot): Promise<void> {
  if (slot.isSecond === 0 && (await findCarrier(tx, { ...slot, isSecond: 1 })) !== undefined)
    throw new Error(`there is a second carrier for ${slot.channel}: first remove it with --second`);
}

export function readTenantOrAll(flag: string): number {
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
  const faults = kind.findFaults(objectOf(document, ""), {
    channel,
    isForAllTenants: tenantId === EVERY_TENANT,
  });
  requireFaultless([...findShapeFaults(document, schemaOf(kind)), ...faults], undone);
  return kind.complete(document as object);
}

/** Throws for a test tenant, because its messages must not reach anybody. */
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
  /** The second carrier is used while the first cannot be reached. */
  readonly rank: "first" | "second";
  /** Since when the carrier cannot be reached, and why; null if it can be reached, or if no server has tried yet. */
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
 * Tests whether the URL of unsubscribe links leads to this installation, whose servers recognize the probe by the pepper.
 * Returns a warning for the operator if it does not.
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

/** Sends the probe. Returns undefined if the answer is the expected one; else a few words on the actual answer. */
async function ask(url: string, request: (typeof requests)[number], send: typeof fetch): Promise<string | undefined> {
  try {
    // mail programs that unsubscribe do not follow redirects
    const reply = await send(url, { ...request, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    if (reply.status !== 200) {
      await reply.body?.cancel();
      return `was answered with ${reply.status}`;
    }
    return (await reply.text()).includes(PROBE_WORDS) ? undefined : "was answered by another server";
  } catch (error) {
    return `was not answered (${nameCause(error)})`;
  }
}

function nameCause(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === "TimeoutError") return `not within ${ANSWER_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}
