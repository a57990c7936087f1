import type { CarrierKind } from "../kind.ts";
import { completeHttpSettings, findHttpFaults, type HttpSettings, httpSchema, toTextColumns } from "./settings.ts";

/** Messages over an adapter, which speaks msgd's own protocol. */
export const httpKind: CarrierKind<HttpSettings> = {
  name: "http",
  title: "a provider behind an adapter of your own",
  channels: ["SMS", "EMAIL", "VOICE"],
  example: { kind: "http", url: "https://adapter.acme.example", secret: "whsec_…" },
  schema: httpSchema,
  secrets: ["secret"],
  traits: { handsOver: true, tellsOnlyFailures: false, speaksText: true, namesEventsUrl: true },
  findFaults: findHttpFaults,
  complete: completeHttpSettings,
  toTextColumns,
  findPublicUrl: (_settings, serverUrl) => serverUrl,
  receivesEvents: () => true,
  async open(settings, surroundings) {
    const { openHttpCarrier } = await import("./open-http-carrier.ts");
    return openHttpCarrier(settings, surroundings);
  },
};
