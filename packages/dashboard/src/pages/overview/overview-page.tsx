// The Overview page: the costs of this month, alerts, outcomes of messages, quotas, and recent failures.

import type { ResponseOf } from "@msgctl/contract";
import { counted } from "../../elements/counted.ts";
import { PageHead } from "../../elements/page.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages, allRequests } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { Refusals } from "../requests/refusals.tsx";
import { useAnswer, useCall } from "../use-answer.ts";
import { Activity } from "./activity.tsx";
import { type ChannelQuota, findLastDay, type MonthProgress, progressOf, quotasOf } from "./quota.ts";

/** The numbers of this page change slowly. */
const LOOK_MS = 10_000;
/** Maximum number of quotas shown. Those with the largest used share come first. */
const MOST_MERCHANTS = 50;
const MOST_ALERTS = 20;

export function OverviewPage() {
  return (
    <section class="page">
      <PageHead title="Overview" />
      <Charges />
      <Alerts />
      <Activity />
      <Quotas />
      <Failures />
    </section>
  );
}

function Charges() {
  const { answer, error, again } = useAnswer("getMonthCosts", {}, { everyMs: LOOK_MS });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return null;
  const { from, to, smsSegments, emails, calls, smsMicros, emailMicros, callMicros } = answer;
  const { callEstimateMicros, hasMoreCalls } = answer;
  return (
    <p class="charges">
      <strong>{toCents(smsMicros + emailMicros + callMicros)}</strong> from {from} to {to}, so far:{" "}
      {counted(smsSegments, "SMS segment")} {toCents(smsMicros)}, {counted(emails, "email")} {toCents(emailMicros)},{" "}
      {counted(calls, "call")} {toCents(callMicros)}
      {callEstimateMicros > 0 && <>, of which {toCents(callEstimateMicros)} is an estimate</>}
      {hasMoreCalls && <>, not counting older calls</>}
    </p>
  );
}

/** Rounds to the cent. */
function toCents(micros: number): string {
  return `$${(micros / 1e6).toFixed(2)}`;
}

function Alerts() {
  const { answer, error, again } = useCall("listAlerts", {}, { everyMs: LOOK_MS });
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>None.</p>}
      <ul class="list">
        {answer?.slice(0, MOST_ALERTS).map(({ createdAt, merchantId, channel, alertType, severity, message }) => (
          <li key={`${createdAt} ${merchantId} ${channel} ${alertType}`} class="entry">
            <Time at={createdAt} isWhole />{" "}
            <span class="status" data-status={severity === "CRITICAL" ? "FAILED" : "QUEUED"}>
              {severity.toLowerCase()}
            </span>{" "}
            {merchantId}: {toVisible(message)}
          </li>
        ))}
      </ul>
      {answer !== undefined && answer.length > MOST_ALERTS && (
        <p>There are {answer.length - MOST_ALERTS} more alerts.</p>
      )}
    </section>
  );
}

function Quotas() {
  const { answer, error, again } = useCall("listMerchants", {}, { everyMs: LOOK_MS });
  const { now, tenant } = useSession();
  const progress = progressOf(new Date(now), tenant.timezone);
  const quotas = (answer ?? []).flatMap((merchant) => quotasOf(merchant).map((quota) => ({ merchant, quota })));
  quotas.sort((one, other) => other.quota.share - one.quota.share);
  return (
    <section aria-labelledby="quotas">
      <h2 id="quotas">This month's quotas</h2>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && quotas.length === 0 && <p>No merchant has a quota.</p>}
      <ul class="list quotas">
        {quotas.slice(0, MOST_MERCHANTS).map(({ merchant, quota }) => (
          <li key={`${merchant.merchantId} ${quota.channel}`} class="entry">
            <Quota merchant={merchant} quota={quota} progress={progress} />
          </li>
        ))}
      </ul>
      {quotas.length > MOST_MERCHANTS && <p>{quotas.length - MOST_MERCHANTS} other quotas have been used less.</p>}
    </section>
  );
}

interface QuotaProps {
  readonly merchant: ResponseOf<"listMerchants">[number];
  readonly quota: ChannelQuota;
  readonly progress: MonthProgress;
}

function Quota({ merchant: { merchantId, displayName }, quota, progress }: QuotaProps) {
  const { channel, unit, limit, used, credits, share } = quota;
  const lastDay = findLastDay(quota, progress);
  return (
    <>
      <Link to={{ ...allMessages, query: `merchant:${merchantId} channel:${channel.toLowerCase()}` }}>
        {toVisible(displayName)}
      </Link>{" "}
      {channel}{" "}
      <meter min={0} max={1} high={0.8} value={share} aria-label={`${toVisible(displayName)}, ${channel}, used`} />{" "}
      {used.toLocaleString()} of {limit.toLocaleString()} {unit}
      {credits > 0 && ` and ${credits.toLocaleString()} credits`}
      {used >= limit + credits ? (
        <strong class="runs-out"> used up</strong>
      ) : (
        lastDay !== undefined && <strong class="runs-out"> runs out on day {lastDay} at this pace</strong>
      )}
    </>
  );
}

function Failures() {
  const { answer, error, again } = useAnswer("listRequests", { query: { outcome: "failed" } }, { everyMs: LOOK_MS });
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Refused or failed in the last hour</h2>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>None.</p>}
      {answer !== undefined && <Refusals requests={answer} />}
      <p>
        <Link to={{ ...allRequests, failedOnly: true }}>All refused or failed requests</Link>
      </p>
    </section>
  );
}
