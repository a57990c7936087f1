// The results of a merchant's sends do not depend on how they are grouped into commits: random concurrent calls get the
// same replies as consecutive ones, and leave the same rows.

import fc, { type Arbitrary } from "fast-check";
import { expect, it } from "vitest";
import { checkInvariants } from "./store/invariants.ts";
import { type InMemoryService, openInMemoryService } from "./testing/in-memory-service.ts";

const RUNS = 20;
const merchants = ["a", "b", "default"] as const;
const recipients = ["+12025550100", "+12025550101", "+12025550102"];

interface Call {
  readonly path: string;
  readonly body: object;
  /** There are few keys, so that calls are repeated and keys are reused for other calls. */
  readonly key: string;
}

const sends = (keys: number) =>
  fc.record({
    path: fc.constant("messages/sms"),
    body: fc.record({
      merchantId: fc.constantFrom(...merchants),
      to: fc.constantFrom(...recipients),
      message: fc.constantFrom("Hi", "a".repeat(200), "a".repeat(400)),
      type: fc.constantFrom("OTP", "TRANSACTIONAL"),
    }),
    key: fc.nat(keys).map((number) => `key ${number}`),
  });
const directSends = (keys: number) =>
  fc.record({
    path: fc.constant("sms/send"),
    body: fc.record({ to: fc.constantFrom(...recipients), message: fc.constant("Hi") }),
    key: fc.nat(keys).map((number) => `key ${number}`),
  });
const decisions = fc.record({
  path: fc.constant("consents"),
  body: fc.record({
    merchantId: fc.constantFrom(...merchants),
    contact: fc.constantFrom(...recipients),
    channel: fc.constant("SMS"),
    status: fc.constantFrom("OPT_IN", "OPT_OUT"),
  }),
  key: fc.constant(""),
});
const changes = fc.record({
  path: fc.constant("merchants"),
  body: fc.record({
    merchantId: fc.constantFrom(...merchants),
    displayName: fc.constant("M"),
    smsLimit: fc.constantFrom(0, 3, 20),
    smsCredits: fc.constantFrom(0, 4),
  }),
  key: fc.constant(""),
});
/** Half of the runs have no repeats, because a repeat makes its whole group run one by one. */
const calls: Arbitrary<Call[]> = fc
  .constantFrom(20, 1_000_000)
  .chain((keys) =>
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: sends(keys) },
        { weight: 2, arbitrary: directSends(keys) },
        { weight: 1, arbitrary: decisions },
        { weight: 1, arbitrary: changes },
      ),
      { maxLength: 80, size: "max" },
    ),
  );

it.each([Number.POSITIVE_INFINITY, 7])(
  "concurrent sends get the same replies as consecutive ones (%s)",
  {
    timeout: 240_000,
  },
  async (most) => {
    await fc.assert(
      fc.asyncProperty(calls, async (asked) => {
        const together = await answer(asked, most);
        expect(together).toEqual(await answer(asked, 1));
      }),
      { numRuns: RUNS },
    );
  },
);

/** Returns the replies and each merchant's remaining quota, in a new world. */
async function answer(asked: readonly Call[], most: number) {
  const service = await openInMemoryService();
  try {
    for (const merchantId of merchants) {
      const body = { merchantId, displayName: "M", smsLimit: 8, smsCredits: 5 };
      await service.call("POST", "/api/v1/merchants", { body });
    }
    const replies: unknown[] = [];
    for (let start = 0; start < asked.length; start += most) {
      replies.push(...(await Promise.all(asked.slice(start, start + most).map((one) => post(service, one)))));
    }
    const quotas = (await service.call("GET", "/api/v1/merchants")).json();
    const wrong = await service.store.read((tx) => checkInvariants(tx));
    return { replies, quotas, wrong: wrong.filter(({ faults }) => faults.length > 0) };
  } finally {
    await service.close();
  }
}

/** Returns the reply without its random id. */
async function post(service: InMemoryService, { path, body, key }: Call) {
  const headers: Record<string, string> = key === "" ? {} : { "Idempotency-Key": key };
  const reply = await service.call("POST", `/api/v1/${path}`, { body, headers });
  const { messageId: _, requestId: __, ...told } = reply.json();
  return { status: reply.statusCode, isReplay: reply.headers["idempotent-replayed"] ?? "false", told };
}
