// The built program of the thread that parses and validates long bodies.

import { operations } from "@msgctl/contract";
import { afterAll, expect, it } from "vitest";
import { setImmediate } from "../../platform/timers.ts";
import { BoundedThread } from "../../threads/worker-threads.ts";
import type { BodyAnswer } from "./body-check.ts";
import type { BodyRequest } from "./body-thread.ts";

const thread = new BoundedThread<BodyRequest, BodyAnswer>({
  program: new URL("../../../dist/body-thread.js", import.meta.url),
  memoryMiB: 40,
  // on a busy machine, the first task also waits some seconds for the start of the thread
  mostMs: 100_000,
  idleMs: 10_000,
  onFailure: (error) => console.error(error),
});
afterAll(() => thread.close());

function check(schema: string | null, body: object | string): Promise<BodyAnswer> {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return thread.run({ schema, bytes }, { transfer: [bytes.buffer] });
}

const tts = { merchantId: "m1", messageText: "Hello", useCase: "OTP" };
const { bodySchema } = operations.createTtsCalls;
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `+1202555${String(index).padStart(4, "0")}`);

it("the thread returns the value and its defaults, and does not block this thread", async () => {
  let isAnswered = false;
  const answering = check(bodySchema, { ...tts, toNumbers: numbers(10_000) }).finally(() => {
    isAnswered = true;
  });
  let turns = 0;
  while (!isAnswered) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThan(1);
  expect(await answering).toEqual({
    value: expect.objectContaining({ ...tts, language: "en-US", toNumbers: numbers(10_000) }),
    found: { isValidated: true, faults: [] },
  });
});

it("the thread returns 100 faults, the number of further faults, and the faultless members", async () => {
  const body = {
    ...tts,
    toNumbers: numbers(500).map((number) => `${number}x`),
    useCase: "",
    campaignName: "\ud800",
    x: 0,
  };
  expect(await check(bodySchema, body)).toEqual({
    value: {
      ...{ language: "en-US", priority: "NORMAL", voiceProfile: "default" },
      ...{ merchantId: "m1", messageText: "Hello", toNumbers: null, useCase: null, campaignName: null },
    },
    found: {
      isValidated: true,
      faults: expect.arrayContaining([
        expect.objectContaining({ pointer: "/campaignName", code: "invalid_characters" }),
        expect.objectContaining({ pointer: "/x", code: "unknown_field" }),
      ]),
      others: {
        count: 403,
        codes: new Set(["invalid_characters", "unknown_field", "too_short", "invalid_phone_number"]),
      },
    },
  });
});

it("the thread refuses invalid JSON, and accepts any JSON if no schema is given", async () => {
  expect(await check(bodySchema, '{"a":')).toMatchObject({ refused: { code: "malformed_json" } });
  expect(await check(null, "[]")).toMatchObject({ value: [], found: { faults: [] } });
});

it.each([
  ["numbers that lose their fraction", () => `{"a":1,"b":"€","c":[0${",1.00000000000000000001".repeat(11_000)}]}`],
  [
    "texts of half surrogate pairs",
    () => JSON.stringify(Object.fromEntries(numbers(11_900).map((name) => [name, "\ud800".repeat(20)]))),
  ],
  ["nested arrays", () => "[".repeat(11_990) + "]".repeat(11_990)],
  ["long names", () => JSON.stringify(Object.fromEntries(numbers(1_900).map((name) => [`€${name.repeat(85)}`, 1])))],
])("the thread has enough memory for %s", async (_case, body) => {
  expect(await check(bodySchema, body())).toMatchObject({ found: { isValidated: true } });
});
