import { Refusal } from "../rules/refusal.ts";
import { parseSearch, type ReadSearch } from "../rules/search-language.ts";
import { viewTime } from "../rules/view-time.ts";
import type { FollowedMessage } from "../search/message-stream.ts";
import { findPage } from "../search/page-search.ts";
import { createSearchSource, viewWholeMessage } from "../search/search-source.ts";
import { ConfigError } from "../settings/config.ts";
import { readMessageStory } from "../steps/message-story.ts";
import { viewChange } from "../steps/recipient-story.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, OutputFlags } from "./environment.ts";
import { readLimit, readTenantId } from "./flags.ts";
import { withIndex } from "./message-index.ts";
import { excerpt, type OutputFormat, print, toPrintable } from "./output.ts";
import { requireTenant } from "./tenancy.ts";

export interface MessagesFlags extends OutputFlags {
  readonly tenant: string;
  readonly merchant?: string;
}

/** `msgd messages list`: lists what a search finds, the newest first. */
export async function runMessagesList(
  words: readonly string[],
  flags: MessagesFlags & { limit: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const limit = readLimit(flags.limit);
  await withKnownStore(flags, environment, async (store, installation) => {
    const { timezone } = await requireTenant(store, tenantId);
    const text = words.join(" ");
    const { search, addresses } = readSearch(text, { now: environment.clock.now(), timezone });
    for (const { start, end, value } of addresses.filter(({ isRewritten }) => isRewritten)) {
      environment.output.err(`${toPrintable(text.slice(start, end))} is read as ${value}.\n`);
    }
    const scope = { tenantId, merchantId: flags.merchant };
    const messages = await withIndex(store, installation, environment, (index) =>
      findPage(
        { index, source: createSearchSource(store), now: environment.clock.now() },
        { scope, search, limit },
        () => true,
      ),
    );
    printMessages(messages, flags.output, environment);
  });
}

/** `msgd messages show`: prints all that is kept of a message or call. */
export async function runMessagesShow(
  messageId: string,
  flags: MessagesFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const scope = { tenantId: readTenantId(flags.tenant), merchantId: flags.merchant ?? null };
  await withKnownStore(flags, environment, async (store) => {
    await requireTenant(store, scope.tenantId);
    const { content, consent, carrierDown, ...message } = await store
      .read((tx) => readMessageStory(tx, scope, messageId))
      .catch(explain);
    const { createdAt, takenAt, updatedAt, carrierSaidAt } = message;
    const view = {
      ...message,
      createdAt: viewTime(createdAt),
      takenAt: viewTime(takenAt),
      updatedAt: viewTime(updatedAt),
      carrierSaidAt: viewTime(carrierSaidAt),
      carrierDown:
        carrierDown === null
          ? null
          : `${carrierDown.name} since ${viewTime(carrierDown.since)}: ${toPrintable(carrierDown.words)}`,
    };
    const decision = consent === null ? null : viewChange(consent);
    if (flags.output === "json") environment.output.out(`${JSON.stringify({ ...view, consent: decision, content })}\n`);
    else {
      const subject = message.subject === null ? null : toPrintable(message.subject);
      const words = decision === null ? null : `${decision.status} since ${decision.changedAt}`;
      const carrierWords = message.carrierWords === null ? null : toPrintable(message.carrierWords);
      print(environment.output, "text", { ...view, subject, carrierWords, consent: words });
      environment.output.out(`\n${content.split("\n").map(toPrintable).join("\n")}\n`);
    }
  });

  function explain(error: unknown): never {
    if (!(error instanceof Refusal)) throw error;
    const owner = flags.merchant === undefined ? `tenant ${flags.tenant}` : `merchant ${flags.merchant}`;
    throw new Error(`${owner} has no message ${toPrintable(messageId)}: msgd messages list shows them`);
  }
}

function printMessages(
  { messages, next }: Awaited<ReturnType<typeof findPage>>,
  format: OutputFormat,
  { output }: CommandEnvironment,
): void {
  if (format === "json") output.out(`${JSON.stringify(messages.map(viewWholeMessage))}\n`);
  else if (messages.length === 0) output.err("Nothing is found.\n");
  else for (const message of messages) output.out(describe(message));
  if (next !== null) output.err(`There are more than ${messages.length}: --limit shows more.\n`);
}

function describe({ createdAt, channel, status, reason, to, messageId, subject, content }: FollowedMessage): string {
  const state = reason === null ? status : `${status} (${reason})`;
  const text = excerpt(subject ?? content);
  return `${viewTime(createdAt)}  ${channel.padEnd(5)}  ${toPrintable(to)}  ${state}  ${messageId}  ${text}\n`;
}

/** Throws with a mark below each part that is not understood. */
export function readSearch(text: string, surroundings: { now: number; timezone: string }): ReadSearch {
  const read = parseSearch(text, surroundings);
  if ("search" in read) return read;
  const faults = read.faults.map(
    ({ start, end, detail }) => `${" ".repeat(start)}${"^".repeat(Math.max(1, end - start))} ${detail}`,
  );
  throw new ConfigError([`<search>: not understood`, toPrintable(text), ...faults].join("\n"));
}
