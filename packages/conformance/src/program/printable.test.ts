import { expect, it } from "vitest";
import { printable } from "./printable.ts";

it.each([
  ["Bright Dental 👩‍⚕️", "Bright Dental 👩‍⚕️"],
  ["a\r\n\tb", "a\\r\\n\\tb"],
  ["\u001b[2J", "\\u001b[2J"],
  ["\u202eabc\ud800", "\\u202eabc\\ud800"],
])("%j is printed as %s", (text, shown) => expect(printable(text)).toBe(shown));
