// `msgd tenants`, and `msgd keys create`.

import { viewTime } from "../domain/calendar.ts";
import { countTraffic, HOUR_MS, type TenantTraffic } from "../domain/messages/list-rows.ts";
import { lowestMessageId } from "../domain/messages/rules.ts";
import { parseRateLimit, RATE_WORDS } from "../domain/rate-limits.ts";
import { findCarriage, noneWaiting, type TenantCarriage } from "../domain/reports/tenant-carriers.ts";
import { isProject, PROJECT_WORDS } from "../domain/tenancy/credentials.ts";
import { noteDecision, type RecordedCommand } from "../domain/tenancy/operator-audit.ts";
import {
  countKeys,
  endSessionsOfTenant,
  listStandings,
  listTenants,
  lockStanding,
  type SecondFactorPolicy,
  saveStanding,
  setSecondFactorPolicy,
  setTextHours,
  type TenantRow,
  type TenantStanding,
} from "../domain/tenancy/rows.ts";
import {
  createTenant,
  issueCredential,
  refuseUnknown,
  requireTenant as requireTenantIn,
} from "../domain/tenancy/tenants.ts";
import { parseTextHours, TEXT_HOURS_WORDS } from "../domain/text-hours.ts";
import { countCharacters, findForbidden } from "../domain/unicode.ts";
import { ConfigError, requireTimezone } from "../settings/config.ts";
import type { Store, Transaction } from "../store/store.ts";
import { noteCommand } from "./command-audit.ts";
import { withKnownStore, withStore } from "./database.ts";
import {
  type CommandEnvironment,
  type OutputFlags,
  print,
  printList,
  readDecider,
  readTenantId,
  readText,
  toPrintable,
} from "./environment.ts";
import { defaultAddress, describeFirstMessage, findAddress } from "./first-message.ts";
import { describeWaiting, LONGEST_WAIT, viewWaiting } from "./waiting.ts";

type CommonFlags = OutputFlags & { readonly by: string };

const LONGEST_REASON = 200;

/** `msgd tenants disable`: refuses the tenant's requests and sign-ins, and holds back its messages until it is enabled. */
export async function runTenantsDisable(
  id: string,
  flags: CommonFlags & { reason: string },
  environment: CommandEnvironment,
): Promise<void> {
  const disabledReason = readText("--reason", flags.reason, LONGEST_REASON);
  const { isRepeat } = await change(id, { ...flags, operation: "tenants disable" }, environment, {
    decide: (before, { by, now }) =>
      before.disabledAt === null ? { ...before, disabledAt: now, disabledReason, disabledBy: by } : undefined,
    target: `reason ${disabledReason}`,
    also: endSessionsOfTenant,
  });
  environment.output.err(
    isRepeat
      ? "It was already disabled: nothing has changed.\n"
      : "Within a second all its keys are refused, its users are signed out, and no more of its messages are sent: waiting ones\nstay QUEUED until they expire (msgd messages cancel ends them). Receipts, STOPs, unsubscribe links and callbacks still work.\n",
  );
}

/** `msgd tenants enable`: enables a disabled tenant. Its waiting messages are sent. */
export async function runTenantsEnable(id: string, flags: CommonFlags, environment: CommandEnvironment): Promise<void> {
  const enabled = { disabledAt: null, disabledReason: null, disabledBy: null };
  const { isRepeat } = await change(id, { ...flags, operation: "tenants enable" }, environment, {
    decide: (before) => (before.disabledAt === null ? undefined : { ...before, ...enabled }),
    target: "enabled",
  });
  environment.output.err(
    isRepeat
      ? "It was already enabled: nothing has changed.\n"
      : "Within a second its keys work again, and its waiting messages are sent. Its users have to sign in again.\n",
  );
}

/** `msgd tenants limit`: gives the tenant its own rate limit or, with `--none`, the server's again. */
export async function runTenantsLimit(
  id: string,
  flags: CommonFlags & { rate?: string; none?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  const rateLimit = readRate(flags);
  const { isRepeat } = await change(id, { ...flags, operation: "tenants limit" }, environment, {
    decide: (before) => (before.rateLimit === rateLimit ? undefined : { ...before, rateLimit }),
    target: `rate ${rateLimit ?? "the server's"}`,
  });
  environment.output.err(
    isRepeat
      ? "It already had that rate: nothing has changed.\n"
      : "Within a second the rate applies to all credentials of the tenant together. Each instance counts separately.\n",
  );
}

/** `msgd tenants second-factor`: requires a second factor of the tenant's users, or stops requiring it. */
export async function runTenantsSecondFactor(
  id: string,
  secondFactor: SecondFactorPolicy,
  flags: CommonFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const { isRepeat } = await change(id, { ...flags, operation: "tenants second-factor" }, environment, {
    decide: (before) => (before.secondFactor === secondFactor ? undefined : { ...before, secondFactor }),
    target: secondFactor,
    also: (tx, tenantId) => setSecondFactorPolicy(tx, tenantId, secondFactor),
  });
  const told =
    secondFactor === "required"
      ? "Within a second its users who have no second factor can only set one up. msgd users list shows who has one.\n"
      : "Within a second its users need no second factor. Those who have one still sign in with it.\n";
  environment.output.err(isRepeat ? `It was already ${secondFactor}: nothing has changed.\n` : told);
}

/** `msgd tenants text-hours`: holds the tenant's MARKETING texts to hours of the recipient's day, or stops holding them. */
export async function runTenantsTextHours(
  id: string,
  hours: string,
  flags: CommonFlags & { to?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const textHours = readTextHours(hours, flags.to);
  const { isRepeat } = await change(id, { ...flags, operation: "tenants text-hours" }, environment, {
    decide: (before) => (before.textHours === textHours ? undefined : { ...before, textHours }),
    target: textHours ?? "off",
    also: (tx, tenantId) => setTextHours(tx, tenantId, textHours),
  });
  const told =
    textHours === null
      ? "Its MARKETING texts are sent at any time from now on. Texts that are held already are sent when their hours begin.\n"
      : "Its MARKETING texts stay QUEUED outside these hours of the recipient's day. Texts that are held already are checked\nagain when their earlier hours begin.\n";
  environment.output.err(isRepeat ? "It already had these hours: nothing has changed.\n" : told);
}

function readTextHours(hours: string, to: string | undefined): string | null {
  if (hours === "off" && to === undefined) return null;
  if (hours === "off") throw new ConfigError("--to: only hours can be limited to numbers; off holds no text");
  if (parseTextHours(hours)?.beginning !== "") {
    throw new ConfigError(`<hours>: expected ${TEXT_HOURS_WORDS}, received "${toPrintable(hours)}"`);
  }
  if (to === undefined) return hours;
  const textHours = `${hours} ${to}`;
  if (parseTextHours(textHours) !== undefined) return textHours;
  throw new ConfigError(`--to: expected the beginning of numbers, such as +1 or +44, received "${toPrintable(to)}"`);
}

function readRate({ rate, none }: { rate?: string; none?: boolean }): string | null {
  if ((rate === undefined) !== (none === true)) throw new ConfigError("--rate, --none: expected one of them");
  if (rate === undefined) return null;
  if (parseRateLimit(rate) !== undefined) return rate;
  throw new ConfigError(`--rate: expected ${RATE_WORDS}, received "${toPrintable(rate)}"`);
}

interface Change {
  /** Returns the new standing; undefined if nothing changes. */
  decide(before: TenantStanding, made: { by: string; now: number }): TenantStanding | undefined;
  readonly target: string;
  readonly also?: (tx: Transaction, tenantId: number) => Promise<void>;
}

async function change(
  id: string,
  flags: CommonFlags & { operation: RecordedCommand },
  environment: CommandEnvironment,
  { decide, target, also }: Change,
): Promise<{ isRepeat: boolean }> {
  const tenantId = readTenantId(id, "<id>");
  const made = { by: readDecider(flags.by), now: environment.clock.now() };
  let isRepeat = false;
  await withKnownStore(flags, environment, async (store) => {
    const standing = await store.write(async (tx) => {
      const before = (await lockStanding(tx, tenantId)) ?? refuseUnknown(tenantId);
      const after = decide(before, made);
      isRepeat = after === undefined;
      if (after === undefined) return before;
      await saveStanding(tx, after);
      await also?.(tx, tenantId);
      await noteDecision(tx, { tenantId, ...made, operation: flags.operation, target });
      return after;
    });
    print(environment.output, flags.output, { tenantId: String(tenantId), ...viewStanding(standing) });
  });
  return { isRepeat };
}

const LONGEST_NAME = 200;

/** `msgd tenants create`: prints the tenant's id, name and mode. */
export async function runTenantsCreate(
  name: string,
  flags: OutputFlags & { timezone: string; test?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  requireName(name);
  const timezone = requireTimezone(flags.timezone);
  const mode = flags.test === true ? "test" : "live";
  await withStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const tenant = await store.write(async (tx) => {
      const created = await createTenant(tx, { name, timezone, mode, now });
      const { tenantId } = created;
      const target = `name ${name}, ${mode}, ${timezone}`;
      await noteCommand(tx, environment, { tenantId, operation: "tenants create", target });
      return created;
    });
    print(environment.output, flags.output, { tenantId: String(tenant.tenantId), name: tenant.name, mode });
    const [carriage] = await store.read((tx) => findCarriage(tx, [tenant]));
    const missing = listMissing(carriage);
    if (missing.length > 0) environment.output.err(describeMissing(tenant.tenantId, missing));
  });
}

/** Returns the channels without a carrier. */
function listMissing(carriage: TenantCarriage | undefined): string[] {
  return Object.entries(carriage?.carriers ?? {}).flatMap(([channel, name]) => (name === null ? [channel] : []));
}

function describeMissing(tenantId: number, channels: readonly string[]): string {
  return `It has no carrier for ${new Intl.ListFormat("en").format(channels)} yet. Messages on a channel without a carrier wait
(${LONGEST_WAIT}) until this command adds one:
  msgd carriers set --tenant ${tenantId} --channel <channel> --file <file>
With --simulated instead of --file, the command adds the simulated carrier, which sends nothing. Two kinds of messages
are simulated even without it: all messages of a tenant created with --test and, if msgd serve runs with --dev, the
messages of a live tenant on a channel without a carrier.
`;
}

/** `msgd tenants list`: prints a line for each tenant, or one JSON array. */
export async function runTenantsList(flags: OutputFlags, environment: CommandEnvironment): Promise<void> {
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const rows = await store.read(async (tx) => {
      const tenants = await listTenants(tx);
      const carriages = await findCarriage(tx, tenants);
      const standings = byTenant(await listStandings(tx));
      const traffic = byTenant(await countTraffic(tx, { firstId: lowestMessageId(now - HOUR_MS), now }));
      const keys = byTenant(await countKeys(tx));
      return tenants.map(({ tenantId, ...tenant }, index) => ({
        ...viewTenant(tenantId, tenant, carriages[index]),
        ...viewStanding(standings.get(tenantId)),
        keys: keys.get(tenantId)?.count ?? 0,
        ...viewTraffic(traffic.get(tenantId)),
      }));
    });
    const none = "There is no tenant yet: create one with msgd tenants create <name>";
    printList(environment.output, { format: flags.output, rows, none, describe: describeTenant });
  });
}

type TenantView = ReturnType<typeof viewTenant> &
  ReturnType<typeof viewStanding> &
  ReturnType<typeof viewTraffic> & { readonly keys: number };

function byTenant<Row extends { readonly tenantId: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.tenantId, row]));
}

/** Returns a tenant's state, rate limit and policy. `standing` is undefined if none was ever set. */
function viewStanding(standing: TenantStanding | undefined) {
  const { disabledAt = null, disabledReason = null, disabledBy = null, rateLimit = null } = standing ?? {};
  const { textHours = null, secondFactor = "optional" } = standing ?? {};
  const state = disabledAt === null ? "ACTIVE" : "DISABLED";
  return { state, disabledAt: viewTime(disabledAt), disabledReason, disabledBy, rateLimit, textHours, secondFactor };
}

function viewTraffic(traffic: TenantTraffic | undefined) {
  const { queued = 0, queuedSince = null, acceptedInMinute = 0, acceptedInHour = 0 } = traffic ?? {};
  return { acceptedInMinute, acceptedInHour, queued, queuedSince: viewTime(queuedSince) };
}

function viewTenant(tenantId: number, tenant: Omit<TenantRow, "tenantId">, carriage: TenantCarriage | undefined) {
  const { carriers = {}, uncarried = noneWaiting } = carriage ?? {};
  return { tenantId: String(tenantId), ...tenant, carriers, ...viewWaiting(uncarried) };
}

function describeTenant(tenant: TenantView): string {
  const { tenantId, name, timezone, mode, carriers, waiting, waitingSince, ...now } = tenant;
  const carried = Object.entries(carriers).map(([channel, carrier]) => `${channel} ${carrier ?? "none"}`);
  const who = mode === "test" ? "simulated, test data" : carried.join(", ");
  const oldestAt = waitingSince === null ? null : Date.parse(waitingSince);
  const backlog = waiting === 0 ? "" : `  ${describeWaiting({ waiting, oldestAt })}`;
  const state =
    now.state === "DISABLED" ? `  DISABLED since ${now.disabledAt} by ${now.disabledBy}: ${now.disabledReason}` : "";
  const rate = now.rateLimit === null ? "" : `  rate ${now.rateLimit}`;
  const hours = now.textHours === null ? "" : `  marketing texts ${now.textHours.replace(" ", " to ")}`;
  const factor = now.secondFactor === "required" ? "  second factor required" : "";
  const keys = now.keys === 1 ? "1 key" : `${now.keys} keys`;
  const sent = `${now.acceptedInMinute} in a minute, ${now.acceptedInHour} in an hour`;
  const queued = now.queued === 0 ? "" : `, ${now.queued} queued since ${now.queuedSince}`;
  return `${tenantId}  ${name}  (${timezone})  ${mode}${state}${rate}${hours}${factor}  ${who}  ${keys}  ${sent}${queued}${backlog}\n`;
}

/** `msgd keys create`: prints the key and its secret, which is shown only once. */
export async function runKeysCreate(
  flags: OutputFlags & { tenant: string; merchant?: string; name?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const { name = null } = flags;
  if (name !== null && !isProject(name)) throw new ConfigError(`--name: expected ${PROJECT_WORDS}, received "${name}"`);
  await withKnownStore(flags, environment, async (store, installation) => {
    const request = {
      tenantId,
      merchantId: flags.merchant ?? null,
      name,
      pepper: await installation.readPepper(store),
      now: environment.clock.now(),
    };
    const credential = await store.write(async (tx) => {
      const issued = await issueCredential(tx, request);
      const owner = issued.merchantId === null ? "" : `, merchantId ${issued.merchantId}`;
      const target = `apiKey ${issued.apiKey}${owner}`;
      await noteCommand(tx, environment, { tenantId, operation: "keys create", target });
      return issued;
    });
    print(environment.output, flags.output, { ...credential, tenantId: String(credential.tenantId) });
    environment.output.err("Store the secret now: it is not shown again.\n");
    if (flags.output !== "text") return;
    const address = findAddress(installation, environment.env) ?? defaultAddress;
    // the text includes the secret, which must go only to `out`
    environment.output.out(describeFirstMessage(credential, address));
    const tenant = await requireTenant(store, tenantId);
    const [carriage] = await store.read((tx) => findCarriage(tx, [tenant]));
    if (listMissing(carriage).includes("SMS"))
      environment.output.err(
        `\nTenant ${tenantId} is live and has no carrier for SMS yet: the message waits, unless msgd serve runs with --dev.\n`,
      );
  });
}

/** Returns the tenant. Throws if there is none. */
export function requireTenant(store: Store, tenantId: number): Promise<TenantRow> {
  return store.read((tx) => requireTenantIn(tx, tenantId));
}

/** Checks a tenant's name. It becomes the displayName of the merchant `default`, so it must be valid as one. */
function requireName(name: string): void {
  const characters = countCharacters(name);
  if (name.trim() === "" || characters > LONGEST_NAME) {
    throw new ConfigError(`<name>: expected 1 to ${LONGEST_NAME} characters, received ${characters}`);
  }
  const forbidden = findForbidden(name, "name");
  if (forbidden !== undefined) throw new ConfigError(`<name>: ${forbidden}: remove it`);
}
