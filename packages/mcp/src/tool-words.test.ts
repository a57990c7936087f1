import { hints } from "msgctl/calls";
import { expect, it } from "vitest";
import { asToolCalls } from "./tool-words.ts";

it.each([
  ["Run `msgctl merchants get <merchantId>`.", "Run `merchants_get(merchantId: <merchantId>)`."],
  ["`msgctl merchants upsert --merchant-id a --active`", "`merchants_upsert(merchantId: a, active: true)`"],
  ["`msgctl <group> <command> --help` shows which.", "The tool's input schema shows which."],
  ["Use --idempotency-key k1.", "Use idempotencyKey k1."],
  ["`msgctl auth login` and `msgctl doctor` stay.", "`msgctl auth login` and `msgctl doctor` stay."],
])("%s is written for a model", (text, expected) => {
  expect(asToolCalls(text)).toBe(expected);
});

it("no hint of the contract keeps a command that is a tool", () => {
  const left = Object.values(hints).flatMap(
    (hint) => asToolCalls(hint).match(/msgctl (?:merchants|consent|tts|billing|send|<group>)/g) ?? [],
  );
  expect(left).toEqual([]);
});
