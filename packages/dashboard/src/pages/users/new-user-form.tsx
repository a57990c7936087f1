import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useScopeChoice } from "../scope-choice.tsx";
import { useAction } from "../use-action.ts";
import { RoleField } from "./role-field.tsx";
import { UserLink } from "./user-link.tsx";

export function NewUserForm({ added }: { readonly added: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Views["TenantRole"]>("viewer");
  const { scope, field: scopeField } = useScopeChoice();
  const [linked, setLinked] = useState<Views["LinkedUser"]>();
  const action = useAction();
  const add = () =>
    action.run(async () => {
      setLinked(undefined);
      setLinked(await ask("createUser", { body: { email: email.trim(), role, ...scope } }));
      // clear the field, unless the admin has begun to type the next address
      setEmail((now) => (now === email ? "" : now));
      added();
    });
  return (
    <details>
      <summary>Add a user</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label class="wide">
          Email
          <input
            type="email"
            required
            maxLength={254}
            autocomplete="off"
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        </label>
        <RoleField role={role} choose={setRole} />
        {scopeField}
        <button type="submit" aria-disabled={action.isRunning}>
          Add
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
      {linked !== undefined && <UserLink linked={linked} done={() => setLinked(undefined)} />}
    </details>
  );
}
