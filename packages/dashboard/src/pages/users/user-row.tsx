import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { State, type Tone } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { ConfirmedButton } from "../confirmed-button.tsx";
import { Scope } from "../scope-choice.tsx";
import { useAction } from "../use-action.ts";
import { describeRole, RoleField } from "./role-field.tsx";
import { UserLink } from "./user-link.tsx";

type User = Views["UserView"];

const tones: Readonly<Record<User["state"], Tone>> = {
  ACTIVE: "good",
  INVITED: "open",
  LINK_EXPIRED: "bad",
  DISABLED: "bad",
};

export interface UserRowProps {
  readonly user: User;
  readonly changed: () => void;
}

export function UserRow({ user, changed }: UserRowProps) {
  const { email, role, merchantId, state, hasSecondFactor, createdAt, signedInAt } = user;
  const isOneself = useSession().email === email;
  return (
    <li class="managed">
      <strong>
        {toVisible(email)}
        {isOneself && <span class="quiet"> (you)</span>}
      </strong>
      <State state={state} tone={tones[state]} />
      <span>{describeRole(role)}</span>
      <span>
        sees <Scope merchantId={merchantId} />
      </span>
      <span class="quiet">
        {signedInAt === null ? (
          "never signed in"
        ) : (
          <>
            signed in <Time at={signedInAt} isWhole />
          </>
        )}
        {hasSecondFactor ? ", has a second factor" : ", has no second factor"}, added <Time at={createdAt} />
        <Why user={user} />
      </span>
      {!isOneself && <Changes user={user} changed={changed} />}
    </li>
  );
}

/** Why a user cannot sign in, and what to do. */
function Why({ user: { state, linkExpiresAt, disabledAt } }: { readonly user: User }) {
  if (state === "DISABLED" && disabledAt !== null) {
    return (
      <>
        , disabled <Time at={disabledAt} isWhole />
      </>
    );
  }
  if (linkExpiresAt === null || (state !== "INVITED" && state !== "LINK_EXPIRED")) return null;
  return state === "INVITED" ? (
    <>
      , has yet to set a password with the link, which works until <Time at={linkExpiresAt} isWhole />
    </>
  ) : (
    <>
      , the link to set a password expired <Time at={linkExpiresAt} isWhole />: give a new one
    </>
  );
}

function Changes({ user: { userId, email, role, state }, changed }: UserRowProps) {
  const [chosen, choose] = useState(role);
  const [linked, setLinked] = useState<Views["LinkedUser"]>();
  const [done, setDone] = useState("");
  const action = useAction();
  const change = async (work: () => Promise<string>) => {
    setLinked(undefined);
    setDone("");
    setDone(await work());
    changed();
  };
  const path = { userId };
  const reset = async () => {
    setLinked(await ask("resetUser", { path }));
    return "";
  };
  const disable = async () => {
    await ask("disableUser", { path });
    return "The user can no longer sign in.";
  };
  const setRole = async () => {
    await ask("setUserRole", { path, body: { role: chosen } });
    return `The role is ${chosen} now.`;
  };
  return (
    <details>
      <summary>
        Change<span class="visually-hidden"> {toVisible(email)}</span>
      </summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          action.run(() => change(setRole));
        }}
      >
        <RoleField role={chosen} choose={choose} />
        <button type="submit" disabled={chosen === role} aria-disabled={action.isRunning}>
          Give this role
        </button>
      </form>
      <div class="fields">
        <ConfirmedButton
          words={state === "DISABLED" ? "Enable with a new link" : "New link"}
          yes="Yes, end their sessions, password and second factor"
          no="Keep them"
          run={() => change(reset)}
        />
        {state !== "DISABLED" && (
          <ConfirmedButton words="Disable" yes="Yes, disable them" no="Keep them" run={() => change(disable)} />
        )}
      </div>
      <p role="status">{done}</p>
      {action.error !== undefined && <Failure error={action.error} />}
      {linked !== undefined && <UserLink linked={linked} done={() => setLinked(undefined)} />}
    </details>
  );
}
