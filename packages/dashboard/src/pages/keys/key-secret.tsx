import type { Views } from "../../api.ts";
import { ShownOnce } from "../shown-once.tsx";
import { Time } from "../time.tsx";

export interface KeySecretProps {
  readonly issued: Views["IssuedKey"];
  readonly done: () => void;
}

/** A key's secret, to be kept by the person who runs the program. */
export function KeySecret({ issued: { key, apiSecret }, done }: KeySecretProps) {
  return (
    <ShownOnce texts={{ "API key": key.apiKey, "API secret": apiSecret }} done={done}>
      Keep the secret now: it is not shown again.
      {key.overlapEndsAt !== null && (
        <>
          {" "}
          The one before it works until <Time at={key.overlapEndsAt} isWhole />.
        </>
      )}
    </ShownOnce>
  );
}
