import type { CarrierKind } from "../kind.ts";
import { completeSmppSettings, findSmppFaults, type SmppSettings, smppSchema, toTextColumns } from "./settings.ts";

/** Texts over SMPP 3.4. */
export const smppKind: CarrierKind<SmppSettings> = {
  name: "smpp",
  title: "a carrier of texts",
  channels: ["SMS"],
  example: {
    ...{ kind: "smpp", host: "smsc.example", port: 2775, systemId: "acme", password: "…" },
    sender: "+12025550199",
  },
  schema: smppSchema,
  secrets: ["password"],
  traits: { handsOver: true, tellsOnlyFailures: false, speaksText: false },
  libraries: { what: "texts over SMPP", packages: ["smpp@^0.5.1"] },
  findFaults: findSmppFaults,
  complete: completeSmppSettings,
  toTextColumns,
  async open(settings, surroundings) {
    const { openSmppCarrier } = await import("./open-smpp-carrier.ts");
    return openSmppCarrier({ ...surroundings, settings });
  },
};
