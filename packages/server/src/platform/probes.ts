// Probes for simulations: branches that a simulation must reach, and sites at which it can force a rare event. Outside a
// simulation each costs one comparison with undefined.

/** Recovery branches. The simulation must reach each of them. */
export const probes = [
  "a store refuses writes after its disk failed",
  "the disk did not take a commit",
  "a group is run again, with a savepoint for each write",
  "a write waits for the next group",
  "a claim or a task failed, and is retried",
  "a commit is in doubt, and its write runs again",
  "a claim in doubt had been committed",
  "a message expired",
  "a waiting message was canceled",
  "a call was canceled before it was dialled",
  "a message to be canceled is in doubt",
  "a message waits for a carrier that its tenant does not have",
  "a message in doubt has no carrier to ask",
  "a message may no longer be sent",
  "a call waited in its carrier's queue until quiet hours",
  "a text was held until its tenant's hours",
  "a message is in doubt because of a restore",
  "a lease ran out before its message left",
  "a lease ran out, and its message is looked up",
  "a message is given up",
  "a carrier is given time to repeat reports that no process received",
  "a report about a message in doubt was refused",
  "a task began too late for its lease",
  "an answer was not recorded",
  "an answer is recorded on a retry",
  "a submission is in doubt",
  "a late answer settled a message in doubt",
  "it is unknown whether a message was accepted",
  "a submission was interrupted before its message left",
  "a message was not handed over because its lease was lost",
  "a look-up was not answered",
  "a message without a final receipt was reviewed",
  "a review was not answered",
  "a group was recorded item by item",
  "a message was proved absent, and is sent again",
  "a message accepted before a restore was looked up",
  "a refusal came after another process took the lease",
  "an answer came after another process took the lease",
  "a database is older than its carrier's records",
  "a carrier did not list its messages",
  "a database has no record of the last hand-over",
  "a carrier cannot be reached, and its queue is closed",
  "a carrier can be reached again",
  "an outcome came after another process took the callback",
  "an attempt was interrupted",
  "a receiver rests",
  "an attempt of a dead process is repeated",
  "a receiver answered 410",
  "a callback is given up",
  "an attempt was not recorded",
  "a job was taken by another process",
  "a job failed",
  "a payment was looked up",
  "a payment was proved absent",
  "a payment is in doubt",
  "a payment was not recorded",
  "a payment was taken over by another process",
  "a speech began too late for its lease",
  "a speech is in doubt",
  "a speech was proved absent, and is made again",
  "a speech is given up",
  "a speech was not recorded",
  "a request is a repeat",
  "the acceptance of a batch failed midway",
  "a batch is removed because its process died while accepting it",
  "a batch that was never accepted is removed",
] as const;

/** Sites at which a simulation decides whether a rare but allowed event happens. */
export const sites = [
  "a group has no time left",
  "a group is of one",
  "a claim is of one",
  "a process is under load",
  "a round is of one job",
  "a slice is of two numbers",
  "a lease is nearly over",
] as const;

export type Probe = (typeof probes)[number];
export type Site = (typeof sites)[number];

export interface Observer {
  reached(probe: Probe): void;
  /** Returns whether the rare event happens now. */
  happens(site: Site): boolean;
}

let observer: Observer | undefined;

/** Sets the observer of this process; undefined for none. */
export function observe(by: Observer | undefined): void {
  observer = by;
}

/** Reports that this branch was taken. */
export function reached(probe: Probe): void {
  observer?.reached(probe);
}

/** Returns whether to make the rare event happen; never outside a simulation. */
export function sometimes(site: Site): boolean {
  return observer?.happens(site) === true;
}
