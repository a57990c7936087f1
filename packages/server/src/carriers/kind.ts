// The interface of a carrier kind. Each kind is described in `carriers/<kind>/kind.ts` and listed in `kinds.ts`.
// Everything that msgd does or says differently for a kind is defined there.

import type { TextColumns } from "../domain/carriers/rows.ts";
import type { Channel } from "../domain/contacts.ts";
import type { DocumentFault, DocumentObject } from "../domain/document-checks.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import type { Libraries } from "./libraries.ts";
import type { Provider } from "./provider.ts";
import type { SpeechFiles } from "./speech/engine.ts";

/**
 * Rates of a carrier for all instances together, 1 to 100 000 a second. @default only the carrier's capacity limits the
 * rate
 */
export interface CarrierRates {
  readonly perSecond?: number;
  /** Rate for each tenant, if the carrier serves several. */
  readonly perSecondOfTenant?: number;
}

/** The settings of a carrier: its document, with defaults for omitted fields. */
export interface CarrierSettings extends CarrierRates {
  /** Name of the kind. */
  readonly kind: string;
}

/** Guarantees that a kind gives about its messages. */
export interface KindTraits {
  /** Whether the carrier calls `handOver` before a message leaves. A message without that call was not sent. */
  readonly handsOver: boolean;
  /** Whether the carrier reports only failures. A delivered message then stays SENT. */
  readonly tellsOnlyFailures: boolean;
  /** Whether the carrier speaks a call's text itself, so that its calls need no speech engine. */
  readonly speaksText: boolean;
  /**
   * Whether each message names the URL of events. Then the URL has to be entered at the provider only for texts from
   * phones. Omitted if not.
   */
  readonly namesEventsUrl?: boolean;
}

/** A user of the tenant's phone system. */
export interface PhoneUser {
  readonly sipUsername: string;
  readonly extension: string;
  readonly isRegistered: boolean;
}

/** Calls and phones of the carrier's tenant. */
export interface CallSurroundings {
  /** Lists the messages whose calls began but whose end is unknown, oldest first. */
  listCallsUnderWay(limit: number): Promise<string[]>;
  /** Finds the SIP domain of the tenant's phones, and their users. */
  findPhones(): Promise<{ domain: string | undefined; users: readonly PhoneUser[] }>;
  /** Records that a user's phone registered or unregistered. Ignores a name that belongs to no user of the tenant. */
  notePresence(presence: { sipUsername: string; registered: boolean }): Promise<void>;
}

/** Everything that a kind gets to open a carrier. */
export interface CarrierSurroundings {
  /** Such as `smtp-4f9c2a1b`. A carrier gets a new name each time it is set; names are never reused. */
  readonly name: string;
  /** Key under which message ids are stored. Setting the carrier again does not change it. */
  readonly ledger: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Speech engine of calls; undefined if there is none. */
  readonly speech: SpeechFiles | undefined;
  /** Public URL of the server; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
  /** URL to which the provider posts events; undefined if the server has no public URL. */
  readonly eventsUrl: string | undefined;
  /** Key of the tokens in bounce addresses and unsubscribe links, each of which identifies a message. */
  readonly pepper: string;
  readonly calls: CallSurroundings;
}

/** The channel and the tenants for which a carrier is set. */
export interface CarrierScope {
  readonly channel: Channel;
  readonly isForAllTenants: boolean;
}

export interface CarrierKind<Settings extends CarrierSettings = CarrierSettings> {
  /** Value of `kind` in its documents, and the prefix of its carriers' names: lower-case letters and digits. */
  readonly name: string;
  /** Title shown by `msgd carriers --help`. */
  readonly title: string;
  readonly channels: readonly Channel[];
  /** Example document for `msgd carriers --help`. */
  readonly example: object;
  /** JSON Schema of the document's fields, except `kind` and the rates. */
  readonly schema: Readonly<{ required: readonly string[]; properties: Readonly<Record<string, object>> }>;
  /** Paths of the fields that are never shown, such as `dkim.privateKey`. */
  readonly secrets: readonly string[];
  readonly traits: KindTraits;
  /** Optional libraries, which are not installed with the server. Omitted if the kind needs none. */
  readonly libraries?: Libraries;
  /** Finds faults that a JSON Schema cannot express. Ignores values of the wrong type, which the schema reports. */
  findFaults(document: DocumentObject, scope: CarrierScope): DocumentFault[];
  /** Adds defaults for omitted fields. The document must have no faults. */
  complete(document: object): Settings;
  /** Returns the columns of a carrier of texts. Omitted if the kind does not carry texts. */
  toTextColumns?(settings: Settings): TextColumns;
  /** Returns the public URL used in links in its mails. Omitted if its messages have no links. */
  findPublicUrl?(settings: Settings, serverUrl: string | undefined): string | undefined;
  /** Whether the carrier's provider posts events to a URL. Omitted if no carrier of the kind has events. */
  receivesEvents?(settings: Settings): boolean;
  /**
   * Whether each account has its own URL for events: the account that the carrier had before goes on signing its events with
   * its own secret. Omitted if the URL is kept when the settings change.
   */
  readonly hasUrlPerAccount?: true;
  /**
   * Opens a carrier, which starts working when it is started. Rejects if the server lacks a setting that the carrier
   * needs.
   */
  open(settings: Settings, surroundings: CarrierSurroundings): Promise<Provider>;
}
