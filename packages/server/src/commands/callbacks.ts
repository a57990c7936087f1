// `msgd callbacks set`, `show`, `list`, `remove` and `test`: the URL to which a tenant's events of messages are posted.

import type { EventOf } from "@msgctl/contract";
import { createPoster } from "../dispatch/callbacks/post.ts";
import { viewTime } from "../domain/calendar.ts";
import {
  type EventSubscription,
  findSubscription,
  listSubscriptions,
  listTypes,
  removeSubscription,
  setSubscription,
} from "../domain/callbacks/event-rows.ts";
import {
  findEventUrlFault,
  isTaken,
  type MessageEventType,
  messageEventTypes,
  signWebhook,
} from "../domain/callbacks/rules.ts";
import { readCallbackSecrets } from "../domain/callbacks/secrets.ts";
import type { CallbackReach } from "../domain/policies.ts";
import { requireTenant } from "../domain/tenancy/tenants.ts";
import { systemRandomness } from "../platform/randomness.ts";
import { ConfigError, readCallbackReach } from "../settings/config.ts";
import { noteCommand } from "./command-audit.ts";
import { withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  type OutputFlags,
  print,
  printList,
  readTenantId,
  toPrintable,
} from "./environment.ts";

interface TenantFlags extends OutputFlags {
  readonly tenant: string;
}

/** The flag that a server also has: whether URLs may be http, and lead to this machine or its network. */
interface ReachFlags {
  readonly allowPrivateCallbacks?: boolean;
}

const MOST_LISTED = 1_000;
/** Time limit for the receiver's answer to a test, as for a callback. */
const TEST_TIMEOUT_MS = 15_000;

/** `msgd callbacks set`: sets the tenant's URL, or replaces it. Running servers use it at once. */
export async function runCallbacksSet(
  flags: TenantFlags & ReachFlags & { url: string; events?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const url = readUrl(flags.url, readReach(flags, environment));
  const isPrivate = findEventUrlFault(url, "public") !== undefined;
  const types = readTypes(flags.events);
  const { output, clock } = environment;
  await withKnownStore(flags, environment, async (store) => {
    const subscription = await store.write(async (tx) => {
      await requireTenant(tx, tenantId);
      const set = await setSubscription(tx, { tenantId, url, types, setAt: clock.now() });
      const target = `url ${url}, events ${types.join(", ")}`;
      await noteCommand(tx, environment, { tenantId, operation: "callbacks set", target });
      return set;
    });
    print(output, flags.output, view(subscription));
    const reach = isPrivate ? " --allow-private-callbacks" : "";
    if (isPrivate) output.err("The server posts there only with --allow-private-callbacks, or with --dev.\n");
    output.err(
      `The receiver checks signatures with the tenant's secret: msgd callbacks secret --tenant ${tenantId}\nTest the URL: msgd callbacks test --tenant ${tenantId}${reach}\n`,
    );
  });
}

/** `msgd callbacks show`: shows the tenant's URL. */
export async function runCallbacksShow(flags: TenantFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  await withKnownStore(flags, environment, async (store) => {
    const subscription = await store.read(async (tx) => {
      await requireTenant(tx, tenantId);
      return requireSubscription(await findSubscription(tx, tenantId), tenantId);
    });
    print(environment.output, flags.output, view(subscription));
  });
}

/** `msgd callbacks list`: lists the URLs of all tenants. */
export async function runCallbacksList(flags: OutputFlags, environment: CommandEnvironment): Promise<void> {
  const { output } = environment;
  await withKnownStore(flags, environment, async (store) => {
    const found = await store.read((tx) => listSubscriptions(tx, MOST_LISTED + 1));
    const rows = found.slice(0, MOST_LISTED).map(view);
    printList(output, { format: flags.output, rows, none: "No tenant has a URL for events of messages.", describe });
    if (found.length > MOST_LISTED) output.err(`Only the first ${MOST_LISTED} are shown; there are more.\n`);
  });
}

/** `msgd callbacks remove`: removes the tenant's URL. Events that are not posted yet, but are queued, are still posted. */
export async function runCallbacksRemove(flags: TenantFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  await withKnownStore(flags, environment, async (store) => {
    const removed = await store.write(async (tx) => {
      await requireTenant(tx, tenantId);
      const subscription = requireSubscription(await findSubscription(tx, tenantId), tenantId);
      await removeSubscription(tx, tenantId);
      const target = `url ${subscription.url}`;
      await noteCommand(tx, environment, { tenantId, operation: "callbacks remove", target });
      return subscription;
    });
    print(environment.output, flags.output, view(removed));
    environment.output.err("Callbacks that are already queued are still posted.\n");
  });
}

/** `msgd callbacks test`: posts one signed event to the tenant's URL from here, and prints the outcome. Not retried. */
export async function runCallbacksTest(
  flags: TenantFlags & ReachFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const reach = readReach(flags, environment);
  await withKnownStore(flags, environment, async (store, installation) => {
    const box = await installation.openSecretBox(store);
    const now = environment.clock.now();
    const { url, secrets } = await store.write(async (tx) => {
      await requireTenant(tx, tenantId);
      const { url } = requireSubscription(await findSubscription(tx, tenantId), tenantId);
      await noteCommand(tx, environment, { tenantId, operation: "callbacks test", target: `url ${url}` });
      return { url, secrets: await readCallbackSecrets(tx, box, { tenantId, now }) };
    });
    readUrl(url, reach, `the URL of tenant ${tenantId}`);
    const event: EventOf<"callbacks.test"> = {
      type: "callbacks.test",
      timestamp: new Date(now).toISOString(),
      data: { tenantId: String(tenantId) },
    };
    const body = JSON.stringify(event);
    const webhookId = `evt_${systemRandomness.bytes(16).toString("hex")}`;
    const poster = createPoster({ reach, timeoutMs: TEST_TIMEOUT_MS });
    const headers = {
      "content-type": "application/json",
      "user-agent": "msgd",
      ...signWebhook({ webhookId, body, now }, secrets),
    };
    const result = await poster.post({ url, headers, body }).finally(() => poster.close());
    print(environment.output, flags.output, { tenantId: String(tenantId), url, webhookId, outcome: result.outcome });
    if (isTaken(result)) return;
    throw new Error(
      `the receiver did not accept the event (${toPrintable(result.outcome)}): it must answer 2xx within ${TEST_TIMEOUT_MS / 1_000} s`,
    );
  });
}

const LEAVE = "For development, give --allow-private-callbacks; the server needs it, too, unless it runs with --dev.";

function readReach(flags: ReachFlags, { env }: CommandEnvironment): CallbackReach {
  return readCallbackReach(flags.allowPrivateCallbacks, env);
}

function readUrl(text: string, reach: CallbackReach, name = "--url"): string {
  const fault = findEventUrlFault(text, reach, LEAVE);
  if (fault === undefined) return new URL(text).href;
  throw new ConfigError(`${name}: ${toPrintable(fault.detail)}`);
}

/** Reads `--events`: some of the types, separated by commas. @default all */
function readTypes(text: string | undefined): readonly MessageEventType[] {
  const given = text?.split(",").map((type) => type.trim()) ?? messageEventTypes;
  const types = messageEventTypes.filter((type) => given.includes(type));
  const others = given.filter((type) => !(messageEventTypes as readonly string[]).includes(type));
  if (others.length === 0) return types;
  const received = toPrintable(others.map((type) => `"${type}"`).join(", ")).slice(0, 200);
  throw new ConfigError(
    `--events: expected ${messageEventTypes.join(" or ")}, or both with a comma; received ${received}`,
  );
}

function requireSubscription(subscription: EventSubscription | undefined, tenantId: number): EventSubscription {
  if (subscription !== undefined) return subscription;
  throw new Error(
    `tenant ${tenantId} has no URL for events of messages: set one with msgd callbacks set --tenant ${tenantId} --url <url>`,
  );
}

function view(subscription: EventSubscription) {
  const { tenantId, url, setAt, stoppedAt } = subscription;
  return {
    ...{ tenantId: String(tenantId), url, events: listTypes(subscription).join(",") },
    setAt: viewTime(setAt),
    stoppedAt: viewTime(stoppedAt),
  };
}

function describe({ tenantId, url, events, stoppedAt }: ReturnType<typeof view>): string {
  const stopped = stoppedAt === null ? "" : `  stopped at ${stoppedAt}: its receiver answered 410`;
  return `tenant ${tenantId}  ${url}  ${events}${stopped}\n`;
}
