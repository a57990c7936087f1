// Lists recent requests, and looks up ids and Idempotency-Keys.

import type { Views } from "@msgctl/dashboard/api";
import { findKeyedRequests, lookUpId } from "../domain/recipients/story.ts";
import type { MessageScope } from "../domain/tenancy/access.ts";
import { type AnsweredRequest, isRequestId, type RequestLog } from "../http/request-log.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

export function requestHandlers(log: RequestLog): DashboardHandlers<"listRequests"> {
  return {
    listRequests: {
      async answer(caller, { query: { outcome, limit } }) {
        const requests = listSeenRequests(log, caller);
        const asked = requests.filter(({ status }) => outcome === undefined || status >= 400);
        return asked.slice(0, limit).map(viewRequest);
      },
    },
  };
}

/** Returns all requests of the tenant; for a merchant-scoped user, only those made with that merchant's keys. */
function listSeenRequests(log: RequestLog, { tenantId, merchantId }: MessageScope): AnsweredRequest[] {
  return log.list(tenantId).filter((request) => merchantId === null || request.merchantId === merchantId);
}

function viewRequest({ at, refusal, ms, ...request }: AnsweredRequest): Views["RequestView"] {
  return {
    ...request,
    at: new Date(at).toISOString(),
    code: refusal?.code ?? null,
    detail: refusal?.detail ?? null,
    faults: [...(refusal?.faults ?? [])],
    milliseconds: Math.round(ms * 1_000) / 1_000,
  };
}

type Match = Views["IdLookupMatch"];

export function idLookupHandlers(log: RequestLog): DashboardHandlers<"lookUpId"> {
  return {
    lookUpId: {
      async read({ tx, caller, now }, { query: { text } }) {
        const matches = await lookUpId(tx, caller, text);
        const requests = await findKeyedRequests(tx, caller, { key: text, now });
        return [
          ...(isRequestId(text) ? [viewRequest(text)] : []),
          ...matches.map((match): Match => ({ ...match, keyOf: null, isKept: true })),
          ...requests.map(({ operation, made }): Match => ({ ...nothing, ...made, keyOf: operation, isKept: true })),
        ];

        function viewRequest(id: string): Match {
          const isKept = listSeenRequests(log, caller).some(({ requestId }) => requestId === id);
          return { kind: "request", id, keyOf: null, isKept };
        }
      },
    },
  };
}

const nothing = { kind: null, id: null };
