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
      <summary>Erase this recipient</summary>
      <p>
        Deletes the recipient's number or address, and the texts of all messages to them. The times and costs of the
        messages are kept, and so are opt-outs, under a digest of the number or address. This cannot be undone.
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
        <button type="submit" class="grave" disabled={typed.trim() !== contact} aria-disabled={action.isRunning}>
          Erase permanently
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}
