// Lists, shows and resends callbacks, and sets the URL for events of messages.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import {
  type EventSubscription,
  findSubscription,
  listTypes,
  removeSubscription,
  setSubscription,
} from "../domain/callbacks/event-rows.ts";
import {
  countReceivers,
  findTenantCallback,
  type ListedCallback,
  listFailedCallbacks,
  listTenantCallbacks,
} from "../domain/callbacks/list-rows.ts";
import { findRestingReceiver } from "../domain/callbacks/rows.ts";
import { findEventUrlFault } from "../domain/callbacks/rules.ts";
import { readCallbackSecrets } from "../domain/callbacks/secrets.ts";
import { findResendObstacle, readCallback, resendCallback } from "../domain/callbacks/views.ts";
import { callMessageId } from "../domain/messages/rules.ts";
import { Refusal, refuseFaults } from "../domain/refusal.ts";
import type { MessageScope } from "../domain/tenancy/access.ts";
import type { RouteServices } from "../http/routes.ts";
import { SealedError, type SecretBox } from "../platform/secret-box.ts";
import type { Transaction } from "../store/store.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const PAGE = 100;
/** Maximum number of rows read for a page of one merchant's callbacks. There is no index by merchant. */
const MOST_LOOKED_AT = 1_000;
/** Maximum number of callbacks in each state that are counted by receiver. */
const MOST_COUNTED = 1_000;
/** Maximum number of failed callbacks that one request examines, and resends if they are meant. */
const MOST_EXAMINED = 1_000;
/** Maximum number of outcomes that are shown of a receiver. */
const MOST_ANSWERS = 5;
/** Number of callbacks resent in one transaction, so that other writes need not wait for all. */
const RESENT_AT_ONCE = 50;

interface CallbackServices extends Pick<RouteServices<string>, "store" | "clock" | "settings" | "notifyJobs"> {
  readonly secrets: SecretBox;
}

type CallbackOperationId =
  | "listCallbacks"
  | "getCallback"
  | "resendCallback"
  | "listReceivers"
  | "resendCallbacks"
  | "getEventSubscription"
  | "setEventSubscription"
  | "removeEventSubscription"
  | "getCallbackSecret";

export function callbackHandlers({
  store,
  clock,
  settings: { callbackReach },
  secrets,
  notifyJobs,
}: CallbackServices): DashboardHandlers<CallbackOperationId> {
  return {
    listCallbacks: {
      async read({ tx, caller: { tenantId, merchantId } }, { query: { status, before } }) {
        const position = before === undefined ? Number.MAX_SAFE_INTEGER : await findPosition(tx, tenantId, before);
        const limit = merchantId === null ? PAGE + 1 : MOST_LOOKED_AT;
        const found = await listTenantCallbacks(tx, { tenantId, status, before: position, limit });
        const seen = found.filter((callback) => merchantId === null || callback.merchantId === merchantId);
        const callbacks = seen.slice(0, PAGE);
        const isMore = seen.length > PAGE || found.length === limit;
        const last = seen.length > PAGE ? callbacks.at(-1) : found.at(-1);
        return { callbacks: callbacks.map(viewCallback), next: isMore ? (last?.webhookId ?? null) : null };
      },
    },
    getCallback: {
      read: ({ tx, caller }, { path: { webhookId } }) => readView(tx, caller, webhookId),
    },
    resendCallback: {
      async answer(caller, { path: { webhookId } }) {
        const view = await store.write(async (tx) => {
          await resendCallback(tx, caller, { webhookId, now: clock.now() });
          return readView(tx, caller, webhookId);
        });
        notifyJobs();
        return view;
      },
    },
    listReceivers: {
      async read({ tx, caller }) {
        const tenantId = requireWholeTenant(caller);
        const receivers = await countReceivers(tx, { tenantId, most: MOST_COUNTED, limit: PAGE });
        const views: Views["ReceiverView"][] = [];
        for (const { lastAt, answers, ...counts } of receivers) {
          const rest = await findRestingReceiver(tx, { tenantId, receiver: counts.receiver });
          views.push({
            ...counts,
            lastAt: viewTime(lastAt),
            answers: answers.slice(0, MOST_ANSWERS).map((answer) => ({ ...answer, lastAt: viewTime(answer.lastAt) })),
            rests: rest?.rests ?? 0,
            triedAt: viewTime(rest?.dueAt ?? null),
          });
        }
        return views;
      },
    },
    getEventSubscription: {
      async read({ tx, caller }) {
        const found = await findSubscription(tx, requireWholeTenant(caller));
        return found === undefined ? noSubscription : viewSubscription(found);
      },
    },
    setEventSubscription: {
      async answer(caller, { body: { url, events } }) {
        const tenantId = requireWholeTenant(caller);
        const fault = findEventUrlFault(url, callbackReach);
        if (fault !== undefined) throw refuseFaults([{ pointer: "/url", ...fault }]);
        const subscription = { tenantId, url, types: events, setAt: clock.now() };
        return viewSubscription(await store.write((tx) => setSubscription(tx, subscription)));
      },
    },
    removeEventSubscription: {
      async answer(caller) {
        const tenantId = requireWholeTenant(caller);
        await store.write((tx) => removeSubscription(tx, tenantId));
        return noSubscription;
      },
    },
    getCallbackSecret: {
      async answer(caller) {
        const owner = { tenantId: requireWholeTenant(caller), now: clock.now() };
        const [secret = ""] = await store
          .write((tx) => readCallbackSecrets(tx, secrets, owner))
          .catch((error) => {
            throw error instanceof SealedError ? secretUnavailable(error) : error;
          });
        return { secret };
      },
    },
    resendCallbacks: {
      async answer(caller, { body: { receiver, since, before } }) {
        const tenantId = requireWholeTenant(caller);
        const examined = MOST_EXAMINED;
        const found = await store.read(async (tx) => {
          const position = before === undefined ? Number.MAX_SAFE_INTEGER : await findPosition(tx, tenantId, before);
          return listFailedCallbacks(tx, { tenantId, receiver, since: Date.parse(since), before: position, examined });
        });
        const meant = found.filter(({ isMeant }) => isMeant === 1).map(({ webhookId }) => webhookId);
        let resent = 0;
        for (let at = 0; at < meant.length; at += RESENT_AT_ONCE) {
          const some = meant.slice(at, at + RESENT_AT_ONCE);
          resent += await store.write((tx) => resendSome(tx, caller, some, clock.now()));
        }
        notifyJobs();
        return { resent, next: found.length === examined ? (found.at(-1)?.webhookId ?? null) : null };
      },
    },
  };
}

const noSubscription: Views["EventSubscriptionView"] = { url: null, events: [], setAt: null, stoppedAt: null };

function viewSubscription(subscription: EventSubscription): Views["EventSubscriptionView"] {
  const { url, setAt, stoppedAt } = subscription;
  return { url, events: listTypes(subscription), setAt: viewTime(setAt), stoppedAt: viewTime(stoppedAt) };
}

function secretUnavailable(cause: SealedError): Refusal {
  const detail =
    "The server cannot open the secret: the operator must set the secret key that sealed it (MSGD_SECRET_KEY), or make a new one with msgd callbacks secret --rotate.";
  return new Refusal("unavailable", detail, {}, { cause });
}

/** Returns the tenant. Throws `merchant_scope_denied` for a user of one merchant: receivers belong to the whole tenant. */
function requireWholeTenant({ tenantId, merchantId }: MessageScope): number {
  if (merchantId === null) return tenantId;
  throw new Refusal("merchant_scope_denied", "Receivers belong to the whole tenant, but you see only one merchant.");
}

/** Resends callbacks that are still failed, except those that cannot be resent. Returns how many are pending again. */
async function resendSome(
  tx: Transaction,
  scope: MessageScope,
  webhookIds: readonly string[],
  now: number,
): Promise<number> {
  let resent = 0;
  for (const webhookId of webhookIds) {
    // another user may have resent it in the meantime
    if ((await findTenantCallback(tx, scope.tenantId, webhookId))?.status !== "FAILED") continue;
    try {
      await resendCallback(tx, scope, { webhookId, now });
      resent += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return resent;
}

/** Returns the position of a callback; 0 if it was removed, because then all earlier ones were removed, too. */
async function findPosition(tx: Transaction, tenantId: number, webhookId: string): Promise<number> {
  return (await findTenantCallback(tx, tenantId, webhookId))?.callbackId ?? 0;
}

async function readView(tx: Transaction, scope: MessageScope, webhookId: string): Promise<Views["CallbackView"]> {
  const { tenantId } = scope;
  const callback = await readCallback(tx, scope, webhookId);
  const { status, receiver, body } = callback;
  const rest = status === "PENDING" ? await findRestingReceiver(tx, { tenantId, receiver }) : undefined;
  return {
    ...viewCallback(callback),
    body,
    restsUntil: viewTime(rest?.dueAt ?? null),
    obstacle: (await findResendObstacle(tx, tenantId, callback)) ?? null,
  };
}

export function viewCallback(callback: ListedCallback): Views["CallbackRow"] {
  const { webhookId, type, url, status, attempts, lastOutcome, nextAttemptAt, updatedAt, merchantId, head } = callback;
  return {
    ...{ webhookId, type, url, status, attempts, lastOutcome, merchantId },
    ...callOf(callback),
    at: timeOf(head) ?? viewTime(updatedAt),
    nextAttemptAt: viewTime(nextAttemptAt),
    updatedAt: viewTime(updatedAt),
  };
}

/** Returns the id of the callback's call, and of the message that the event is about or that represents the call. */
function callOf({
  requestId,
  messageId,
  acceptedAt,
}: ListedCallback): Pick<Views["CallbackRow"], "requestId" | "messageId"> {
  if (acceptedAt === null) return { requestId: null, messageId };
  return { requestId, messageId: messageId ?? callMessageId({ requestId, createdAt: acceptedAt }) };
}

/** Returns when the callback's event happened. */
function timeOf(head: string): string | undefined {
  return /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/.exec(head)?.[1];
}
