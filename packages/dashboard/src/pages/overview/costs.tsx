// The costs of the month so far, by channel.

import { counted } from "../../elements/counted.ts";
import { Card } from "../../elements/page.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useAnswer } from "../use-answer.ts";

/** These numbers change slowly. */
const POLL_MS = 10_000;

export interface CostsProps {
  /** Only the costs of this merchant. @default all that the user may see */
  readonly merchantId?: string;
}

export function Costs({ merchantId }: CostsProps) {
  const query = merchantId === undefined ? {} : { merchantId };
  const { answer, error, again } = useAnswer("getMonthCosts", { query }, { everyMs: POLL_MS });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return <div class="cards" />;
  const { smsSegments, emails, calls, smsMicros, emailMicros, callMicros, callEstimateMicros, hasMoreCalls } = answer;
  return (
    <div class="cards">
      <Card id="cost" title="Cost so far">
        <p class="figure">{toCents(smsMicros + emailMicros + callMicros)}</p>
        <p class="quiet">
          {callEstimateMicros > 0 && <>{toCents(callEstimateMicros)} of it is an estimate</>}
          {hasMoreCalls && <>, not counting older calls</>}
        </p>
      </Card>
      <Card id="cost-sms" title="SMS">
        <p class="figure">{toCents(smsMicros)}</p>
        <p class="quiet">{counted(smsSegments, "segment")}</p>
      </Card>
      <Card id="cost-calls" title="Calls">
        <p class="figure">{toCents(callMicros)}</p>
        <p class="quiet">{counted(calls, "call")}</p>
      </Card>
      <Card id="cost-emails" title="Emails">
        <p class="figure">{toCents(emailMicros)}</p>
        <p class="quiet">{counted(emails, "email")}</p>
      </Card>
    </div>
  );
}

/** Rounds to the cent. */
function toCents(micros: number): string {
  return `$${(micros / 1e6).toFixed(2)}`;
}
