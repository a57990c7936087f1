import type { Views } from "../../api.ts";
import { Time } from "../../elements/time.tsx";
import { ShownOnce } from "../shown-once.tsx";

export interface UserLinkProps {
  readonly linked: Views["LinkedUser"];
  readonly done: () => void;
}

/** Shows the link with which a user sets a password. The admin has to send it to the user. */
export function UserLink({ linked: { user, link, linkExpiresAt }, done }: UserLinkProps) {
  return (
    <ShownOnce texts={{ [`Link for ${user.email}`]: new URL(link, location.origin).href }} done={done}>
      Send this link to the user, who can set a password with it. The link works once, and expires at{" "}
      <Time at={linkExpiresAt} isWhole />. It is not shown again.
    </ShownOnce>
  );
}
