// The sign-in form. A development server does not show it.

import { useState } from "preact/hooks";
import { signIn } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";

export function SignInPage({ enter }: { readonly enter: () => void }) {
  const action = useAction();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <main id="content" class="page sign-in">
      <h1>Sign in to msgd</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.run(async () => {
            await signIn({ email, password });
            enter();
          });
        }}
      >
        <label>
          Email
          <input
            type="email"
            name="email"
            autoComplete="username"
            required
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        </label>
        <label>
          Password
          <input
            type="password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        <button type="submit" aria-disabled={action.isRunning}>
          Sign in
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
      <p class="hint">
        No account, or lost your password? Ask an admin of your tenant or the operator of this server for a link.
      </p>
    </main>
  );
}
