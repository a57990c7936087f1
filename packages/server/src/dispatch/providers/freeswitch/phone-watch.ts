// Which phones are registered with FreeSWITCH, as the presence of the tenant's users. A user may have several: one that leaves
// makes nobody absent while another is there. Who is asked is the SIP profile: FreeSWITCH's list of all registrations has one
// for each user, and none after a restart.

import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logging.ts";
import type { SocketEvent } from "./event-socket.ts";
import type { CallSurroundings, PhoneUser } from "./surroundings.ts";

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

export class PhoneWatch {
  readonly #options: PhoneWatchOptions;
  /** One after the other: what was seen first is recorded first. */
  #last: Promise<void> = Promise.resolve();
  #isStarted = false;
  #cancelLook = () => {};
  /** Names of which a registration expired, until they are looked at. */
  readonly #expired = new Set<string>();
  #cancelExpiry = () => {};

  constructor(options: PhoneWatchOptions) {
    this.#options = options;
  }

  /** Records who is there and who is not, now and from time to time. */
  start(): void {
    this.#isStarted = true;
    void this.#lookAndGoOn();
  }

  /** Looks no more, until it is started again. */
  stop(): void {
    this.#isStarted = false;
    this.#cancelLook();
    this.#cancelExpiry();
    this.#expired.clear();
  }

  /** Records what an event of `sofia::` says of a phone. */
  async take(event: SocketEvent): Promise<void> {
    const [user = "", host = ""] = [event["from-user"] ?? event.user, event["from-host"] ?? event.host];
    if (!isSipName(user) || !isSipName(host)) return;
    const sipUsername = `${user}@${host}`;
    switch (event["Event-Subclass"]) {
      case "sofia::register":
        return this.#inTurn(() => this.#options.surroundings.notePresence({ sipUsername, registered: true }));
      case "sofia::unregister":
        return this.#inTurn(() => this.#lookAt(sipUsername));
      case "sofia::expire":
        this.#lookLaterAt(sipUsername);
    }
  }

  async #lookAndGoOn(): Promise<void> {
    this.#cancelLook();
    await this.#inTurn(() => this.#lookAtAll());
    const { clock } = this.#options;
    this.#cancelLook();
    if (this.#isStarted) this.#cancelLook = clock.at(clock.now() + LOOK_MS, () => void this.#lookAndGoOn());
  }

  async #lookAtAll(): Promise<void> {
    const { surroundings } = this.#options;
    const { domain, users } = await surroundings.findPhones();
    if (domain === undefined || !isSipName(domain)) return;
    for (const user of users) {
      const registered = await this.#hasPhone(user, domain);
      if (user.isRegistered !== registered)
        await surroundings.notePresence({ sipUsername: user.sipUsername, registered });
    }
  }

  /** A phone may be registered under either name. */
  async #hasPhone({ sipUsername, extension }: PhoneUser, domain: string): Promise<boolean> {
    for (const name of new Set([sipUsername, extension])) {
      if (isSipName(name) && (await this.#isRegistered(`${name}@${domain}`))) return true;
    }
    return false;
  }

  #lookLaterAt(sipUsername: string): void {
    const { clock } = this.#options;
    this.#expired.add(sipUsername);
    this.#cancelExpiry();
    this.#cancelExpiry = clock.at(clock.now() + EXPIRY_MS, () => {
      const names = [...this.#expired];
      this.#expired.clear();
      for (const name of names) void this.#inTurn(() => this.#lookAt(name));
    });
  }

  async #lookAt(sipUsername: string): Promise<void> {
    const registered = await this.#isRegistered(sipUsername);
    await this.#options.surroundings.notePresence({ sipUsername, registered });
  }

  async #isRegistered(sipUsername: string): Promise<boolean> {
    return !(await this.#options.ask(`api sofia_contact ${sipUsername}`)).startsWith("error/");
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work).catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, "the presence of a phone was not recorded");
    });
    this.#last = done;
    return done;
  }
}

/** Whether a part of a SIP address is plain enough for a command: a phone chooses what it calls itself. */
function isSipName(text: string): boolean {
  return /^[\w.:+-]{1,255}$/.test(text);
}
