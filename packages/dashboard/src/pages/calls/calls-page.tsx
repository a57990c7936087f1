// The last calls that speak a text, and the batches that they are of.

import type { ResponseOf } from "@msgctl/contract";
import { useState } from "preact/hooks";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import type { CallsRoute } from "../../shell/route.ts";
import { Time } from "../time.tsx";
import { useCall } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { CallFilter } from "./call-filter.tsx";
import { Outcome } from "./outcome.tsx";

type Call = ResponseOf<"listTtsCalls">[number];

const LOOK_MS = 2_000;
const STEP = 50;
/** The contract lists no more. */
const MOST = 500;

export function CallsPage(route: CallsRoute) {
  const { page: _page, ...filter } = route;
  const [limit, setLimit] = useState(STEP);
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
  const { answer, error, again } = useCall("listTtsCalls", { query: { ...given, limit } }, { everyMs: LOOK_MS });
  const isFiltered = Object.keys(given).length > 0;
  return (
    <section class="page">
      <h1>Calls</h1>
      <CallFilter route={route} />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && (
        <p class="nothing">
          {isFiltered ? "No call is found." : "No call yet. What your program has spoken appears here."}
        </p>
      )}
      {answer !== undefined && answer.length > 0 && <Calls calls={answer} />}
      {answer !== undefined && answer.length >= limit && limit < MOST && (
        <button type="button" onClick={() => setLimit(Math.min(limit + 3 * STEP, MOST))}>
          Older ones
        </button>
      )}
    </section>
  );
}

function Calls({ calls }: { readonly calls: readonly Call[] }) {
  return (
    <table class="table">
      <caption>The newest first</caption>
      <thead>
        <tr>
          <th scope="col">Call to</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="aside">
            Batch
          </th>
          <th scope="col" class="aside">
            Merchant
          </th>
          <th scope="col" class="aside">
            Use case
          </th>
          <th scope="col">Accepted</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.requestId}>
            <td class="phone">
              <Link to={{ page: "call", requestId: call.requestId }}>{toVisible(call.toNumber)}</Link>
            </td>
            <td>
              <Outcome finalStatus={call.finalStatus} reason={call.deliveryReason ?? call.policyReason} />
            </td>
            <td class="aside">
              <Link to={{ page: "batch", batchId: call.batchId, status: "" }}>{call.batchId}</Link>
            </td>
            <td class="aside named">{toVisible(call.merchantId)}</td>
            <td class="aside named">{toVisible(call.useCase)}</td>
            <td>
              <Time at={call.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
