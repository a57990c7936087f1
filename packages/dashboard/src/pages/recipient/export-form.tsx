// Exports a recipient's data on their request.

import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../elements/counted.ts";
import { download } from "../../elements/download.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";
import { exportRecipient, toJsonParts } from "./exported-recipient.ts";

export function ExportForm({ contact }: { readonly contact: string }) {
  const action = useAction();
  const [said, setSaid] = useState("");
  const left = useRef<AbortController>();
  useEffect(() => () => left.current?.abort(), []);
  const begin = () =>
    action.run(async () => {
      left.current = new AbortController();
      const { signal } = left.current;
      const found = await exportRecipient(contact, {
        signal,
        told: (count) => setSaid(`${counted(count, "message")} …`),
      });
      const obstacle = describeObstacle(found);
      if (obstacle === undefined) {
        download(`${contact}.json`, toJsonParts(found, new Date().toISOString()), "application/json");
      }
      setSaid(obstacle ?? `Downloaded, with ${counted(found.messages.length, "message")}.`);
    });
  return (
    <details>
      <summary>Export this recipient's data</summary>
      <p>A JSON file with all of their decisions and every message to them, to answer a request for their data.</p>
      <p>
        <button type="button" aria-disabled={action.isRunning} onClick={begin}>
          Download
        </button>{" "}
        <span role="status">{action.error === undefined && said}</span>
      </p>
      {action.error !== undefined && <Failure error={action.error} again={begin} />}
    </details>
  );
}

/** Returns why the file would be incomplete; undefined if it would be complete. */
function describeObstacle({ isWhole, isComplete }: { isWhole: boolean; isComplete: boolean }): string | undefined {
  if (!isWhole)
    return "There is more data than a page can hold. On the server, msgd recipients export prints all of it.";
  return isComplete ? undefined : "The server is still indexing older messages: try again later.";
}
