import { expect, it } from "vitest";
import type { FollowedMessage } from "./search-source.ts";
import { shorten } from "./searches.ts";

it.each([
  [
    "EMAIL",
    `<style>${"p { color: red } ".repeat(100)}</style><p>Thank you. You paid <b>$18.40</b>.</p>`,
    "Thank you. You paid $18.40.",
  ],
  ["EMAIL", "No <markup here", "No <markup here"],
  ["SMS", "<p>is not markup in an SMS</p>", "<p>is not markup in an SMS</p>"],
])("shows the text of an %s in lists", (channel, content, shown) => {
  expect(shorten({ channel, content } as FollowedMessage).content).toBe(shown);
});

it("shows the first 400 characters in lists", () => {
  expect(shorten({ channel: "SMS", content: "x".repeat(1_000) } as FollowedMessage).content).toHaveLength(400);
});
