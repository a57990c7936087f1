import type { Views } from "../../api.ts";
import { Time } from "../../elements/time.tsx";
import { ShownOnce } from "../shown-once.tsx";

export interface KeySecretProps {
  readonly issued: Views["IssuedKey"];
  readonly done: () => void;
}

/** A key's secret, which the user has to save for the program that uses the key. */
export function KeySecret({ issued: { key, apiSecret }, done }: KeySecretProps) {
  return (
    <ShownOnce texts={{ "API key": key.apiKey, "API secret": apiSecret }} done={done}>
      Save the secret now: it is not shown again.
      {key.overlapEndsAt !== null && (
        <>
          {" "}
          The previous secret works until <Time at={key.overlapEndsAt} isWhole />.
        </>
      )}
    </ShownOnce>
  );
}
