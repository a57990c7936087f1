import { useState } from "preact/hooks";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";
import { toVisible } from "../visible-text.ts";
import { readPassword, type SipUser } from "./provisioning.ts";

/** What a phone of a user signs in with: read when it is asked for, and forgotten when it is hidden. */
export function Password({ user: { userId, sipUsername, hasPassword } }: { readonly user: SipUser }) {
  const action = useAction();
  const [password, setPassword] = useState<string>();
  if (!hasPassword) return <>none</>;
  const show = () => action.run(async () => setPassword(await readPassword(userId)));
  const name = toVisible(sipUsername);
  return (
    <>
      {password === undefined ? (
        <button type="button" aria-label={`Show the password of ${name}`} disabled={action.isRunning} onClick={show}>
          Show
        </button>
      ) : (
        <>
          <code>{toVisible(password)}</code>{" "}
          <button type="button" aria-label={`Hide the password of ${name}`} onClick={() => setPassword(undefined)}>
            Hide
          </button>
        </>
      )}
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
