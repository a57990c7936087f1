// The overview: what a reader of the role came for, first.

import { type ComponentChildren, Fragment } from "preact";
import { PageHead } from "../../elements/page.tsx";
import { nameZone, serverTime } from "../../elements/time.tsx";
import { useSession } from "../../shell/session.ts";
import { Alerts } from "../alerts/alerts.tsx";
import { ReceiverSuccess } from "../callbacks/receivers.tsx";
import { Activity } from "./activity.tsx";
import { Costs } from "./costs.tsx";
import { Errors, LatestRequests } from "./developers.tsx";
import { FailedMessages, WaitingMessages } from "./found-messages.tsx";
import { Quotas } from "./quotas.tsx";
import { listRows, type Section } from "./sections.ts";

const sections: Readonly<Record<Section, () => ComponentChildren>> = {
  costs: () => <Costs />,
  quotas: () => <Quotas />,
  activity: () => <Activity />,
  alerts: () => <Alerts />,
  errors: () => <Errors />,
  requests: () => <LatestRequests />,
  receivers: () => <ReceiverSuccess />,
  failed: () => <FailedMessages />,
  waiting: () => <WaitingMessages />,
};

export function OverviewPage() {
  const session = useSession();
  const { timezone } = session.tenant;
  const month = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: timezone });
  return (
    <section class="page">
      <PageHead
        title="Overview"
        beside={
          <span class="quiet">
            {month.format(serverTime())}, {nameZone(timezone)}
          </span>
        }
      />
      {listRows(session).map((row) => (
        <div key={row.flat().join(" ")} class={row.length === 1 ? "column" : "columns"}>
          {row.map((column) => (
            <div key={column.join(" ")}>
              {column.map((name) => (
                <Fragment key={name}>{sections[name]()}</Fragment>
              ))}
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}
