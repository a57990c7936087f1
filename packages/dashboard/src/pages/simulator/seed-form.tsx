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
      Restores the demo tenant's initial merchants, with their limits and credits, and its initial consents. Other data
      is kept. To add data of your own, use <code>POST /control/seed</code>.
    </ConfirmedAction>
  );
}
