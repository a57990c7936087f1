import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withSpinner } from "./spinner.ts";

const CLEAR = "\r\u001b[2K";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Shows the spinner for work that ends after `durationMs`, and returns everything that was drawn. */
async function drawnIn(
  durationMs: number,
  { isTTY = true, isLineByLine = false, fails = false, columns = 40 as number | undefined } = {},
) {
  const drawn: string[] = [];
  const screen = { isTTY, isLineByLine, columns, write: (text: string) => void drawn.push(text) };
  const work = new Promise<string>((resolve, reject) => {
    setTimeout(() => (fails ? reject(new Error("refused")) : resolve("done")), durationMs);
  });
  const ended = withSpinner({ screen, label: "Send a parcel to the depot" }, work).catch(String);
  await vi.advanceTimersByTimeAsync(durationMs);
  const result = await ended;
  expect(vi.getTimerCount()).toBe(0);
  return { drawn, result };
}

it("the spinner draws nothing for work shorter than a second", async () => {
  expect(await drawnIn(999)).toEqual({ drawn: [], result: "done" });
});

it("the spinner turns after a second, and leaves an empty line behind", async () => {
  const { drawn, result } = await drawnIn(1130);
  const frames = ["|", "/"].map((frame) => `${CLEAR}${frame} Send a parcel to the depot (1 s)`);
  expect([drawn, result]).toEqual([[...frames, CLEAR], "done"]);
});

it("the spinner counts the seconds", async () => {
  const { drawn } = await drawnIn(2100);
  expect(drawn.at(-2)).toMatch(/\(2 s\)$/);
});

it("the spinner leaves an empty line after an error, too", async () => {
  const { drawn, result } = await drawnIn(1500, { fails: true });
  expect([drawn.at(-1), result]).toEqual([CLEAR, "Error: refused"]);
});

it("the spinner draws nothing without a terminal, or on one that takes only whole lines", async () => {
  expect((await drawnIn(5000, { isTTY: false })).drawn).toEqual([]);
  expect((await drawnIn(5000, { isLineByLine: true })).drawn).toEqual([]);
});

it.each([20, 12, 30])("the spinner stays within one line of %i columns", async (columns) => {
  const { drawn } = await drawnIn(1500, { columns });
  expect(drawn.length).toBeGreaterThan(1);
  for (const text of drawn) expect(text.replace(CLEAR, "").length).toBeLessThan(columns);
});
