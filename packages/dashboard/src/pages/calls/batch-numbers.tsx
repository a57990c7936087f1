import type { QueryOf, ResponseOf } from "@msgctl/contract";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useBoundedRows } from "../bounded-rows.tsx";
import { toDollars } from "../dollars.ts";
import { toWords } from "../state.tsx";
import { Time } from "../time.tsx";
import { useCall } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { isBatchOver } from "./batch.ts";
import { idInPath } from "./id-in-path.ts";
import { Outcome } from "./outcome.tsx";

type BatchNumber = ResponseOf<"listTtsBatchNumbers">[number];
type Status = QueryOf<"listTtsBatchNumbers">["status"];

const LOOK_MS = 2_000;
/** A list of ten thousand is asked for every ten seconds. */
const LOOK_MS_A_NUMBER = 1;

export interface BatchNumbersProps {
  readonly batch: ResponseOf<"getTtsBatchSummary">;
  /** An outcome, or empty for all. */
  readonly status: string;
}

/** The numbers of a batch, asked for again while it goes on, and once more when it is over. */
export function BatchNumbers({ batch, status }: BatchNumbersProps) {
  const { batchId, totalCalls } = batch;
  const query = status === "" ? {} : { status: status as NonNullable<Status> };
  const everyMs = isBatchOver(batch) ? undefined : Math.max(LOOK_MS, totalCalls * LOOK_MS_A_NUMBER);
  const path = { batchId: idInPath(batchId) };
  const { answer, error, again } = useCall("listTtsBatchNumbers", { path, query }, { everyMs });
  const { shown, more } = useBoundedRows(answer ?? []);
  return (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p class="nothing">None of its numbers.</p>}
      {shown.length > 0 && <Numbers numbers={shown} />}
      {more}
    </>
  );
}

function Numbers({ numbers }: { readonly numbers: readonly BatchNumber[] }) {
  return (
    <table class="table">
      <caption>Its numbers</caption>
      <thead>
        <tr>
          <th scope="col">Call to</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="aside">
            Telephone
          </th>
          <th scope="col" class="aside">
            Playback
          </th>
          <th scope="col" class="aside">
            Speech
          </th>
          <th scope="col" class="aside">
            Ended
          </th>
          <th scope="col" class="amount">
            Seconds
          </th>
          <th scope="col" class="amount">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {numbers.map((number) => (
          <tr key={number.requestId}>
            <td class="phone">
              <Link to={{ page: "call", requestId: number.requestId }}>{toVisible(number.toNumber)}</Link>
            </td>
            <td>
              <Outcome finalStatus={number.finalStatus} reason={number.deliveryReason} />
            </td>
            <td class="aside">{toWords(number.callStatus)}</td>
            <td class="aside">{toWords(number.playbackStatus)}</td>
            <td class="aside">{toWords(number.ttsCacheStatus)}</td>
            <td class="aside">{number.completedAt !== null && <Time at={number.completedAt} />}</td>
            <td class="amount">{number.durationSeconds}</td>
            <td class="amount">
              {number.billingState !== "FINALIZED" && <abbr title="estimated">≈ </abbr>}
              {toDollars(number.projectedTotalCost)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
