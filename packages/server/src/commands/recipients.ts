// `msgd recipients`.

import { setTimeout as sleep } from "node:timers/promises";
import { viewTime } from "../domain/calendar.ts";
import { contactOf, createRecipientDigest, maskContact } from "../domain/contacts.ts";
import type { Stop } from "../domain/messages/text-blocks.ts";
import {
  type AskedRecipient,
  askFor,
  beginErasure,
  continueErasure,
  type RecipientStory,
  readContact,
  readRecipientStory,
  unsuppress,
  viewRecipient,
} from "../domain/recipients/recipients.ts";
import type { MessageScope } from "../domain/tenancy/access.ts";
import type { RecordedCommand } from "../domain/tenancy/operator-audit.ts";
import { shellWord } from "../platform/shell-word.ts";
import { findPage, type PageCursor } from "../search/page-search.ts";
import { createSearchSource, viewWholeMessage } from "../search/search-source.ts";
import { ConfigError } from "../settings/config.ts";
import type { Store } from "../store/store.ts";
import { noteCommand } from "./command-audit.ts";
import { type Installation, withKnownStore } from "./database.ts";
import { type CommandEnvironment, print, readTenantId, toPrintable } from "./environment.ts";
import { withIndex } from "./message-index.ts";
import type { MessagesFlags } from "./messages.ts";
import { requireTenant } from "./tenants.ts";

/** Pause between two batches of an erasure, so that a running server can write. */
const BREATH_MS = 2;
/** Number of messages read at a time. */
const PAGE = 500;

/** `msgd recipients show`: prints a recipient's consent decisions and their history. */
export async function runRecipientsShow(
  text: string,
  flags: MessagesFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const contact = requireContact(text);
  const scope = { tenantId: readTenantId(flags.tenant), merchantId: flags.merchant ?? null };
  await withKnownStore(flags, environment, async (store, installation) => {
    const about = { operation: "recipients show", contact, scope } as const;
    const asked = await askAbout(about, { store, installation }, environment);
    const story = await store.read((tx) => readRecipientStory(tx, scope, asked, { now: environment.clock.now() }));
    const { out, err } = environment.output;
    if (flags.output === "json") out(`${JSON.stringify(viewRecipient(story))}\n`);
    else {
      if (story.consents.length === 0) err("No consent decision of this recipient is recorded.\n");
      for (const line of describe(story, { contact, tenantId: scope.tenantId })) out(`${line}\n`);
    }
  });
}

/** `msgd recipients export`: prints a JSON object. Each message is printed as soon as it is read. */
export async function runRecipientsExport(
  text: string,
  flags: Omit<MessagesFlags, "output">,
  environment: CommandEnvironment,
): Promise<void> {
  const contact = requireContact(text);
  const scope = { tenantId: readTenantId(flags.tenant), merchantId: flags.merchant ?? null };
  await withKnownStore(flags, environment, async (store, installation) => {
    const { out } = environment.output;
    const now = environment.clock.now();
    const about = { operation: "recipients export", contact, scope } as const;
    const asked = await askAbout(about, { store, installation }, environment);
    const { hasMore: _hasMore, ...story } = viewRecipient(
      await store.read((tx) => readRecipientStory(tx, scope, asked, { now, most: Number.MAX_SAFE_INTEGER })),
    );
    const exportedAt = viewTime(now);
    await withIndex(store, installation, environment, async (index) => {
      const to = { isNot: false, about: "to", value: contact } as const;
      const sought = {
        scope: { tenantId: scope.tenantId, merchantId: flags.merchant },
        search: { conditions: [to], from: undefined, until: undefined },
        limit: PAGE,
      };
      out(`${JSON.stringify({ ...story, exportedAt }).slice(0, -1)},"messages":[`);
      let cursor: PageCursor | undefined;
      let isFirst = true;
      do {
        const sources = { index, source: createSearchSource(store), now: environment.clock.now() };
        const page = await findPage(sources, { ...sought, cursor }, () => true);
        for (const message of page.messages) {
          // the search also finds longer addresses that begin with this one
          if (contactOf(message.to) !== contact) continue;
          out(`${isFirst ? "" : ","}\n${JSON.stringify(viewWholeMessage(message))}`);
          isFirst = false;
        }
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      out(`${isFirst ? "" : "\n"}]}\n`);
    });
  });
}

/** `msgd recipients erase`: erases a recipient, with or without a running server. */
export async function runRecipientsErase(
  text: string,
  flags: MessagesFlags & { yes?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  const contact = requireContact(text);
  const scope = { tenantId: readTenantId(flags.tenant), merchantId: flags.merchant ?? null };
  if (flags.yes !== true) {
    throw new ConfigError(
      "erasing cannot be undone (to save the data first: msgd recipients export): add --yes to erase",
    );
  }
  await withKnownStore(flags, environment, async (store, installation) => {
    const about = { operation: "recipients erase", contact, scope } as const;
    const asked = await askAbout(about, { store, installation }, environment);
    const erasureId = await store.write((tx) => beginErasure(tx, scope, { ...asked, now: environment.clock.now() }));
    const takeBite = () => store.write((tx) => continueErasure(tx, erasureId, environment.clock.now()));
    let progress = await takeBite();
    while (progress.state === "under way") {
      await sleep(BREATH_MS);
      progress = await takeBite();
    }
    const now = environment.clock.now();
    const { keptOptOuts } = await store.read((tx) => readRecipientStory(tx, scope, asked, { now }));
    const { erased, open } = progress;
    print(environment.output, flags.output, { erased, open, keptOptOuts: keptOptOuts.length });
    environment.output.err(explainErasure(open));
  });
}

/** `msgd recipients unsuppress`: lifts a recipient's suppression. A running server sends the next message. */
export async function runRecipientsUnsuppress(
  text: string,
  flags: Omit<MessagesFlags, "merchant">,
  environment: CommandEnvironment,
): Promise<void> {
  const contact = requireContact(text);
  const scope = { tenantId: readTenantId(flags.tenant), merchantId: null };
  await withKnownStore(flags, environment, async (store, installation) => {
    const about = { operation: "recipients unsuppress", contact, scope } as const;
    const asked = await askAbout(about, { store, installation }, environment);
    const wasSuppressed = await store.write((tx) => unsuppress(tx, scope, { ...asked, now: environment.clock.now() }));
    print(environment.output, flags.output, { contact, suppression: wasSuppressed ? "LIFTED" : "NONE" });
    environment.output.err(
      wasSuppressed
        ? "Messages that are sent from now on go out again. If one of them bounces for good, the recipient is suppressed again.\n"
        : "It was not suppressed: nothing has changed.\n",
    );
  });
}

interface About {
  readonly operation: RecordedCommand;
  readonly contact: string;
  readonly scope: MessageScope;
}

/** Begins a command about a recipient. Records it in the audit before it is executed, as the dashboard does. */
async function askAbout(
  { operation, contact, scope }: About,
  { store, installation }: { store: Store; installation: Installation },
  environment: CommandEnvironment,
): Promise<AskedRecipient> {
  const { tenantId, merchantId } = scope;
  await requireTenant(store, tenantId);
  const asked = askFor(contact, tenantId, createRecipientDigest(await installation.readPepper(store)));
  const owner = merchantId === null ? "" : `, merchantId ${merchantId}`;
  const entry = { tenantId, operation, target: `${maskContact(contact)}${owner}`, subject: asked.digest };
  await store.write((tx) => noteCommand(tx, environment, entry));
  return asked;
}

function explainErasure(open: number): string {
  return [
    ...(open === 0
      ? []
      : [`${open} of their messages and calls have not ended: a server erases each within an hour after it ends.`]),
    "Some data is kept: the times and costs of messages, without recipient and content, and opt-outs, under a keyed digest, so",
    "that sends to this recipient are still refused. The contact also stays in backups, in callbacks and Idempotency-Keys for",
    "up to a week, and in the carriers' records (docs/dashboard.md).\n",
  ].join("\n");
}

function requireContact(text: string): string {
  const contact = readContact(text);
  if (contact !== undefined) return contact;
  throw new ConfigError(
    `<contact>: expected a phone number such as +12025550100, or an email address, received "${toPrintable(text)}"`,
  );
}

/** A recipient of a tenant. */
type Whose = Readonly<{ contact: string; tenantId: number }>;

function describe(story: RecipientStory, whose: Whose): string[] {
  const { consents, changes, hasMore, stops, suppression, keptOptOuts, erasures } = story;
  const now = consents.map(({ merchantId, channel, status, source, updatedAt }) =>
    [merchantId, channel, status, `since ${viewTime(updatedAt)}`, ...sourceOf(source)].join("  "),
  );
  const history = changes.map(({ merchantId, channel, status, source, changedBy, changedAt }) =>
    [viewTime(changedAt), merchantId, channel, status, `by ${toPrintable(changedBy)}`, ...sourceOf(source)].join("  "),
  );
  const kept = keptOptOuts.map(({ merchantId, channel, optedOutAt }) =>
    [merchantId, channel, "OPT_OUT", `since ${viewTime(optedOutAt)}`, "kept after the recipient's erasure"].join("  "),
  );
  const erased = erasures.map(({ askedAt, endedAt, erased }) => {
    const end = endedAt === null ? "under way" : `done ${viewTime(endedAt)}`;
    return `Erased at ${viewTime(askedAt)}, ${end}: ${erased} messages and calls.`;
  });
  const suppressed = suppression === undefined ? [] : describeSuppressed(suppression, whose);
  const told = [...now, ...stops.flatMap(describeStop), ...suppressed, ...kept, ...erased];
  if (history.length === 0) return told;
  return [...told, "", "History:", ...history, ...(hasMore ? ["Older entries are not shown."] : [])];
}

function describeSuppressed(
  { channel, reason, messageId, suppressedAt, endsAt }: NonNullable<RecipientStory["suppression"]>,
  { contact, tenantId }: Whose,
): string[] {
  const cause = messageId === null ? "" : `, as ${messageId} was`;
  return [
    `Suppressed for ${channel} since ${viewTime(suppressedAt)}, until ${viewTime(endsAt)}: messages end FAILED (${reason}${cause}).`,
    `  to send again: msgd recipients unsuppress ${shellWord(contact)} --tenant ${tenantId}`,
  ];
}

function describeStop({ sender, word, blockedAt, overrides }: Stop): string[] {
  return [
    `Sent ${toPrintable(word)} to ${sender} at ${viewTime(blockedAt)}: texts from this number to the recipient are refused.`,
    ...overrides.map(({ merchantId, channel, updatedAt, source }) =>
      [`  overridden by ${merchantId}  ${channel}  OPT_IN`, `since ${viewTime(updatedAt)}`, ...sourceOf(source)].join(
        "  ",
      ),
    ),
  ];
}

function sourceOf(source: string | null): string[] {
  return source === null ? [] : [`source ${toPrintable(source)}`];
}
