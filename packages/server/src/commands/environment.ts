import type { Restored } from "../dispatch/messages/restoration.ts";
import type { Clock } from "../platform/clock.ts";
import type { DatabaseLocation } from "../platform/database-location.ts";
import type { Databases } from "../store/databases.ts";
import type { Store } from "../store/store.ts";
import type { Output, OutputFormat } from "./output.ts";

/** What commands that run beside a server are given. */
export interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly clock: Clock;
  readonly openStore: (database: DatabaseLocation) => Promise<Store>;
  readonly databases: Databases<Restored>;
  /** Asks whether a carrier's public URL leads to the server. */
  readonly fetch: typeof fetch;
}

/** The flag of every command that works on a database. */
export interface DataFlags {
  readonly data?: string;
}

/** The flags of those that also print what they find or did. */
export interface OutputFlags extends DataFlags {
  readonly output: OutputFormat;
}
