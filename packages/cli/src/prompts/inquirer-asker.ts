/**
 * Prompts with inquirer. Use it only if a person is at the terminal: on a closed standard input inquirer waits forever.
 * Inquirer gets its own output stream, since it would otherwise draw on standard output.
 */
import { Writable } from "node:stream";
import { printable, printableLines } from "../output/printable.ts";
import { COLOURED, PLAIN, withoutStyle } from "../output/text/style.ts";
import { wrap } from "../output/text/wrap.ts";
import { type Asker, type Check, interrupted, type Terminal } from "./asker.ts";
import { onSuspendKey, rawMode } from "./suspension.ts";

export function createInquirerAsker(terminal: Terminal): Asker {
  const ask = <Answer>(question: Question<Answer>) => askQuestion(question, terminal);
  const style = terminal.isColoured ? COLOURED : PLAIN;
  const width = terminal.screen.columns ?? 80;
  return {
    text: (message, validate: Check) => ask(({ input }, context) => input({ message, validate }, context)),
    secret: (message, validate) =>
      // without this, inquirer offers a key that reveals the secret
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
  // After Ctrl-D the input has ended, and inquirer would wait forever for keys.
  const onPause = () => closed.abort();
  keyboard.on("pause", onPause);
  const { canvas, redraw } = createCanvas(terminal);
  const ignoreSuspension = onSuspendKey(keyboard, {
    before: () => terminal.screen.write(`${SHOW_CURSOR}\n`),
    after() {
      rawMode(keyboard, true);
      redraw();
    },
  });
  try {
    const context = { input: keyboard, output: canvas, signal: AbortSignal.any([signal, closed.signal]) };
    return await question(inquirer, context);
  } catch (error) {
    if (!(error instanceof Error) || !/^(Exit|Abort|Cancel)PromptError$/.test(error.name)) throw error;
    throw interrupted(error);
  } finally {
    ignoreSuspension();
    keyboard.removeListener("pause", onPause);
  }
}

const SHOW_CURSOR = "\u001b[?25h";
// Written as a character class because the linter reports a literal control character in a pattern.
const ERASURE = /^(?:\p{Cc}\[\d*[ABGK])+/u;

/** Creates a stream for one prompt. Inquirer may end it; the screen stays open. `redraw` draws the prompt again. */
function createCanvas({ screen, isColoured }: Terminal): { canvas: NodeJS.WritableStream; redraw(): void } {
  let frame = "";
  const canvas = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = isColoured ? String(chunk) : withoutStyle(String(chunk));
      const drawn = text.replace(ERASURE, "");
      // a text that only moves the cursor is added to the drawn prompt
      frame = drawn === "" ? frame + text : drawn;
      screen.write(text);
      done();
    },
  });
  const redraw = () => screen.write(frame);
  return { canvas: Object.assign(canvas, { isTTY: true, columns: screen.columns ?? 80 }), redraw };
}
