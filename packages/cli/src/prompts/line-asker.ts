/**
 * Prompts line by line, for terminals that cannot move the cursor and for screen readers: nothing is drawn over, and there
 * are no symbols.
 */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { mostSimilar, wordAmong } from "../failures/similar.ts";
import { printable, printableLines } from "../output/printable.ts";
import { wrap } from "../output/text/wrap.ts";
import { type Asker, interrupted, type Terminal } from "./asker.ts";

type Judged<Answer> = { answer: Answer } | { fault: string };

export function createLineAsker(terminal: Terminal): Asker {
  const { screen } = terminal;
  const write = (text: string) => screen.write(text.replaceAll("…", "..."));
  const ask = async <Answer>(question: string, judge: (text: string) => Judged<Answer>, isHidden = false) => {
    for (;;) {
      const judged = judge(await readLine(terminal, () => write(`${printable(question)} `), isHidden));
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
    secret: (message, check) => ask(`${message} (not shown):`, checked(check), true),
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

/** Reads a line as the terminal edits and echoes it; a hidden one without echo. */
function readLine(terminal: Terminal, prompt: () => void, isHidden: boolean): Promise<string> {
  const { keyboard, screen, signal } = terminal;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  prompt();
  const lines = createInterface({ input: keyboard, output: nowhere, terminal: isHidden, signal });
  process.on("SIGCONT", prompt);
  lines.on("SIGINT", () => lines.close());
  // readline pauses after Ctrl-Z and `fg`
  lines.on("SIGCONT", () => lines.resume());
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
    if (isHidden) screen.write("\n");
  });
}
