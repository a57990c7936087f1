import { ConnectionError } from "@msgctl/sdk";
import { expect, it } from "vitest";
import { send } from "../testing/parcels.ts";
import { toCliError } from "./call-failure.ts";

const access = { baseUrl: "https://api.example/v9", apiKey: "key", apiSecret: "secret" };

it.each([
  ["ECONNREFUSED", "nothing listens at https://api.example"],
  ["ENOTFOUND", "there is no host api.example"],
  ["EAI_AGAIN", "the name api.example cannot be looked up at present"],
])("says what %s means, and that nothing was reached", (code, message) => {
  const cause = Object.assign(new Error("Failed."), { code });
  const failure = toCliError(new ConnectionError("Failed.", { idempotencyKey: "k1" }, cause), send, access);
  expect([failure.exitCode, failure.message]).toEqual([6, message]);
  expect(failure.details.hints).toEqual(["Check the address (https://api.example/v9) and the network."]);
});

it("says how to repeat what may have been done", () => {
  const failure = toCliError(new ConnectionError("socket hang up", { idempotencyKey: "k1" }), send, access);
  expect(failure.message).toBe("socket hang up");
  expect(failure.details.hints).toEqual([
    "Check the address (https://api.example/v9) and the network.",
    "It may have been done. Repeat it with --idempotency-key k1: it is not done twice.",
  ]);
});
