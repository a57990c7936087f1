import type { Views } from "@msgctl/dashboard/api";
import { isRequestId } from "../http/request-id.ts";
import type { RequestLog } from "../http/request-log.ts";
import { findKeyedRequests, findNamedThings } from "../steps/named-things.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import { listSeenRequests } from "./request-operations.ts";

type Named = Views["NamedThing"];

export function namedThingHandlers(log: RequestLog): DashboardHandlers<"findNamedThings"> {
  return {
    findNamedThings: {
      async read({ tx, caller, now }, { query: { text } }) {
        const things = await findNamedThings(tx, caller, text);
        const requests = await findKeyedRequests(tx, caller, { key: text, now });
        return [
          ...(isRequestId(text) ? [viewRequest(text)] : []),
          ...things.map((thing): Named => ({ ...thing, keyOf: null, isKept: true })),
          ...requests.map(({ operation, made }): Named => ({ ...nothing, ...made, keyOf: operation, isKept: true })),
        ];

        function viewRequest(id: string): Named {
          const isKept = listSeenRequests(log, caller).some(({ requestId }) => requestId === id);
          return { kind: "request", id, keyOf: null, isKept };
        }
      },
    },
  };
}

const nothing = { kind: null, id: null };
