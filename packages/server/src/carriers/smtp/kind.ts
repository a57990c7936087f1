import type { CarrierKind } from "../kind.ts";
import type { Libraries } from "../libraries.ts";
import { mailEventsSecrets } from "./events/settings.ts";
import { completeSmtpSettings, findSmtpFaults, type SmtpSettings, smtpSchema } from "./settings.ts";

/** Mail over SMTP, to a relay or a submission server. */
export const smtpKind: CarrierKind<SmtpSettings> = {
  name: "smtp",
  title: "a mail server",
  channels: ["EMAIL"],
  example: {
    ...{ kind: "smtp", host: "smtp.acme.example", user: "acme", password: "…" },
    from: "Acme <no-reply@acme.example>",
  },
  schema: smtpSchema,
  secrets: [
    "password",
    "oauth.clientSecret",
    "oauth.refreshToken",
    "dkim.privateKey",
    ...mailEventsSecrets.map((name) => `events.${name}`),
  ],
  traits: { handsOver: true, tellsOnlyFailures: true, speaksText: false },
  libraries: { what: "mail over SMTP", packages: ["nodemailer@^10.6.0", "html-to-text@^10.0.1"] },
  findFaults: findSmtpFaults,
  complete: completeSmtpSettings,
  receivesEvents: ({ events }) => events !== undefined,
  findPublicUrl: ({ publicUrl }, serverUrl) => publicUrl ?? serverUrl,
  async open(settings, surroundings) {
    const { openSmtpCarrier } = await import("./smtp-carrier.ts");
    return openSmtpCarrier(settings, surroundings);
  },
};

/** Libraries of the bounce listener. */
export const bounceLibraries: Libraries = { what: "a listener for bounces", packages: ["postal-mime@^4.0.0"] };
