// Records the presence of the tenant's users: whether any of a user's phones is registered with FreeSWITCH. The SIP
// profile is queried, because FreeSWITCH's registration list has one entry per user and is empty after a restart.

import { isOfDomain } from "../../domain/provisioning/rules.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CallSurroundings, PhoneUser } from "../kind.ts";
import type { SocketEvent } from "./event-socket.ts";

export interface PhoneWatchOptions {
  readonly surroundings: Pick<CallSurroundings, "findPhones" | "notePresence">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs a command at FreeSWITCH and returns its output. */
  readonly ask: (command: string) => Promise<string>;
}

/** Interval of full look-ups, which are needed because some phones leave without an event. */
const POLL_MS = 5 * 60_000;
/** Delay after the event of an expired registration, because the event precedes the removal. */
const EXPIRY_MS = 2_000;
/** Largest number of queued names. The next full look-up covers any others. */
const MOST_WAITING = 10_000;

export class PhoneWatch {
  readonly #options: PhoneWatchOptions;
  /** Names from events, in order. `true` if the phone registered and no look-up is needed. */
  readonly #heard = new Map<string, boolean>();
  /** Names of phones whose registration expired. */
  readonly #expired = new Set<string>();
  #isStarted = false;
  #isPollDue = false;
  #isWorking = false;
  #cancelPoll = () => {};
  #cancelExpiry: (() => void) | undefined;

  constructor(options: PhoneWatchOptions) {
    this.#options = options;
  }

  /** Updates the presence of all users, now and every `POLL_MS`. */
  start(): void {
    this.#isStarted = true;
    this.#poll();
  }

  /** Stops until `start` is called again. */
  stop(): void {
    this.#isStarted = false;
    this.#isPollDue = false;
    this.#cancelPoll();
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    this.#heard.clear();
    this.#expired.clear();
  }

  /** Queues a `sofia::` event. Its handling may wait for a command's reply, which arrives only after events already sent. */
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
    // only the phone's last event counts, and it goes to the end of the queue
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

  #poll(): void {
    const { clock } = this.#options;
    this.#isPollDue = true;
    this.#cancelPoll();
    this.#cancelPoll = clock.at(clock.now() + POLL_MS, () => this.#poll());
    void this.#work();
  }

  /** Handles events and full look-ups, one after another. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#isStarted && (this.#isPollDue || this.#heard.size > 0)) {
      await this.#workOnce().catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, "failed to record the presence of a phone");
      });
    }
    this.#isWorking = false;
  }

  async #workOnce(): Promise<void> {
    const isPoll = this.#isPollDue;
    this.#isPollDue = false;
    // emptied before the users are read, so that events that arrive meanwhile are kept
    const heard = [...this.#heard];
    this.#heard.clear();
    const { domain, users } = await this.#options.surroundings.findPhones();
    if (domain === undefined || !isSipName(domain)) return;
    for (const [name, isThere] of heard) {
      const user = users.find((one) => namesOf(one).some((userName) => isOf(name, userName, domain)));
      if (user !== undefined) await this.#note(user, isThere || (await this.#hasPhone(user, domain)));
    }
    if (!isPoll) return;
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

/** Whether a registered name, such as `user@host`, is `userName` in the domain. */
function isOf(name: string, userName: string, domain: string): boolean {
  const at = name.lastIndexOf("@");
  return name.slice(0, at) === userName && isOfDomain(name.slice(at + 1), domain);
}

/** Whether a user name or domain is safe inside a command. Phones choose these names themselves. */
function isSipName(text: string): boolean {
  return /^[\w.:+-]{1,255}$/.test(text);
}
