// Shown instead of every page to a user who has to set up the second factor that the tenant requires.

import { signOut } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAction } from "../use-action.ts";
import { SecondFactor } from "./second-factor.tsx";

export function SetUpPage({ enter }: { readonly enter: () => void }) {
  const { email, tenant } = useSession();
  const action = useAction();
  return (
    <main id="content" class="page set-up">
      <h1>Set up a second factor</h1>
      <p>
        <bdi>{tenant.name}</bdi> requires a second factor. You are signed in as {email}, and the pages open when you
        have set one up. You need an authenticator app, on your phone or in your password manager.
      </p>
      <SecondFactor changed={enter} />
      <p>
        <button type="button" class="bare" onClick={() => action.run(signOut)}>
          Sign out
        </button>
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
    </main>
  );
}
