import { useState } from "preact/hooks";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";

/** Shows the secret that signs callbacks on request. Loads it when it is shown, and forgets it when it is hidden. */
export function SigningSecret() {
  const action = useAction();
  const [secret, setSecret] = useState<string>();
  const show = () => action.run(async () => setSecret((await ask("getCallbackSecret")).secret));
  return (
    <>
      {secret !== undefined && <code>{secret}</code>}{" "}
      <button
        type="button"
        aria-label={`${secret === undefined ? "Show" : "Hide"} the signing secret`}
        aria-disabled={action.isRunning}
        onClick={secret === undefined ? show : () => setSecret(undefined)}
      >
        {secret === undefined ? "Show" : "Hide"}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
