// The receivers of callbacks: how many callbacks each accepted, whether it is paused, and a form that sends failed ones again.

import { useState } from "preact/hooks";
import type { BodyOf, Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { counted } from "../../elements/counted.ts";
import { Card } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { serverTime, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { isAgent, useSession } from "../../shell/session.ts";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { describeOutcome, isSuccess } from "./describe-outcome.ts";

type Receiver = Views["ReceiverView"];

const POLL_MS = 30_000;
/** The most receivers that the overview shows. */
const MOST_SHOWN = 5;
const HOUR_MS = 60 * 60_000;
const spans = [
  ["the last hour", HOUR_MS],
  ["the last 24 hours", 24 * HOUR_MS],
  ["the last 7 days", 7 * 24 * HOUR_MS],
] as const;

export function Receivers() {
  const { answer, error, again } = useAnswer("listReceivers", {}, { everyMs: POLL_MS });
  const session = useSession();
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined || answer.length === 0) return null;
  return (
    <Card id="receivers" title="Receivers of the last 7 days">
      <ReceiverTable receivers={answer} isWhole />
      {isAgent(session) && <ResendForm receivers={answer.filter(({ failed }) => failed > 0)} sent={again} />}
    </Card>
  );
}

/** The receivers with most callbacks, and the share that each accepted. */
export function ReceiverSuccess() {
  const { answer, error, again } = useAnswer("listReceivers", {}, { everyMs: POLL_MS });
  return (
    <Card id="receivers" title="Webhooks of the last 7 days">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>None. Callbacks to your receivers appear here.</p>}
      {answer !== undefined && answer.length > 0 && <ReceiverTable receivers={answer.slice(0, MOST_SHOWN)} />}
      <p>
        <Link to={{ page: "callbacks", status: "", before: "" }}>All webhooks</Link>
      </p>
    </Card>
  );
}

interface ReceiverTableProps {
  readonly receivers: readonly Receiver[];
  /** Whether to show the numbers of callbacks, too. */
  readonly isWhole?: boolean;
}

function ReceiverTable({ receivers, isWhole = false }: ReceiverTableProps) {
  return (
    <table class="table" aria-labelledby="receivers">
      <thead>
        <tr>
          <th scope="col">Receiver</th>
          <th scope="col">State</th>
          <th scope="col">Accepted</th>
          {isWhole && (
            <>
              <th scope="col">Last answers</th>
              <th scope="col" class="aside">
                Failed
              </th>
              <th scope="col" class="aside">
                Pending
              </th>
              <th scope="col" class="aside">
                Last change
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {receivers.map((receiver) => (
          <tr key={receiver.receiver}>
            <td class="named">{toVisible(receiver.receiver)}</td>
            <td>
              <ReceiverState receiver={receiver} />
            </td>
            <td>{describeSuccess(receiver)}</td>
            {isWhole && (
              <>
                <td class="named">
                  <Answers answers={receiver.answers} />
                </td>
                <td class="aside">{receiver.failed.toLocaleString()}</td>
                <td class="aside">{receiver.pending.toLocaleString()}</td>
                <td class="aside">
                  <Time at={receiver.lastAt} />
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ReceiverState({ receiver: { rests, triedAt, answers } }: { readonly receiver: Receiver }) {
  const [last] = answers;
  if (rests === 0 && last !== undefined && !isSuccess(last.outcome)) {
    return <State state="FAILING" tone="bad" reason={toVisible(describeOutcome(last.outcome))} />;
  }
  if (rests === 0) return <State state="ANSWERS" tone="good" />;
  return (
    <>
      <State state="SILENT" tone="bad" />
      {triedAt !== null && (
        <>
          {" "}
          next attempt <Time at={triedAt} />
        </>
      )}
    </>
  );
}

/** How often the receiver gave which answer, the latest first. */
function Answers({ answers }: Pick<Receiver, "answers">) {
  return (
    <>
      {answers.map(({ outcome, count }, index) => (
        <span key={outcome} title={describeOutcome(outcome)}>
          {index > 0 && ", "}
          {toVisible(outcome)} × {count.toLocaleString()}
        </span>
      ))}
    </>
  );
}

/** The share of finished callbacks that the receiver accepted. */
function describeSuccess({ delivered, failed }: Receiver): string {
  const finished = delivered + failed;
  if (finished === 0) return "none yet";
  // round down, so that 100 % means all
  const percent = Math.floor((1_000 * delivered) / finished) / 10;
  return `${percent} % of ${finished.toLocaleString()}`;
}

interface ResendFormProps {
  readonly receivers: readonly Receiver[];
  readonly sent: () => void;
}

function ResendForm({ receivers, sent }: ResendFormProps) {
  const [chosen, choose] = useState("");
  const [spanMs, setSpanMs] = useState<number>(HOUR_MS);
  const [result, setResult] = useState("");
  const action = useAction();
  const receiver = chosen || receivers[0]?.receiver;
  if (receiver === undefined) return null;
  const resend = () =>
    action.run(async () => {
      setResult("");
      const since = new Date(serverTime().getTime() - spanMs).toISOString();
      let resent = 0;
      for (let next: string | null | undefined; next !== null; ) {
        const body: BodyOf<"resendCallbacks"> = { receiver, since, ...(next === undefined ? {} : { before: next }) };
        const answer = await ask("resendCallbacks", { body });
        resent += answer.resent;
        next = answer.next;
      }
      setResult(`${counted(resent, "callback")} sent again.`);
      sent();
    });
  return (
    <div class="fields">
      <label>
        Send failed callbacks again to
        <select value={receiver} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {receivers.map(({ receiver: name }) => (
            <option key={name} value={name}>
              {toVisible(name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        that failed in
        <select value={spanMs} onChange={({ currentTarget }) => setSpanMs(Number(currentTarget.value))}>
          {spans.map(([name, ms]) => (
            <option key={name} value={ms}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" aria-disabled={action.isRunning} onClick={resend}>
        Send again
      </button>
      <p role="status">{result}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </div>
  );
}
