import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useScopeChoice } from "../scope-choice.tsx";
import { useAction } from "../use-action.ts";
import { KeySecret } from "./key-secret.tsx";

export function NewKeyForm({ made }: { readonly made: () => void }) {
  const { scope, field: scopeField } = useScopeChoice();
  const [name, setName] = useState("");
  const [issued, setIssued] = useState<Views["IssuedKey"]>();
  const action = useAction();
  const create = () =>
    action.run(async () => {
      setIssued(undefined);
      const named = name.trim() === "" ? {} : { name: name.trim() };
      setIssued(await ask("createKey", { body: { ...scope, ...named } }));
      made();
    });
  return (
    <details>
      <summary>Create a key</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <label>
          Name
          <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} maxLength={64} />
        </label>
        {scopeField}
        <button type="submit" aria-disabled={action.isRunning}>
          Create
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
      {issued !== undefined && <KeySecret issued={issued} done={() => setIssued(undefined)} />}
    </details>
  );
}
