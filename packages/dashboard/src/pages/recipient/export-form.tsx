// Exports a recipient's data on their request.

import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../../shell/failure.tsx";
import { counted } from "../counted.ts";
import { useAction } from "../use-action.ts";
import { exportRecipient, toJsonParts } from "./exported-recipient.ts";

/** Time for the browser to begin saving a file. */
const KEPT_MS = 60_000;

export function ExportForm({ contact }: { readonly contact: string }) {
  const action = useAction();
  const [said, setSaid] = useState("");
  const left = useRef<AbortController>();
  useEffect(() => () => left.current?.abort(), []);
  const download = () =>
    action.run(async () => {
      left.current = new AbortController();
      const { signal } = left.current;
      const found = await exportRecipient(contact, {
        signal,
        told: (count) => setSaid(`${counted(count, "message")} …`),
      });
      const obstacle = describeObstacle(found);
      if (obstacle === undefined) save(`${contact}.json`, toJsonParts(found, new Date().toISOString()));
      setSaid(obstacle ?? `Downloaded, with ${counted(found.messages.length, "message")}.`);
    });
  return (
    <details>
      <summary>Export what is kept of them</summary>
      <p>A JSON file of all that they decided and of every message to them, for whoever asks what is kept.</p>
      <p>
        <button type="button" aria-disabled={action.isRunning} onClick={download}>
          Download
        </button>{" "}
        <span role="status">{action.error === undefined && said}</span>
      </p>
      {action.error !== undefined && <Failure error={action.error} again={download} />}
    </details>
  );
}

/** Says why the file would be incomplete. */
function describeObstacle({ isWhole, isComplete }: { isWhole: boolean; isComplete: boolean }): string | undefined {
  if (!isWhole) return "There is more than a page can hold: msgd recipients export prints all of it.";
  return isComplete ? undefined : "Older messages are still being read by the server: try again in a while.";
}

function save(name: string, parts: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
