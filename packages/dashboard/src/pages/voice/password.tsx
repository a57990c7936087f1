import { useState } from "preact/hooks";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";
import { readPassword, type SipUser } from "./provisioning.ts";

/** Shows the SIP password of a user on request. Loads it when it is shown, and forgets it when it is hidden. */
export function Password({ user: { userId, sipUsername, hasPassword } }: { readonly user: SipUser }) {
  const action = useAction();
  const [password, setPassword] = useState<string>();
  if (!hasPassword) return <>none</>;
  const show = () => action.run(async () => setPassword(await readPassword(userId)));
  const verb = password === undefined ? "Show" : "Hide";
  return (
    <>
      {password !== undefined && <code>{toVisible(password)}</code>}{" "}
      {/* one button for both: if one replaced the other, the focus would be lost */}
      <button
        type="button"
        aria-label={`${verb} the password of ${toVisible(sipUsername)}`}
        aria-disabled={action.isRunning}
        onClick={password === undefined ? show : () => setPassword(undefined)}
      >
        {verb}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
