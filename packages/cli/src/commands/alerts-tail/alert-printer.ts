import type { CommandContext } from "../../model/catalog.ts";
import type { Output } from "../../model/record.ts";
import { isObject } from "../../output/fields.ts";
import { printableLines } from "../../output/printable.ts";
import { maskFields } from "../../output/secrets.ts";
import { COLOURED, PLAIN } from "../../output/text/style.ts";
import type { Io } from "../../process/io.ts";
import type { OpenRead } from "../../waiting/open-read.ts";
import { createRowStream, isNarrow } from "./row-stream.ts";

/** Prints alerts as they arrive. */
export interface AlertPrinter {
  /** Prints the alerts of one read, possibly none. */
  print(alerts: readonly unknown[]): Promise<void>;
  /** Prints all alerts in a format that is one document, such as JSON; nothing if no read has succeeded. */
  end(): Promise<void>;
}

/** Columns omitted on a narrow terminal. The message repeats them. */
const FIELDS_IN_MESSAGE: readonly string[] = ["alertType", "thresholdPercent"];

/** The widest usual value of each column, which sets the column's width. */
const SAMPLES = {
  createdAt: "2026-01-31T08:00:00.000Z",
  severity: "CRITICAL",
  alertType: "PROVIDER_FAILURE",
  merchantId: "bright-dental",
  channel: "EMAIL",
  thresholdPercent: 100,
};

export function createAlertPrinter(
  opened: OpenRead,
  output: Output,
  io: Io,
  { isColoured }: CommandContext,
): AlertPrinter {
  const { options, query } = opened;
  const format = options.output;
  const none = async () => {};
  if (!["table", "jsonl", "csv"].includes(format)) {
    let all: unknown[] | undefined;
    return {
      print: async (alerts) => {
        all = [...(all ?? []), ...alerts];
      },
      end: async () => {
        if (all !== undefined) await opened.print(all);
      },
    };
  }
  if (query !== undefined || format === "jsonl") {
    const print = async (alerts: readonly unknown[]) => {
      if (alerts.length > 0) await opened.print(alerts);
    };
    return { print, end: none };
  }
  const masked = (alerts: readonly unknown[]) => {
    const { value } = options.showSecrets ? { value: alerts } : maskFields(alerts, output.secrets);
    return Array.isArray(value) ? value.filter(isObject) : [];
  };
  let isHeaded = false;
  if (format === "csv") {
    const fields = options.columns ?? output.fields;
    const print = async (alerts: readonly unknown[]) => {
      if (alerts.length === 0) return;
      const { csv } = await import("../../output/csv/csv.ts");
      const text = csv(masked(alerts), fields);
      const unheaded = isHeaded ? text.slice(text.indexOf("\n") + 1) : text;
      io.stdout.write(io.stdout.isTTY ? printableLines(unheaded) : unheaded);
      isHeaded = true;
    };
    return { print, end: none };
  }
  const layout = {
    style: isColoured ? COLOURED : PLAIN,
    width: io.stdout.isTTY ? io.stdout.columns : undefined,
    zone: io.zoneOffsetMinutes,
  };
  const shown = output.columns.filter((name) => !isNarrow(layout.width) || !FIELDS_IN_MESSAGE.includes(name));
  const rows = createRowStream(options.columns ?? shown, SAMPLES, layout);
  const print = async (alerts: readonly unknown[]) => {
    if (alerts.length === 0) return;
    if (!isHeaded) io.stdout.write(rows.heading());
    isHeaded = true;
    for (const alert of masked(alerts)) io.stdout.write(rows.row(alert));
  };
  return { print, end: none };
}
