// Probes for simulations: branches that a simulation must reach, and sites at which it can force a rare event. Outside a
// simulation each costs one comparison with undefined.

/** Recovery branches. The simulation must reach each of them. */
export const probes = [
  "a store refuses after its disk failed",
  "the disk did not take a commit",
  "a group is run again, each write undone by itself",
  "a write waits for the next group",
  "a claim or a task failed, and is looked at again",
  "a commit is in doubt, and its write runs again",
  "a claim in doubt was done, and goes on",
  "a message expired",
  "a message was canceled as it waited",
  "a call was canceled before it was dialled",
  "what was to be canceled is in doubt",
  "a message waits for a carrier that its tenant does not have",
  "a message in doubt waits for somebody to ask",
  "a decision of the recipient overtook a message",
  "a call waited in its carrier's queue until the night",
  "a message is in doubt since a restoration",
  "a lease ran out before its message left",
  "a lease ran out, and its message is asked about",
  "a message is given up",
  "a carrier is given time to tell what nobody heard",
  "what is reported of a message in doubt is to be reported again",
  "a task came too late for its lease",
  "an answer was not recorded",
  "an answer is recorded at another try",
  "a submission is in doubt",
  "an answer that came late ended a doubt",
  "nobody knows whether a message was taken",
  "a submission broke off before its message left",
  "a message does not leave, as its lease was lost",
  "a question was not answered",
  "a group was not recorded as a whole",
  "a message was proved absent, and is sent again",
  "what was taken before a restoration is asked about",
  "a refusal came when the lease was another's",
  "an answer came when the lease was another's",
  "a database is older than what its carrier was given",
  "a carrier does not say what it was given",
  "a database does not know what was handed over last",
  "a carrier cannot be reached, and its queue is closed",
  "a carrier can be reached again",
  "an attempt's outcome came when the callback was another's",
  "an attempt was interrupted",
  "a receiver rests",
  "an attempt of a dead process is made again",
  "a receiver wants nothing more",
  "a callback is given up",
  "an attempt was not recorded",
  "a job was taken by another",
  "a job failed",
  "a payment was asked about",
  "a payment was proved absent",
  "a payment is in doubt",
  "a payment was not recorded",
  "a payment was taken over by another",
  "a speech came too late for its lease",
  "a speech is in doubt",
  "a speech was proved absent, and is made again",
  "a speech is given up",
  "a speech was not recorded",
  "a request is a repeat",
  "the acceptance of a batch failed midway",
  "a batch is removed whose process died as it accepted it",
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
