// The settings of a carrier, a JSON document of one of three kinds, and the health of a provider.

import { createHash } from "node:crypto";
import type { Channel } from "../contacts.ts";

/** Rates of a carrier for all instances together, 1 to 100 000 a second. @default as fast as it takes messages */
export interface CarrierRates {
  readonly perSecond?: number;
  /** Rate of each tenant, if it carries for several. */
  readonly perSecondOfTenant?: number;
}

/** Mail by SMTP, to a relay or a submission server. */
export interface SmtpSettings extends CarrierRates {
  readonly kind: "smtp";
  readonly host: string;
  readonly port: number;
  /** `starttls`: nothing but the wish to encrypt goes over an open connection. */
  readonly tls: "none" | "starttls" | "tls";
  /** Certificates in PEM, one of which has to have signed the server's. @default those of Node.js */
  readonly ca?: string;
  readonly user?: string;
  readonly password?: string;
  /** An address, with a name or without: `Acme <no-reply@acme.example>`. */
  readonly from: string;
  readonly replyTo?: string;
  /** Where bounces are to go: mail to it, and to any tag of it, has to reach `--bounces`. @default the address of `from` */
  readonly returnPath?: string;
  /**
   * Where links in its mails lead to this server, under a tenant's own name.
   * @default the server's public URL; mails for MARKETING have no link to unsubscribe without either
   */
  readonly publicUrl?: string;
  readonly dkim?: DkimSettings;
  /** Connections at once, 1 to 100. */
  readonly connections: number;
}

export interface DkimSettings {
  readonly domain: string;
  readonly selector: string;
  /** RSA, in PEM. */
  readonly privateKey: string;
}

/** Texts by SMPP 3.4. */
export interface SmppSettings extends CarrierRates {
  readonly kind: "smpp";
  readonly host: string;
  readonly port: number;
  readonly tls: "none" | "tls";
  /** See `SmtpSettings.ca`. */
  readonly ca?: string;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** An E.164 number, a short code, or up to 11 letters and digits. */
  readonly sender: string;
  /** Whether texts of a merchant leave from its own newest number that is active, assigned and SMS-capable. */
  readonly merchantNumbers: boolean;
  /** Sessions at once, 1 to 10. */
  readonly binds: number;
  /** Submissions without a response, of each session, 1 to 1 000. */
  readonly window: number;
  /** How a text of several parts is sent: with user data headers, with SAR parameters, or whole in `message_payload`. */
  readonly longTexts: "udh" | "sar" | "payload";
  /** How receipts write the id that a response had: some carriers answer in one base and report in the other. */
  readonly receiptIds: "same" | "hex-as-decimal" | "decimal-as-hex";
}

/** Calls by FreeSWITCH, over its event socket. All folders are on its machine, and shared with this one. */
export interface FreeSwitchSettings extends CarrierRates {
  readonly kind: "freeswitch";
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** The name of the SIP gateway that calls leave by. */
  readonly gateway: string;
  /** The number that is shown to who is called, in E.164. */
  readonly callerId: string;
  readonly callerName?: string;
  /** Calls at once, 1 to 1 000. */
  readonly calls: number;
  /** Where it finds the speech of `--speech-folder`. @default the same path */
  readonly speechFolder?: string;
  /** Where it puts recordings, `<message id>.wav`. @default its own folder of recordings */
  readonly recordingFolder?: string;
  /** Where it puts its call records (mod_json_cdr), on this machine: they tell how calls ended that nobody listened to. */
  readonly callRecordFolder?: string;
  /** Whether the phones that register with it decide who is present. */
  readonly presence: boolean;
}

export type CarrierSettings = SmtpSettings | SmppSettings | FreeSwitchSettings;

export type CarrierKind = CarrierSettings["kind"];

/** The kind of a carrier that sends nothing, and was chosen by its name. */
export const SIMULATED = "simulated";

/** The channels that can be given a carrier, and its kind. */
export const carrierKinds = { EMAIL: "smtp", SMS: "smpp", VOICE: "freeswitch" } as const satisfies Partial<
  Record<Channel, CarrierKind>
>;

export type CarriedChannel = keyof typeof carrierKinds;

const defaults = {
  smtp: { tls: "starttls", connections: 8 },
  smpp: {
    tls: "none",
    systemType: "",
    merchantNumbers: true,
    binds: 1,
    window: 10,
    longTexts: "udh",
    receiptIds: "same",
  },
  freeswitch: { port: 8021, calls: 10, presence: false },
} as const;

/** Default ports of mail. */
const ports = { none: 25, starttls: 587, tls: 465 } as const;

/** The settings of a document without faults, with a default for each that it leaves out. */
export function completeSettings(document: object): CarrierSettings {
  const { kind, tls = "starttls" } = document as SmtpSettings;
  const port = kind === "smtp" ? { port: ports[tls] } : {};
  return { ...defaults[kind], ...port, ...document } as CarrierSettings;
}

const secret = "set";

/** Whether a file with the settings has to be kept from others. */
export function holdsSecret(settings: object): boolean {
  return "password" in settings || "dkim" in settings;
}

/** The settings for people to look at: of a secret only that it is set. */
export function withoutSecrets(settings: CarrierSettings): object {
  const shown: Record<string, unknown> = { ...settings };
  if ("password" in settings) shown.password = secret;
  if ("dkim" in settings) shown.dkim = { ...settings.dkim, privateKey: secret };
  return shown;
}

const DIGEST_DIGITS = 24;

/**
 * A digest of the account by which texts go to a carrier. The carrier may report a text on any connection of the account, and
 * its ids are unique within it.
 */
function digestAccount({ host, port, systemId }: Pick<SmppSettings, "host" | "port" | "systemId">): string {
  const account = JSON.stringify([host.toLowerCase().replace(/\.$/, ""), port, systemId]);
  return `account ${createHash("sha256").update(account).digest("hex").slice(0, DIGEST_DIGITS)}`;
}

/** The columns of a carrier of texts that are read without its sealed settings. */
export function textColumnsOf(settings: SmppSettings) {
  const { sender, merchantNumbers } = settings;
  return { sender, merchantNumbers: merchantNumbers ? 1 : 0, account: digestAccount(settings) } as const;
}

/** Last answers of a provider that are judged. */
const WINDOW = 20;
const FAILURES_IN_A_ROW = 5;
const FAILURES_IN_WINDOW = 4;

/**
 * Describes a provider that fails, or undefined: 5 failures in a row, or 4 of the last 20. `recent` are its last answers,
 * oldest first: `1` for a failure of its own, `0` for any other.
 */
export function describeFailing(recent: string): string | undefined {
  if (recent.endsWith("1".repeat(FAILURES_IN_A_ROW))) return `failed ${FAILURES_IN_A_ROW} times in a row`;
  const failures = countFailures(recent);
  const isFailing = recent.length >= WINDOW && failures >= FAILURES_IN_WINDOW;
  return isFailing ? `failed ${failures} of the last ${WINDOW} times` : undefined;
}

/** Whether a provider that was failing works again: few failures are left among the last answers. */
export function hasRecovered(recent: string): boolean {
  return countFailures(recent) < FAILURES_IN_WINDOW;
}

function countFailures(recent: string): number {
  return recent.replaceAll("0", "").length;
}

/** The answers to remember once another has come, or `count` of them that are alike. */
export function addAnswer(recent: string, hasFailed: boolean, count = 1): string {
  return (recent + (hasFailed ? "1" : "0").repeat(Math.min(count, WINDOW))).slice(-WINDOW);
}
