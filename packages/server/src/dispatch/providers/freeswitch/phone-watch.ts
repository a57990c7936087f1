// Which phones are registered with FreeSWITCH, as the presence of the tenant's users. A user may have several: one that leaves
// makes nobody absent while another is there. Who is asked is the SIP profile: FreeSWITCH's list of all registrations has one
// for each user, and none after a restart.

import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logging.ts";
import { isOfDomain } from "../../../rules/provisioning.ts";
import type { SocketEvent } from "./event-socket.ts";

export interface PhoneWatchOptions {
  readonly surroundings: Pick<CallSurroundings, "findPhones" | "notePresence">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asks FreeSWITCH, and returns what it printed. */
  readonly ask: (command: string) => Promise<string>;
}

/** How often all are looked at: some leave without a word. */
const LOOK_MS = 5 * 60_000;
/** A registration that expired is told of before it is gone. */
const EXPIRY_MS = 2_000;
/** Names that are waited with. What is more is found by the next look at all. */
const MOST_WAITING = 10_000;

export class PhoneWatch {
  readonly #options: PhoneWatchOptions;
  /** Names of which something was heard, in that order: `true` of a phone that registered, which needs no look. */
  readonly #heard = new Map<string, boolean>();
  /** Names of which a registration expired. */
  readonly #expired = new Set<string>();
  #isStarted = false;
  #isLookDue = false;
  #isWorking = false;
  #cancelLook = () => {};
  #cancelExpiry: (() => void) | undefined;

  constructor(options: PhoneWatchOptions) {
    this.#options = options;
  }

  /** Records who is there and who is not, now and from time to time. */
  start(): void {
    this.#isStarted = true;
    this.#look();
  }

  /** Looks no more, until it is started again. */
  stop(): void {
    this.#isStarted = false;
    this.#isLookDue = false;
    this.#cancelLook();
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    this.#heard.clear();
    this.#expired.clear();
  }

  /** Takes what an event of `sofia::` says of a phone, and records it later: an answer may be behind the next events. */
  take(event: SocketEvent): void {
    const [user = "", host = ""] = [event["from-user"] ?? event.user, event["from-host"] ?? event.host];
    if (!isSipName(user) || !isSipName(host)) return;
    const name = `${user}@${host}`;
    switch (event["Event-Subclass"]) {
      case "sofia::register":
        this.#hear(name, true);
        return;
      case "sofia::unregister":
        this.#hear(name, false);
        return;
      case "sofia::expire":
        this.#lookLaterAt(name);
    }
  }

  #hear(name: string, isThere: boolean): void {
    // the last word counts, behind all that others said before
    this.#heard.delete(name);
    if (this.#heard.size >= MOST_WAITING) return;
    this.#heard.set(name, isThere);
    void this.#work();
  }

  #lookLaterAt(name: string): void {
    const { clock } = this.#options;
    if (this.#expired.size < MOST_WAITING) this.#expired.add(name);
    this.#cancelExpiry ??= clock.at(clock.now() + EXPIRY_MS, () => {
      this.#cancelExpiry = undefined;
      const names = [...this.#expired];
      this.#expired.clear();
      for (const one of names) this.#hear(one, false);
    });
  }

  #look(): void {
    const { clock } = this.#options;
    this.#isLookDue = true;
    this.#cancelLook();
    this.#cancelLook = clock.at(clock.now() + LOOK_MS, () => this.#look());
    void this.#work();
  }

  /** Does what is due, one after the other. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#isStarted && (this.#isLookDue || this.#heard.size > 0)) {
      await this.#workOnce().catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, "the presence of a phone was not recorded");
      });
    }
    this.#isWorking = false;
  }

  async #workOnce(): Promise<void> {
    const isLook = this.#isLookDue;
    this.#isLookDue = false;
    // before what is known is read, so that nothing that is heard meanwhile is lost
    const heard = [...this.#heard];
    this.#heard.clear();
    const { domain, users } = await this.#options.surroundings.findPhones();
    if (domain === undefined || !isSipName(domain)) return;
    for (const [name, isThere] of heard) {
      const user = users.find((one) => namesOf(one).some((part) => isOf(name, part, domain)));
      if (user !== undefined) await this.#note(user, isThere || (await this.#hasPhone(user, domain)));
    }
    if (!isLook) return;
    for (const user of users) {
      const isThere = await this.#hasPhone(user, domain);
      if (user.isRegistered !== isThere) await this.#note(user, isThere);
    }
  }

  async #note({ sipUsername }: PhoneUser, registered: boolean): Promise<void> {
    await this.#options.surroundings.notePresence({ sipUsername, registered });
  }

  /** A phone may be registered under either name. */
  async #hasPhone(user: PhoneUser, domain: string): Promise<boolean> {
    for (const name of namesOf(user)) {
      if (!isSipName(name)) continue;
      const contact = await this.#options.ask(`api sofia_contact ${name}@${domain}`);
      if (contact.startsWith("sofia/")) return true;
      if (!contact.startsWith("error/"))
        throw new Error(`FreeSWITCH does not tell who is registered: ${contact.trim()}`);
    }
    return false;
  }
}

function namesOf({ sipUsername, extension }: PhoneUser): readonly string[] {
  return [...new Set([sipUsername, extension])];
}

/** Whether a phone's name is one of a user in a domain. */
function isOf(name: string, part: string, domain: string): boolean {
  const at = name.lastIndexOf("@");
  return name.slice(0, at) === part && isOfDomain(name.slice(at + 1), domain);
}

/** Whether a part of a SIP address is plain enough for a command: a phone chooses what it calls itself. */
function isSipName(text: string): boolean {
  return /^[\w.:+-]{1,255}$/.test(text);
}

/** A user of SIP phones, as the tenant's provisioning has them. */
export interface PhoneUser {
  readonly sipUsername: string;
  readonly extension: string;
  readonly isRegistered: boolean;
}

/** What a carrier of calls learns of the server that it works for, and tells it. */
export interface CallSurroundings {
  /** The messages of the carrier's calls that began, and of whose end nothing is known: the oldest first. */
  listCallsUnderWay(limit: number): Promise<string[]>;
  /** The domain of the tenant's phones, and who uses them. */
  findPhones(): Promise<{ domain: string | undefined; users: readonly PhoneUser[] }>;
  /** Records that a phone of a user registered or left. Nothing is done for a name that is none of the tenant's users. */
  notePresence(presence: { sipUsername: string; registered: boolean }): Promise<void>;
}
