// A carrier. It keeps the messages that it took and its reports on them, whatever happens to the instances.

import {
  type FindOutcome,
  nameLateAnswer,
  type Provider,
  type ProviderEvent,
  type Submission,
  type SubmitCall,
  type SubmitOutcome,
} from "../../src/carriers/provider.ts";
import type { CallOutcome } from "../../src/domain/calls/rules.ts";
import { type CarrierPlan, type Channel, handsOver } from "../plan/plan.ts";
import type { Random } from "../random.ts";
import type { Chances } from "./chances.ts";
import type { MachineProcess } from "./machine.ts";
import type { Scheduled, Scheduler } from "./scheduler.ts";
import type { Fate, Wires } from "./wires.ts";

const SECOND_US = 1_000_000;
const FIRST_REPEAT_US = 5 * SECOND_US;
const AT_ONCE_US = 100;
const LONGEST_REPEAT_US = 6 * 3_600 * SECOND_US;
/** How long after its `giveUpAt` a submission may still begin: one lease. */
const LEASE_MS = 20_000;

/** A message that the carrier took. */
export interface Taken {
  readonly submission: Submission;
  readonly providerMessageId: string;
  readonly events: Report[];
}

interface Report {
  readonly event: ProviderEvent;
  /** Step of the world at which the acknowledged report was recorded; undefined until it is acknowledged. */
  acknowledgedAt: number | undefined;
  attempts: number;
  /** Step of the world at which the report was last requested again. */
  askedAgainAt?: number;
  repeat: Scheduled | undefined;
}

interface Listener {
  readonly process: MachineProcess;
  readonly sink: (event: ProviderEvent) => Promise<void>;
  readonly noteReach: (unreached?: string) => void;
  readonly noteRoom: () => void;
  underWay: number;
  onIdle: (() => void) | undefined;
}

export interface CarrierOptions {
  readonly scheduler: Scheduler;
  readonly wires: Wires;
  readonly chances: Chances;
  readonly random: Random;
  /** Reports a violated invariant. */
  readonly fail: (invariant: string, detail: string) => void;
}

export class Carrier {
  readonly name: string;
  readonly plan: CarrierPlan;
  readonly taken = new Map<string, Taken>();
  /** References of the messages that it took, newest first. */
  readonly #newest: string[] = [];
  /** When the carrier last reported a message as absent, by reference. It ignores submissions that began before that. */
  readonly #disowned = new Map<string, number>();
  /** References that instances asked about, whether or not the question arrived. */
  readonly asked = new Set<string>();
  /** Last attempt that an adapter has on record as not taken, by reference. It ignores attempts up to that one. */
  readonly #untaken = new Map<string, number>();
  /** By message, the number of submissions that may be recorded as sent. For carriers with hand-overs. */
  readonly #leaves = new Map<string, number>();
  readonly #listeners = new Set<Listener>();
  readonly #options: CarrierOptions;
  #isDown = false;

  constructor(channel: Channel, plan: CarrierPlan, options: CarrierOptions) {
    this.name = `carrier-${channel.toLowerCase()}`;
    this.plan = plan;
    this.#options = options;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  setDown(isDown: boolean): void {
    if (this.#isDown === isDown) return;
    this.#isDown = isDown;
    for (const { process, noteReach, noteRoom } of this.#listeners) {
      if (process.isDead) continue;
      this.#options.scheduler.in(this.#options.wires.way(), `${this.name} down: ${isDown}`, process, () => {
        noteReach(this.#isDown ? "nobody answers" : undefined);
        if (!this.#isDown) noteRoom();
      });
    }
  }

  /** Returns the provider through which a process reaches the carrier. */
  connect(process: MachineProcess): Provider {
    const { kind, capacity, isReviewed = false } = this.plan;
    let listener: Listener | undefined;
    const base: Provider = {
      name: this.name,
      submit: (submission, call) => this.#submit(process, submission, call),
      isBusy: () => false,
      start: (sink, noteReach = () => {}, noteRoom = () => {}) => {
        listener = { process, sink, noteReach, noteRoom, underWay: 0, onIdle: undefined };
        this.#listeners.add(listener);
        if (this.plan.isEager === true) this.#repeatUnheard();
      },
      stop: async () => {
        if (listener === undefined) return;
        const one = listener;
        this.#listeners.delete(one);
        if (one.underWay > 0) await new Promise<void>((resolve) => (one.onIdle = resolve));
      },
    };
    const asked: Partial<Provider> = {
      find: (reference) => {
        this.asked.add(reference);
        return this.#ask(process, `find ${reference}`, () => this.#find(reference));
      },
    };
    const listed: Partial<Provider> = {
      listNewest: (limit) => this.#ask(process, "list", () => this.#newest.slice(0, limit)),
    };
    const reviewed: Partial<Provider> = {
      review: async ({ clientReference }) => {
        const events = await this.#ask(process, `review ${clientReference}`, () => this.#told(clientReference));
        await this.#tellAgain(listener, clientReference, events);
      },
    };
    const answering = {
      open: [asked, listed],
      narrow: [asked, listed],
      adapter: [asked],
      mute: isReviewed ? [reviewed] : [],
    };
    const bounded: Partial<Provider> = kind === "open" ? {} : { capacity: () => (this.#isDown ? 0 : capacity) };
    return Object.assign(base, ...answering[kind], bounded);
  }

  #fate(): Fate {
    const { chances, random } = this.#options;
    const fate = chances.fate(this.#isDown);
    const lateBy = chances.happens("carrier's answer is late") ? random.spread(SECOND_US / 10, 60 * SECOND_US) : 0;
    return { lateBy, ...fate };
  }

  #ask<T>(process: MachineProcess, label: string, serve: () => T | undefined): Promise<T> {
    return this.#options.wires.ask(process, `${this.name} ${label}`, this.#fate(), serve);
  }

  async #submit(process: MachineProcess, submission: Submission, call: SubmitCall): Promise<SubmitOutcome> {
    const { kind } = this.plan;
    const { scheduler, wires, fail } = this.#options;
    const lateMs = process.clock.now() - submission.giveUpAt;
    if (lateMs > LEASE_MS) fail("nothing is sent too late", `${submission.clientReference} leaves ${lateMs} ms late`);
    if (kind !== "open" && this.#isDown) {
      return { outcome: "deferred", retryAfterMs: 1_000, detail: "nobody answers", isUnreached: true };
    }
    if (handsOver(this.plan)) {
      await new Promise<void>((resolve) => scheduler.in(wires.way(), `${this.name} connected`, process, resolve));
      await this.#leave(process, submission.clientReference, call);
    }
    const begun = scheduler.now;
    const label = `submit ${submission.clientReference}`;
    const answer = await this.#ask(process, label, () => this.#receive(submission, begun));
    if (kind === "mute" && call.signal.aborted) this.#tellLate(submission, answer);
    return answer;
  }

  /** Reports an answer that arrived after its process stopped waiting for it. */
  #tellLate({ clientReference, attempts }: Submission, answer: SubmitOutcome): void {
    const attempt = attempts + 1;
    const eventId = nameLateAnswer(clientReference, attempt);
    const event = { kind: "late-answer", eventId, clientReference, answer, attempt } as const;
    this.#report({ event, acknowledgedAt: undefined, attempts: 0, repeat: undefined });
  }

  /**
   * Hands a message over. If the hand-over is refused, only this process knows that the message did not leave. Once the
   * process is dead, the message may be recorded as sent.
   */
  async #leave(process: MachineProcess, reference: string, call: SubmitCall): Promise<void> {
    this.#countLeaves(reference, 1);
    try {
      await call.handOver();
    } catch (error) {
      if (!process.isDead) {
        this.#countLeaves(reference, -1);
        process.whenDead(() => this.#countLeaves(reference, 1));
      }
      throw error;
    }
  }

  #countLeaves(reference: string, change: 1 | -1): void {
    this.#leaves.set(reference, (this.#leaves.get(reference) ?? 0) + change);
  }

  /** Whether a message may be recorded as having left for the carrier. */
  mayHaveLeft(reference: string): boolean {
    return (this.#leaves.get(reference) ?? 0) > 0;
  }

  /** Returns the carrier's answer; undefined if no answer comes back. */
  #receive(submission: Submission, begun: number): SubmitOutcome | undefined {
    const reference = submission.clientReference;
    if (this.#isDown || begun <= (this.#disowned.get(reference) ?? -1)) return undefined;
    if (this.plan.kind !== "adapter") return this.#decide(submission);
    const attempt = submission.attempts + 1;
    if (attempt <= (this.#untaken.get(reference) ?? 0)) return undefined;
    const outcome = this.#decide(submission);
    if (outcome.outcome !== "taken") this.#untaken.set(reference, attempt);
    return outcome;
  }

  #decide(submission: Submission): SubmitOutcome {
    const { chances, random, fail } = this.#options;
    const reference = submission.clientReference;
    if (chances.happens("carrier refuses")) {
      const isOptOut = submission.call === undefined && random.chance(0.3);
      return { outcome: "refused", reason: "BLOCKED", isOptOut, detail: "not wanted" };
    }
    if (chances.happens("carrier fails")) return { outcome: "failed", detail: "out of order" };
    if (chances.happens("carrier puts off")) {
      return { outcome: "deferred", retryAfterMs: random.spread(1, 60_000), detail: "later" };
    }
    const known = this.taken.get(reference);
    if (known !== undefined) {
      fail("nothing is sent twice", `${this.name} was given ${reference} twice`);
      return { outcome: "taken", providerMessageId: known.providerMessageId };
    }
    const providerMessageId = `${this.name}-${this.taken.size + 1}`;
    const taken: Taken = { submission, providerMessageId, events: [] };
    this.taken.set(reference, taken);
    if (submission.automatic) this.#checkConfirmations(submission);
    this.#newest.unshift(reference);
    this.#plan(taken);
    return { outcome: "taken", providerMessageId };
  }

  /** Each reply is confirmed at most once. */
  #checkConfirmations({ to, merchantId, sender }: Submission): void {
    // an inbound text is addressed to a number, whichever merchant answers it
    const ofWhom = [...this.taken.values()].filter(
      ({ submission }) => submission.to === to && (sender !== undefined || submission.merchantId === merchantId),
    );
    const confirmed = ofWhom.filter(({ submission }) => submission.automatic).length;
    const replies = ofWhom
      .flatMap(({ events }) => events)
      .filter(({ event, attempts }) => (event.kind === "reply" || event.kind === "inbound") && attempts > 0);
    if (confirmed <= replies.length) return;
    this.#options.fail(
      "a reply is confirmed once",
      `${to} replied ${replies.length} times, but was sent ${confirmed} confirmations`,
    );
  }

  #find(reference: string): FindOutcome | undefined {
    const taken = this.taken.get(reference);
    if (this.#options.chances.happens("carrier does not know")) return { outcome: "unknown" };
    if (taken === undefined && this.plan.kind === "adapter") {
      return { outcome: this.#untaken.has(reference) ? "absent" : "unknown" };
    }
    if (taken === undefined) {
      this.#disowned.set(reference, this.#options.scheduler.now);
      return { outcome: "absent" };
    }
    for (const report of taken.events) {
      if (report.attempts === 0) continue;
      report.askedAgainAt = this.#options.scheduler.steps;
      this.#repeat(report, SECOND_US);
    }
    return { outcome: "taken", providerMessageId: taken.providerMessageId };
  }

  /** Returns the states of a message that the carrier has reported so far. */
  #told(reference: string): readonly ProviderEvent[] {
    const reports = this.taken.get(reference)?.events.filter(({ attempts }) => attempts > 0) ?? [];
    return reports.map(({ event }) => event).filter(({ kind }) => kind === "receipt" || kind === "call");
  }

  /** Reports events again, from the answer to a review. */
  async #tellAgain(listener: Listener | undefined, reference: string, events: readonly ProviderEvent[]): Promise<void> {
    for (const event of events) {
      if (listener === undefined || !this.#listeners.has(listener)) throw new Error("the provider was stopped");
      listener.underWay += 1;
      try {
        await listener.sink(event);
        const report = this.taken.get(reference)?.events.find((one) => one.event === event);
        if (report !== undefined) report.acknowledgedAt ??= this.#options.scheduler.steps;
      } finally {
        listener.underWay -= 1;
        if (listener.underWay === 0) listener.onIdle?.();
      }
    }
  }

  /** Schedules all reports on a message. */
  #plan(taken: Taken): void {
    const { chances, random, scheduler } = this.#options;
    const { submission, providerMessageId } = taken;
    const { clientReference } = submission;
    const own = { clientReference, providerMessageId };
    let at = 0;
    const report = (name: string, event: Partial<ProviderEvent>) => {
      at += random.spread(1_000, 2 * SECOND_US);
      if (chances.happens("receipt is late")) at += random.spread(SECOND_US, 3_600 * SECOND_US);
      const eventId = `${clientReference} ${name}`;
      const entry: Report = {
        event: { eventId, ...own, ...event } as ProviderEvent,
        acknowledgedAt: undefined,
        attempts: 0,
        repeat: undefined,
      };
      taken.events.push(entry);
      // sometimes too early, and thus out of order
      const early = chances.happens("receipt is repeated") ? random.below(at) : at;
      scheduler.in(early, `${this.name} ${eventId}`, undefined, () => this.#report(entry));
    };
    if (chances.happens("receipt never comes")) return;
    if (submission.call !== undefined) {
      const outcome = random.pick([
        "HEARD",
        "HEARD",
        "HANGUP",
        "VOICEMAIL",
        "BUSY",
        "NO_ANSWER",
        "PLAYBACK_FAILED",
      ] as const);
      // they hung up after the whole speech
      const isPlayed = outcome === "HANGUP" && random.chance(0.5);
      const stages = [...stagesBefore(outcome), ...(isPlayed ? (["PLAYED"] as const) : [])];
      for (const stage of stages) report(stage, { kind: "call", report: { stage } });
      const durationSeconds = outcome === "BUSY" || outcome === "NO_ANSWER" ? 0 : random.spread(1, 150);
      report("ENDED", { kind: "call", report: { stage: "ENDED", outcome, durationSeconds } });
      return;
    }
    const receipt = (status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED") =>
      report(status, { kind: "receipt", status, reason: status === "UNDELIVERED" ? "UNREACHABLE" : null });
    if (random.chance(0.5)) receipt("SENT");
    receipt(random.pick(["DELIVERED", "DELIVERED", "DELIVERED", "UNDELIVERED", "EXPIRED"]));
    if (chances.happens("recipient complains")) report("complaint", { kind: "opt-out", cause: "COMPLAINT" });
    if (submission.channel === "SMS" && chances.happens("recipient replies")) {
      const text = random.pick(["STOP", "START", "HELP", "thanks"]);
      const { sender, to: from } = submission;
      // a mute carrier knows the two numbers, but not the message's id
      report("reply", sender === undefined ? { kind: "reply", text } : { kind: "inbound", from, to: sender, text });
    }
  }

  #report(report: Report): void {
    const { chances, random, wires } = this.#options;
    report.repeat = undefined;
    if (report.acknowledgedAt !== undefined) return;
    report.attempts += 1;
    if (this.plan.isReviewed !== true)
      this.#repeat(report, Math.min(FIRST_REPEAT_US * 2 ** report.attempts, LONGEST_REPEAT_US));
    const listeners = [...this.#listeners].filter(({ process }) => !process.isDead);
    if (listeners.length === 0 || this.#isDown) return;
    const listener = random.pick(listeners);
    const deliver = () => {
      listener.underWay += 1;
      let recordedAt = 0;
      const handled = () => {
        recordedAt = this.#options.scheduler.steps;
        listener.underWay -= 1;
        if (listener.underWay === 0) listener.onIdle?.();
      };
      wires.tell(
        listener.process,
        `${this.name} reports ${report.event.eventId}`,
        () => listener.sink(report.event).finally(handled),
        (isDone) => this.#noteAnswer(report, isDone, recordedAt),
      );
    };
    deliver();
    if (chances.happens("receipt is repeated")) deliver();
  }

  #repeatUnheard(): void {
    for (const { events } of this.taken.values()) {
      for (const report of events) {
        if (report.attempts > 0 && report.acknowledgedAt === undefined) this.#repeat(report, AT_ONCE_US);
      }
    }
  }

  #noteAnswer(report: Report, isDone: boolean, recordedAt: number): void {
    if (!isDone || report.acknowledgedAt !== undefined) return;
    // an instance that asked again since then may not have received the report
    if (recordedAt <= (report.askedAgainAt ?? -1)) return;
    report.acknowledgedAt = recordedAt;
    report.repeat?.cancel();
    report.repeat = undefined;
  }

  #repeat(report: Report, inUs: number): void {
    report.repeat?.cancel();
    report.acknowledgedAt = undefined;
    report.repeat = this.#options.scheduler.in(inUs, `${this.name} again ${report.event.eventId}`, undefined, () =>
      this.#report(report),
    );
  }
}

/** The stages of a call before its end. */
function stagesBefore(outcome: CallOutcome): readonly ("RINGING" | "ANSWERED" | "PLAYING")[] {
  if (outcome === "BUSY") return [];
  if (outcome === "NO_ANSWER") return ["RINGING"];
  return outcome === "PLAYBACK_FAILED" ? ["RINGING", "ANSWERED"] : ["RINGING", "ANSWERED", "PLAYING"];
}
