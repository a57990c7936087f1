// The latest text-to-speech calls, and the batches that they belong to.

import type { ResponseOf } from "@msgctl/contract";
import { useState } from "preact/hooks";
import { MerchantName } from "../../elements/merchant.tsx";
import { Empty, PageHead } from "../../elements/page.tsx";
import { Recipient } from "../../elements/recipient.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import type { CallsRoute } from "../../shell/route.ts";
import { useCall } from "../use-answer.ts";
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
  const { answer, error, again } = useCall("listTtsCalls", { query: { ...filter, limit } }, { everyMs: LOOK_MS });
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return (
    <section class="page">
      <PageHead title="Calls" />
      <CallFilter route={route} />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && (
        <Empty title={isFiltered ? "No calls found." : "No calls yet."}>
          {isFiltered ? undefined : "Calls that your program makes appear here."}
        </Empty>
      )}
      {answer?.length !== 0 && (
        <Table
          label="Calls, newest first"
          class="calls-table"
          columns={columns}
          rows={answer}
          keyOf={({ requestId }) => requestId}
          to={({ requestId }) => ({ page: "call", requestId })}
          isWhole={answer === undefined || answer.length < limit}
          onNearEnd={() => {
            if (answer !== undefined && answer.length >= limit) setLimit(Math.min(limit + 3 * STEP, MOST));
          }}
        />
      )}
    </section>
  );
}

const columns: Column<Call>[] = [
  { heading: "Call to", class: "main", cell: ({ toNumber }) => <Recipient contact={toNumber} /> },
  {
    heading: "Outcome",
    cell: ({ finalStatus, deliveryReason, policyReason }) => (
      <Outcome finalStatus={finalStatus} reason={deliveryReason ?? policyReason} />
    ),
  },
  { heading: "Batch", class: "aside soft", cell: ({ batchId }) => batchId },
  { heading: "Merchant", class: "aside", cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
  { heading: "Use case", class: "aside soft", cell: ({ useCase }) => <bdi>{toVisible(useCase)}</bdi> },
  { heading: "Accepted", class: "time soft", order: "descending", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
