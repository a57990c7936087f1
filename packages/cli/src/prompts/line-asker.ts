/**
 * Prompts line by line, for screen readers and for terminals that cannot move the cursor. It never redraws anything and uses
 * no symbols.
 */
import { createInterface } from "node:readline";
import { mostSimilar, wordAmong } from "../failures/similar.ts";
import { printable, printableLines } from "../output/printable.ts";
import { wrap } from "../output/text/wrap.ts";
import { type Asker, interrupted, type Terminal } from "./asker.ts";
import { rawMode, suspend } from "./suspension.ts";

type Judged<Answer> = { answer: Answer } | { fault: string };

export function createLineAsker(terminal: Terminal): Asker {
  const { screen } = terminal;
  const write = (text: string) => screen.write(text.replaceAll("…", "..."));
  const ask = async <Answer>(question: string, judge: (text: string) => Judged<Answer>, read = readLine) => {
    for (;;) {
      const judged = judge(await read(terminal, () => write(`${printable(question)} `)));
      if ("answer" in judged) return judged.answer;
      write(`${printableLines(judged.fault)}\n`);
    }
  };
  const checked = (check: (text: string) => true | string) => (text: string) => {
    const verdict = check(text);
    return verdict === true ? { answer: text } : { fault: verdict };
  };
  return {
    text: (message, check) => ask(`${message}:`, checked(check)),
    secret: (message, check) => ask(`${message} (not shown):`, checked(check), readHidden),
    choose(message, choices) {
      write(choices.map((choice, index) => `  ${index + 1}. ${printable(choice)}\n`).join(""));
      return ask(`${message} (1 to ${choices.length}):`, (text) => judgeChoice(text.trim(), choices));
    },
    confirm: (message, preset) =>
      ask(`${message} (${preset ? "Y/n" : "y/N"})`, (text) => judgeConfirmation(text, preset)),
    tell(text) {
      for (const line of printableLines(text).split("\n"))
        for (const piece of wrap(line, screen.columns ?? 80, "")) write(`${piece}\n`);
    },
  };
}

function judgeChoice(text: string, choices: readonly string[]): Judged<string> {
  const answer = wordAmong(text, choices) ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined);
  if (answer !== undefined) return { answer };
  const meant = mostSimilar(text, choices);
  return { fault: `Type a number from 1 to ${choices.length}${meant === undefined ? "" : `, or ${meant}`}.` };
}

function judgeConfirmation(text: string, preset: boolean): Judged<boolean> {
  const word = text.trim().toLowerCase();
  if (word === "") return { answer: preset };
  if (["y", "yes"].includes(word)) return { answer: true };
  return ["n", "no"].includes(word) ? { answer: false } : { fault: "Type y or n." };
}

/** Reads a line that the terminal itself edits and echoes. */
function readLine({ keyboard, screen, signal }: Terminal, prompt: () => void): Promise<string> {
  prompt();
  const lines = createInterface({ input: keyboard, terminal: false, signal });
  process.on("SIGCONT", prompt);
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("close", () => {
      screen.write("\n");
      reject(interrupted());
    });
  }).finally(() => {
    process.removeListener("SIGCONT", prompt);
    lines.removeAllListeners("close");
    lines.close();
  });
}

const KEYS = { interrupt: "\u0003", end: "\u0004", erase: ["\b", "\u007f"], clear: "\u0015", suspend: "\u001a" };

/** Reads a line without echo. It handles keys itself: if TERM is dumb, readline handles only Ctrl-C and Ctrl-D. */
function readHidden({ keyboard, screen, signal }: Terminal, prompt: () => void): Promise<string> {
  let typed = "";
  const begin = () => {
    rawMode(keyboard, true);
    prompt();
  };
  let onData = (_chunk: unknown) => {};
  let stop = () => {};
  process.on("SIGCONT", begin);
  begin();
  return new Promise<string>((resolve, reject) => {
    stop = () => reject(interrupted());
    onData = (chunk) => {
      for (const key of String(chunk)) {
        if (key === "\r" || key === "\n") return resolve(typed);
        if (key === KEYS.interrupt || key === KEYS.end) return stop();
        if (key === KEYS.suspend) suspend(keyboard);
        else if (key === KEYS.clear) typed = "";
        else typed = KEYS.erase.includes(key) ? typed.slice(0, -1) : typed + key;
      }
    };
    keyboard.on("data", onData).on("end", stop).resume();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  }).finally(() => {
    process.removeListener("SIGCONT", begin);
    keyboard.removeListener("data", onData).removeListener("end", stop).pause();
    signal.removeEventListener("abort", stop);
    rawMode(keyboard, false);
    screen.write("\n");
  });
}
