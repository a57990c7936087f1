import type { Views } from "../../api.ts";
import { ShownOnce } from "../shown-once.tsx";
import { Time } from "../../elements/time.tsx";

export interface UserLinkProps {
  readonly linked: Views["LinkedUser"];
  readonly done: () => void;
}

/** The link by which a user sets a password, to be sent to them. */
export function UserLink({ linked: { user, link, linkExpiresAt }, done }: UserLinkProps) {
  return (
    <ShownOnce texts={{ [`Link for ${user.email}`]: new URL(link, location.origin).href }} done={done}>
      Send it to the user. It sets their password, works once, and expires at <Time at={linkExpiresAt} isWhole />. It is
      not shown again.
    </ShownOnce>
  );
}
