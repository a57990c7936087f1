import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { ConfirmedButton } from "../confirmed-button.tsx";

export interface PolicyProps {
  readonly policy: Views["SecondFactorPolicy"];
  readonly changed: () => void;
}

/** Shows whether the tenant requires a second factor, and changes it. */
export function Policy({ policy, changed }: PolicyProps) {
  const set = (secondFactor: Views["SecondFactorPolicy"]) => async () => {
    await ask("setSecondFactorPolicy", { body: { secondFactor } });
    changed();
  };
  return (
    <section class="reply policy" aria-label="Second factor">
      {policy === "required" ? (
        <>
          <p role="status">A second factor is required: users without one can only set one up.</p>
          <ConfirmedButton
            key="optional"
            words="Make it optional"
            yes="Yes, make it optional"
            no="Keep it required"
            run={set("optional")}
          />
        </>
      ) : (
        <>
          <p role="status">A second factor is optional.</p>
          <ConfirmedButton
            key="required"
            words="Require it of all users"
            yes="Yes, require it"
            no="Keep it optional"
            run={set("required")}
          />
        </>
      )}
    </section>
  );
}
