import { type OperatorsWord, recordOperatorsWord } from "../dispatch/messages/operators-word.ts";
import { ConfigError } from "../settings/config.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, OutputFlags } from "./environment.ts";
import { readDecider, readText } from "./flags.ts";
import { print, toPrintable } from "./output.ts";

export interface SettleFlags extends OutputFlags {
  readonly reason: string;
  readonly by: string;
}

/** The words of the command, and the states that they stand for. */
const outcomes: Readonly<Record<string, OperatorsWord["status"]>> = {
  delivered: "DELIVERED",
  undelivered: "UNDELIVERED",
  failed: "FAILED",
};

const LONGEST_REASON = 200;
const LONGEST_ID = 64;

/** `msgd messages settle`: records what a carrier said of messages whose end it did not report, each by itself. */
export async function runMessagesSettle(
  { outcome, messageIds }: { outcome: string; messageIds: readonly string[] },
  flags: SettleFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const status = Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
  if (status === undefined) {
    throw new ConfigError(`<outcome>: expected delivered, undelivered or failed, received "${toPrintable(outcome)}"`);
  }
  const word = {
    status,
    reason: readText("--reason", flags.reason, LONGEST_REASON),
    by: readDecider(flags.by),
  };
  const ids = messageIds.map((messageId) => readText("<messageId>", messageId, LONGEST_ID));
  const { clock, output } = environment;
  const faults: string[] = [];
  await withKnownStore(flags, environment, async (store) => {
    for (const messageId of ids) {
      try {
        const settled = await store.write((tx) => recordOperatorsWord(tx, { ...word, messageId, now: clock.now() }));
        const { before, isRepeat, tenantId } = settled;
        print(output, flags.output, { messageId, tenantId: String(tenantId), before, status });
        if (isRepeat) output.err(`${messageId} was ${status} before: nothing has changed.\n`);
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error));
      }
    }
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
