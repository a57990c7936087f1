// The quotas of which most is used, each with the day on which it runs out at this month's pace.

import { type Merchant, useMerchants } from "../../client/merchants.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card } from "../../elements/page.tsx";
import { serverTime } from "../../elements/time.tsx";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useSession } from "../../shell/session.ts";
import { type ChannelQuota, findLastDay, type MonthProgress, progressOf, quotaNames, quotasOf } from "./quota.ts";
import { UsageBar } from "./usage-bar.tsx";

/** These numbers change slowly. The names of merchants come from the same request. */
const POLL_MS = 10_000;
/** Those that have used most of their quota come first. */
const MOST_QUOTAS = 8;

export function Quotas() {
  const { merchants: answer, error, again } = useMerchants(POLL_MS);
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
  readonly merchant: Merchant;
  readonly quota: ChannelQuota;
  readonly progress: MonthProgress;
}

function Quota({ merchant: { merchantId }, quota, progress }: QuotaProps) {
  const { channel, limit, used, credits } = quota;
  const lastDay = findLastDay(quota, progress);
  return (
    <tr>
      <td class="named">
        <MerchantLink merchantId={merchantId} />
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
