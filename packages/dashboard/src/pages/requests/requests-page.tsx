// The requests of programs and their replies: the page for finding out why a program does not work.

import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { Empty, Fact, PageHead } from "../../elements/page.tsx";
import { Table } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Dialog } from "../../shell/dialog.tsx";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allRequests } from "../../shell/route.ts";
import { ProjectFact } from "../project-fact.tsx";
import { useAnswer } from "../use-answer.ts";
import { requestColumns } from "./columns.tsx";
import { Refusals } from "./refusals.tsx";

type Request = Views["RequestView"];

const LOOK_MS = 1_000;

export interface RequestsPageProps {
  readonly failedOnly: boolean;
  /** The only request shown; empty for all. */
  readonly requestId: string;
}

export function RequestsPage({ failedOnly, requestId }: RequestsPageProps) {
  const query = failedOnly ? { outcome: "failed" as const } : {};
  const { answer, error, again } = useAnswer("listRequests", { query }, { everyMs: LOOK_MS });
  const isOne = requestId !== "";
  const shown = isOne ? answer?.filter((request) => request.requestId === requestId) : answer;
  const [opened, setOpened] = useState<Request>();
  return (
    <section class="page">
      <PageHead
        title={isOne ? "Request" : "Requests"}
        {...(isOne ? { within: { to: allRequests, name: "Requests" } } : {})}
      />
      <nav class="tabs" aria-label="Which requests">
        <Link to={allRequests} isCurrent={!failedOnly && !isOne}>
          All
        </Link>
        <Link to={{ ...allRequests, failedOnly: true }} isCurrent={failedOnly && !isOne}>
          Refused or failed
        </Link>
      </nav>
      {error !== undefined && <Failure error={error} again={again} />}
      {isOne && shown?.length === 0 && <Gone requestId={requestId} />}
      {isOne && shown?.map((request) => <Details key={request.requestId} request={request} />)}
      {!isOne && answer?.length === 0 && (
        <Empty title={failedOnly ? "No request was refused in the last hour." : "No requests in the last hour."}>
          Requests of your programs appear here, with the reason if one is refused.
        </Empty>
      )}
      {!isOne && failedOnly && answer !== undefined && <Refusals requests={answer} />}
      {!isOne && answer?.length !== 0 && (
        <Table
          key={String(failedOnly)}
          label="Requests"
          class="requests-table"
          columns={requestColumns}
          rows={answer}
          keyOf={({ requestId }) => requestId}
          open={setOpened}
        />
      )}
      {opened !== undefined && (
        <Dialog title="Request" close={() => setOpened(undefined)}>
          <Details request={opened} />
        </Dialog>
      )}
    </section>
  );
}

function Gone({ requestId }: { readonly requestId: string }) {
  return (
    <p class="nothing">
      This instance does not have the request <code>{toVisible(requestId)}</code>. An instance keeps the last 1,000
      requests that it answered, for an hour at most. The log of the instance that answered it may have a line with the
      id.
    </p>
  );
}

function Details({ request }: { readonly request: Request }) {
  const { at, method, path, status, requestId, detail, code, faults, merchantId, project, milliseconds } = request;
  return (
    <dl class="facts">
      <Fact name="Request">
        <code>{toVisible(`${method} ${path}`)}</code>
      </Fact>
      <Fact name="Answered">
        {status}, <Time at={at} isWhole />, after {milliseconds} ms
      </Fact>
      {detail !== null && <Fact name="Why">{toVisible(detail)}</Fact>}
      {faults.map((fault) => (
        <Fact key={fault.pointer + fault.code} name={<code>{toVisible(fault.pointer)}</code>}>
          {fault.detail === null ? fault.code : toVisible(fault.detail)}
        </Fact>
      ))}
      {merchantId !== null && <Fact name="Credential of merchant">{toVisible(merchantId)}</Fact>}
      <ProjectFact project={project} />
      <Fact name="Id">
        <code>{toVisible(requestId)}</code>
      </Fact>
      {code !== null && (
        <Fact name="What to do">
          <a href={PROBLEM_PAGES + code}>{code}</a>
        </Fact>
      )}
    </dl>
  );
}
