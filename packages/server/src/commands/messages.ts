// `msgd messages`.

import { setTimeout as sleep } from "node:timers/promises";
import {
  CANCELED_AT_ONCE,
  type Cancellation,
  cancelQueued,
  listQueued,
  type OperatorsWord,
  recordOperatorsWord,
} from "../dispatch/messages/operator-actions.ts";
import { viewTime } from "../domain/calendar.ts";
import { viewChange, viewConsent } from "../domain/recipients/recipients.ts";
import {
  isFound,
  parseSearch,
  type ReadSearch,
  type Search,
  tellSearch,
} from "../domain/recipients/search-language.ts";
import { readMessageStory } from "../domain/recipients/story.ts";
import { Refusal } from "../domain/refusal.ts";
import { noteDecision } from "../domain/tenancy/operator-audit.ts";
import { findPage } from "../search/page-search.ts";
import { createSearchSource, type FollowedMessage, viewWholeMessage } from "../search/search-source.ts";
import { ConfigError } from "../settings/config.ts";
import { noteChange } from "../store/lineage.ts";
import { PAGE_ROWS, type Store } from "../store/store.ts";
import { withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  excerpt,
  type OutputFlags,
  type OutputFormat,
  print,
  readDecider,
  readLimit,
  readTenantId,
  readText,
  toPrintable,
} from "./environment.ts";
import { withIndex } from "./message-index.ts";
import { requireTenant } from "./tenants.ts";

export interface MessagesFlags extends OutputFlags {
  readonly tenant: string;
  readonly merchant?: string;
}

/** `msgd messages list`: lists a search's results, the newest first. */
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
      environment.output.err(`${toPrintable(text.slice(start, end))} is interpreted as ${value}.\n`);
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

/** `msgd messages show`: prints all stored data of a message or call. */
export async function runMessagesShow(
  messageId: string,
  flags: MessagesFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const scope = { tenantId: readTenantId(flags.tenant), merchantId: flags.merchant ?? null };
  await withKnownStore(flags, environment, async (store) => {
    await requireTenant(store, scope.tenantId);
    const now = environment.clock.now();
    const { content, consent, decisions, carrierDown, hold, ...message } = await store
      .read((tx) => readMessageStory(tx, scope, { messageId, now }))
      .catch(explain);
    const { createdAt, takenAt, updatedAt, carrierSaidAt } = message;
    const view = {
      ...message,
      createdAt: viewTime(createdAt),
      takenAt: viewTime(takenAt),
      updatedAt: viewTime(updatedAt),
      carrierSaidAt: viewTime(carrierSaidAt),
      heldUntil: hold && `${viewTime(hold.until)}: the tenant's texts are sent ${hold.hours} in ${hold.timezone}`,
      carrierDown:
        carrierDown && `${carrierDown.name} since ${viewTime(carrierDown.since)}: ${toPrintable(carrierDown.words)}`,
    };
    const decision = consent && viewChange(consent);
    if (flags.output === "json")
      environment.output.out(
        `${JSON.stringify({ ...view, consent: decision, decisions: decisions.map(viewConsent), content })}\n`,
      );
    else {
      const subject = message.subject === null ? null : toPrintable(message.subject);
      const words = decision && `${decision.status} since ${decision.changedAt}`;
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
  else if (messages.length === 0) output.err("No message was found.\n");
  else for (const message of messages) output.out(describe(message));
  if (next !== null) output.err(`There are more than ${messages.length}: use --limit to show more.\n`);
}

function describe({ createdAt, channel, status, reason, to, messageId, subject, content }: FollowedMessage): string {
  const state = reason === null ? status : `${status} (${reason})`;
  const text = excerpt(subject ?? content);
  return `${viewTime(createdAt)}  ${channel.padEnd(5)}  ${toPrintable(to)}  ${state}  ${messageId}  ${text}\n`;
}

/** Parses a search. Throws an error that marks each part that is not understood. */
export function readSearch(text: string, surroundings: { now: number; timezone: string }): ReadSearch {
  const read = parseSearch(text, surroundings);
  if ("search" in read) return read;
  const faults = read.faults.map(
    ({ start, end, detail }) => `${" ".repeat(start)}${"^".repeat(Math.max(1, end - start))} ${detail}`,
  );
  throw new ConfigError([`<search>: not understood`, toPrintable(text), ...faults].join("\n"));
}

export interface CancelFlags extends MessagesFlags {
  readonly search: string;
  readonly reason: string;
  readonly by: string;
  readonly yes?: boolean;
}

const LONGEST_REASON = 200;
/** Most messages in one run, because their ids are kept in memory. */
const MOST_LOOKED_AT = 1_000_000;
/** Pause between two transactions, so that other transactions can write. */
const BREATH_MS = 2;

/** `msgd messages cancel`: counts the waiting messages of a search, and with `--yes` cancels them. */
export async function runMessagesCancel(flags: CancelFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const reason = readText("--reason", flags.reason, LONGEST_REASON);
  const by = readDecider(flags.by);
  const { clock, output } = environment;
  await withKnownStore(flags, environment, async (store) => {
    const { timezone } = await requireTenant(store, tenantId);
    const search = readConditions(flags.search, { now: clock.now(), timezone });
    const sought = { tenantId, merchantId: flags.merchant, search };
    const { messageIds, isMore, ...counts } = await findQueued(store, sought);
    const rest = isMore ? `More than ${MOST_LOOKED_AT} wait: run the command again for the others.\n` : "";
    if (flags.yes !== true) {
      print(output, flags.output, { ...counts, ...nothingDone });
      output.err(rest);
      if (messageIds.length === 0) return;
      throw new ConfigError("nothing was canceled: add --yes to cancel these, which cannot be undone");
    }
    const target = `search ${tellSearch(search).join(" ")}, ${messageIds.length} found, reason ${reason}`;
    const note = { tenantId, by, operation: "messages cancel", target, now: clock.now() } as const;
    if (messageIds.length > 0) await store.write((tx) => noteDecision(tx, note));
    const words = `canceled by the operator: ${reason}`;
    const done = await cancelAll(store, messageIds, { words, now: () => clock.now() });
    // the change makes servers look for the callbacks about the canceled calls
    if (done.canceled > 0) await store.write(noteChange);
    print(output, flags.output, { ...counts, ...done });
    output.err(rest);
    if (done.left > 0) output.err(`${done.left} were handed to a carrier, or ended, before they could be canceled.\n`);
    if (done.inDoubt > 0) {
      output.err(`${done.inDoubt} may have been sent before the database was restored: servers ask their carriers.\n`);
    }
  });
}

const nothingDone: Cancellation = { canceled: 0, left: 0, inDoubt: 0 };

/** Reads the search. An empty one is refused: it may be a script's empty variable, and must not cancel everything. */
function readConditions(text: string, surroundings: { now: number; timezone: string }): Search {
  const { search } = readSearch(text, surroundings);
  const { conditions, from, until } = search;
  if (conditions.length > 0 || from !== undefined || until !== undefined) return search;
  throw new ConfigError(
    "--search: expected a search for the messages to cancel, received nothing; status:queued finds all waiting ones",
  );
}

interface Sought {
  readonly tenantId: number;
  readonly merchantId: string | undefined;
  readonly search: Search;
}

/** Finds and counts the queued messages of a search, without the index. `oldestAt` is null if there are none. */
async function findQueued(store: Store, sought: Sought) {
  const counts = { SMS: 0, VOICE: 0, EMAIL: 0 };
  const messageIds: string[] = [];
  let oldestAt = Number.POSITIVE_INFINITY;
  const source = createSearchSource(store);
  const queued = await store.read((tx) => listQueued(tx, sought.tenantId, MOST_LOOKED_AT));
  for (let start = 0; start < queued.length; start += PAGE_ROWS) {
    for (const message of await source.find(queued.slice(start, start + PAGE_ROWS))) {
      if (!isSought(message, sought)) continue;
      counts[message.channel] += 1;
      oldestAt = Math.min(oldestAt, message.createdAt);
      messageIds.push(message.messageId);
    }
  }
  const isMore = queued.length === MOST_LOOKED_AT;
  return { messageIds, isMore, ...counts, oldestAt: Number.isFinite(oldestAt) ? viewTime(oldestAt) : null };
}

function isSought(message: FollowedMessage, { tenantId, merchantId, search }: Sought): boolean {
  const isTheirs = message.tenantId === tenantId && (merchantId === undefined || message.merchantId === merchantId);
  // the message may have been handed to a carrier since it was found
  return isTheirs && message.status === "QUEUED" && isFound(message, search);
}

async function cancelAll(
  store: Store,
  messageIds: readonly string[],
  { words, now }: { words: string; now: () => number },
): Promise<Cancellation> {
  let sum = nothingDone;
  for (let start = 0; start < messageIds.length; start += CANCELED_AT_ONCE) {
    const some = messageIds.slice(start, start + CANCELED_AT_ONCE);
    const done = await store.write((tx) => cancelQueued(tx, some, { words, now: now() }), "background");
    const { canceled, left, inDoubt } = sum;
    sum = { canceled: canceled + done.canceled, left: left + done.left, inDoubt: inDoubt + done.inDoubt };
    await sleep(BREATH_MS);
  }
  return sum;
}

/** Maps each outcome of the command line to a status. */
const outcomes: Readonly<Record<string, OperatorsWord["status"]>> = {
  delivered: "DELIVERED",
  undelivered: "UNDELIVERED",
  failed: "FAILED",
};

const LONGEST_ID = 64;

/** `msgd messages settle`: records outcomes that the operator got from a carrier, for messages without a carrier's report. */
export async function runMessagesSettle(
  { outcome, messageIds }: { outcome: string; messageIds: readonly string[] },
  flags: OutputFlags & { reason: string; by: string },
  environment: CommandEnvironment,
): Promise<void> {
  const status = Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
  if (status === undefined) {
    throw new ConfigError(`<outcome>: expected delivered, undelivered or failed, received "${toPrintable(outcome)}"`);
  }
  const word = { status, reason: readText("--reason", flags.reason, LONGEST_REASON), by: readDecider(flags.by) };
  const ids = messageIds.map((messageId) => readText("<messageId>", messageId, LONGEST_ID));
  const { clock, output } = environment;
  const faults: string[] = [];
  await withKnownStore(flags, environment, async (store) => {
    for (const messageId of ids) {
      try {
        const settled = await store.write((tx) => recordOperatorsWord(tx, { ...word, messageId, now: clock.now() }));
        const { before, isRepeat, tenantId } = settled;
        print(output, flags.output, { messageId, tenantId: String(tenantId), before, status });
        if (isRepeat) output.err(`${messageId} was already ${status}: nothing has changed.\n`);
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error));
      }
    }
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
