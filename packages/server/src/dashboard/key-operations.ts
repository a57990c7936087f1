// Keys of the tenant, as its admins manage them.

import type { Views } from "@msgctl/dashboard/api";
import type { RouteServices } from "../http/routes.ts";
import { Refusal } from "../rules/refusal.ts";
import { viewTime } from "../rules/view-time.ts";
import {
  credentialState,
  endCredential,
  issueCredential,
  requireCredential,
  rotateCredential,
} from "../steps/tenancy.ts";
import { findListedCredential, type ListedCredential, listCredentialsOf } from "../store/credentials.ts";
import type { Transaction } from "../store/store.ts";
import type { DashboardCaller, DashboardHandlers } from "./dashboard-api.ts";
import { isManaged, readGivenScope, toMerchantRefusal } from "./managed-scope.ts";

const MOST_LISTED = 1_000;

interface KeyServices extends Pick<RouteServices<string>, "store" | "clock"> {
  readonly pepper: string;
}

type KeyOperationId = "listKeys" | "createKey" | "rotateKey" | "revokeKey";

export function keyHandlers({ store, clock, pepper }: KeyServices): DashboardHandlers<KeyOperationId> {
  return {
    listKeys: {
      async read({ tx, caller: { tenantId, merchantId }, now }) {
        const found = await listCredentialsOf(tx, { tenantId, merchantId, limit: MOST_LISTED + 1, now });
        return { keys: found.slice(0, MOST_LISTED).map(viewKey), hasMore: found.length > MOST_LISTED };
      },
    },
    createKey: {
      async answer(caller, { body }) {
        const merchantId = readGivenScope(caller, body.merchantId);
        const { tenantId } = caller;
        const request = { tenantId, merchantId, name: body.name ?? null, pepper, now: clock.now() };
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

/** Throws `route_not_found` without quoting the text: it may be the secret, mistaken for the key. */
async function findManaged(
  tx: Transaction,
  caller: DashboardCaller,
  { apiKey, now }: { apiKey: string; now: number },
): Promise<ListedCredential> {
  const credential = await findListedCredential(tx, apiKey, now);
  if (credential !== undefined && isManaged(caller, credential)) return credential;
  throw new Refusal("route_not_found", "There is no such key among those that you manage.");
}

function viewKey(credential: ListedCredential): Views["KeyView"] {
  const { apiKey, merchantId, name, createdAt, lastUsedAt, overlapEndsAt, revokedAt } = credential;
  return {
    ...{ apiKey, merchantId, name, state: credentialState(credential) },
    createdAt: viewTime(createdAt),
    lastUsedAt: viewTime(lastUsedAt),
    overlapEndsAt: viewTime(overlapEndsAt),
    revokedAt: viewTime(revokedAt),
  };
}
