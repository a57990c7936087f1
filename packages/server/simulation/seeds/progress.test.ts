import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Progress } from "./progress.ts";
import { nothing, type Tally } from "./tally.ts";

const tally = (seeds: number, digit: string): Tally => ({
  ...nothing,
  seeds,
  digest: digit.repeat(64),
  probes: { found: 1 },
});

function inFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "simulation-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "state.json");
}

it("Progress resumes an interrupted run with the same sums", () => {
  const file = inFolder();
  const wanted = { from: 1, count: 600, on: "sqlite" } as const;
  const first = new Progress(wanted, file);
  const [one, two, three] = [...first.left()];
  expect([one, two, three]).toEqual([
    { from: 1, count: 250 },
    { from: 251, count: 250 },
    { from: 501, count: 100 },
  ]);
  if (one === undefined || two === undefined || three === undefined) throw new Error("expected three ranges");
  first.note(two, tally(250, "3"), 2);
  const second = new Progress(wanted, file);
  expect([...second.left()]).toEqual([one, three]);
  second.note(three, tally(100, "5"), 1);
  second.note(one, tally(250, "1"), 4);
  expect([[...second.left()], second.seconds]).toEqual([[], 7]);
  expect(second.tally).toEqual({ ...nothing, seeds: 600, digest: "7".repeat(64), probes: { found: 3 } });
});

it("Progress does not resume a run of other seeds, or on another engine", () => {
  const file = inFolder();
  const wanted = { from: 1, count: 600, on: "sqlite" } as const;
  new Progress(wanted, file).note({ from: 1, count: 250 }, tally(250, "3"), 2);
  expect(() => new Progress({ ...wanted, count: 700 }, file)).toThrow(
    "is the progress of 600 seeds from seed 1 on sqlite, not of 700 seeds from seed 1 on sqlite",
  );
  expect(() => new Progress({ ...wanted, on: "postgres" }, file)).toThrow("not of 600 seeds from seed 1 on postgres");
});
