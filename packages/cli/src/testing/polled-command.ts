import { catalog } from "../catalog.ts";
import { createFakeClock } from "./fake-clock.ts";
import { msgctl, reply, service, type World } from "./world.ts";

/**
 * Runs a real command against a service that gives the answers in order and then repeats the last. A number is the status
 * of an error. The clock advances without waiting.
 */
export async function createPolledCommand(answers: readonly unknown[], words: readonly string[]) {
  let reads = 0;
  const answering = await service((response) => {
    const answer = answers[Math.min(reads, answers.length - 1)];
    reads += 1;
    if (typeof answer !== "number") return reply(response, 200, answer);
    return reply(response, answer, { code: "unavailable", status: answer, title: "No.", detail: "Not now." });
  });
  const clock = createFakeClock();
  const env = { ...answering.env, NO_COLOR: "1" };
  const run = (argv: readonly string[] = [], world: Partial<World> = {}) =>
    msgctl([...words, "--retries", "0", ...argv], { env, catalog, clock, ...world });
  return { ...answering, clock, run };
}

/** Parses JSON lines. */
export function parseLines(text: string) {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
