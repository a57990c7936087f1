// Finds, follows and shows messages and their recipients.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import { contactOf } from "../domain/contacts.ts";
import type { Caller } from "../domain/context.ts";
import type { EventSink } from "../domain/handler.ts";
import {
  type AllowanceContext,
  type AskedRecipient,
  askFor,
  beginErasure,
  readAllowances,
  readRecipient,
  readRecipientStory,
  unsuppress,
  viewChange,
  viewConsent,
  viewRecipient,
} from "../domain/recipients/recipients.ts";
import { parseSearch, type ReadSearch } from "../domain/recipients/search-language.ts";
import { type MessageStory, readMessageStory } from "../domain/recipients/story.ts";
import { Refusal, refuseFaults } from "../domain/refusal.ts";
import { requireMerchant } from "../domain/tenancy/access.ts";
import { listProjects } from "../domain/tenancy/project-rows.ts";
import type { RouteServices } from "../http/routes.ts";
import type { Clock } from "../platform/clock.ts";
import { FairSemaphore } from "../platform/fair-queue.ts";
import { clearInterval, setInterval } from "../platform/timers.ts";
import {
  type AskedPage,
  formatCursor,
  type PageCursor,
  parseCursor,
  type ScopedSearch,
} from "../search/page-search.ts";
import { createSearchSource, type FollowedMessage, viewWholeMessage } from "../search/search-source.ts";
import { isIn, type SearchScope } from "../search/search-terms.ts";
import type { Searches, SearchPage, TalliedHours, Viewer, Watch } from "../search/searches.ts";
import type { AskedTallies, TalliedMessages } from "../search/tallies.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

/** Maximum number of concurrent searches of one user. A page makes two. */
const MOST_OF_USER = 4;

/** Runs users' searches, `MOST_OF_USER` per user at a time. Throws `unavailable` if the server has no index. */
export class AskedSearches {
  readonly #searches: Searches | undefined;
  readonly #underWay = new FairSemaphore<string>({
    atOnce: Number.POSITIVE_INFINITY,
    perOwner: MOST_OF_USER,
    mostWaiting: { perOwner: 0, owners: 0 },
    refuse() {
      const detail = `You have ${MOST_OF_USER} searches in progress, which is the limit per user. Wait until one has ended.`;
      return new Refusal("unavailable", detail);
    },
  });

  constructor(searches: Searches | undefined) {
    this.#searches = searches;
  }

  /** Throws `unavailable` if the user has too many searches in progress. */
  async find(caller: Caller, asked: Omit<AskedPage, "scope">): Promise<SearchPage> {
    const searches = this.#require();
    return this.#underWay.run(caller.apiKey, () => searches.find({ ...asked, scope: scopeOf(caller) }));
  }

  /** Throws `unavailable` if the user has too many searches in progress, like `find`. */
  async tally(caller: Caller, asked: AskedTallies): Promise<TalliedHours> {
    const searches = this.#require();
    return this.#underWay.run(caller.apiKey, () => searches.tally(asked));
  }

  watch(scoped: ScopedSearch, viewer: Viewer): Watch {
    return this.#require().watch(scoped, viewer);
  }

  #require(): Searches {
    if (this.#searches !== undefined) return this.#searches;
    throw new Refusal("unavailable", "This server has no search index.");
  }
}

function scopeOf({ tenantId, merchantId }: Caller): SearchScope {
  return { tenantId, merchantId: merchantId ?? undefined };
}

/** Parses a cursor; undefined if there is none. Throws `validation_error` if the cursor is invalid. */
function readCursor(text: string | undefined): PageCursor | undefined {
  if (text === undefined) return undefined;
  const cursor = parseCursor(text);
  if (cursor !== undefined) return cursor;
  const detail = "Expected `next` of the previous page.";
  throw refuseFaults([{ pointer: "/query/cursor", code: "invalid", detail }]);
}

const DEFAULT_LIMIT = 50;
/** Maximum number of projects that are offered for selection. */
const MOST_PROJECTS = 50;
const DEFAULT_HOURS = 48;
const HOUR_MS = 60 * 60_000;
/** Number of characters of a message's text that a list shows. */
const EXCERPT = 200;
/** Interval at which a stream checks whether its session has ended. */
const SESSION_POLL_MS = 1_000;

export function messageHandlers(
  searches: AskedSearches,
  clock: Pick<Clock, "now">,
  isOpen: (sessionId: string) => Promise<boolean> | undefined,
): DashboardHandlers<"searchMessages" | "followMessages" | "getMessage" | "getActivity" | "listProjects"> {
  return {
    searchMessages: {
      async answer(caller, { query: { q = "", cursor, limit = DEFAULT_LIMIT } }) {
        const { search, addresses } = readSearch(q, caller, clock.now());
        const asked = { search, limit, cursor: readCursor(cursor) };
        const { messages, next, lookedBackTo, isComplete } = await searches.find(caller, asked);
        return {
          messages: messages.map(viewRow),
          next: next === null ? null : formatCursor(next),
          lookedBackTo: viewTime(lookedBackTo),
          isComplete,
          readAs: addresses
            .filter(({ isRewritten }) => isRewritten)
            .map(({ start, end, value }) => ({ written: q.slice(start, end), number: value })),
        };
      },
    },
    followMessages: {
      stream(caller, { query: { q = "" } }, events) {
        const watched = { scope: scopeOf(caller), search: readSearch(q, caller, clock.now()).search };
        const watch = searches.watch(watched, {
          tell({ messages, gone, ...counts }) {
            const view: Views["MessageChanges"] = { messages: messages.map(viewRow), gone: [...gone], ...counts };
            events.send("messages", view);
          },
          end: () => events.end(),
        });
        events.onEnd(() => watch.end());
        const { sessionId } = caller;
        if (sessionId !== null) endWith(() => isOpen(sessionId), events);
        watch.begun.then(
          () => events.send("open", {}),
          () => events.end(),
        );
      },
    },
    getActivity: {
      async answer(caller, { query: { hours = DEFAULT_HOURS, merchantId, channel } }) {
        if (merchantId !== undefined) requireMerchant(caller, merchantId);
        const scope = { ...scopeOf(caller), ...(merchantId === undefined ? {} : { merchantId }) };
        const from = Math.floor(clock.now() / HOUR_MS) - hours + 1;
        const { hours: found, countedUntil, isComplete } = await searches.tally(caller, { scope, channel, from });
        return { hours: viewHours(found), countedUntil: viewTime(countedUntil), isComplete };
      },
    },
    listProjects: {
      async read({ tx, caller: { tenantId, merchantId } }) {
        // a label belongs to the tenant, and its merchants are not recorded: list no labels for a merchant-scoped user
        const projects = merchantId === null ? await listProjects(tx, tenantId, MOST_PROJECTS) : [];
        return projects.map((project) => ({ project }));
      },
    },
    getMessage: {
      async read({ tx, caller, now }, { path: { messageId } }) {
        return viewMessage(await readMessageStory(tx, caller, { messageId, now }));
      },
    },
  };
}

/** A message in its JSON form. */
export function viewMessage(story: MessageStory): Views["MessageView"] {
  const { createdAt, takenAt, updatedAt, carrierSaidAt, consent, decisions, carrierDown, hold, ...message } = story;
  return {
    ...message,
    carrierSaidAt: viewTime(carrierSaidAt),
    createdAt: viewTime(createdAt),
    takenAt: viewTime(takenAt),
    updatedAt: viewTime(updatedAt),
    consent: consent === null ? null : viewChange(consent),
    decisions: decisions.map(viewConsent),
    hold: hold === null ? null : { ...hold, until: viewTime(hold.until) },
    carrierDown: carrierDown === null ? null : { ...carrierDown, since: viewTime(carrierDown.since) },
  };
}

/** Ends the stream within a second after its session ends. */
function endWith(isOpen: () => Promise<boolean> | undefined, events: EventSink): void {
  const look = async () => {
    // while the database cannot be read, the session counts as open
    if ((await isOpen()?.catch(() => true)) !== false) return;
    events.send("session", {});
    events.end();
  };
  const timer = setInterval(() => void look(), SESSION_POLL_MS).unref();
  events.onEnd(() => clearInterval(timer));
}

/** Parses a search. Throws `validation_error` with the position of each term that is not understood. */
function readSearch(text: string, { timezone }: Caller, now: number): ReadSearch {
  const read = parseSearch(text, { now, timezone });
  if ("search" in read) return read;
  throw refuseFaults(
    read.faults.map(({ start, end, detail }) => ({
      pointer: "/query/q",
      code: "invalid",
      detail: `Characters ${start + 1} to ${end}: ${detail}.`,
    })),
  );
}

function viewRow(message: FollowedMessage): Views["MessageRow"] {
  const { messageId, channel, type, status, reason, merchantId, to, subject, content, createdAt, project } = message;
  const excerpt = Array.from(content.slice(0, 2 * EXCERPT))
    .slice(0, EXCERPT)
    .join("");
  return {
    ...{ messageId, channel, type, status, reason, merchantId, to, subject, excerpt },
    createdAt: viewTime(createdAt),
    project,
  };
}

function viewHours(tallied: readonly TalliedMessages[]): Views["ActivityHour"][] {
  const hours = new Map<number, Views["ActivityHour"]>();
  for (const { hour, outcome, messages } of tallied) {
    const at = viewTime(hour * HOUR_MS);
    const counts = hours.get(hour) ?? { at, delivered: 0, failed: 0, unknown: 0, underWay: 0 };
    hours.set(hour, { ...counts, [outcome]: messages });
  }
  return [...hours.values()];
}

/** Limits of a page of whole messages. A page is serialized in one turn of the event loop, and an email may have 1 MiB. */
const MOST_WHOLE = { messages: 5, characters: 256 * 1024 };

type RecipientServices = Pick<RouteServices<string>, "store" | "clock" | "settings" | "notifyJobs">;

export function recipientHandlers(
  { store, clock, settings, notifyJobs }: RecipientServices,
  searches: AskedSearches,
): DashboardHandlers<"getRecipient" | "listRecipientMessages" | "unsuppressRecipient" | "eraseRecipient"> {
  function readAsked({ tenantId, timezone }: Caller, text: string): AskedRecipient {
    return askFor(readRecipient(text, timezone, "/path/contact"), tenantId, settings.digestRecipient);
  }
  async function readView(context: AllowanceContext, asked: AskedRecipient): Promise<Views["RecipientView"]> {
    const story = await readRecipientStory(context.tx, context.caller, asked, { now: clock.now() });
    const mayReceive = (await readAllowances(context, story)).map(({ types, ...whom }) => ({
      ...whom,
      types: [...types],
    }));
    return { ...viewRecipient(story), mayReceive };
  }
  return {
    getRecipient: {
      read: (context, { path }) => readView(context, readAsked(context.caller, path.contact)),
    },
    listRecipientMessages: {
      async answer(caller, { path, query: { cursor } }) {
        const { contact } = readAsked(caller, path.contact);
        const scope = scopeOf(caller);
        const to = { isNot: false, about: "to", value: contact } as const;
        const search = { conditions: [to], from: undefined, until: undefined };
        const asked = { search, cursor: readCursor(cursor) };
        const source = createSearchSource(store);
        const readPage = async (limit: number) => {
          const { messages, next, isComplete } = await searches.find(caller, { ...asked, limit });
          // read the whole messages, because the index has only the beginning of each text; the search also finds longer
          // numbers that begin with this one, which are removed below
          return { whole: await source.find(messages.map(({ messageId }) => messageId)), next, isComplete };
        };
        const page = await readPage(MOST_WHOLE.messages);
        const fitting = countFitting(page.whole);
        const { whole, next, isComplete } = fitting < page.whole.length ? await readPage(fitting) : page;
        const own = whole.filter((message) => isIn(scope, message) && contactOf(message.to) === contact);
        return {
          messages: own.map(viewWholeMessage),
          next: next === null ? null : formatCursor(next),
          isComplete,
        };
      },
    },
    unsuppressRecipient: {
      async answer(caller, { path }) {
        const asked = readAsked(caller, path.contact);
        await store.write((tx) => unsuppress(tx, caller, { ...asked, now: clock.now() }));
        return store.read((tx) => readView({ tx, caller, settings }, asked));
      },
    },
    eraseRecipient: {
      async answer(caller, { path }) {
        const asked = readAsked(caller, path.contact);
        await store.write((tx) => beginErasure(tx, caller, { ...asked, now: clock.now() }));
        notifyJobs();
        return store.read((tx) => readView({ tx, caller, settings }, asked));
      },
    },
  };
}

/** Returns how many of the first messages fit into a page. At least one always fits. */
function countFitting(messages: readonly { readonly content: string }[]): number {
  let characters = 0;
  const tooMany = messages.findIndex(({ content }) => {
    characters += content.length;
    return characters > MOST_WHOLE.characters;
  });
  return tooMany < 0 ? messages.length : Math.max(1, tooMany);
}
