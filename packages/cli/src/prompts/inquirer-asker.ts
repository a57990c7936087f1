/**
 * Prompts with inquirer, for use only when a person is known to be present: inquirer waits for ever on a closed
 * standard input, and it draws on standard output unless it is given another stream.
 */
import { Writable } from "node:stream";
import { CliError } from "../failures/errors.ts";
import { printable, printableLines } from "../output/printable.ts";
import { COLOURED, PLAIN, withoutStyle } from "../output/text/style.ts";
import { wrap } from "../output/text/wrap.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Sink } from "../process/io.ts";
import type { Asker, Check } from "./asker.ts";

export interface Terminal {
  keyboard: NodeJS.ReadableStream;
  screen: Sink;
  isColoured: boolean;
  /** Aborted when the user interrupts with a signal instead of a key. */
  signal: AbortSignal;
}

/** Every prompt throws a CliError with exit code 130 when the user interrupts it or closes the terminal. */
export function createAsker(terminal: Terminal): Asker {
  const ask = <Answer>(question: Question<Answer>) => askQuestion(question, terminal);
  const style = terminal.isColoured ? COLOURED : PLAIN;
  const width = terminal.screen.columns ?? 80;
  return {
    text: (message, validate: Check) => ask(({ input }, context) => input({ message, validate }, context)),
    secret: (message, validate) =>
      // inquirer would offer a key that reveals the secret
      ask(({ password }, context) => password({ message, validate, toggleMask: false }, context)),
    choose: (message, choices) =>
      ask(({ select }, context) => select({ message, choices: choices.map(shownChoice), pageSize: 12 }, context)),
    confirm: (message, preset) => ask(({ confirm }, context) => confirm({ message, default: preset }, context)),
    tell: (text) => {
      for (const line of printableLines(text).split("\n")) {
        for (const piece of wrap(line, width, "")) terminal.screen.write(`${style.dim(piece)}\n`);
      }
    },
  };
}

function shownChoice(value: string) {
  return { value, name: printable(value) };
}

type Inquirer = typeof import("../libraries/inquirer.ts");
type Question<Answer> = (inquirer: Inquirer, context: Parameters<Inquirer["input"]>[1]) => Promise<Answer>;

async function askQuestion<Answer>(question: Question<Answer>, terminal: Terminal): Promise<Answer> {
  const { keyboard, signal } = terminal;
  const inquirer = await import("../libraries/inquirer.ts");
  const closed = new AbortController();
  // Ctrl-D ends the input, and inquirer would wait for keys that cannot come.
  const onPause = () => closed.abort();
  keyboard.on("pause", onPause);
  try {
    const context = { input: keyboard, output: canvasOn(terminal), signal: AbortSignal.any([signal, closed.signal]) };
    return await question(inquirer, context);
  } catch (error) {
    if (!(error instanceof Error) || !/^(Exit|Abort|Cancel)PromptError$/.test(error.name)) throw error;
    throw new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was sent", { cause: error });
  } finally {
    keyboard.removeListener("pause", onPause);
  }
}

/** A stream for one prompt, which inquirer ends: the screen itself stays open. */
function canvasOn({ screen, isColoured }: Terminal): NodeJS.WritableStream {
  const canvas = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = String(chunk);
      screen.write(isColoured ? text : withoutStyle(text));
      done();
    },
  });
  return Object.assign(canvas, { isTTY: true, columns: screen.columns ?? 80 });
}
