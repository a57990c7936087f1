// The options of a service.

import type { FastifyServerOptions } from "fastify";
import type { BounceListenerOptions } from "./carriers/smtp/bounces/bounce-listener.ts";
import type { CommandSpeechOptions } from "./carriers/speech/command-speech.ts";
import type { MovableClock } from "./development/clocks.ts";
import type { DevelopmentTenant } from "./development/control.ts";
import type { Poster } from "./dispatch/callbacks/post.ts";
import type {
  CallbackReach,
  ConsentPolicy,
  DirectoryCredential,
  PriceList,
  RegistrationPolicy,
  StopCoverage,
} from "./domain/policies.ts";
import type { RateLimit } from "./domain/rate-limits.ts";
import type { BodyRoom } from "./http/bodies/body.ts";
import type { ClientAddressOptions } from "./http/client-addresses.ts";
import type { ContractFiles } from "./http/contract-document.ts";
import type { ReplyBounds } from "./http/lists/list-replies.ts";
import type { Clock } from "./platform/clock.ts";
import type { DatabaseLocation } from "./platform/database-url.ts";
import type { PasswordCost } from "./platform/password-hashes.ts";
import type { SecretBox } from "./platform/secret-box.ts";
import type { ThreadSearchesOptions } from "./search/thread-searches.ts";
import type { Store } from "./store/store.ts";

/** A value that is read from the open database. */
type FromStore<T> = (store: Store) => Promise<T>;

export interface ServiceOptions extends ClientAddressOptions {
  readonly database: DatabaseLocation;
  /** The most connections to a database on a server. @default `defaultMostConnections` */
  readonly databaseConnections?: number | undefined;
  /** The database of the simulated provider's ledger. It must not be the server's database file. */
  readonly simulator: DatabaseLocation;
  /** A file beside the database that records the last submission to a carrier. @default in memory */
  readonly markFile?: string | undefined;
  /** The pepper, which is part of the hash of every secret. */
  readonly pepper: string | FromStore<string>;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  /** Whether SMS of unregistered merchants are sent. @default "open" */
  readonly registration?: RegistrationPolicy | undefined;
  /**
   * Interval at which the database is checked for carriers that were set or removed, in milliseconds.
   * @default never: everything is simulated
   */
  readonly carrierPollIntervalMs?: number | undefined;
  /** Address at which returned mail arrives. @default none */
  readonly bounces?: Pick<BounceListenerOptions, "host" | "port"> | undefined;
  /** Command that makes the speech of calls. @default none */
  readonly speech?: Omit<CommandSpeechOptions, "logger"> | undefined;
  /** Opens stored secrets, such as SIP passwords. Without it they stay sealed. */
  readonly secrets?: SecretBox | FromStore<SecretBox> | undefined;
  /** Counts the secrets that an older key has sealed. @default none */
  readonly countOlderSeals?: FromStore<number> | undefined;
  /** @default "a1-hash" */
  readonly directoryCredential?: DirectoryCredential | undefined;
  /** How long after its acceptance a one-time password may be submitted, in milliseconds. @default 600000 */
  readonly otpValidityMs?: number | undefined;
  /** How long an Idempotency-Key is kept, in days. */
  readonly idempotencyDays: number;
  /** Hosts to which callbacks may be sent. @default "public" */
  readonly callbackReach?: CallbackReach | undefined;
  /** Posts callbacks. @default over the network */
  readonly poster?: Poster | undefined;
  /** Prices of sends. @default `defaultPrices` */
  readonly prices?: PriceList | undefined;
  /** The most that one upgrade may cost, in cents. @default `defaultLargestUpgradeCents` */
  readonly largestUpgradeCents?: number | undefined;
  /** The rate limit of each credential. @default none */
  readonly rateLimit?: RateLimit | undefined;
  /** URL under which people reach the server, without a trailing slash: links begin with it. @default unknown */
  readonly publicUrl?: string | undefined;
  /** Host names that may request `/metrics`, besides addresses and localhost. @default none */
  readonly metricsHosts?: readonly string[] | undefined;
  /** Limits on replies. @default `defaultReplyBounds` */
  readonly replyBounds?: ReplyBounds | undefined;
  /** Limits on the memory for long request bodies. @default `defaultBodyRoom` */
  readonly bodyRoom?: BodyRoom | undefined;
  /** The files of the built contract, to be served. */
  readonly contractFiles?: ContractFiles | undefined;
  /** The folder of the dashboard's built pages, with a trailing slash. Without it there is no dashboard. */
  readonly dashboardFiles?: URL | undefined;
  /** Cost of hashing a user's password. @default `defaultPasswordCost` */
  readonly passwordCost?: PasswordCost | undefined;
  /** Version that the dashboard shows. @default unknown */
  readonly version?: string | undefined;
  /** The file of the search index. @default in memory in development, else none */
  readonly searchFile?: string | undefined;
  /** The built programs of the threads that search. @default this thread searches, in development */
  readonly searchThreads?: ThreadSearchesOptions["threads"] | undefined;
  /** The built program of the threads that parse mails. @default this thread parses them */
  readonly taskThread?: URL | undefined;
  /** The built program of the thread that parses and validates long bodies. @default this thread does that */
  readonly bodyThread?: URL | undefined;
  readonly clock: Clock;
  /** The clock with which a shared database's clock is compared. @default the machine's */
  readonly machine?: Pick<Clock, "now" | "elapsed"> | undefined;
  /** The built program of the thread that checkpoints the database. @default the writer does that */
  readonly checkpointThread?: URL | undefined;
  /** The built program of the thread that reads long lists. @default this thread reads them */
  readonly cursorThread?: URL | undefined;
  readonly logger?: FastifyServerOptions["logger"] | undefined;
  /**
   * Whether no other process uses the database. Leases and open acceptances found at the start then belong to a server that
   * died.
   * @default false
   */
  readonly isAlone?: boolean | undefined;
  /**
   * Whether to measure the process's event loop. Its delay is then a metric, and dispatch yields to requests that send. Do
   * not combine with virtual time.
   * @default false
   */
  readonly watchesLoop?: boolean | undefined;
  /**
   * Interval at which workers look for work that other processes have left in the database, in milliseconds.
   * @default never
   */
  readonly pollIntervalMs?: number | undefined;
  /** Adds the control API, which moves the clock, empties the tables and plans failures. */
  readonly development?:
    | {
        /** The service's clock. */
        readonly clock: MovableClock;
        /** Called when a request needs the tenant. */
        readonly tenant: () => DevelopmentTenant;
      }
    | undefined;
}
