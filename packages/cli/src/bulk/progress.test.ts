import { expect, it } from "vitest";
import { createProgress, progressLine } from "./progress.ts";

it.each([
  [{ ended: 0, total: 3000, notDone: 0 }, 0, "0 of 3,000 rows (0 %)"],
  [{ ended: 1200, total: 3000, notDone: 0 }, 4000, "1,200 of 3,000 rows (40 %), 300 a second, 6 s left"],
  [{ ended: 3, total: 1000, notDone: 2 }, 2000, "3 of 1,000 rows (0 %), 1.5 a second, 12 min left, 2 not done"],
  [{ ended: 1, total: 100_000, notDone: 0 }, 1000, "1 of 100,000 rows (0 %), 1.0 a second, 27.8 h left"],
  [{ ended: 1, total: 1, notDone: 0 }, 1000, "1 of 1 row (100 %), 1.0 a second, 0 s left"],
])("describes the progress %j after %i ms", (counts, elapsedMs, line) => {
  expect(progressLine(counts, elapsedMs)).toBe(line);
});

function draw(isTTY: boolean, isLineByLine = false): string {
  let text = "";
  let nowMs = 0;
  const write = (part: string) => {
    text += part;
  };
  const progress = createProgress({ isTTY, isLineByLine, columns: 30, write }, { now: () => nowMs });
  for (const atMs of [10, 20, 105, 210]) {
    nowMs = atMs;
    progress.show({ ended: atMs, total: 1000, notDone: 0 });
  }
  progress.clear();
  return text;
}

it("the progress line is rewritten ten times a second, no wider than the terminal, and cleared at the end", () => {
  const lines = draw(true).split("\r\u001b[K");
  expect(lines).toEqual(
    ["", "10 of 1,000 rows (1 %), 1,000", "210 of 1,000 rows (21 %), 1,0", ""].map((line) => line.slice(0, 29)),
  );
});

it("no progress is written without a terminal", () => {
  expect(draw(false)).toBe("");
});

it("no progress is drawn on a terminal that takes only whole lines", () => {
  expect(draw(true, true)).toBe("");
});
