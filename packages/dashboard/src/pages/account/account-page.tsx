// The signed-in user's own password, second factor and sessions.

import { useState } from "preact/hooks";
import { ask } from "../../client/client.ts";
import { Card, Fact, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { PresentPassword } from "./present-password.tsx";
import { SecondFactor } from "./second-factor.tsx";

export function AccountPage() {
  const { email, role, merchantId } = useSession();
  const [changes, setChanges] = useState(0);
  const changed = () => setChanges((known) => known + 1);
  return (
    <section class="page">
      <PageHead title="Your account" />
      <Card id="account" title="User">
        <dl class="facts">
          <Fact name="Address">{email ?? "none: a development server has no users"}</Fact>
          <Fact name="Role">{role}</Fact>
          <Fact name="Sees">{merchantId ?? "all merchants of the tenant"}</Fact>
        </dl>
      </Card>
      {email !== null && <PasswordForm changed={changed} />}
      {email !== null && <SecondFactor changed={changed} />}
      {email !== null && <Sessions key={changes} />}
    </section>
  );
}

function PasswordForm({ changed }: { readonly changed: () => void }) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [isChanged, setChanged] = useState(false);
  const action = useAction();
  const change = () =>
    action.run(async () => {
      setChanged(false);
      await ask("changePassword", { body: { current, password } });
      changed();
      setCurrent("");
      setPassword("");
      setChanged(true);
    });
  return (
    <Card id="password" title="Password">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          change();
        }}
      >
        <PresentPassword password={current} enter={setCurrent} />
        <label>
          New password, 12 to 128 characters
          <input
            type="password"
            required
            minLength={12}
            autocomplete="new-password"
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" aria-disabled={action.isRunning}>
          Change the password
        </button>
      </form>
      <p role="status">{isChanged ? "The password was changed, and your other sessions have ended." : ""}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </Card>
  );
}

function Sessions() {
  const { answer, error, again } = useAnswer("listSessions", {});
  const action = useAction();
  const end = () =>
    action.run(async () => {
      await ask("endOtherSessions");
      again();
    });
  return (
    <Card id="sessions" title="Sessions">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <table class="table" aria-labelledby="sessions">
          <thead>
            <tr>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">Session</th>
            </tr>
          </thead>
          <tbody>
            {answer.map(({ createdAt, refreshedAt, isCurrent }) => (
              <tr key={createdAt}>
                <td>
                  <Time at={createdAt} isWhole />
                </td>
                <td>
                  <Time at={refreshedAt} />
                </td>
                <td>{isCurrent ? <State state="THIS_ONE" tone="good" /> : "another browser"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answer !== undefined && answer.length > 1 && (
        <button type="button" aria-disabled={action.isRunning} onClick={end}>
          End the other sessions
        </button>
      )}
      {action.error !== undefined && <Failure error={action.error} />}
    </Card>
  );
}
