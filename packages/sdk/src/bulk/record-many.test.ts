import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConsentView, V1MerchantConsentRequest } from "../index.ts";
import { UsageError } from "../index.ts";
import { accepted, answered, problem } from "../testing/answering.ts";

const answerOf = (contact: string, status: "OPT_IN" | "OPT_OUT") =>
  ({ merchantId: "m1", channel: "SMS", contact, status }) as const satisfies V1MerchantConsentRequest;
const bodyOf = ({ body = "{}" }: { body?: string }) => JSON.parse(body) as ConsentView;

it("recordMany records the whole list again in each run", async () => {
  const { client, sent } = answered(() => accepted());
  const rows = [answerOf("+12025550100", "OPT_IN"), answerOf("+12025550101", "OPT_OUT")];
  for (let run = 0; run < 2; run++) for await (const { ok } of client.consent.recordMany(rows)) expect(ok).toBe(true);
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(4);
});

it("recordMany retries a row under the same key", async () => {
  let asked = 0;
  const { client, sent } = answered(
    () => (++asked === 1 ? problem(503, "unavailable", {}, { "retry-after": "0" }) : accepted()),
    { maxRetries: 1 },
  );
  for await (const { ok } of client.consent.recordMany([answerOf("+12025550100", "OPT_IN")])) expect(ok).toBe(true);
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

it("recordMany uses the keys that the caller's function returns", async () => {
  const { client, sent } = answered(() => accepted());
  const rows = [answerOf("+12025550100", "OPT_IN")];
  const run = client.consent.recordMany(rows, { idempotencyKey: ({ contact }) => `form-77-${contact}` });
  for await (const { ok } of run) expect(ok).toBe(true);
  expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual(["form-77-+12025550100"]);
});

it("recordMany refuses a keyPrefix at once", () => {
  const { client } = answered(() => accepted());
  const options = { keyPrefix: "import" } as object;
  expect(() => client.consent.recordMany([], options)).toThrow(UsageError);
});

describe("one contact's rows", () => {
  const contact = fc.constantFrom("+12025550100", "+12025550101", "Dana@bright.example", "dana@bright.example ");

  it("are recorded in order, concurrently with other contacts' rows, whatever the latencies", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.tuple(contact, fc.constantFrom("OPT_IN" as const, "OPT_OUT" as const)), { maxLength: 16 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(20),
        async (scheduler, list, concurrency, stopAt) => {
          const nameOf = (contact: string) => contact.trim().toLowerCase();
          const underWay = new Set<string>();
          const recorded: string[] = [];
          const { client } = answered(async (request) => {
            const { contact, status } = bodyOf(request);
            const name = nameOf(contact);
            expect(underWay.has(name)).toBe(false);
            underWay.add(name);
            await scheduler.schedule(Promise.resolve(), "reply");
            underWay.delete(name);
            recorded.push(`${name} ${status}`);
            return accepted();
          });
          const controller = new AbortController();
          const consume = async () => {
            let ended = 0;
            const rows = list.map(([contact, status]) => answerOf(contact, status));
            const { signal } = controller;
            for await (const _ of client.consent.recordMany(rows, { concurrency, signal }))
              if (++ended > stopAt) controller.abort();
          };
          await scheduler.waitFor(consume().catch((error) => expect(error).toMatchObject({ name: "AbortedError" })));
          const isStopped = controller.signal.aborted;
          for (const name of new Set(list.map(([contact]) => nameOf(contact)))) {
            const expected = list
              .filter(([contact]) => nameOf(contact) === name)
              .map(([, status]) => `${name} ${status}`);
            const seen = recorded.filter((line) => line.startsWith(`${name} `));
            expect(seen).toEqual(isStopped ? expected.slice(0, seen.length) : expected);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("wait for each other, but delay no other contact's rows", async () => {
    const replies = new Map<string, () => void>();
    const { client, sent } = answered(
      (request) => new Promise((resolve) => replies.set(bodyOf(request).contact, () => resolve(accepted()))),
    );
    const rows = [
      ...["OPT_IN", "OPT_OUT"].map((status) => answerOf("+12025550100", status as "OPT_IN")),
      ...["OPT_IN", "OPT_OUT"].map((status) => answerOf("+12025550101", status as "OPT_IN")),
    ];
    const iterator = client.consent.recordMany(rows, { concurrency: 4 })[Symbol.asyncIterator]();
    const first = iterator.next();
    await expect.poll(() => sent.length).toBe(2);
    expect(sent.map((request) => bodyOf(request).contact)).toEqual(["+12025550100", "+12025550101"]);
    replies.get("+12025550101")?.();
    expect((await first).value).toMatchObject({ index: 2 });
    await expect.poll(() => sent.length).toBe(3);
    expect(bodyOf(sent[2] ?? {})).toMatchObject({ contact: "+12025550101", status: "OPT_OUT" });
    const rest = iterator.return?.();
    for (const reply of replies.values()) reply();
    await rest;
  });

  it("include rows with another spelling of the same number", async () => {
    const { client, sent } = answered(() => new Promise(() => {}));
    const rows = [
      answerOf("+4402079460000", "OPT_IN"),
      answerOf("+442079460000", "OPT_OUT"),
      answerOf("+12025550100", "OPT_IN"),
    ];
    const controller = new AbortController();
    const iterator = client.consent.recordMany(rows, { signal: controller.signal })[Symbol.asyncIterator]();
    const first = iterator.next();
    await expect.poll(() => sent.length).toBe(2);
    expect(sent.map((request) => bodyOf(request).contact)).toEqual(["+4402079460000", "+12025550100"]);
    controller.abort();
    await first;
    await iterator.return?.();
  });

  it("continue to be recorded after one was refused", async () => {
    const { client, sent } = answered((request) =>
      bodyOf(request).status === "OPT_IN" ? problem(400, "validation_error") : accepted(),
    );
    const rows = [answerOf("+12025550100", "OPT_IN"), answerOf("+12025550100", "OPT_OUT")];
    const oks = [];
    for await (const { ok } of client.consent.recordMany(rows)) oks.push(ok);
    expect(oks).toEqual([false, true]);
    expect(sent).toHaveLength(2);
  });
});
