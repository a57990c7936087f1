// One merchant: its quotas, its payments, its registration, its alerts and its latest messages.

import { Card, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { serverTime } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allCalls, allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { Alerts } from "../alerts/alerts.tsx";
import { Costs } from "../overview/costs.tsx";
import { findLastDay, progressOf, quotaNames, quotasOf } from "../overview/quota.ts";
import { UsageBar } from "../overview/usage-bar.tsx";
import { LastMessages, useLastMessages } from "../recipient/last-messages.tsx";
import { adviseOn } from "../registration/steps.ts";
import { useCall } from "../use-answer.ts";
import { Payments } from "./payments.tsx";

const POLL_MS = 10_000;

export function MerchantPage({ merchantId }: { readonly merchantId: string }) {
  const { answer, error, again } = useCall("getMerchant", { path: { merchantId } }, { everyMs: POLL_MS });
  const { canSearch, tenant } = useSession();
  const query = `merchant:${merchantId}`;
  const found = useLastMessages(canSearch ? query : undefined);
  const title = toVisible(answer?.displayName ?? merchantId);
  return (
    <section class="page">
      <PageHead
        title={<bdi>{title}</bdi>}
        within={{ to: { page: "merchants" }, name: "Merchants" }}
        beside={answer !== undefined && !answer.active && <State state="INACTIVE" />}
      />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer === undefined && error === undefined && <Skeleton />}
      <Costs merchantId={merchantId} />
      {answer !== undefined && (
        <div class="columns">
          <div>
            <Card id="quotas" title="This month">
              <dl class="facts">
                {quotasOf(answer).map((quota) => {
                  const lastDay = findLastDay(quota, progressOf(serverTime(), tenant.timezone));
                  return (
                    <Fact key={quota.channel} name={quotaNames[quota.channel]}>
                      <UsageBar quota={quota} /> {quota.unit}
                      {lastDay !== undefined && <strong class="runs-out"> runs out on day {lastDay}</strong>}
                    </Fact>
                  );
                })}
              </dl>
            </Card>
            <Payments merchantId={merchantId} />
            {canSearch && <LastMessages query={query} found={found} without="Merchant" />}
          </div>
          <div>
            <Card id="details" title="Details">
              <dl class="facts">
                <Fact name="Id">
                  <code>{merchantId}</code>
                </Fact>
                <Fact name="Messages">
                  <Link to={{ ...allMessages, query }}>All messages</Link>
                </Fact>
                <Fact name="Calls">
                  <Link to={{ ...allCalls, merchantId }}>All calls</Link>
                </Fact>
              </dl>
            </Card>
            <Registration merchantId={merchantId} />
            <Alerts merchantId={merchantId} />
          </div>
        </div>
      )}
    </section>
  );
}

function Registration({ merchantId }: { readonly merchantId: string }) {
  const { answer } = useCall("getRegistrationStatus", { path: { merchantId } });
  if (answer === undefined) return null;
  const advice = adviseOn(answer);
  return (
    <Card id="registration" title="Registration">
      <p>
        <State state={answer.readyToSend ? "READY_TO_SEND" : "NOT_READY"} tone={answer.readyToSend ? "good" : "open"} />
      </p>
      {advice !== undefined && <p>{advice.words}</p>}
      <p>
        <Link to={{ page: "registration", merchantId }}>Brand, campaign and number</Link>
      </p>
    </Card>
  );
}
