// Actions on a development server: send, advance the clock, plan failures, add demo data, and reset.

import { PageHead } from "../../elements/page.tsx";
import { useSession } from "../../shell/session.ts";
import { ClockForm } from "./clock-form.tsx";
import { FaultForms } from "./fault-forms.tsx";
import { ResetForm } from "./reset-form.tsx";
import { SeedForm } from "./seed-form.tsx";
import { SendForm } from "./send-form.tsx";

export function SimulatorPage() {
  const { isDevelopment } = useSession();
  return (
    <section class="page">
      <PageHead title="Simulator" />
      {isDevelopment ? (
        <>
          <SendForm />
          <ClockForm />
          <FaultForms />
          <SeedForm />
          <ResetForm />
        </>
      ) : (
        <p class="nothing">The simulator needs a development server: msgd serve --dev.</p>
      )}
    </section>
  );
}
