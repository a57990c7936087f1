// Records which phones are registered with FreeSWITCH as the presence of the tenant's users, who may have several. The SIP
// profile is asked: FreeSWITCH's list of registrations has one for each user, and none after a restart.

import { isOfDomain } from "../../domain/provisioning/rules.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CallSurroundings, PhoneUser } from "../kind.ts";
import type { SocketEvent } from "./event-socket.ts";

export interface PhoneWatchOptions {
  readonly surroundings: Pick<CallSurroundings, "findPhones" | "notePresence">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs a command at FreeSWITCH, and returns its output. */
  readonly ask: (command: string) => Promise<string>;
}

/** Interval of full lookups: some phones leave without an event. */
const LOOK_MS = 5 * 60_000;
/** Delay after the event of an expired registration, which precedes its removal. */
const EXPIRY_MS = 2_000;
/** Most names in the queue. The next full lookup finds the others. */
const MOST_WAITING = 10_000;

export class PhoneWatch {
  readonly #options: PhoneWatchOptions;
  /** Names in events, in order: `true` for a phone that registered, which needs no lookup. */
  readonly #heard = new Map<string, boolean>();
  /** Names whose registration expired. */
  readonly #expired = new Set<string>();
  #isStarted = false;
  #isLookDue = false;
  #isWorking = false;
  #cancelLook = () => {};
  #cancelExpiry: (() => void) | undefined;

  constructor(options: PhoneWatchOptions) {
    this.#options = options;
  }

  /** Records the presence of all users, now and every `LOOK_MS`. */
  start(): void {
    this.#isStarted = true;
    this.#look();
  }

  /** Stops looking until it is started again. */
  stop(): void {
    this.#isStarted = false;
    this.#isLookDue = false;
    this.#cancelLook();
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    this.#heard.clear();
    this.#expired.clear();
  }

  /** Takes an event of `sofia::`, and records it later: answers to commands arrive behind the next events. */
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
    // the last event counts, behind earlier ones of other phones
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

  /** Handles events and lookups, one after the other. */
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
    // before the users are read, so that no event is lost meanwhile
    const heard = [...this.#heard];
    this.#heard.clear();
    const { domain, users } = await this.#options.surroundings.findPhones();
    if (domain === undefined || !isSipName(domain)) return;
    for (const [name, isThere] of heard) {
      const user = users.find((one) => namesOf(one).some((userName) => isOf(name, userName, domain)));
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

  /** Returns whether a phone is registered under either of the user's names. */
  async #hasPhone(user: PhoneUser, domain: string): Promise<boolean> {
    for (const name of namesOf(user)) {
      if (!isSipName(name)) continue;
      const contact = await this.#options.ask(`api sofia_contact ${name}@${domain}`);
      if (contact.startsWith("sofia/")) return true;
      if (!contact.startsWith("error/"))
        throw new Error(`FreeSWITCH does not list registered phones: ${contact.trim()}`);
    }
    return false;
  }
}

function namesOf({ sipUsername, extension }: PhoneUser): readonly string[] {
  return [...new Set([sipUsername, extension])];
}

/** Whether a phone's name is one of a user in a domain. */
function isOf(name: string, userName: string, domain: string): boolean {
  const at = name.lastIndexOf("@");
  return name.slice(0, at) === userName && isOfDomain(name.slice(at + 1), domain);
}

/** Whether a user or domain of a SIP address is plain enough for a command: a phone chooses what it calls itself. */
function isSipName(text: string): boolean {
  return /^[\w.:+-]{1,255}$/.test(text);
}
