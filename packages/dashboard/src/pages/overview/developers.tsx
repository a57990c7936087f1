// The sections for developers: refused requests, and the latest ones.

import { Card } from "../../elements/page.tsx";
import { Table } from "../../elements/table.tsx";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allRequests } from "../../shell/route.ts";
import { requestColumns } from "../requests/columns.tsx";
import { Refusals } from "../requests/refusals.tsx";
import { useAnswer } from "../use-answer.ts";

const POLL_MS = 10_000;
const MOST_REQUESTS = 6;

export function Errors() {
  const { answer, error, again } = useAnswer("listRequests", { query: { outcome: "failed" } }, { everyMs: POLL_MS });
  return (
    <Card id="failures" title="Refused or failed in the last hour">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>None.</p>}
      {answer !== undefined && <Refusals requests={answer} />}
      <p>
        <Link to={{ ...allRequests, failedOnly: true }}>All refused or failed requests</Link>
      </p>
    </Card>
  );
}

export function LatestRequests() {
  const query = { limit: MOST_REQUESTS };
  const { answer, error, again } = useAnswer("listRequests", { query }, { everyMs: POLL_MS });
  return (
    <Card id="latest-requests" title="Latest requests">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>None in the last hour. Requests of your programs appear here.</p>}
      {answer?.length !== 0 && error === undefined && (
        <Table
          label="Latest requests"
          class="requests-table"
          columns={requestColumns}
          rows={answer}
          keyOf={({ requestId }) => requestId}
          to={({ requestId }) => ({ ...allRequests, requestId })}
        />
      )}
      <p>
        <Link to={allRequests}>All requests</Link>
      </p>
    </Card>
  );
}
