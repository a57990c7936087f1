// A connection of an instance to the world's PostgreSQL. Statements sent together arrive together, and their answers return
// together. Each statement runs as a separate event, so that statements of other connections can run in between. Lock waits
// take simulated time, and the server ends transactions that stay idle.

import { nextTick } from "../../../src/platform/clock.ts";
import type { Answer } from "../../../src/platform/postgres/exchange.ts";
import { PassedOver } from "../../../src/platform/postgres/failures.ts";
import {
  ANSWER_MS,
  BRIEF_LOCK_MS,
  IDLE_IN_TRANSACTION_MS,
  LOCK_MS,
  stayIdleStatement,
  waitBrieflyStatement,
} from "../../../src/platform/postgres/limits.ts";
import type { SessionPort } from "../../../src/platform/postgres/sessions.ts";
import type { Random } from "../../random.ts";
import type { Owner, Scheduled, Scheduler } from "../scheduler.ts";
import type { Backend, Outcome, StatementServer } from "./statement-server.ts";

const MS = 1_000;
/** Range of the time between two statements that were sent together, in microseconds. */
const LEAST_US = 5;
const LONGEST_US = 400;
/** Time after which the server checks a lock wait for a deadlock. */
const DEADLOCK_US = 1_000_000;
/** The trace shows this many characters of a statement. */
const LABEL_LENGTH = 48;

const WAITS_FOR_EVER = /^SET (?:LOCAL )?lock_timeout = 0$/;
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|WITH)\b/;

/** Outcome of statements that were sent together. */
export type Fate = "lost on the way" | "answer lost" | "process dies" | "answered";

export interface SessionOptions {
  readonly name: string;
  readonly backend: Backend;
  readonly server: StatementServer;
  /** Undefined for an operator. */
  readonly process: Owner | undefined;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Draws a one-way latency, in microseconds. */
  readonly way: () => number;
  readonly draw: (hasCommit: boolean) => Fate;
  readonly takesWrite: () => boolean;
  /** Called at a commit, before anything else happens. */
  readonly noteCommit: (backend: Backend) => Promise<void>;
  readonly noteBegin: (backend: Backend) => void;
  /** Called with the statements of a deadlock. */
  readonly noteCircle: (statements: readonly string[]) => void;
  readonly die: () => void;
  /** Whether the session still has its backend. Restoring a world's rows takes the backend away. */
  readonly has: (backend: Backend) => boolean;
  /** Called after the session's transaction has ended on the server. */
  readonly giveBack: (backend: Backend) => void;
  /** Default time limit of an answer, in milliseconds. @default ANSWER_MS */
  readonly answerMs?: number;
  /** Whether statements wait without a time limit. If the process has ended, an operator cancels them. */
  readonly isPatient?: boolean;
}

interface PendingStatement {
  readonly text: string;
  readonly values: Parameters<SessionPort["ask"]>[1];
  readonly answerMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Crossing {
  readonly asked: readonly PendingStatement[];
  readonly answers: Answer[];
  readonly fate: Fate;
  overdue: Scheduled | undefined;
}

export class SimulatedSession implements SessionPort {
  readonly isPooled = false;
  readonly #options: SessionOptions;
  #waiting: PendingStatement[] = [];
  /** Statements that were sent together and are not answered yet. */
  #crossing: Crossing | undefined;
  /** Whether the server has, or will get, the statements of `#crossing`. */
  #isServed = false;
  #isCut = false;
  /** Error code for the statement that is being canceled. */
  #cancelCode: string | undefined;
  #isInTransaction = false;
  #mayIdle = false;
  #lockMs = LOCK_MS;
  #limits: Scheduled[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  ask<Row>(
    text: string,
    values: PendingStatement["values"] = [],
    answerMs = this.#options.answerMs ?? ANSWER_MS,
  ): Promise<Answer<Row>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values, answerMs, resolve: resolve as PendingStatement["resolve"], reject });
      if (this.#waiting.length === 1) nextTick(() => this.#send());
    });
  }

  async begin(begin = "BEGIN", ...more: string[]): Promise<void> {
    await Promise.all([begin, ...more].map((text) => this.ask(text)));
  }

  /** Ends the connection on the instance's side. The server notices after the current statement. */
  hangUp(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    const { backend, server, scheduler, isPatient } = this.#options;
    if (!this.#isServed) this.#later("hangs up", undefined, () => this.#end());
    else if (isPatient === true) this.#later("is ended", undefined, () => scheduler.hold(server.cancel(backend)));
  }

  #send(): void {
    if (this.#crossing !== undefined || this.#waiting.length === 0) return;
    if (this.#isCut) {
      this.#rejectAll(lost("ECONNRESET"));
      return;
    }
    const { process, scheduler, draw } = this.#options;
    const asked = this.#waiting.splice(0);
    const fate = draw(asked.some(({ text }) => text === "COMMIT"));
    const crossing: Crossing = { asked, answers: [], fate, overdue: undefined };
    const answerMs = Math.max(...asked.map((question) => question.answerMs));
    crossing.overdue = scheduler.in(answerMs * MS, `${this.#options.name} is overdue`, process, () => {
      this.hangUp();
      this.#rejectAll(lost("ETIMEDOUT"));
    });
    this.#crossing = crossing;
    this.#isServed = true;
    this.#endLimits();
    if (fate === "lost on the way") {
      this.#later("is lost", undefined, () => this.#loseOnServer());
      return;
    }
    this.#later(describe(asked[0]?.text ?? ""), undefined, () => this.#serve(crossing, 0));
  }

  #serve(crossing: Crossing, index: number): void {
    const { backend, server, scheduler, takesWrite, has } = this.#options;
    const question = crossing.asked[index];
    if (question === undefined) {
      this.#answer(crossing, undefined);
      return;
    }
    if (!has(backend)) {
      this.#loseOnServer();
      return;
    }
    if (question.text === waitBrieflyStatement || WAITS_FOR_EVER.test(question.text)) {
      this.#lockMs = question.text === waitBrieflyStatement ? BRIEF_LOCK_MS : Number.POSITIVE_INFINITY;
      this.#note(crossing, { answer: { rows: [], rowCount: 0, command: "SET", warning: undefined } });
      return;
    }
    if (question.text === stayIdleStatement) this.#mayIdle = true;
    const isRefused = WRITES.test(question.text) && !takesWrite();
    const text = isRefused ? FULL_DISK : question.text;
    const ran = server
      .run(backend, text, isRefused ? [] : question.values, (outcome) => this.#note(crossing, outcome))
      .then(() => {
        if (server.isWaiting(backend)) this.#limitWait();
      });
    scheduler.hold(ran);
  }

  /** Limits a lock wait by a timeout and a check for deadlocks. */
  #limitWait(): void {
    const { name, backend, server, scheduler, noteCircle } = this.#options;
    const cancel = async (code: string) => {
      this.#cancelCode = code;
      await server.cancel(backend);
    };
    this.#limits = [
      scheduler.in(DEADLOCK_US, `${name} looks for a circle`, undefined, () =>
        scheduler.hold(
          server.findCircle(backend).then((circle) => {
            if (circle === undefined) return undefined;
            noteCircle(circle);
            return cancel("40P01");
          }),
        ),
      ),
    ];
    if (this.#lockMs === Number.POSITIVE_INFINITY) return;
    this.#limits.push(
      scheduler.in(this.#lockMs * MS, `${name} has waited`, undefined, () => scheduler.hold(cancel("55P03"))),
    );
  }

  #note(crossing: Crossing, outcome: Outcome): void {
    const { name, backend, random, scheduler, noteBegin, noteCommit } = this.#options;
    this.#endLimits();
    if ("error" in outcome) {
      const code = this.#cancelCode;
      this.#cancelCode = undefined;
      this.#answer(crossing, code === undefined ? outcome.error : Object.assign(new Error(`lock: ${code}`), { code }));
      return;
    }
    const { command } = outcome.answer;
    if (command === "BEGIN") {
      this.#isInTransaction = true;
      noteBegin(backend);
    }
    if (command === "COMMIT" || command === "ROLLBACK") {
      this.#isInTransaction = false;
      this.#mayIdle = false;
      this.#lockMs = LOCK_MS;
    }
    if (command === "COMMIT") scheduler.hold(noteCommit(backend));
    crossing.answers.push(outcome.answer);
    const next = crossing.asked[crossing.answers.length];
    if (next === undefined) this.#answer(crossing, undefined);
    else {
      const label = `${name} ${describe(next.text)}`;
      scheduler.in(random.spread(LEAST_US, LONGEST_US), label, undefined, () =>
        this.#serve(crossing, crossing.answers.length),
      );
    }
  }

  /** Returns the answers. `failure` is the error that stopped the statements; undefined if all of them ran. */
  #answer(crossing: Crossing, failure: unknown): void {
    const { scheduler, die, process } = this.#options;
    this.#isServed = false;
    if (crossing.fate === "process dies") die();
    if (this.#isCut || process?.isDead === true || crossing.fate === "answer lost") {
      this.#loseOnServer();
      return;
    }
    if (this.#isInTransaction && !this.#mayIdle) {
      this.#limits = [
        scheduler.in(IDLE_IN_TRANSACTION_MS * MS, `${this.#options.name} is idle`, undefined, () => {
          this.#loseOnServer("25P03");
        }),
      ];
    }
    this.#later("answers", process, () => {
      if (this.#isCut) return;
      crossing.overdue?.cancel();
      this.#crossing = undefined;
      const passedOver = new PassedOver(failure);
      for (const [index, { resolve, reject }] of crossing.asked.entries()) {
        if (failure === undefined) resolve(crossing.answers[index] as Answer);
        else reject(index === crossing.answers.length ? failure : passedOver);
      }
      this.#send();
    });
  }

  /** Ends the session on the server, and notifies the instance. */
  #loseOnServer(code = "ECONNRESET"): void {
    const { process } = this.#options;
    this.#isServed = false;
    this.#end();
    this.#later("is cut", process, () => {
      if (this.#isCut) return;
      this.#isCut = true;
      this.#rejectAll(lost(code));
    });
  }

  #end(): void {
    const { backend, server, scheduler, has, giveBack } = this.#options;
    this.#endLimits();
    if (!has(backend)) return;
    scheduler.hold(server.run(backend, "ROLLBACK", [], () => giveBack(backend)));
  }

  #endLimits(): void {
    for (const limit of this.#limits.splice(0)) limit.cancel();
  }

  #rejectAll(error: Error): void {
    const crossing = this.#crossing;
    this.#crossing = undefined;
    crossing?.overdue?.cancel();
    for (const { reject } of [...(crossing?.asked ?? []), ...this.#waiting.splice(0)]) reject(error);
  }

  #later(what: string, owner: Owner | undefined, run: () => void): void {
    const { name, scheduler, way } = this.#options;
    scheduler.in(way(), `${name} ${what}`, owner, run);
  }
}

/** A statement that fails as a write to a full disk does. */
const FULL_DISK = "DO $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$";

function lost(code: string): Error {
  return Object.assign(new Error("the connection was lost"), { code });
}

function describe(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, LABEL_LENGTH);
}
