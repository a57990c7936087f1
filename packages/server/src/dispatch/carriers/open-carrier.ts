// Opens a carrier of any kind. What it is spoken to with is loaded with the first of its kind.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CarrierSettings } from "../../rules/carrier-settings.ts";
import type { Provider } from "../providers/provider.ts";
import { loadLibraries } from "./carrier-libraries.ts";

export interface CarrierSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Keys the tokens by which bounces and people who unsubscribe name a message. */
  readonly pepper: string;
}

/** Throws `LibraryMissing` if what it needs is not installed. */
export async function openCarrier(
  name: string,
  settings: CarrierSettings,
  surroundings: CarrierSurroundings,
): Promise<Provider> {
  switch (settings.kind) {
    case "smtp": {
      const { openSmtpCarrier } = await loadLibraries("smtp", () => import("../providers/smtp/smtp-carrier.ts"));
      return openSmtpCarrier(name, settings, surroundings);
    }
    case "smpp":
      return loadLibraries("smpp", async () => {
        const { openSmppCarrier } = await import("../providers/smpp/open-smpp-carrier.ts");
        return openSmppCarrier({ name, settings, ...surroundings });
      });
  }
}
