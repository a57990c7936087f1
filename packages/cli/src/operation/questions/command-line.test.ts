import { expect, it } from "vitest";
import type { RawValues } from "../../model/request.ts";
import { price, send } from "../../testing/parcels.ts";
import { commandLine } from "./command-line.ts";

const line = (values: RawValues, flags: Record<string, unknown> = {}, record = send) =>
  commandLine({ record, values, flags }, "msgctl");

it.each<[string, [string, string | boolean | string[]][], string]>([
  [
    "a positional value stands first",
    [
      ["kind", "BOX"],
      ["depot-id", "north"],
    ],
    "north --kind BOX",
  ],
  ["words are quoted for a shell", [["phone", "it's $5"]], "--phone 'it'\\''s $5'"],
  ["switches are written either way", [["fragile", false]], "--no-fragile"],
  ["a list repeats its flag", [["labels", ["a", "b c"]]], '--labels a --labels "b c"'],
  ["a value may look like a flag", [["phone", "-1"]], "--phone=-1"],
  [
    "a positional value may look like a flag",
    [
      ["depot-id", "-x"],
      ["kind", "BOX"],
    ],
    "--kind BOX -- -x",
  ],
  [
    "a secret is left out",
    [
      ["pin", "4321"],
      ["kind", "BOX"],
    ],
    "--kind BOX",
  ],
])("%s", (_, values, expected) => {
  expect(line(new Map(values))).toBe(`msgctl parcels send ${expected}`);
});

it("keeps global flags, except for secrets", () => {
  const flags = {
    profile: "demo",
    color: false,
    quiet: true,
    timeout: "5",
    baseUrl: "http://x",
    set: ["pin=1", "pinned=2"],
  };
  expect(line(new Map(), flags)).toBe(
    "msgctl parcels send --profile demo --no-color --quiet --timeout 5 --base-url http://x --set pinned=2",
  );
});

it("omits values that the record does not have", () => {
  expect(line(new Map([["other", "x"]]), {}, price)).toBe("msgctl prices set");
});
