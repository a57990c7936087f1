// Lists, shows and resends callbacks.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import {
  findRestingReceiver,
  findTenantCallback,
  type ListedCallback,
  listTenantCallbacks,
} from "../domain/callbacks/rows.ts";
import { findResendObstacle, readCallback, resendCallback } from "../domain/callbacks/views.ts";
import { callMessageId } from "../domain/messages/rules.ts";
import type { MessageScope } from "../domain/tenancy/access.ts";
import type { RouteServices } from "../http/routes.ts";
import type { Transaction } from "../store/store.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const PAGE = 100;
/** Maximum number of rows read for a page of one merchant's callbacks. There is no index by merchant. */
const MOST_LOOKED_AT = 1_000;

type CallbackServices = Pick<RouteServices<string>, "store" | "clock" | "notifyJobs">;

export function callbackHandlers({
  store,
  clock,
  notifyJobs,
}: CallbackServices): DashboardHandlers<"listCallbacks" | "getCallback" | "resendCallback"> {
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
        return { callbacks: callbacks.map(viewRow), next: isMore ? (last?.webhookId ?? null) : null };
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
  };
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
    ...viewRow(callback),
    body,
    restsUntil: viewTime(rest?.dueAt ?? null),
    obstacle: (await findResendObstacle(tx, tenantId, callback)) ?? null,
  };
}

function viewRow(callback: ListedCallback): Views["CallbackRow"] {
  const { webhookId, type, url, status, attempts, lastOutcome, nextAttemptAt, updatedAt, merchantId, head } = callback;
  return {
    ...{ webhookId, type, url, status, attempts, lastOutcome, merchantId },
    ...callOf(callback),
    at: timeOf(head) ?? viewTime(updatedAt),
    nextAttemptAt: viewTime(nextAttemptAt),
    updatedAt: viewTime(updatedAt),
  };
}

/** Returns the ids of the callback's call and of the message that represents the call. */
function callOf({
  requestId,
  messageId,
  acceptedAt,
}: ListedCallback): Pick<Views["CallbackRow"], "requestId" | "messageId"> {
  if (acceptedAt === null) return { requestId: null, messageId: null };
  return { requestId, messageId: messageId ?? callMessageId({ requestId, createdAt: acceptedAt }) };
}

/** Returns when the callback's event happened. */
function timeOf(head: string): string | undefined {
  return /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/.exec(head)?.[1];
}
