import { expect, it } from "vitest";
import { createSpeechLinks } from "./speech-links.ts";

const links = createSpeechLinks("pepper");
const reference = "ab".repeat(32);
const dayMs = 24 * 3_600_000;
const until = 20_000.3 * dayMs;

it("is the same for all calls of a day, and expires at the end of that day", () => {
  const token = links.make(reference, until);
  expect(links.make(reference, until + 1_000)).toBe(token);
  expect(links.read(token, until)).toBe(reference);
  expect(links.read(token, 20_001 * dayMs - 1)).toBe(reference);
  expect(links.read(token, 20_001 * dayMs)).toBeUndefined();
});

it("is no token of another installation, of another speech, or for another day", () => {
  const token = links.make(reference, until);
  expect(createSpeechLinks("other").read(token, until)).toBeUndefined();
  expect(links.read(token.replace(/^ab/, "ac"), until)).toBeUndefined();
  expect(links.read(token.replace("-20001-", "-20002-"), until)).toBeUndefined();
  for (const text of ["", "x", `${token}0`, token.toUpperCase(), token.slice(1)]) {
    expect(links.read(text, until)).toBeUndefined();
  }
});
