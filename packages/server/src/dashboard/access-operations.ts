// Operations with which admins manage their tenant's users and keys. A merchant-scoped admin manages only the users and
// keys of that merchant.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import type { PathOf, Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import type { Caller } from "../domain/context.ts";
import { Refusal, refuseFaults } from "../domain/refusal.ts";
import {
  findListedCredential,
  findSecondFactorPolicy,
  type ListedCredential,
  listCredentialsOf,
  lockTenant,
  setSecondFactorPolicy,
} from "../domain/tenancy/rows.ts";
import {
  credentialState,
  endCredential,
  issueCredential,
  requireCredential,
  rotateCredential,
  UnknownMerchantError,
} from "../domain/tenancy/tenants.ts";
import { findUser, listUsersOf, setRole, type UserRow } from "../domain/users/rows.ts";
import { isTenantRole, mayAs } from "../domain/users/rules.ts";
import {
  createUser,
  disableUser,
  type LinkedUser,
  resetUser,
  stateOf,
  toLinkPath,
  UserExists,
} from "../domain/users/users.ts";
import type { RouteServices } from "../http/routes.ts";
import type { Transaction } from "../store/store.ts";
import type { DashboardCaller, DashboardHandlers } from "./dashboard-api.ts";
import { noUsers } from "./session-operations.ts";

/** Returns whether the caller may manage a user or key. If its `merchantId` is null, it belongs to the whole tenant. */
function isManaged(caller: Caller, of: { readonly tenantId: number; readonly merchantId: string | null }): boolean {
  return of.tenantId === caller.tenantId && (caller.merchantId === null || of.merchantId === caller.merchantId);
}

/** Returns the scope of a new user or key. Throws `merchant_scope_denied` if the scope exceeds the caller's. */
function readGivenScope(caller: Caller, merchantId: string | undefined): string | null {
  const given = merchantId ?? null;
  if (isManaged(caller, { tenantId: caller.tenantId, merchantId: given })) return given;
  throw new Refusal(
    "merchant_scope_denied",
    `You can give access only to merchant ${caller.merchantId}, the only merchant that you see: enter it as the merchant.`,
  );
}

/** Converts the error for an unknown merchant to a refusal. Returns any other error unchanged. */
function toMerchantRefusal(error: unknown, merchantId: string | null): unknown {
  if (!(error instanceof UnknownMerchantError)) return error;
  return new Refusal("merchant_not_found", `The tenant has no merchant ${merchantId}.`);
}

const MOST_USERS = 1_000;

interface UserServices extends Pick<RouteServices<string>, "store" | "clock"> {
  readonly pepper: string;
  readonly publicUrl: string | undefined;
}

type UserOperationId =
  | "listUsers"
  | "createUser"
  | "resetUser"
  | "disableUser"
  | "setUserRole"
  | "setSecondFactorPolicy";

export function userHandlers({ store, clock, pepper, publicUrl }: UserServices): DashboardHandlers<UserOperationId> {
  /** Changes a user whom the caller may manage. Throws `illegal_transition` if the user is the caller. */
  function change<T>(
    caller: DashboardCaller,
    { path, what }: { path: PathOf<"resetUser">; what: string },
    work: (tx: Transaction, user: UserRow, now: number) => Promise<T>,
  ): Promise<T> {
    requireUsers(caller);
    const userId = Number(path.userId);
    return store.write(async (tx) => {
      await requireStillAdmin(tx, caller);
      const user = await findUser(tx, userId);
      if (user === undefined || !isManaged(caller, user)) {
        throw new Refusal("route_not_found", `There is no user ${userId} whom you may manage.`);
      }
      if (userId === caller.userId) {
        throw new Refusal("illegal_transition", `You cannot ${what} yourself: ask another admin, or the operator.`);
      }
      return work(tx, user, clock.now());
    });
  }

  function viewLinked({ user, token }: LinkedUser, now: number): Views["LinkedUser"] {
    const { linkExpiresAt } = user;
    if (linkExpiresAt === null) throw new Error("a user with a link has no expiry of the link");
    const link = `${publicUrl ?? ""}${toLinkPath(token)}`;
    return { user: viewUser(user, now), link, linkExpiresAt: viewTime(linkExpiresAt) };
  }

  return {
    listUsers: {
      async read({ tx, caller, now }) {
        requireUsers(caller);
        const { tenantId, merchantId } = caller;
        const found = await listUsersOf(tx, { tenantId, merchantId, limit: MOST_USERS + 1 });
        const users = found.slice(0, MOST_USERS).map((user) => viewUser(user, now));
        const policy = await findSecondFactorPolicy(tx, tenantId);
        return { users, hasMore: found.length > MOST_USERS, secondFactor: policy };
      },
    },
    createUser: {
      async answer(caller, { body }) {
        requireUsers(caller);
        const merchantId = readGivenScope(caller, body.merchantId);
        const email = parseEmailAddress(body.email);
        if (email === undefined) throw new Error("an address that passed validation has no normal form");
        const request = { tenantId: caller.tenantId, merchantId, email, role: body.role, pepper };
        const now = clock.now();
        const linked = await store
          .write((tx) => createUser(tx, { ...request, now }))
          .catch((error) => {
            throw error instanceof UserExists ? addressUsed(email) : toMerchantRefusal(error, merchantId);
          });
        return viewLinked(linked, now);
      },
    },
    resetUser: {
      answer: (caller, { path }) =>
        change(caller, { path, what: "reset" }, async (tx, { email }, now) =>
          viewLinked(await resetUser(tx, { email, pepper, now }), now),
        ),
    },
    disableUser: {
      answer: (caller, { path }) =>
        change(caller, { path, what: "disable" }, async (tx, { email }, now) =>
          viewUser(await disableUser(tx, { email, now }), now),
        ),
    },
    setUserRole: {
      answer: (caller, { path, body: { role } }) =>
        change(caller, { path, what: "change the role of" }, async (tx, user, now) => {
          await setRole(tx, user.userId, role);
          return viewUser({ ...user, role }, now);
        }),
    },
    setSecondFactorPolicy: {
      async answer(caller, { body: { secondFactor } }) {
        requireUsers(caller);
        const { tenantId, merchantId } = caller;
        if (merchantId !== null) {
          const detail = `The second factor is required of all users of the tenant, but you manage only those of merchant ${merchantId}.`;
          throw new Refusal("merchant_scope_denied", detail);
        }
        await store.write(async (tx) => {
          const self = await requireStillAdmin(tx, caller);
          // otherwise the admin would be the first who can do nothing else
          if (secondFactor === "required" && self.secondFactorSince === null) {
            throw new Refusal("illegal_transition", "Turn on your own second factor first, in your account.");
          }
          await setSecondFactorPolicy(tx, tenantId, secondFactor);
        });
      },
    },
  };
}

function requireUsers({ userId }: DashboardCaller): void {
  if (userId === null) throw noUsers();
}

/** Returns the caller's user. Throws if the caller is no longer an admin: sessions are cached, and two admins may change each other concurrently. */
async function requireStillAdmin(tx: Transaction, { tenantId, userId }: DashboardCaller): Promise<UserRow> {
  lockTenant(tx, tenantId);
  const self = userId === null ? undefined : await findUser(tx, userId);
  if (self !== undefined && self.disabledAt === null && mayAs(self.role, "admin")) return self;
  throw new Refusal("merchant_scope_denied", "You are no longer an admin.");
}

/** Refuses an address in use. The text is always the same, because the user may belong to another tenant. */
function addressUsed(email: string): Refusal {
  const detail = `${email} cannot be used for a new user. If it belongs to one of your users, reset that user; otherwise enter another address.`;
  return refuseFaults([{ pointer: "/email", code: "invalid", detail }]);
}

function viewUser(user: UserRow, now: number): Views["UserView"] {
  const { userId, email, role, merchantId, createdAt, signedInAt, linkExpiresAt, disabledAt } = user;
  if (!isTenantRole(role)) throw new Error("an operator is not a tenant's user");
  const hasSecondFactor = user.secondFactorSince !== null;
  const times = {
    createdAt: viewTime(createdAt),
    signedInAt: viewTime(signedInAt),
    linkExpiresAt: viewTime(linkExpiresAt),
    disabledAt: viewTime(disabledAt),
  };
  return { userId, email, role, merchantId, state: stateOf(user, now), hasSecondFactor, ...times };
}

const MOST_KEYS = 1_000;

type KeyOperationId = "listKeys" | "createKey" | "rotateKey" | "revokeKey";

export function keyHandlers({
  store,
  clock,
  pepper,
}: Omit<UserServices, "publicUrl">): DashboardHandlers<KeyOperationId> {
  return {
    listKeys: {
      async read({ tx, caller: { tenantId, merchantId }, now }) {
        const found = await listCredentialsOf(tx, { tenantId, merchantId, limit: MOST_KEYS + 1, now });
        return { keys: found.slice(0, MOST_KEYS).map(viewKey), hasMore: found.length > MOST_KEYS };
      },
    },
    createKey: {
      async answer(caller, { body }) {
        const merchantId = readGivenScope(caller, body.merchantId);
        const { tenantId } = caller;
        const { userId: createdBy } = caller;
        const request = { tenantId, merchantId, name: body.name ?? null, createdBy, pepper, now: clock.now() };
        return store
          .write(async (tx) => {
            const { apiKey, apiSecret } = await issueCredential(tx, request);
            return { key: viewKey(await requireCredential(tx, apiKey, request.now)), apiSecret };
          })
          .catch((error) => {
            throw toMerchantRefusal(error, merchantId);
          });
      },
    },
    rotateKey: {
      answer: (caller, { path: { apiKey }, body: { overlapSeconds } }) =>
        store.write(async (tx) => {
          const now = clock.now();
          const { revokedAt } = await findManaged(tx, caller, { apiKey, now });
          if (revokedAt !== null) throw new Refusal("illegal_transition", "The key is revoked: create another one.");
          const { apiSecret } = await rotateCredential(tx, { apiKey, overlapMs: overlapSeconds * 1_000, pepper, now });
          return { key: viewKey(await requireCredential(tx, apiKey, now)), apiSecret };
        }),
    },
    revokeKey: {
      answer: (caller, { path: { apiKey } }) =>
        store.write(async (tx) => {
          const now = clock.now();
          await findManaged(tx, caller, { apiKey, now });
          return viewKey(await endCredential(tx, apiKey, now));
        }),
    },
  };
}

/** Finds a key that the caller may manage. Throws `route_not_found` without quoting `apiKey`, which may be a secret. */
async function findManaged(
  tx: Transaction,
  caller: DashboardCaller,
  { apiKey, now }: { apiKey: string; now: number },
): Promise<ListedCredential> {
  const credential = await findListedCredential(tx, apiKey, now);
  if (credential !== undefined && isManaged(caller, credential)) return credential;
  throw new Refusal("route_not_found", "There is no such key that you may manage.");
}

function viewKey(credential: ListedCredential): Views["KeyView"] {
  const { apiKey, merchantId, name, createdAt, createdBy, lastUsedAt, overlapEndsAt, revokedAt } = credential;
  return {
    ...{ apiKey, merchantId, name, state: credentialState(credential), createdBy },
    createdAt: viewTime(createdAt),
    lastUsedAt: viewTime(lastUsedAt),
    overlapEndsAt: viewTime(overlapEndsAt),
    revokedAt: viewTime(revokedAt),
  };
}
