/** Prints events on standard output in the chosen format. */

import type { Format } from "../../output/format.ts";
import { printableLines } from "../../output/printable.ts";
import type { Io } from "../../process/io.ts";
import type { Delivery } from "./delivery.ts";
import type { EventRecord } from "./event-record.ts";

export interface PrinterOptions {
  format: Format;
  /** Whether --query is given. */
  isQueried: boolean;
  /** Formats an event as a table row. */
  row(record: EventRecord): string;
  /** Formats an event in any other format. @throws {CliError} If the query fails. */
  render(record: EventRecord): Promise<string>;
  stdout: Io["stdout"];
}

export function createPrinter({ format, isQueried, row, render, stdout }: PrinterOptions) {
  let csvHeader: string | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function formatEvent(record: EventRecord, body: Buffer): Promise<string> {
    if (format === "table" && !isQueried) return row(record);
    if (format === "raw" && !isQueried) {
      const text = `${body.toString("utf8")}\n`;
      return stdout.isTTY ? printableLines(text) : text;
    }
    const text = await render(record);
    if (format === "yaml") return `---\n${text}`;
    return format === "csv" ? withoutHeader(text) : text;
  }

  /** Drops the header if it was already printed: each event is rendered with a header of its own. */
  function withoutHeader(text: string): string {
    const end = text.indexOf("\n") + 1;
    const header = text.slice(0, end);
    if (header === csvHeader) return text.slice(end);
    csvHeader = header;
    return text;
  }

  return {
    /** Prints events in the order in which `show` is called. */
    show(record: EventRecord, { body }: Delivery): Promise<void> {
      const shown = queue.then(async () => stdout.write(await formatEvent(record, body)));
      queue = shown.catch(() => {});
      return shown;
    },
  };
}
