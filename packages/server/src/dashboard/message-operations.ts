// Messages as the dashboard shows them: found, followed, and one at a time.

import type { Views } from "@msgctl/dashboard/api";
import type { Clock } from "../platform/clock.ts";
import { clearInterval, setInterval } from "../platform/timers.ts";
import { refuseFaults } from "../rules/refusal.ts";
import { parseSearch, type ReadSearch } from "../rules/search-language.ts";
import { viewTime } from "../rules/view-time.ts";
import type { FollowedMessage } from "../search/message-stream.ts";
import { formatCursor } from "../search/page-cursor.ts";
import type { TalliedMessages } from "../search/tallies.ts";
import { requireMerchant } from "../steps/access.ts";
import { readMessageStory } from "../steps/message-story.ts";
import type { Caller, EventSink } from "../steps/operation.ts";
import { viewChange } from "../steps/recipient-story.ts";
import { listProjects } from "../store/project-labels.ts";
import { type AskedSearches, readCursor, scopeOf } from "./asked-searches.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const DEFAULT_LIMIT = 50;
/** As many as a person chooses from. */
const MOST_PROJECTS = 50;
const DEFAULT_HOURS = 48;
const HOUR_MS = 60 * 60_000;
/** Of a message's text in a list, in characters. */
const EXCERPT = 200;
/** How often it is seen whether a stream's session has ended. */
const SESSION_LOOK_MS = 1_000;

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
        // of the tenant's labels none says which merchant's messages have it
        const projects = merchantId === null ? await listProjects(tx, tenantId, MOST_PROJECTS) : [];
        return projects.map((project) => ({ project }));
      },
    },
    getMessage: {
      async read({ tx, caller }, { path: { messageId } }) {
        const { createdAt, takenAt, updatedAt, carrierSaidAt, consent, carrierDown, ...message } =
          await readMessageStory(tx, caller, messageId);
        return {
          ...message,
          carrierSaidAt: viewTime(carrierSaidAt),
          createdAt: viewTime(createdAt),
          takenAt: viewTime(takenAt),
          updatedAt: viewTime(updatedAt),
          consent: consent === null ? null : viewChange(consent),
          carrierDown: carrierDown === null ? null : { ...carrierDown, since: viewTime(carrierDown.since) },
        };
      },
    },
  };
}

/** Ends the stream with the session, within a second. */
function endWith(isOpen: () => Promise<boolean> | undefined, events: EventSink): void {
  const look = async () => {
    // a database that cannot be asked says nothing of the session
    if ((await isOpen()?.catch(() => true)) !== false) return;
    events.send("session", {});
    events.end();
  };
  const timer = setInterval(() => void look(), SESSION_LOOK_MS).unref();
  events.onEnd(() => clearInterval(timer));
}

/** Throws `validation_error` with the place of each part that is not understood. */
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
