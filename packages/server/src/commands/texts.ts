// `msgd texts`.

import { viewTime } from "../domain/calendar.ts";
import { readKeyword } from "../domain/consent/rules.ts";
import { type KeptText, listUnmatchedTexts } from "../domain/messages/text-rows.ts";
import { withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  excerpt,
  type OutputFlags,
  printList,
  readLimit,
  toPrintable,
} from "./environment.ts";

/**
 * `msgd texts list`: lists texts to unknown numbers, the newest first. Shows whole phone numbers, because the operator has to
 * opt out manually those who sent a STOP.
 */
export async function runTextsList(
  flags: OutputFlags & { limit: string },
  environment: CommandEnvironment,
): Promise<void> {
  const limit = readLimit(flags.limit);
  const { output } = environment;
  await withKnownStore(flags, environment, async (store) => {
    const found = await store.read((tx) => listUnmatchedTexts(tx, limit + 1));
    const rows = found.slice(0, limit).map(view);
    const none = "No text was received at a number that belongs to no tenant.";
    printList(output, { format: flags.output, rows, none, describe });
    if (found.length > limit) output.err(`There are more than ${limit}: use --limit to show more.\n`);
  });
}

function view({ receivedAt, phone: from, sender: to, carrier, content: text }: KeptText) {
  const keyword = readKeyword(text, { optedOut: false });
  return { receivedAt: viewTime(receivedAt), from, to, carrier, action: keyword?.action ?? null, text };
}

function describe({ receivedAt, from, to, carrier, action, text }: ReturnType<typeof view>): string {
  const conversation = `${toPrintable(from)} to ${toPrintable(to)}`;
  const read = action === null ? [] : [action];
  return `${[receivedAt, conversation, `by ${toPrintable(carrier)}`, ...read, excerpt(text)].join("  ")}\n`;
}
