import type { FastifyServerOptions } from "fastify";
import type { MovableClock } from "./development/clocks.ts";
import type { DevelopmentTenant } from "./development/control.ts";
import type { BounceListenerOptions } from "./dispatch/bounces/bounce-listener.ts";
import type { Poster } from "./dispatch/callbacks/post.ts";
import type { CommandSpeechOptions } from "./dispatch/providers/speech/command-speech.ts";
import type { BodyRoom } from "./http/bodies/body.ts";
import type { ClientAddressOptions } from "./http/client-addresses.ts";
import type { ContractFiles } from "./http/contract-document.ts";
import type { ReplyBounds } from "./http/lists/list-replies.ts";
import type { Clock } from "./platform/clock.ts";
import type { DatabaseLocation } from "./platform/database-url.ts";
import type { PasswordCost } from "./platform/password-hashes.ts";
import type { SecretBox } from "./platform/secret-box.ts";
import type { PriceList } from "./rules/billing.ts";
import type { CallbackReach } from "./rules/callbacks.ts";
import type { ConsentPolicy, StopCoverage } from "./rules/consent.ts";
import type { RateLimit } from "./rules/rate-limits.ts";
import type { RegistrationPolicy } from "./rules/registration.ts";
import type { ThreadSearchesOptions } from "./search/thread-searches.ts";
import type { DirectoryCredential } from "./steps/operation.ts";
import type { Store } from "./store/store.ts";

/** What is known once the database is open. */
type FromStore<T> = (store: Store) => Promise<T>;

export interface ServiceOptions extends ClientAddressOptions {
  readonly database: DatabaseLocation;
  /** The most connections to a database on a server. @default the engine's own */
  readonly databaseConnections?: number;
  /** The simulated provider's ledger: never a file of the database's own. */
  readonly simulator: DatabaseLocation;
  /** A file beside the database that knows what was handed over last. @default in memory */
  readonly markFile?: string;
  /** Hashed into every secret. */
  readonly pepper: string | FromStore<string>;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  /** What becomes of an SMS whose sender's registration is not complete. @default "open" */
  readonly registration?: RegistrationPolicy;
  /**
   * How often the database is looked at for carriers that tenants were given or lost, in milliseconds.
   * @default never: all is simulated
   */
  readonly looksForCarriersEveryMs?: number;
  /** Where mails arrive that come back. @default nowhere */
  readonly bounces?: Pick<BounceListenerOptions, "host" | "port">;
  /** What makes the speech of calls that a carrier is to play. @default nothing */
  readonly speech?: Omit<CommandSpeechOptions, "logger">;
  /** Opens stored secrets, such as SIP passwords; without it they stay sealed. */
  readonly secrets?: SecretBox | FromStore<SecretBox>;
  /** Counts the secrets that are sealed with a key other than the one that seals. @default none are */
  readonly countOlderSeals?: FromStore<number>;
  /** @default "a1-hash" */
  readonly directoryCredential?: DirectoryCredential;
  /** How late after its acceptance a one-time password may still be handed over, in milliseconds. @default 600000 */
  readonly otpValidityMs?: number;
  /** How long an Idempotency-Key is kept. */
  readonly idempotencyDays: number;
  /** Where callbacks may go. @default "public" */
  readonly callbackReach?: CallbackReach;
  /** Posts callbacks. @default over the network */
  readonly poster?: Poster;
  /** What sends cost. @default `defaultPrices` */
  readonly prices?: PriceList;
  /** The most that one upgrade may cost, in cents. @default `defaultLargestUpgradeCents` */
  readonly largestUpgradeCents?: number;
  /** The rate limit of each credential. @default none */
  readonly rateLimit?: RateLimit;
  /** URL under which people reach the server, without a trailing slash: links begin with it. @default unknown */
  readonly publicUrl?: string | undefined;
  /** Host names that may request `/metrics`, besides addresses and localhost. @default none */
  readonly metricsHosts?: readonly string[];
  /** Limits on replies. @default `defaultReplyBounds` */
  readonly replyBounds?: ReplyBounds;
  /** Limits on how much of long bodies is read at a time. @default `defaultBodyRoom` */
  readonly bodyRoom?: BodyRoom;
  /** The files of the built contract, to be served. */
  readonly contractFiles?: ContractFiles;
  /** The folder of the dashboard's built pages, with a trailing slash; without it there is no dashboard. */
  readonly dashboardFiles?: URL;
  /** What the hash of a user's password costs to make. @default `defaultPasswordCost` */
  readonly passwordCost?: PasswordCost;
  /** What the dashboard says that it is. @default unknown */
  readonly version?: string;
  /** The index of searches. @default in memory in development, else none */
  readonly searchFile?: string;
  /** The built programs of the threads that search; in development this thread does. */
  readonly searchThreads?: ThreadSearchesOptions["threads"];
  /** The built program of the threads that read mails; without it this thread does. */
  readonly taskThread?: URL;
  /** The built program of the thread that parses and validates long bodies; without it this thread does. */
  readonly bodyThread?: URL;
  readonly clock: Clock;
  /** What the database's clock is compared with, on a server that instances share. @default the machine's own */
  readonly machine?: Pick<Clock, "now" | "elapsed">;
  /** The built program of the thread that checkpoints the database; without it the writer does. */
  readonly checkpointThread?: URL;
  /** The built program of the thread that reads long lists; without it this thread does. */
  readonly cursorThread?: URL;
  readonly logger?: FastifyServerOptions["logger"];
  /**
   * Whether no other process works on the database: leases and open acceptances found at the start are then those of a
   * server that died.
   * @default false
   */
  readonly isAlone?: boolean;
  /**
   * Whether the process's event loop is watched: its delay is among the metrics, and dispatch gives way to
   * sends. Off for virtual time.
   * @default false
   */
  readonly watchesLoop?: boolean;
  /**
   * How often workers look for what other processes have left in the database, in milliseconds.
   * @default never
   */
  readonly looksEveryMs?: number | undefined;
  /** Adds the control API, which moves the clock, empties the tables and plans failures. */
  readonly development?: {
    /** The service's own clock. */
    readonly clock: MovableClock;
    /** Called once a request needs the tenant. */
    readonly tenant: () => DevelopmentTenant;
  };
}
