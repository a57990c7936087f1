// Sets a password with a link. The secret after the # of the link is read once, and removed from the address.

import { useEffect, useState } from "preact/hooks";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useAction } from "../use-action.ts";

export function PasswordPage() {
  const action = useAction();
  const [link] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState("");
  const [owner, setOwner] = useState<string>();
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  if (owner !== undefined) {
    return (
      <main id="content" class="page sign-in">
        <h1>Your password is set</h1>
        <p role="status">
          It is for <strong>{owner}</strong>. <Link to={allMessages}>Sign in</Link>
        </p>
      </main>
    );
  }
  if (link === "") {
    return (
      <main id="content" class="page sign-in">
        <h1>Set your password</h1>
        <p>Open the complete link that you were given: the part after the # is missing.</p>
      </main>
    );
  }
  return (
    <main id="content" class="page sign-in">
      <h1>Set your password</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.run(async () => setOwner((await ask("setPassword", { body: { link, password } })).email));
        }}
      >
        <label>
          New password
          <input
            type="password"
            name="password"
            autoComplete="new-password"
            aria-describedby="password-rule"
            required
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        <p id="password-rule" class="hint">
          12 characters or more, of any kind.
        </p>
        <button type="submit" aria-disabled={action.isRunning}>
          Set password
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
    </main>
  );
}
