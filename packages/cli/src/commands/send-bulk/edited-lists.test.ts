/** Edits lists between runs, some of which are cut off, and compares the sends with a model of who received which text. */
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { systemClock } from "../../process/clock.ts";
import { folder, msgctl, type Received, reply, type Service, service } from "../../testing/world.ts";

const HOUR_MS = 3_600_000;
/** How long the service keeps an idempotency key. */
const KEPT_MS = 7 * 24 * HOUR_MS;

interface Row {
  to: string;
  message: string;
}

type Step =
  | { kind: "edit"; edit: Edit; at: number }
  | { kind: "wait"; hours: number }
  | { kind: "run"; cutAfter: number | undefined; isOnlyNew: boolean };
type Edit = "save" | "sort" | "reverse" | "mend text" | "mend number" | "cut" | "append" | "rename" | "halve" | "whole";

let answering: Service;
let answer: (response: ServerResponse, request: Received) => void;

const edits: Edit[] = [
  ...(["save", "sort", "reverse", "mend text", "mend number"] as const),
  ...(["cut", "append", "rename", "halve", "whole"] as const),
];
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("edit" as const), edit: fc.constantFrom(...edits), at: fc.nat(9) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("run" as const),
      cutAfter: fc.constantFrom(undefined, undefined, 0, 0, 1, 4, 7),
      isOnlyNew: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.constantFrom(1, 80, 200) }) },
);

/** The state of a test: a list in a folder, its runs, and the service. */
class Campaign {
  readonly #cwd = folder();
  /** Each text that was sent, as `to message`, in order. */
  readonly sent: string[] = [];
  /** The recipients of lists, by list name. */
  readonly #recipients = new Map<string, Set<string>>();
  readonly #keys = new Map<string, { body: string; at: number }>();
  #rows: Row[] = Array.from({ length: 8 }, (_, index) => ({ to: `+1202555010${index}`, message: `Hello ${index}` }));
  /** The rows that are not in the file while it has only half of the list. */
  #otherHalf: Row[] = [];
  #name = "list.csv";
  #isSavedBySpreadsheet = false;
  #now = Date.now();
  #added = 0;

  get rows(): readonly Row[] {
    return this.#rows;
  }

  wait(hours: number): void {
    this.#now += hours * HOUR_MS;
  }

  edit(edit: Edit, at: number): void {
    const index = this.#rows.length === 0 ? 0 : at % this.#rows.length;
    const row = this.#rows[index];
    this.#added += 1;
    if (edit === "save") this.#isSavedBySpreadsheet = !this.#isSavedBySpreadsheet;
    if (edit === "sort") this.#rows.sort((one, other) => one.message.localeCompare(other.message));
    if (edit === "reverse") this.#rows.reverse();
    if (edit === "mend text" && row) this.#rows[index] = { ...row, message: `Mended ${this.#added}` };
    if (edit === "mend number" && row) this.#rows[index] = { ...row, to: this.#newNumber() };
    if (edit === "cut" && this.#rows.length > 1) this.#rows.splice(index, 1);
    if (edit === "append") this.#rows.push({ to: this.#newNumber(), message: `Hello ${this.#added}` });
    if (edit === "rename") this.#name = `list-${this.#added}.csv`;
    if (edit === "halve" && this.#rows.length > 1)
      this.#otherHalf = this.#rows.splice(Math.ceil(this.#rows.length / 2));
    if (edit === "whole") this.#rows.push(...this.#otherHalf.splice(0));
  }

  #newNumber(): string {
    return `+1202556${String(1_000 + this.#added)}`;
  }

  /**
   * Runs the list with one request at a time, so that none arrives after the run. The run is cut off when the service has
   * received `cutAfter` requests, before the reply to the last.
   */
  async run(cutAfter: number | undefined, isOnlyNew: boolean) {
    const end = this.#isSavedBySpreadsheet ? "\r\n" : "\n";
    const lines = ["merchantId,to,message,type", ...this.#rows.map(({ to, message }) => `m1,${to},${message},OTP`)];
    const mark = this.#isSavedBySpreadsheet ? "\uFEFF" : "";
    writeFileSync(join(this.#cwd, this.#name), `${mark}${lines.join(end)}${end}`);
    const cut = new AbortController();
    let requestCount = 0;
    answer = (response, request) => {
      requestCount += 1;
      if (requestCount === (cutAfter ?? -1) + 1) cut.abort();
      this.#receive(request);
      if (!cut.signal.aborted) reply(response, 202, { messageId: `msg_${this.sent.length}`, status: "QUEUED" });
      else response.destroy();
    };
    const argv = ["send", "bulk", this.#name, "--channel", "SMS", "-y", "--retries", "0", "--concurrency", "1"];
    const sentBefore = this.sent.length;
    const hadText = this.#recipients.get(this.#name) ?? new Set();
    const ended = await msgctl([...argv, ...(isOnlyNew ? ["--only-new"] : [])], {
      ...{ cwd: this.#cwd, env: answering.env, catalog, signal: cut.signal },
      clock: { ...systemClock, now: () => this.#now, pause: async () => {} },
    });
    const sentNow = this.sent.slice(sentBefore);
    const recipients = sentNow.map(recipientOf);
    this.#recipients.set(this.#name, new Set([...hadText, ...recipients]));
    return { ...ended, sentNow, hadOther: recipients.filter((to) => hadText.has(to)) };
  }

  #receive({ body, headers }: Received): void {
    const key = String(headers["idempotency-key"]);
    const known = this.#keys.get(key);
    if (known !== undefined && this.#now - known.at < KEPT_MS) return;
    this.#keys.set(key, { body, at: this.#now });
    const { to, message } = JSON.parse(body);
    this.sent.push(`${to} ${message}`);
  }
}

const recipientOf = (text: string) => text.split(" ")[0] ?? "";
const textOf = ({ to, message }: Row) => `${to} ${message}`;

describe("however a list is edited between its runs", () => {
  it("nobody gets a text twice without a question, and nobody is skipped silently", async () => {
    answering = await service((response, request) => answer(response, request));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const campaign = new Campaign();
        for (const one of steps) {
          if (one.kind === "wait") campaign.wait(one.hours);
          else if (one.kind === "edit") campaign.edit(one.edit, one.at);
          else {
            const { exitCode, stderr, sentNow, hadOther } = await campaign.run(one.cutAfter, one.isOnlyNew);
            const had = new Set(campaign.sent);
            expect(campaign.sent.length, "a text went out twice").toBe(had.size);
            expect(hadOther, "they got another text from a list of this name").toEqual([]);
            if (exitCode === 9 || exitCode === 2) expect(sentNow).toEqual([]);
            else if (exitCode === 0) {
              const recipients = new Set(campaign.sent.map(recipientOf));
              const missing = campaign.rows.filter((row) => !had.has(textOf(row)));
              // a row may be missing only if its recipient got another text, and the run reports that
              expect(missing.filter(({ to }) => !recipients.has(to))).toEqual([]);
              if (missing.length > 0) expect(stderr).toContain("got another text from a list of this name");
            } else expect(exitCode).toBe(130);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
