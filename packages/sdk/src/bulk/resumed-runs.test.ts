/** Lists that are edited and run again after crashes, compared with a model of who received which text. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { FetchInit } from "../index.ts";
import { answered, problem } from "../testing/answering.ts";

interface Text {
  to: string;
  message: string;
}

type Edit = (list: Text[]) => Text[];

/** A service that acts once for each key, and counts the texts of each recipient. */
function createService() {
  const bodies = new Map<string, string>();
  const delivered = new Map<string, number>();
  let lossesLeft = 0;
  const answer = ({ headers, body = "" }: FetchInit) => {
    const key = headers["idempotency-key"] ?? "";
    const known = bodies.get(key);
    const { to, message } = JSON.parse(body) as Text;
    const asKnown = JSON.stringify([to, message]);
    if (known !== undefined && known !== asKnown) return problem(422, "idempotency_key_reused");
    if (known === undefined) {
      bodies.set(key, asKnown);
      delivered.set(asKnown, (delivered.get(asKnown) ?? 0) + 1);
    }
    // The service acted on the request, but its reply is lost.
    if (lossesLeft-- > 0) throw new TypeError("other side closed");
    return Response.json({ messageId: key }, { headers: { "idempotent-replayed": String(known !== undefined) } });
  };
  return { answer, delivered, loseReplies: (count: number) => (lossesLeft = count) };
}

const countOf = (texts: readonly Text[]) => {
  const counts = new Map<string, number>();
  for (const { to, message } of texts) {
    const text = JSON.stringify([to, message]);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
};

const text: fc.Arbitrary<Text> = fc.record({
  to: fc.constantFrom("+1202", "+1303", "+1404"),
  message: fc.constantFrom("A", "B", "é"),
});
/** An edit of a list between two runs. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constant((list: Text[]) => list.toSorted((a, b) => (a.to + a.message < b.to + b.message ? -1 : 1))),
  fc.constant((list: Text[]) => list.toReversed()),
  fc.tuple(fc.nat(12), fc.nat(12)).map(
    ([from, count]) =>
      (list: Text[]) =>
        list.toSpliced(from, count),
  ),
  fc.array(text, { maxLength: 4 }).map((more) => (list: Text[]) => [...list, ...more]),
  fc.constant((list: Text[]) => list.slice(0, Math.ceil(list.length / 2))),
  fc.constant((list: Text[]) => list.slice(Math.ceil(list.length / 2))),
  fc.nat(12).map((at) => (list: Text[]) => [...list, ...list.slice(at, at + 2)]),
);
const crash = fc.oneof(
  fc.record({ kind: fc.constant("none" as const), at: fc.nat(0), lost: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom("break" as const, "abort" as const), at: fc.nat(10), lost: fc.nat(4) }),
);
const run = fc.record({ edits: fc.array(edit, { maxLength: 3 }), crash, concurrency: fc.integer({ min: 1, max: 6 }) });

it("sends a text at most as often as it occurs in one run, however the list is edited between runs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 12 }),
      fc.array(run, { minLength: 1, maxLength: 5 }),
      async (first, runs) => {
        const { answer, delivered, loseReplies } = createService();
        const { client } = answered(answer);
        const most = new Map<string, number>();
        let list = first;
        for (const { edits, crash, concurrency } of runs) {
          list = edits.reduce((edited, edit) => edit(edited), list);
          const started: Text[] = [];
          function* rows() {
            for (const { to, message } of list) {
              started.push({ to, message });
              yield { message, merchantId: "m1", type: "REMINDER", to } as const;
            }
          }
          loseReplies(crash.lost);
          const controller = new AbortController();
          const options = { channel: "SMS", keyPrefix: "camp", concurrency, signal: controller.signal } as const;
          let [ended, unanswered] = [0, 0];
          try {
            for await (const outcome of client.send.many(rows(), options)) {
              ended += 1;
              if (!outcome.ok) {
                expect(["ConnectionError", "AbortedError"]).toContain(outcome.error.name);
                unanswered += 1;
              }
              if (crash.kind !== "none" && ended > crash.at) {
                if (crash.kind === "break") break;
                controller.abort();
              }
            }
          } catch (error) {
            expect(error).toMatchObject({ name: "AbortedError" });
          }
          loseReplies(0);

          for (const [text, count] of countOf(started)) most.set(text, Math.max(most.get(text) ?? 0, count));
          for (const [text, count] of delivered) expect(count).toBeLessThanOrEqual(most.get(text) ?? 0);
          if (ended < list.length) continue;
          // A row whose reply was lost has been sent, too. A row that was ended by an abort may not have been sent.
          if (crash.kind === "none" || unanswered === 0)
            for (const [text, count] of countOf(list)) expect(delivered.get(text)).toBeGreaterThanOrEqual(count);
        }
        const outcomes = [];
        for await (const outcome of client.send.many(
          list.map((text) => ({ ...text, merchantId: "m1", type: "REMINDER" }) as const),
          { channel: "SMS", keyPrefix: "camp" },
        ))
          outcomes.push(outcome.ok);
        expect(outcomes).toEqual(list.map(() => true));
        for (const [text, count] of countOf(list)) {
          expect(delivered.get(text)).toBeGreaterThanOrEqual(count);
          expect(delivered.get(text)).toBeLessThanOrEqual(Math.max(count, most.get(text) ?? 0));
        }
      },
    ),
    { numRuns: 300 },
  );
});

it("sends to everybody once if each run has the rows that a database lists as unsent", async () => {
  const { answer, delivered } = createService();
  const { client } = answered(answer);
  const table = Array.from({ length: 60 }, (_, index) => ({ to: `+1202${index}`, isSent: false }));
  const pass = async (stopAfter: number) => {
    const open = table.filter(({ isSent }) => !isSent);
    const rows = open.map(({ to }) => ({ merchantId: "m1", to, message: "Hello", type: "REMINDER" }) as const);
    let ended = 0;
    for await (const { ok, index } of client.send.many(rows, { channel: "SMS", keyPrefix: "camp", concurrency: 4 })) {
      const row = open[index];
      // The result that arrives at the moment of the crash is not recorded.
      if (++ended >= stopAfter) break;
      if (ok && row) row.isSent = true;
    }
  };
  await pass(20);
  await pass(17);
  await pass(Number.POSITIVE_INFINITY);
  await pass(Number.POSITIVE_INFINITY);
  for (const row of table) row.isSent = false;
  await pass(Number.POSITIVE_INFINITY);
  expect([...delivered.values()]).toEqual(table.map(() => 1));
});

it("sends each row as it was read from a source that uses one object for all rows", async () => {
  const { answer, delivered } = createService();
  const { client } = answered(answer);
  function* rows() {
    const row = { merchantId: "m1", to: "", message: "Hello", type: "REMINDER" as const };
    for (let index = 0; index < 20; index++) {
      row.to = `+1202${index}`;
      yield row;
    }
  }
  for await (const { ok } of client.send.many(rows(), { channel: "SMS" })) expect(ok).toBe(true);
  expect([...delivered.keys()].sort()).toEqual(
    Array.from({ length: 20 }, (_, index) => JSON.stringify([`+1202${index}`, "Hello"])).sort(),
  );
});
