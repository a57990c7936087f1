// `msgd users`: the users of the dashboard.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { viewTime } from "../domain/calendar.ts";
import type { RecordedCommand } from "../domain/tenancy/operator-audit.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { listUsers, type UserRow } from "../domain/users/rows.ts";
import { isTenantRole, type TenantRole, tenantRoles } from "../domain/users/rules.ts";
import {
  createOperator,
  createUser,
  disableUser,
  type LinkedUser,
  resetUser,
  stateOf,
  toLinkPath,
} from "../domain/users/users.ts";
import { ConfigError } from "../settings/config.ts";
import type { Transaction } from "../store/store.ts";
import { noteCommand } from "./command-audit.ts";
import { type Installation, withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  type OutputFlags,
  type OutputFormat,
  print,
  printList,
  readOptionalTenantId,
  readTenantId,
} from "./environment.ts";
import { findAddress, findPublicUrl } from "./first-message.ts";

/** `msgd users create`: prints the user and a link to set a password. The link is shown only once. */
export async function runUsersCreate(flags: NewUserFlags, environment: CommandEnvironment): Promise<void> {
  const email = readEmail("--email", flags.email);
  const of = readOwner(flags);
  await withKnownStore(flags, environment, async (store, installation) => {
    const request = { email, pepper: await installation.readPepper(store), now: environment.clock.now() };
    const linked = await store.write(async (tx) => {
      const created = await (of === "operator" ? createOperator(tx, request) : createUser(tx, { ...request, ...of }));
      const { tenantId, role } = created.user;
      await noteCommand(tx, environment, {
        tenantId,
        operation: "users create",
        target: `email ${email}, role ${role}`,
      });
      return created;
    });
    printLinked(linked, flags.output, environment, installation);
  });
}

interface NewUserFlags extends OutputFlags {
  readonly tenant?: string;
  readonly operator?: boolean;
  readonly merchant?: string;
  readonly email: string;
  readonly role?: string;
}

/** Reads what the user belongs to, and the user's role in it. */
function readOwner({ tenant, operator, merchant, role }: NewUserFlags) {
  if ((tenant === undefined) !== (operator === true))
    throw new ConfigError("--tenant, --operator: expected one of them");
  if (tenant !== undefined) {
    return { tenantId: readTenantId(tenant), merchantId: merchant ?? null, role: readRole(role ?? "viewer") };
  }
  if (merchant !== undefined || role !== undefined) {
    throw new ConfigError("--operator: expected no --merchant and no --role, because an operator belongs to no tenant");
  }
  return "operator";
}

/** `msgd users list`: lists the users of one tenant or of all. */
export async function runUsersList(
  flags: OutputFlags & { tenant?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readOptionalTenantId(flags);
  await withKnownStore(flags, environment, async (store) => {
    const users = await store.read((tx) => listUsers(tx, tenantId));
    const rows = users.map((user) => viewUser(user, environment.clock.now()));
    const none = "There is no user yet: create one with msgd users create --tenant <id> --email <address>";
    printList(environment.output, { format: flags.output, rows, none, describe });
  });
}

/** `msgd users disable`: ends the user's sessions, on every server within a second. */
export async function runUsersDisable(
  address: string,
  flags: OutputFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const email = readEmail("<email>", address);
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const user = await store.write(async (tx) => {
      const disabled = await disableUser(tx, { email, now });
      await noteUser(tx, environment, disabled, "users disable");
      return disabled;
    });
    print(environment.output, flags.output, viewUser(user, now));
  });
}

/** `msgd users reset`: removes the password and the second factor. Prints the user and a new link. */
export async function runUsersReset(
  address: string,
  flags: OutputFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const email = readEmail("<email>", address);
  await withKnownStore(flags, environment, async (store, installation) => {
    const pepper = await installation.readPepper(store);
    const now = environment.clock.now();
    const linked = await store.write(async (tx) => {
      const reset = await resetUser(tx, { email, pepper, now });
      await noteUser(tx, environment, reset.user, "users reset");
      return reset;
    });
    printLinked(linked, flags.output, environment, installation);
  });
}

function noteUser(
  tx: Transaction,
  environment: CommandEnvironment,
  { tenantId, userId, email }: UserRow,
  operation: RecordedCommand,
): Promise<void> {
  return noteCommand(tx, environment, { tenantId, operation, target: `userId ${userId}, ${email}` });
}

function printLinked(
  { user: { userId, tenantId, merchantId, email, role }, token }: LinkedUser,
  format: OutputFormat,
  { output, env }: CommandEnvironment,
  installation: Installation,
): void {
  const publicUrl = findPublicUrl(installation, env);
  const address = publicUrl ?? findAddress(installation, env);
  const link = `${address ?? ""}${toLinkPath(token)}`;
  print(output, format, { userId: String(userId), tenantId: viewTenantId(tenantId), merchantId, email, role, link });
  const how = address === undefined ? "behind" : "with";
  const reached = `${how} the address under which they reach the server (set MSGD_PUBLIC_URL to include it)`;
  const where = publicUrl === undefined ? `, ${reached}` : "";
  output.err(`Send them the link${where}: it sets their password once, within a day.\n`);
}

function readEmail(name: string, text: string): string {
  const email = parseEmailAddress(text);
  if (email !== undefined) return email;
  throw new ConfigError(`${name}: expected an email address, received "${text}"`);
}

function readRole(text: string): TenantRole {
  if (isTenantRole(text)) return text;
  throw new ConfigError(`--role: expected one of ${tenantRoles.join(", ")}, received "${text}"`);
}

type UserView = Readonly<Record<"userId" | "email" | "role" | "state" | "createdAt", string>> &
  Readonly<Record<"tenantId" | "merchantId" | "secondFactorSince" | "signedInAt", string | null>>;

/** Returns null for an operator, who belongs to no tenant. */
function viewTenantId(tenantId: number): string | null {
  return tenantId === EVERY_TENANT ? null : String(tenantId);
}

function viewUser(user: UserRow, now: number): UserView {
  const { userId, tenantId, merchantId, email, role, createdAt, signedInAt } = user;
  return {
    ...{ userId: String(userId), tenantId: viewTenantId(tenantId), merchantId, email, role, state: stateOf(user, now) },
    secondFactorSince: viewTime(user.secondFactorSince),
    createdAt: viewTime(createdAt),
    signedInAt: viewTime(signedInAt),
  };
}

function describe({ email, state, role, tenantId, merchantId, secondFactorSince, signedInAt }: UserView): string {
  const tenant = tenantId === null ? "all tenants" : `tenant ${tenantId}`;
  const owner = merchantId === null ? tenant : `${tenant}, merchant ${merchantId}`;
  const seen = signedInAt === null ? "never signed in" : `last signed in ${signedInAt}`;
  const factor = secondFactorSince === null ? "" : "  second factor";
  return `${email}  ${state}  ${role}  ${owner}${factor}  ${seen}\n`;
}
