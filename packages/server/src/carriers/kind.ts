// What a kind of carrier is. A kind is described in `carriers/<kind>/kind.ts` and listed in `kinds.ts`; all that msgd says or
// does by kind is read from there.

import type { TextColumns } from "../domain/carriers/rows.ts";
import type { Channel } from "../domain/contacts.ts";
import type { DocumentFault, DocumentObject } from "../domain/document-checks.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import type { Libraries } from "./libraries.ts";
import type { Provider } from "./provider.ts";
import type { SpeechFiles } from "./speech/engine.ts";

/** Rates of a carrier for all instances together, 1 to 100 000 a second. @default as fast as it takes messages */
export interface CarrierRates {
  readonly perSecond?: number;
  /** Rate of each tenant, if it carries for several. */
  readonly perSecondOfTenant?: number;
}

/** The settings of a carrier: its document, with a default for each field that it leaves out. */
export interface CarrierSettings extends CarrierRates {
  /** Name of the kind. */
  readonly kind: string;
}

/** What the answers of a kind prove. */
export interface KindTraits {
  /** Whether it calls `handOver` before a message leaves: what it did not hand over was not sent. */
  readonly handsOver: boolean;
  /** Whether it reports failures only: a message that arrived stays SENT. */
  readonly tellsOnlyFailures: boolean;
}

/** A user of a tenant's phones. */
export interface PhoneUser {
  readonly sipUsername: string;
  readonly extension: string;
  readonly isRegistered: boolean;
}

/** Calls and phones of the tenant that a carrier is set for. */
export interface CallSurroundings {
  /** Lists the messages of the carrier's calls that began, and whose end is unknown: oldest first. */
  listCallsUnderWay(limit: number): Promise<string[]>;
  /** Finds the domain of the tenant's phones, and their users. */
  findPhones(): Promise<{ domain: string | undefined; users: readonly PhoneUser[] }>;
  /** Records that a phone of a user registered or left. Ignores a name that belongs to no user of the tenant. */
  notePresence(presence: { sipUsername: string; registered: boolean }): Promise<void>;
}

/** What a carrier is opened with. */
export interface CarrierSurroundings {
  /** Such as smtp-4f9c2a1b: of one setting, never used again. */
  readonly name: string;
  /** Key of its ids of messages: the same however often it was set. */
  readonly ledger: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Engine of calls; undefined if there is none. */
  readonly speech: SpeechFiles | undefined;
  /** URL under which people reach the server; undefined where the operator has not set one. */
  readonly publicUrl: string | undefined;
  /** Keys the tokens by which bounces and people who unsubscribe name a message. */
  readonly pepper: string;
  readonly calls: CallSurroundings;
}

export interface CarrierKind<Settings extends CarrierSettings = CarrierSettings> {
  /** Value of `kind` in its documents, and the beginning of its carriers' names: lower-case letters and digits. */
  readonly name: string;
  /** What it is, as `msgd carriers --help` says it. */
  readonly title: string;
  readonly channels: readonly Channel[];
  /** A document for `msgd carriers --help`. */
  readonly example: object;
  /** JSON Schema of the fields of its documents, beside `kind` and the rates. */
  readonly schema: Readonly<{ required: readonly string[]; properties: Readonly<Record<string, object>> }>;
  /** Fields that are never shown, by their path, such as `dkim.privateKey`. */
  readonly secrets: readonly string[];
  readonly traits: KindTraits;
  /** Libraries that are not installed with the server. Omitted by a kind that needs none. */
  readonly libraries?: Libraries;
  /** Finds what a schema cannot: values of the wrong type are left to it. */
  findFaults(document: DocumentObject, scope: { readonly isForAllTenants: boolean }): DocumentFault[];
  /** Adds a default for each field that a document without faults leaves out. */
  complete(document: object): Settings;
  /** Returns the columns of a carrier of texts. Omitted by a kind that carries none. */
  toTextColumns?(settings: Settings): TextColumns;
  /** Returns the URL under which links in its messages lead to this server. Omitted by a kind without links. */
  findPublicUrl?(settings: Settings, serverUrl: string | undefined): string | undefined;
  /** Opens a carrier, which begins to work when it is started. Rejects if the server lacks a setting that it needs. */
  open(settings: Settings, surroundings: CarrierSurroundings): Promise<Provider>;
}
