// Users of the tenant, as its admins manage them.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import type { PathOf, Views } from "@msgctl/dashboard/api";
import type { RouteServices } from "../http/routes.ts";
import { Refusal, refuseFaults } from "../rules/refusal.ts";
import { mayAs } from "../rules/roles.ts";
import { viewTime } from "../rules/view-time.ts";
import {
  createUser,
  disableUser,
  type LinkedUser,
  resetUser,
  stateOf,
  toLinkPath,
  UserExists,
} from "../steps/users.ts";
import type { Transaction } from "../store/store.ts";
import { holdTenant } from "../store/tenants.ts";
import { findUser, listUsersOf, setRole, type UserRow } from "../store/users.ts";
import type { DashboardCaller, DashboardHandlers } from "./dashboard-api.ts";
import { isManaged, readGivenScope, toMerchantRefusal } from "./managed-scope.ts";

const MOST_LISTED = 1_000;

interface UserServices extends Pick<RouteServices<string>, "store" | "clock"> {
  readonly pepper: string;
  readonly publicUrl: string | undefined;
}

type UserOperationId = "listUsers" | "createUser" | "resetUser" | "disableUser" | "setUserRole";

export function userHandlers({ store, clock, pepper, publicUrl }: UserServices): DashboardHandlers<UserOperationId> {
  /** Changes a user whom the caller manages, and is not. */
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
        throw new Refusal("route_not_found", `There is no user ${userId} among those whom you manage.`);
      }
      if (userId === caller.userId) {
        throw new Refusal("illegal_transition", `You cannot ${what} yourself: ask another admin, or the operator.`);
      }
      return work(tx, user, clock.now());
    });
  }

  function viewLinked({ user, token }: LinkedUser, now: number): Views["LinkedUser"] {
    const { linkExpiresAt } = user;
    if (linkExpiresAt === null) throw new Error("a user with a link came back without its end");
    const link = `${publicUrl ?? ""}${toLinkPath(token)}`;
    return { user: viewUser(user, now), link, linkExpiresAt: viewTime(linkExpiresAt) };
  }

  return {
    listUsers: {
      async read({ tx, caller, now }) {
        requireUsers(caller);
        const { tenantId, merchantId } = caller;
        const found = await listUsersOf(tx, { tenantId, merchantId, limit: MOST_LISTED + 1 });
        const users = found.slice(0, MOST_LISTED).map((user) => viewUser(user, now));
        return { users, hasMore: found.length > MOST_LISTED };
      },
    },
    createUser: {
      async answer(caller, { body }) {
        requireUsers(caller);
        const merchantId = readGivenScope(caller, body.merchantId);
        const email = parseEmailAddress(body.email);
        if (email === undefined) throw new Error("an address that was taken for valid has no normal form");
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
  };
}

function requireUsers({ userId }: DashboardCaller): void {
  if (userId === null) throw new Refusal("route_not_found", "A server in development has no users: nobody signs in.");
}

/** Of two admins who change each other at once the first one does: a session is known as it was a second ago. */
async function requireStillAdmin(tx: Transaction, { tenantId, userId }: DashboardCaller): Promise<void> {
  holdTenant(tx, tenantId);
  const self = userId === null ? undefined : await findUser(tx, userId);
  if (self !== undefined && self.disabledAt === null && mayAs(self.role, "admin")) return;
  throw new Refusal("merchant_scope_denied", "You are not an admin any more.");
}

/** The same whoever has the address: of another tenant's users it tells no more than that. */
function addressUsed(email: string): Refusal {
  const detail = `${email} cannot be used for a new user. If it is one of yours, reset that one; otherwise give another.`;
  return refuseFaults([{ pointer: "/email", code: "invalid", detail }]);
}

function viewUser(user: UserRow, now: number): Views["UserView"] {
  const { userId, email, role, merchantId, createdAt, signedInAt } = user;
  const times = { createdAt: viewTime(createdAt), signedInAt: viewTime(signedInAt) };
  return { userId, email, role, merchantId, state: stateOf(user, now), ...times };
}
