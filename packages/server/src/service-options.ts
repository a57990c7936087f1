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
  /** The most connections to a database on a server. @default the engine's own */
  readonly databaseConnections?: number | undefined;
  /** The simulated provider's ledger: never a file of the database's own. */
  readonly simulator: DatabaseLocation;
  /** A file beside the database with the last hand-over. @default in memory */
  readonly markFile?: string | undefined;
  /** Hashed into every secret. */
  readonly pepper: string | FromStore<string>;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  /** Whether an SMS of a merchant that is not registered is sent. @default "open" */
  readonly registration?: RegistrationPolicy | undefined;
  /**
   * Interval at which the database is read for carriers that were set or removed, in milliseconds.
   * @default never: all is simulated
   */
  readonly looksForCarriersEveryMs?: number | undefined;
  /** Address that returned mail arrives at. @default none */
  readonly bounces?: Pick<BounceListenerOptions, "host" | "port"> | undefined;
  /** Command that makes the speech of calls. @default none */
  readonly speech?: Omit<CommandSpeechOptions, "logger"> | undefined;
  /** Opens stored secrets, such as SIP passwords; without it they stay sealed. */
  readonly secrets?: SecretBox | FromStore<SecretBox> | undefined;
  /** Counts the secrets that an older key has sealed. @default none */
  readonly countOlderSeals?: FromStore<number> | undefined;
  /** @default "a1-hash" */
  readonly directoryCredential?: DirectoryCredential | undefined;
  /** Time after its acceptance within which a one-time password is handed over, in milliseconds. @default 600000 */
  readonly otpValidityMs?: number | undefined;
  /** Days that an Idempotency-Key is kept. */
  readonly idempotencyDays: number;
  /** Hosts that callbacks may go to. @default "public" */
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
  /** Limits on how much of long bodies is read at a time. @default `defaultBodyRoom` */
  readonly bodyRoom?: BodyRoom | undefined;
  /** The files of the built contract, to be served. */
  readonly contractFiles?: ContractFiles | undefined;
  /** The folder of the dashboard's built pages, with a trailing slash; without it there is no dashboard. */
  readonly dashboardFiles?: URL | undefined;
  /** Cost of hashing a user's password. @default `defaultPasswordCost` */
  readonly passwordCost?: PasswordCost | undefined;
  /** Version that the dashboard shows. @default unknown */
  readonly version?: string | undefined;
  /** The index of searches. @default in memory in development, else none */
  readonly searchFile?: string | undefined;
  /** The built programs of the threads that search; in development this thread does. */
  readonly searchThreads?: ThreadSearchesOptions["threads"] | undefined;
  /** The built program of the threads that read mails; without it this thread does. */
  readonly taskThread?: URL | undefined;
  /** The built program of the thread that parses and validates long bodies; without it this thread does. */
  readonly bodyThread?: URL | undefined;
  readonly clock: Clock;
  /** Clock that a shared database's clock is compared with. @default the machine's own */
  readonly machine?: Pick<Clock, "now" | "elapsed"> | undefined;
  /** The built program of the thread that checkpoints the database; without it the writer does. */
  readonly checkpointThread?: URL | undefined;
  /** The built program of the thread that reads long lists; without it this thread does. */
  readonly cursorThread?: URL | undefined;
  readonly logger?: FastifyServerOptions["logger"] | undefined;
  /**
   * Whether no other process works on the database. Leases and open acceptances found at the start are then those of a
   * server that died.
   * @default false
   */
  readonly isAlone?: boolean | undefined;
  /**
   * Whether the process's event loop is watched: its delay is among the metrics, and dispatch gives way to
   * sends. Off for virtual time.
   * @default false
   */
  readonly watchesLoop?: boolean | undefined;
  /**
   * Interval at which workers look for work that other processes left in the database, in milliseconds.
   * @default never
   */
  readonly looksEveryMs?: number | undefined;
  /** Adds the control API, which moves the clock, empties the tables and plans failures. */
  readonly development?:
    | {
        /** The service's own clock. */
        readonly clock: MovableClock;
        /** Called once a request needs the tenant. */
        readonly tenant: () => DevelopmentTenant;
      }
    | undefined;
}
