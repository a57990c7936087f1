// The interface of a kind of payment processors. Each kind is described in `carriers/<kind>/kind.ts` and listed in
// `processor-kinds.ts`.

import type { EventsReceiver } from "../domain/carrier-events.ts";
import type { DocumentFault, DocumentObject } from "../domain/document-checks.ts";
import type { Clock } from "../platform/clock.ts";
import type { Libraries } from "./libraries.ts";
import type { PaymentEvent, PaymentProcessor } from "./payment-processor.ts";

/** The settings of a processor: its document, with defaults for omitted fields. */
export interface ProcessorSettings {
  /** Name of the kind. */
  readonly kind: string;
}

/** Everything that a kind gets to open a processor. */
export interface ProcessorSurroundings {
  /** Whether several tenants share the processor. */
  readonly isForAllTenants: boolean;
  readonly clock: Clock;
  /** Public URL of the server; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
  /** Records an event. Resolves once it is durable. */
  readonly record: (event: PaymentEvent) => Promise<void>;
}

export interface ProcessorTest {
  readonly clock: Clock;
  /** The URL to which the processor posts events; undefined if the server's public URL is not known. */
  readonly eventsUrl: string | undefined;
  readonly fetch: typeof fetch;
}

/** A processor that was opened from its settings. */
export type OpenProcessor = Required<Pick<PaymentProcessor, "prepare">> &
  Pick<PaymentProcessor, "submit" | "find"> & {
    receive: NonNullable<EventsReceiver["receive"]>;
    /** Closes its connections. */
    stop(): void;
  };

export interface ProcessorKind<Settings extends ProcessorSettings = ProcessorSettings> {
  /** Value of `kind` in its documents, and the prefix of its processors' names. */
  readonly name: string;
  /** Title shown by `msgd processors --help`. */
  readonly title: string;
  readonly example: object;
  /** JSON Schema of the document's fields, except `kind`. */
  readonly schema: Readonly<{ required: readonly string[]; properties: Readonly<Record<string, object>> }>;
  /** The fields that are never shown. */
  readonly secrets: readonly string[];
  /** Optional libraries, which are not installed with the server. */
  readonly libraries: Libraries;
  /** Names of the events that the operator has to request. */
  readonly events: readonly string[];
  /** See `PaymentProcessor.repeatableMs`. */
  readonly repeatableMs: number;
  /** Finds faults that a JSON Schema cannot express. Ignores values of the wrong type, which the schema reports. */
  findFaults(document: DocumentObject, scope: { readonly isForAllTenants: boolean }): DocumentFault[];
  /** Adds defaults for omitted fields. The document must have no faults. */
  complete(document: object): Settings;
  /** Opens a processor. Rejects if the server lacks a setting that the processor needs. */
  open(settings: Settings, surroundings: ProcessorSurroundings): Promise<OpenProcessor>;
  /** Tests the key and the events, and charges nothing. Returns a line for each finding; rejects if one is a fault. */
  test(settings: Settings, surroundings: ProcessorTest): Promise<string[]>;
}
