import { expect, it } from "vitest";
import { EXIT } from "../../process/exit-codes.ts";
import { type End, reportEnd } from "./ending.ts";

const counts = { shown: 1, repeats: 2, refused: 0, unwanted: 3, handled: 1 };
const arrived = "1 event (2 again), 1 accepted by the handler, 3 not wanted";
const flags = { forward: new URL("http://127.0.0.1:3000"), timeoutMs: 4_500, count: 2 };

/** Returns the last line that is printed, or the error. */
function report(end: End, count = flags.count): unknown {
  const said: string[] = [];
  const session = { counts, take: async () => ({ status: 200 }), done: Promise.resolve() };
  const rest = { port: 0, host: "", path: undefined, secretFiles: [], isVerifying: true, toleranceMs: 0 };
  try {
    reportEnd(end, session, { ...rest, events: undefined, ...flags, count }, (text) => said.push(text));
  } catch (error) {
    return error;
  }
  return said.join();
}

it("succeeds after --count events, when the reader is gone, or at the time limit without --count", () => {
  const ends = [report("count"), report("reader"), report("time", Number.POSITIVE_INFINITY)];
  expect(ends).toEqual(Array(3).fill(`Stopped after ${arrived}.`));
});

it("fails if fewer than --count events arrived in time", () => {
  expect(report("time")).toMatchObject({
    exitCode: EXIT.deadline,
    message: `${arrived} within 4.5 s, of 2 expected`,
  });
});

it("reports an interruption by the user, whatever has arrived", () => {
  expect(report("user")).toMatchObject({ exitCode: EXIT.interrupted, message: `interrupted after ${arrived}` });
});
