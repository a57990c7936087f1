// The latest text-to-speech calls, and the batches that they belong to.

import type { ResponseOf } from "@msgctl/contract";
import { useState } from "preact/hooks";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import type { CallsRoute } from "../../shell/route.ts";
import { Cell } from "../list/cell.tsx";
import { List } from "../list/list.tsx";
import { Time } from "../time.tsx";
import { useCall } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { CallFilter } from "./call-filter.tsx";
import { Outcome } from "./outcome.tsx";

type Call = ResponseOf<"listTtsCalls">[number];

const LOOK_MS = 2_000;
const STEP = 50;
/** The contract's maximum of `limit`. */
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
          {isFiltered ? "No calls found." : "No calls yet. Calls that your program makes appear here."}
        </p>
      )}
      <List
        label="Calls, newest first"
        class="calls-list"
        head={head}
        rows={answer ?? none}
        keyOf={({ requestId }) => requestId}
        isWhole={answer !== undefined && answer.length < limit}
        onNearEnd={() => {
          if (answer !== undefined && answer.length >= limit) setLimit(Math.min(limit + 3 * STEP, MOST));
        }}
      >
        {(call) => <Row call={call} />}
      </List>
    </section>
  );
}

const none: readonly Call[] = [];

const head = (
  <>
    <span>Call to</span>
    <span>Outcome</span>
    <span class="aside">Batch</span>
    <span class="aside">Merchant</span>
    <span class="aside">Use case</span>
    <span>Accepted</span>
  </>
);

function Row({ call }: { readonly call: Call }) {
  return (
    <Link class="row" to={{ page: "call", requestId: call.requestId }}>
      <span class="phone">{toVisible(call.toNumber)}</span>
      <span>
        <Outcome finalStatus={call.finalStatus} reason={call.deliveryReason ?? call.policyReason} />
      </span>
      <Cell name="batch" class="aside">
        {call.batchId}
      </Cell>
      <Cell name="of" class="aside named">
        {toVisible(call.merchantId)}
      </Cell>
      <Cell name="for" class="aside named">
        {toVisible(call.useCase)}
      </Cell>
      <Time at={call.createdAt} />
    </Link>
  );
}
