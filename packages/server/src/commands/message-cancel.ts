import { setTimeout as sleep } from "node:timers/promises";
import { CANCELED_AT_ONCE, type Cancellation, cancelQueued, listQueued } from "../dispatch/messages/cancellation.ts";
import { tellSearch } from "../rules/masked-searches.ts";
import { isFound, type Search } from "../rules/search-language.ts";
import { viewTime } from "../rules/view-time.ts";
import type { FollowedMessage } from "../search/message-stream.ts";
import { createSearchSource } from "../search/search-source.ts";
import { ConfigError } from "../settings/config.ts";
import { noteDecision } from "../steps/operator-audit.ts";
import { noteChange } from "../store/carriers.ts";
import { PAGE_ROWS, type Store } from "../store/store.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { readDecider, readTenantId, readText } from "./flags.ts";
import { type MessagesFlags, readSearch } from "./messages.ts";
import { print } from "./output.ts";
import { requireTenant } from "./tenancy.ts";

export interface CancelFlags extends MessagesFlags {
  readonly search: string;
  readonly reason: string;
  readonly by: string;
  readonly yes?: boolean;
}

const LONGEST_REASON = 200;
/** The most that one run looks at: their ids are kept in memory. */
const MOST_LOOKED_AT = 1_000_000;
/** Between two transactions, so that others get on. */
const BREATH_MS = 2;

/** `msgd messages cancel`: counts what waits of a search, and with `--yes` cancels it. */
export async function runMessagesCancel(flags: CancelFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const reason = readText("--reason", flags.reason, LONGEST_REASON);
  const by = readDecider(flags.by);
  const { clock, output } = environment;
  await withKnownStore(flags, environment, async (store) => {
    const { timezone } = await requireTenant(store, tenantId);
    const search = readConditions(flags.search, { now: clock.now(), timezone });
    const found = await findQueued(store, { tenantId, merchantId: flags.merchant, search });
    const { messageIds, isMore, ...counts } = found;
    const rest = isMore ? `More than ${MOST_LOOKED_AT} wait: run it again for the rest.\n` : "";
    if (flags.yes !== true) {
      print(output, flags.output, { ...counts, ...nothingDone });
      output.err(rest);
      if (messageIds.length === 0) return;
      throw new ConfigError("nothing was canceled: add --yes to cancel these, which cannot be undone");
    }
    const target = `search ${tellSearch(search).join(" ")}, ${messageIds.length} found, reason ${reason}`;
    const note = { tenantId, by, operation: "messages cancel", target, now: clock.now() };
    if (messageIds.length > 0) await store.write((tx) => noteDecision(tx, note));
    const words = `canceled by the operator: ${reason}`;
    const done = await cancelAll(store, messageIds, { words, now: () => clock.now() });
    // a server looks for callbacks then
    if (done.canceled > 0) await store.write(noteChange);
    print(output, flags.output, { ...counts, ...done });
    output.err(rest);
    if (done.left > 0) output.err(`${done.left} had been handed over, or ended, before they could be canceled.\n`);
    if (done.inDoubt > 0) {
      output.err(`${done.inDoubt} may have been handed over before the database went back: their carrier is asked.\n`);
    }
  });
}

const nothingDone: Cancellation = { canceled: 0, left: 0, inDoubt: 0 };

/** A script's variable may be empty, and means nothing then, not everything. */
function readConditions(text: string, surroundings: { now: number; timezone: string }): Search {
  const { search } = readSearch(text, surroundings);
  const { conditions, from, until } = search;
  if (conditions.length > 0 || from !== undefined || until !== undefined) return search;
  throw new ConfigError("--search: expected what is canceled, received nothing; status:queued is all that waits");
}

interface Sought {
  readonly tenantId: number;
  readonly merchantId: string | undefined;
  readonly search: Search;
}

interface Queued {
  readonly messageIds: readonly string[];
  readonly isMore: boolean;
  readonly SMS: number;
  readonly VOICE: number;
  readonly EMAIL: number;
  /** When the oldest was accepted; null without any. */
  readonly oldestAt: string | null;
}

/** Looks through what waits of a tenant: no index of searches is needed. */
async function findQueued(store: Store, sought: Sought): Promise<Queued> {
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
  // what was found may have been handed over since
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
    sum = {
      canceled: sum.canceled + done.canceled,
      left: sum.left + done.left,
      inDoubt: sum.inDoubt + done.inDoubt,
    };
    await sleep(BREATH_MS);
  }
  return sum;
}
