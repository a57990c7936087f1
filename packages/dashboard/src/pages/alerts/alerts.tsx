// Open alerts, each with a button that acknowledges it, and all alerts on request.

import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { describeCount } from "../../elements/counted.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, Empty, Skeleton } from "../../elements/page.tsx";
import { State, type Tone } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { isAgent, useSession } from "../../shell/session.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer, useCall } from "../use-answer.ts";
import { useKeptFocus } from "./use-kept-focus.ts";

type Alert = Views["OpenAlert"];

const POLL_MS = 10_000;
const tones: Readonly<Record<string, Tone>> = { CRITICAL: "bad", WARNING: "open", INFO: "plain" };

export interface AlertsProps {
  /** Only the alerts of this merchant. @default all that the user may see */
  readonly merchantId?: string;
}

export function Alerts({ merchantId }: AlertsProps) {
  const query = merchantId === undefined ? {} : { merchantId };
  const { answer, error, again } = useAnswer("listOpenAlerts", { query }, { everyMs: POLL_MS });
  const session = useSession();
  const list = useKeptFocus<HTMLUListElement>("alerts", answer);
  const [said, say] = useState("");
  const action = useAction();
  const acknowledge = ({ alertId, message }: Alert) =>
    action.run(async () => {
      say("");
      const { acknowledgedBy } = await ask("acknowledgeAlert", { path: { alertId } });
      const isOwn = acknowledgedBy === session.email;
      say(isOwn ? `Acknowledged: ${message}` : `${acknowledgedBy} has acknowledged it already: ${message}`);
      again();
    });
  return (
    <Card id="alerts" title="Open alerts" class="alerts">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer?.alerts.length === 0 && <p>None.</p>}
      <ul class="list" ref={list}>
        {answer?.alerts.map((alert) => (
          <li key={alert.alertId} class="entry">
            <AlertWords alert={alert} isOfMerchant={merchantId !== undefined} />
            {isAgent(session) && (
              <button type="button" aria-disabled={action.isRunning} onClick={() => acknowledge(alert)}>
                Acknowledge<span class="visually-hidden">: {toVisible(alert.message)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {answer !== undefined && answer.more.count > 0 && (
        <p class="quiet">and {describeCount(answer.more)} older ones</p>
      )}
      <p role="status">{toVisible(said)}</p>
      {action.error !== undefined && <Failure error={action.error} />}
      <All merchantId={merchantId} />
    </Card>
  );
}

interface AlertWordsProps {
  readonly alert: Omit<Alert, "alertId" | "channel" | "severity"> & { readonly severity: string };
  /** Whether all alerts are of one merchant, which is then not named. */
  readonly isOfMerchant: boolean;
}

function AlertWords({ alert: { severity, merchantId, message, createdAt }, isOfMerchant }: AlertWordsProps) {
  return (
    <div>
      <State state={severity} tone={tones[severity] ?? "plain"} />{" "}
      {!isOfMerchant && <MerchantLink merchantId={merchantId} />}
      <br />
      {toVisible(message)}{" "}
      <span class="quiet">
        <Time at={createdAt} />
      </span>
    </div>
  );
}

/** All alerts, which are loaded when a reader asks for them. */
function All({ merchantId }: { readonly merchantId: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>All alerts</summary>
      {isOpen && <AllLoaded merchantId={merchantId} />}
    </details>
  );
}

function AllLoaded({ merchantId }: { readonly merchantId: string | undefined }) {
  const query = merchantId === undefined ? {} : { merchantId };
  const { answer, error, again } = useCall("listAlerts", { query });
  const { shown, more } = useBoundedRows(answer ?? []);
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return <Skeleton />;
  if (answer.length === 0) return <Empty title="No alert was raised yet." />;
  return (
    <>
      <ul class="list" aria-label="All alerts">
        {shown.map((alert) => (
          <li key={`${alert.createdAt} ${alert.merchantId} ${alert.message}`} class="entry">
            <AlertWords alert={alert} isOfMerchant={merchantId !== undefined} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
