import { expect, it } from "vitest";
import { shellLine } from "./shell-word.ts";

it("quotes with double quotes, which every shell knows, if they are enough", () => {
  expect(shellLine(["a b", "it's", "c"])).toBe(`"a b" "it's" c`);
});
