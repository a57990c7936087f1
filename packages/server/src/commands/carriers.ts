import { randomBytes } from "node:crypto";
import { carrierSchema, findCarrierFaults, findKindFault } from "../rules/carrier-document.ts";
import {
  type CarriedChannel,
  type CarrierSettings,
  carrierKinds,
  completeSettings,
  withoutSecrets,
} from "../rules/carrier-settings.ts";
import { bindCarrier } from "../rules/sealed-bindings.ts";
import { ConfigError } from "../settings/config.ts";
import { MOST_COUNTED, readLine } from "../store/backlog.ts";
import {
  type CarrierRow,
  countMerchantsOn,
  EVERY_TENANT,
  findCarrier,
  forgetCarriers,
  insertCarrier,
  listCarriers,
  removeCarrier,
} from "../store/carriers.ts";
import type { Store, Transaction } from "../store/store.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { findShapeFaults, readJsonFile, requireFaultless } from "./json-file.ts";
import { type OutputFormat, print } from "./output.ts";
import { toPrintable } from "./printable.ts";
import { findPublicUrlFault } from "./public-url.ts";
import { readTenantId, requireTenant } from "./tenancy.ts";

interface CommonFlags extends DataFlags {
  readonly output: OutputFormat;
}

export interface CarrierFlags extends CommonFlags {
  readonly tenant: string;
  readonly channel: string;
  readonly second?: boolean;
}

/** How long a removed carrier's name is known: longer than anything that it took is in doubt. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Of a name, after its kind. */
const NAME_BYTES = 5;

/** `msgd carriers set`: gives a tenant a carrier for a channel, in place of the one before. Throws with every fault. */
export async function runCarriersSet(
  flags: CarrierFlags & { file: string },
  environment: CommandEnvironment,
): Promise<void> {
  const place = readPlace(flags);
  const settings = requireCarrier(readJsonFile(flags.file), place);
  await withKnownStore(flags, environment, async (store, installation) => {
    await requireLive(store, place);
    const { seal } = await installation.openSecretBox(store);
    const name = `${settings.kind}-${randomBytes(NAME_BYTES).toString("hex")}`;
    const setAt = environment.clock.now();
    const sealedSettings = seal(JSON.stringify(settings), bindCarrier({ name, ...place }));
    const { before, sharers } = await store.write(async (tx) => {
      await requireFirst(tx, place);
      const replaced = await findCarrier(tx, place);
      await removeCarrier(tx, { ...place, now: setAt });
      await forgetCarriers(tx, setAt - KEPT_MS);
      await insertCarrier(tx, { name, ...place, kind: settings.kind, sealedSettings, setAt, ...senderOf(settings) });
      return { before: replaced, sharers: await countSharers(tx, place, settings) };
    });
    const { kind } = settings;
    print(environment.output, flags.output, view({ name, ...place, kind, setAt }));
    const { err } = environment.output;
    const second = place.isSecond === 1 ? " --second" : "";
    err(`A running server takes it within a second${before === undefined ? "" : `, in place of ${before.name}`}.\n`);
    if (settings.kind === "smpp" && sharers > 1) {
      err(
        `${settings.sender} is shared by ${sharers} merchants: a STOP to it ends the texts of all of them, one-time passwords too.\n`,
      );
    }
    await warnOfPublicUrl(settings, await installation.readPepper(store), environment);
    err(`Try it: msgd carriers test --tenant <id> --channel ${place.channel}${second} --to <yourself>\n`);
  });
}

/** Warns where people who unsubscribe from the carrier's mails would not reach this installation. */
export async function warnOfPublicUrl(
  settings: CarrierSettings,
  pepper: string,
  { fetch, output }: CommandEnvironment,
): Promise<void> {
  if (settings.kind !== "smtp" || settings.publicUrl === undefined) return;
  const fault = await findPublicUrlFault({ publicUrl: settings.publicUrl, pepper, fetch });
  if (fault !== undefined) output.err(`${fault}\n`);
}

/** How many merchants' texts may leave from the carrier's sender. */
async function countSharers(tx: Transaction, { tenantId }: Place, settings: CarrierSettings): Promise<number> {
  return settings.kind === "smpp" ? countMerchantsOn(tx, { tenantId, sender: settings.sender }) : 0;
}

/** The columns that a carrier of texts has beside its sealed settings: acceptance looks a sender up without opening these. */
function senderOf(settings: CarrierSettings): Pick<CarrierRow, "sender" | "merchantNumbers"> {
  if (settings.kind !== "smpp") return { sender: null, merchantNumbers: 0 };
  return { sender: settings.sender, merchantNumbers: settings.merchantNumbers ? 1 : 0 };
}

/** `msgd carriers list`: lists the carriers in use and what waits for each, without their settings. */
export async function runCarriersList(
  flags: CommonFlags & { tenant?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = flags.tenant === undefined ? undefined : readTenant(flags.tenant);
  await withKnownStore(flags, environment, async (store) => {
    const views = await store.read(async (tx) => {
      const carriers = (await listCarriers(tx)).filter(
        (carrier) => carrier.removedAt === null && (tenantId === undefined || carrier.tenantId === tenantId),
      );
      return Promise.all(carriers.map(async (carrier) => ({ ...view(carrier), ...(await viewLine(tx, carrier)) })));
    });
    const { output } = environment;
    if (flags.output === "json") output.out(`${JSON.stringify(views)}\n`);
    else if (views.length === 0)
      output.err("There is no carrier yet, so all is simulated: msgd carriers set --help says how to give one.\n");
    else for (const carrier of views) output.out(describe(carrier));
  });
}

/** `msgd carriers show`: prints the settings of the carrier in use; of its secrets only that they are set. */
export async function runCarriersShow(flags: CarrierFlags, environment: CommandEnvironment): Promise<void> {
  const place = readPlace(flags);
  await withKnownStore(flags, environment, async (store, installation) => {
    const carrier = (await store.read((tx) => findCarrier(tx, place))) ?? refuseMissing(place);
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

/** `msgd carriers remove`: ends the carrier in use; the channel is simulated again, or carried by that of all tenants. */
export async function runCarriersRemove(flags: CarrierFlags, environment: CommandEnvironment): Promise<void> {
  const place = readPlace(flags);
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const removed = await store.write(async (tx) => {
      const carrier = (await findCarrier(tx, place)) ?? refuseMissing(place);
      await requireNoSecond(tx, place);
      await removeCarrier(tx, { ...place, now });
      return carrier;
    });
    print(environment.output, flags.output, view(removed));
    environment.output.err("A running server gives it nothing more within a second; what it took is waited for.\n");
  });
}

type Place = Readonly<{ tenantId: number; channel: CarriedChannel; isSecond: 0 | 1 }>;

export function readPlace({ tenant, channel, second = false }: CarrierFlags): Place {
  return { tenantId: readTenant(tenant), channel: readChannel(channel), isSecond: second ? 1 : 0 };
}

/** Throws for a second carrier where there is no first. */
async function requireFirst(tx: Transaction, place: Place): Promise<void> {
  if (place.isSecond === 1 && (await findCarrier(tx, { ...place, isSecond: 0 })) === undefined)
    throw new Error(`${missing({ ...place, isSecond: 0 })}: set that first, without --second`);
}

/** Throws for a first carrier while there is a second. */
async function requireNoSecond(tx: Transaction, place: Place): Promise<void> {
  if (place.isSecond === 0 && (await findCarrier(tx, { ...place, isSecond: 1 })) !== undefined)
    throw new Error(`there is a second carrier for ${place.channel}: remove that first, with --second`);
}

function readTenant(flag: string): number {
  return flag === "all" ? EVERY_TENANT : readTenantId(flag);
}

function readChannel(flag: string): CarriedChannel {
  if (Object.hasOwn(carrierKinds, flag)) return flag as CarriedChannel;
  throw new ConfigError(`--channel: expected one of ${Object.keys(carrierKinds).join(", ")}, received "${flag}"`);
}

/** Throws an error with a line for each fault of the document. */
function requireCarrier(document: unknown, { tenantId, channel }: Place): CarrierSettings {
  const undone = "nothing was set";
  const kindFault = findKindFault(document, channel);
  if (kindFault !== undefined) requireFaultless([kindFault], undone);
  const shape = findShapeFaults(document, carrierSchema(carrierKinds[channel]));
  requireFaultless([...shape, ...findCarrierFaults(document, tenantId === EVERY_TENANT)], undone);
  return completeSettings(document as object);
}

/** Throws for a test tenant, whose messages are meant to reach nobody. */
export async function requireLive(store: Store, { tenantId }: Place): Promise<void> {
  if (tenantId === EVERY_TENANT) return;
  const { mode } = await requireTenant(store, tenantId);
  if (mode === "live") return;
  throw new Error(
    `tenant ${tenantId} is a test tenant, which stays on the simulator: msgd tenants list shows live ones`,
  );
}

export function refuseMissing(place: Place): never {
  throw new Error(`${missing(place)}: msgd carriers list shows those in use`);
}

function missing({ tenantId, channel, isSecond }: Place): string {
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
  /** Since when it cannot be reached, and what a server was told; null if it can, or nobody has tried. */
  readonly down: string | null;
};

type Viewed = Pick<CarrierRow, "name" | "tenantId" | "channel" | "isSecond" | "kind" | "setAt"> &
  Partial<Pick<CarrierRow, "downSince" | "downWords">>;

function view({
  name,
  tenantId,
  channel,
  isSecond,
  kind,
  setAt,
  downSince = null,
  downWords = "",
}: Viewed): CarrierView {
  const owner = tenantId === EVERY_TENANT ? "all" : String(tenantId);
  const down =
    downSince === null ? null : `since ${new Date(downSince).toISOString()}: ${toPrintable(downWords ?? "")}`;
  return {
    ...{ name, tenantId: owner, channel, rank: isSecond === 1 ? "second" : "first", kind },
    ...{ setAt: new Date(setAt).toISOString(), down },
  };
}

/** The messages that wait in a carrier's line. */
interface LineView {
  /** `MOST_COUNTED` means as many or more. */
  readonly waiting: number;
  /** When the oldest of it was accepted; null without any. */
  readonly waitingSince: string | null;
}

async function viewLine(tx: Transaction, { name }: Viewed): Promise<LineView> {
  const { waiting, oldestAt } = await readLine(tx, name);
  return { waiting, waitingSince: oldestAt === null ? null : new Date(oldestAt).toISOString() };
}

function describe({
  name,
  tenantId,
  channel,
  rank,
  kind,
  setAt,
  down,
  waiting,
  waitingSince,
}: CarrierView & LineView): string {
  const owner = `${tenantId === "all" ? "all live tenants" : `tenant ${tenantId}`}${rank === "second" ? ", second" : ""}`;
  const state = down === null ? "" : `  DOWN ${down}`;
  const count = waiting === MOST_COUNTED ? `${waiting} or more` : waiting;
  const line = waitingSince === null ? "" : `  ${count} waiting since ${waitingSince}`;
  return `${name}  ${channel}  ${kind}  ${owner}  set ${setAt}${line}${state}\n`;
}
