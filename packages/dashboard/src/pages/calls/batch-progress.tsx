import type { ResponseOf } from "@msgctl/contract";
import { Link } from "../../shell/navigation.tsx";
import { counters } from "./batch.ts";

export interface BatchProgressProps {
  readonly batch: ResponseOf<"getTtsBatchSummary">;
  /** The outcome of the numbers that are listed below. */
  readonly status: string;
}

/** Shows the five counters as parts of a bar, and as links. Each link lists the numbers that its counter counts. */
export function BatchProgress({ batch, status }: BatchProgressProps) {
  const { batchId, totalCalls, pending, scheduled } = batch;
  const ended = totalCalls - pending - scheduled;
  return (
    <>
      <div
        class="progress"
        role="progressbar"
        aria-label="Calls that have ended"
        aria-valuemin={0}
        aria-valuemax={totalCalls}
        aria-valuenow={ended}
        aria-valuetext={`${ended} of ${totalCalls}`}
      >
        {counters.map(([outcome, counter]) => (
          <span key={outcome} data-outcome={outcome} style={{ flexGrow: batch[counter] }} />
        ))}
      </div>
      <nav class="tabs" aria-label="Which numbers">
        <Link to={{ page: "batch", batchId, status: "" }} isCurrent={status === ""}>
          All {totalCalls.toLocaleString()}
        </Link>
        {counters.map(([outcome, counter]) => (
          <Link key={outcome} to={{ page: "batch", batchId, status: outcome }} isCurrent={status === outcome}>
            <span class="key" data-outcome={outcome} /> {counter} {batch[counter].toLocaleString()}
          </Link>
        ))}
      </nav>
    </>
  );
}
