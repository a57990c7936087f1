import { ConnectionError, UnexpectedReplyError } from "@msgctl/sdk";
import { expect, it } from "vitest";
import { send } from "../testing/parcels.ts";
import { msgctl, service } from "../testing/world.ts";
import { toCliError } from "./call-failure.ts";

const access = { baseUrl: "https://api.example/v9", apiKey: "key", apiSecret: "secret" };

it.each([
  ["ECONNREFUSED", "nothing is listening at https://api.example"],
  ["ENOTFOUND", "there is no host api.example"],
  ["EAI_AGAIN", "the host name api.example cannot be looked up at the moment"],
  ["ETIMEDOUT", "https://api.example does not answer"],
])("explains %s in words, and does not suggest that the call may have succeeded", (code, message) => {
  const cause = Object.assign(new AggregateError([Object.assign(new Error("No."), { syscall: "connect" })]), { code });
  const failure = toCliError(new ConnectionError("Failed.", { idempotencyKey: "k1" }, cause), send, access);
  expect([failure.exitCode, failure.message]).toEqual([6, message]);
  expect(failure.details.hints).toEqual([
    "Check the address (https://api.example/v9) and the network, or set a proxy with HTTPS_PROXY.",
  ]);
});

it.each([
  ["ETIMEDOUT", "read"],
  ["EPROTO", "write"],
])("says how to repeat a call that %s may have cut off at a %s", (code, syscall) => {
  const cause = Object.assign(new Error("Failed."), { code, syscall });
  const failure = toCliError(new ConnectionError("Failed.", { idempotencyKey: "k1" }, cause), send, access);
  expect(failure.details.hints).toEqual([expect.any(String), expect.stringContaining("--idempotency-key k1")]);
});

it("says that an address does not speak https, and does not quote OpenSSL", async () => {
  const { env, baseUrl } = await service(() => {});
  const { host } = new URL(baseUrl);
  const ended = await msgctl(["parcels", "list", "--retries", "0"], {
    env: { ...env, MSGCTL_BASE_URL: `https://${host}` },
  });
  expect([ended.exitCode, ended.stderr]).toEqual([
    6,
    `error: https://${host} does not speak https\nhint: Is it http://${host}?\n`,
  ]);
});

it("says how to repeat a call that the service may have carried out", () => {
  const failure = toCliError(new ConnectionError("socket hang up", { idempotencyKey: "k1" }), send, access);
  expect(failure.message).toBe("socket hang up");
  expect(failure.details.hints).toEqual([
    "Check the address (https://api.example/v9) and the network, or set a proxy with HTTPS_PROXY.",
    "The request may have succeeded. Repeat it safely with --idempotency-key k1.",
  ]);
});

it("says that the outcome is unknown and how to repeat the call if a 2xx is not from the service", () => {
  const details = { idempotencyKey: "k1", status: 200, requestId: "req-1" };
  const failure = toCliError(new UnexpectedReplyError("Not the service's.", details), send, access);
  expect([failure.exitCode, failure.code, failure.message]).toEqual([6, "unexpected_reply", "Not the service's."]);
  expect(failure.details).toMatchObject({
    ...details,
    hints: [
      "Check the address (https://api.example/v9): a gateway, a proxy or a sign-in page may be responding.",
      "The request may have succeeded. Repeat it safely with --idempotency-key k1.",
    ],
  });
});
