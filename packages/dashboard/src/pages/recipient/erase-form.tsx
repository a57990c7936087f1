// Erases a recipient on their request.

import { useState } from "preact/hooks";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";

export function EraseForm({ contact, erased }: { readonly contact: string; readonly erased: () => void }) {
  const [typed, setTyped] = useState("");
  const action = useAction();
  const erase = () =>
    action.run(async () => {
      await ask("eraseRecipient", { path: { contact } });
      setTyped("");
      erased();
    });
  return (
    <details>
      <summary>Erase them</summary>
      <p>
        Takes who they are and what was written to them out of everything that is kept here. What was sent when and what
        it cost stays, and what they opted out of, by a digest. It cannot be undone.
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          erase();
        }}
      >
        <label>
          Type the number or address to erase it
          <input value={typed} autocomplete="off" onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        </label>
        <button type="submit" class="danger" disabled={typed.trim() !== contact} aria-disabled={action.isRunning}>
          Erase for good
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}
