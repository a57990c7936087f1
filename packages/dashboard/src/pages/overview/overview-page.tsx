// The month so far: its costs, who runs out of quota first, outcomes, alerts and refused requests.

import type { ResponseOf } from "@msgctl/contract";
import { MerchantName } from "../../elements/merchant.tsx";
import { Card, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { nameZone, serverTime, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allRequests } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { Refusals } from "../requests/refusals.tsx";
import { useAnswer, useCall } from "../use-answer.ts";
import { Activity } from "./activity.tsx";
import { Costs } from "./costs.tsx";
import { type ChannelQuota, findLastDay, type MonthProgress, progressOf, quotaNames, quotasOf } from "./quota.ts";
import { UsageBar } from "./usage-bar.tsx";

/** The numbers of this page change slowly. */
const POLL_MS = 10_000;
/** Those that have used most of their quota come first. */
const MOST_QUOTAS = 8;
const MOST_ALERTS = 5;

export function OverviewPage() {
  const { tenant, canSearch } = useSession();
  const month = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: tenant.timezone });
  return (
    <section class="page">
      <PageHead
        title="Overview"
        beside={
          <span class="quiet">
            {month.format(serverTime())}, {nameZone(tenant.timezone)}
          </span>
        }
      />
      <Costs />
      <div class="columns">
        <div>
          {canSearch && <Activity />}
          <Quotas />
        </div>
        <div>
          <Alerts />
          <Failures />
        </div>
      </div>
    </section>
  );
}

function Alerts() {
  const { answer, error, again } = useCall("listAlerts", {}, { everyMs: POLL_MS });
  return (
    <Card id="alerts" title="Alerts">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>None.</p>}
      <ul class="list">
        {answer?.slice(0, MOST_ALERTS).map(({ createdAt, merchantId, channel, alertType, severity, message }) => (
          <li key={`${createdAt} ${merchantId} ${channel} ${alertType}`} class="entry">
            <State state={severity} tone={severity === "CRITICAL" ? "bad" : "open"} />{" "}
            <Link to={{ page: "merchant", merchantId }}>
              <MerchantName merchantId={merchantId} />
            </Link>
            <br />
            {toVisible(message)}{" "}
            <span class="quiet">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {answer !== undefined && answer.length > MOST_ALERTS && (
        <details>
          <summary>{answer.length - MOST_ALERTS} earlier alerts</summary>
          <ul class="list">
            {answer.slice(MOST_ALERTS).map(({ createdAt, merchantId, channel, alertType, message }) => (
              <li key={`${createdAt} ${merchantId} ${channel} ${alertType}`} class="entry">
                <MerchantName merchantId={merchantId} />: {toVisible(message)}{" "}
                <span class="quiet">
                  <Time at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Quotas() {
  const { answer, error, again } = useCall("listMerchants", {}, { everyMs: POLL_MS });
  const { timezone } = useSession().tenant;
  const progress = progressOf(serverTime(), timezone);
  const quotas = (answer ?? []).flatMap((merchant) => quotasOf(merchant).map((quota) => ({ merchant, quota })));
  quotas.sort((one, other) => other.quota.share - one.quota.share);
  return (
    <Card id="quotas" title="Who runs out first">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && quotas.length === 0 && <p>No merchant has a quota.</p>}
      {quotas.length > 0 && (
        <table class="table" aria-labelledby="quotas">
          <thead>
            <tr>
              <th scope="col">Merchant</th>
              <th scope="col">Quota</th>
              <th scope="col">Used</th>
              <th scope="col">Runs out</th>
            </tr>
          </thead>
          <tbody>
            {quotas.slice(0, MOST_QUOTAS).map(({ merchant, quota }) => (
              <Quota
                key={`${merchant.merchantId} ${quota.channel}`}
                merchant={merchant}
                quota={quota}
                progress={progress}
              />
            ))}
          </tbody>
        </table>
      )}
      {quotas.length > MOST_QUOTAS && (
        <p>
          <Link to={{ page: "merchants" }}>All merchants</Link>
        </p>
      )}
    </Card>
  );
}

interface QuotaProps {
  readonly merchant: ResponseOf<"listMerchants">[number];
  readonly quota: ChannelQuota;
  readonly progress: MonthProgress;
}

function Quota({ merchant: { merchantId, displayName }, quota, progress }: QuotaProps) {
  const { channel, limit, used, credits } = quota;
  const lastDay = findLastDay(quota, progress);
  return (
    <tr>
      <td class="named">
        <Link to={{ page: "merchant", merchantId }}>
          <bdi>{toVisible(displayName)}</bdi>
        </Link>
      </td>
      <td>{quotaNames[channel]}</td>
      <td>
        <UsageBar quota={quota} />
      </td>
      <td>
        {used >= limit + credits ? (
          <strong class="runs-out">used up</strong>
        ) : (
          lastDay !== undefined && <strong class="runs-out">on day {lastDay} at this pace</strong>
        )}
      </td>
    </tr>
  );
}

function Failures() {
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
