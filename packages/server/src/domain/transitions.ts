// All state machines of the service, and the only definition of their allowed moves.

import type { Schemas } from "@msgctl/contract";

/** Maps each state to those that may follow it; a final state has none. */
type Moves<State extends string> = { readonly [From in State]: readonly Exclude<State, From>[] };

export type MessageStatus = Schemas["MessageStatus"];
export type TtsCallStatus = Schemas["TtsCallStatus"];
export type CallStatus = Schemas["CallStatus"];
export type PlaybackStatus = Schemas["PlaybackStatus"];
export type FinalStatus = Schemas["FinalStatus"];
export type BillingState = Schemas["BillingState"];
export type SpeechCacheStatus = Schemas["TtsCacheStatus"];

/** State of speech, which is made once per text and voice. Failed speech may be requested again. */
export type SpeechStatus = "PENDING" | "READY" | "FAILED";
export type PaymentStatus = Schemas["PaymentStatus"];
export type AgentStatus = Schemas["AgentStatus"];
export type BrandStatus = Schemas["BrandStatus"];
export type BrandVerificationStatus = Schemas["BrandVerificationStatus"];
export type CampaignStatus = Schemas["CampaignStatus"];
export type CampaignReviewStatus = Schemas["CampaignReviewStatus"];
export type NumberAssignmentStatus = Schemas["NumberAssignmentStatus"];
export type NumberStatus = Schemas["NumberStatus"];

/** The states in which a message's change is told to its tenant: all but QUEUED, which the reply says, and SENDING. */
export type ToldStatus = Exclude<MessageStatus, "QUEUED" | "SENDING">;

/** The number that orders the events of a message. Each move between told states leads to a higher number. */
export const toldSequence: Readonly<Record<ToldStatus, number>> = {
  SENT: 1,
  UNKNOWN: 2,
  DELIVERED: 3,
  UNDELIVERED: 3,
  FAILED: 3,
  EXPIRED: 3,
  CANCELED: 3,
};

interface States {
  agent: AgentStatus;
  message: MessageStatus;
  ttsCall: TtsCallStatus;
  call: CallStatus;
  playback: PlaybackStatus;
  final: FinalStatus;
  billing: BillingState;
  speechCache: SpeechCacheStatus;
  speech: SpeechStatus;
  payment: PaymentStatus;
  brand: BrandStatus;
  brandVerification: BrandVerificationStatus;
  campaign: CampaignStatus;
  campaignReview: CampaignReviewStatus;
  number: NumberStatus;
  numberAssignment: NumberAssignmentStatus;
}

export type Machine = keyof States;
export type StateOf<M extends Machine> = States[M];

const machines: { readonly [M in Machine]: Moves<States[M]> } = {
  agent: {
    OFFLINE: ["AVAILABLE"],
    AVAILABLE: ["OFFLINE", "ON_BREAK", "BUSY"],
    ON_BREAK: ["OFFLINE", "AVAILABLE", "BUSY"],
    BUSY: ["OFFLINE", "AVAILABLE", "ON_BREAK"],
  },
  message: {
    QUEUED: ["SENDING", "FAILED", "EXPIRED", "CANCELED"],
    // QUEUED again if the carrier deferred the message or provably did not receive it.
    SENDING: ["QUEUED", "SENT", "FAILED", "UNKNOWN"],
    // SENT may become EXPIRED: a carrier discards an accepted message when its validity ends (SMPP state EXPIRED).
    SENT: ["DELIVERED", "UNDELIVERED", "EXPIRED", "UNKNOWN"],
    // FAILED only if the operator says so; the charge is then reversed.
    UNKNOWN: ["DELIVERED", "UNDELIVERED", "EXPIRED", "FAILED"],
    DELIVERED: [],
    UNDELIVERED: [],
    FAILED: [],
    EXPIRED: [],
    CANCELED: [],
  },
  ttsCall: {
    SCHEDULED: ["QUEUED", "REJECTED", "CANCELED"],
    QUEUED: ["SYNTHESIZING", "REJECTED", "FAILED", "CANCELED"],
    SYNTHESIZING: ["DIALING", "FAILED", "CANCELED"],
    DIALING: ["IN_PROGRESS", "FAILED", "CANCELED"],
    IN_PROGRESS: ["COMPLETED", "FAILED"],
    COMPLETED: [],
    FAILED: [],
    REJECTED: [],
    CANCELED: [],
  },
  call: {
    QUEUED: ["INITIATED", "FAILED", "CANCELED"],
    INITIATED: ["RINGING", "IN_PROGRESS", "BUSY", "NO_ANSWER", "FAILED", "CANCELED"],
    RINGING: ["IN_PROGRESS", "BUSY", "NO_ANSWER", "FAILED", "CANCELED"],
    IN_PROGRESS: ["COMPLETED", "FAILED"],
    COMPLETED: [],
    BUSY: [],
    NO_ANSWER: [],
    FAILED: [],
    CANCELED: [],
  },
  playback: {
    NOT_STARTED: ["PLAYING", "FAILED"],
    PLAYING: ["COMPLETED", "PARTIAL", "FAILED"],
    COMPLETED: [],
    PARTIAL: [],
    FAILED: [],
  },
  final: {
    SCHEDULED: ["PENDING", "FAILED"],
    PENDING: ["SUCCESS", "PARTIAL", "FAILED"],
    SUCCESS: [],
    PARTIAL: [],
    FAILED: [],
  },
  billing: {
    PROVISIONAL: ["FINALIZED"],
    FINALIZED: [],
  },
  speechCache: {
    PENDING: ["HIT", "MISS"],
    HIT: [],
    MISS: [],
  },
  speech: {
    PENDING: ["READY", "FAILED"],
    FAILED: ["PENDING"],
    READY: [],
  },
  payment: {
    PENDING: ["REQUIRES_ACTION", "PROCESSING", "SUCCEEDED", "FAILED", "CANCELED"],
    REQUIRES_ACTION: ["PROCESSING", "SUCCEEDED", "FAILED", "CANCELED"],
    PROCESSING: ["REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"],
    SUCCEEDED: [],
    FAILED: [],
    CANCELED: [],
  },
  brand: {
    DRAFT: ["PENDING"],
    PENDING: ["IN_REVIEW", "APPROVED", "FAILED"],
    IN_REVIEW: ["APPROVED", "FAILED"],
    APPROVED: ["SUSPENDED"],
    FAILED: ["PENDING"],
    SUSPENDED: ["APPROVED", "FAILED"],
  },
  brandVerification: {
    UNVERIFIED: ["SELF_DECLARED", "VERIFIED"],
    SELF_DECLARED: ["UNVERIFIED", "VERIFIED"],
    VERIFIED: ["UNVERIFIED", "VETTED_VERIFIED"],
    VETTED_VERIFIED: ["UNVERIFIED", "VERIFIED"],
  },
  campaign: {
    PENDING: ["ACTIVE", "FAILED"],
    ACTIVE: ["SUSPENDED", "EXPIRED"],
    SUSPENDED: ["ACTIVE", "EXPIRED"],
    // a corrected campaign is submitted again
    FAILED: ["PENDING"],
    EXPIRED: [],
  },
  campaignReview: {
    TCR_PENDING: ["TCR_ACCEPTED", "TCR_FAILED"],
    TCR_ACCEPTED: ["PROVIDER_ACCEPTED", "PROVIDER_FAILED", "TCR_SUSPENDED", "TCR_EXPIRED"],
    PROVIDER_ACCEPTED: ["MNO_PENDING", "TCR_SUSPENDED", "TCR_EXPIRED"],
    MNO_PENDING: ["MNO_ACCEPTED", "MNO_REJECTED", "TCR_SUSPENDED", "TCR_EXPIRED"],
    MNO_ACCEPTED: ["MNO_PROVISIONED", "MNO_PROVISIONING_FAILED", "TCR_SUSPENDED", "TCR_EXPIRED"],
    MNO_PROVISIONED: ["TCR_SUSPENDED", "TCR_EXPIRED"],
    TCR_SUSPENDED: ["TCR_ACCEPTED", "TCR_EXPIRED"],
    TCR_EXPIRED: [],
    TCR_FAILED: ["TCR_PENDING"],
    PROVIDER_FAILED: ["TCR_PENDING"],
    MNO_REJECTED: ["TCR_PENDING"],
    MNO_PROVISIONING_FAILED: ["TCR_PENDING"],
  },
  number: {
    PENDING: ["ACTIVE", "RELEASED"],
    ACTIVE: ["SUSPENDED", "RELEASED"],
    SUSPENDED: ["ACTIVE", "RELEASED"],
    RELEASED: [],
  },
  numberAssignment: {
    UNASSIGNED: ["PENDING_ASSIGNMENT"],
    PENDING_ASSIGNMENT: ["ASSIGNED", "FAILED_ASSIGNMENT"],
    FAILED_ASSIGNMENT: ["PENDING_ASSIGNMENT"],
    ASSIGNED: ["PENDING_UNASSIGNMENT"],
    PENDING_UNASSIGNMENT: ["UNASSIGNED", "FAILED_UNASSIGNMENT"],
    FAILED_UNASSIGNMENT: ["PENDING_UNASSIGNMENT"],
  },
};

/** Lists the machine's states. */
export function listStates<M extends Machine>(machine: M): readonly StateOf<M>[] {
  return Object.keys(machines[machine]) as StateOf<M>[];
}

/**
 * Returns whether the machine may move from one state to another. Staying in a state is not a move.
 */
export function canMove<M extends Machine>(machine: M, from: StateOf<M>, to: StateOf<M>): boolean {
  return followers(machine, from).includes(to);
}

/** Returns whether the state is not final. */
export function canMoveOn<M extends Machine>(machine: M, from: StateOf<M>): boolean {
  return followers(machine, from).length > 0;
}

/** Returns the state moved to. Throws an {@link IllegalTransitionError} if {@link canMove} is false. */
export function move<M extends Machine, To extends StateOf<M>>(machine: M, from: StateOf<M>, to: To): To {
  if (canMove(machine, from, to)) return to;
  throw new IllegalTransitionError(machine, from, to, followers(machine, from));
}

/**
 * Returns whether one state can be reached from another, possibly through others: an event may overtake the events of
 * states in between.
 */
export function canReach<M extends Machine>(machine: M, from: StateOf<M>, to: StateOf<M>): boolean {
  const reached = new Set<string>([from]);
  for (const state of reached) {
    for (const next of followers(machine, state as StateOf<M>)) reached.add(next);
    if (state !== from && state === to) return true;
  }
  return false;
}

/** Returns the state reached. Throws an {@link IllegalTransitionError} if {@link canReach} is false. */
export function reach<M extends Machine, To extends StateOf<M>>(machine: M, from: StateOf<M>, to: To): To {
  if (canReach(machine, from, to)) return to;
  throw new IllegalTransitionError(machine, from, to, followers(machine, from));
}

function followers<M extends Machine>(machine: M, from: StateOf<M>): readonly string[] {
  const moves: Moves<StateOf<M>> = machines[machine];
  return moves[from];
}

/** Thrown for a move that the machine's table does not allow. */
export class IllegalTransitionError extends Error {
  override readonly name = "IllegalTransitionError";

  constructor(machine: Machine, from: string, to: string, allowed: readonly string[]) {
    const choice = allowed.length === 0 ? `${from} is final` : `from ${from} it can move to ${allowed.join(", ")}`;
    super(`A ${machine} cannot move from ${from} to ${to}: ${choice}.`);
  }
}
