import { expect, it } from "vitest";
import { shellLine } from "./shell-word.ts";

it("shellLine uses double quotes, which every shell knows, if they suffice", () => {
  expect(shellLine(["a b", "it's", "c"])).toBe(`"a b" "it's" c`);
});
