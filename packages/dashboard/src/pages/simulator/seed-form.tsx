import { seed } from "../../client/control.ts";
import { ConfirmedAction } from "./confirmed-action.tsx";

/** Gives the demo tenant its initial data. */
export function SeedForm() {
  return (
    <ConfirmedAction
      id="seed"
      title="Demo data"
      words="Add the demo data"
      yes="Yes, add it"
      no="Leave it as it is"
      done="The demo tenant has its merchants and consents."
      act={seed}
    >
      Gives the demo tenant its first merchants with their limits and credits, and its first consents: what was changed
      of them since is as it was. All else stays. Data of your own is for <code>POST /control/seed</code>.
    </ConfirmedAction>
  );
}
