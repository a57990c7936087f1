// Tests a carrier: queues one message, which the running server sends, and follows the message in the database.

import { setTimeout as sleep } from "node:timers/promises";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { findKind, traitsOf } from "../carriers/kinds.ts";
import { parseDuration, viewTime } from "../domain/calendar.ts";
import { type CarrierRow, type CarrierSlot, findCarrier } from "../domain/carriers/rows.ts";
import { type Channel, contactOf, createRecipientDigest, maskContact } from "../domain/contacts.ts";
import { queueCarrierTest } from "../domain/messages/carrier-tests.ts";
import { findMessageDetails, type MessageDetails } from "../domain/messages/rows.ts";
import { parsePhoneNumber } from "../domain/phone-numbers.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { createIds } from "../platform/ids.ts";
import { shellWord } from "../platform/shell-word.ts";
import { ConfigError } from "../settings/config.ts";
import type { Store, Transaction } from "../store/store.ts";
import { type CarrierFlags, nameCarrier, readSlot, refuseMissing, requireLive, warnOfPublicUrl } from "./carriers.ts";
import { noteCommand } from "./command-audit.ts";
import { type Installation, withKnownStore } from "./database.ts";
import { type CommandEnvironment, print, toPrintable } from "./environment.ts";
import { requireTenant } from "./tenants.ts";

const LONGEST_WAIT_MS = 60 * 60_000;
const LOOK_MS = 200;
/** If nothing has claimed the message after this time, no server runs: a running one claims it within a second. */
const UNTAKEN_MS = 5_000;

const ends = ["DELIVERED", "UNDELIVERED", "FAILED", "EXPIRED", "UNKNOWN", "CANCELED"];

/**
 * `msgd carriers test`: sends one message, without quota or charge, and prints each status that it reaches until the status
 * is final or `--wait` has passed. Throws if the message was not sent.
 */
export async function runCarriersTest(
  flags: CarrierFlags & { to: string; wait: string },
  environment: CommandEnvironment,
): Promise<void> {
  const slot = readSlot(flags);
  const recipient = readContact(slot.channel, flags.to);
  const waitMs = readWait(flags.wait);
  const { tenantId } = slot;
  if (tenantId === EVERY_TENANT)
    throw new ConfigError("--tenant: expected the number of the tenant that sends the message, received all");
  await withKnownStore(flags, environment, async (store, installation) => {
    await requireLive(store, slot);
    const tenant = await requireTenant(store, tenantId);
    const now = environment.clock.now();
    const messageId = createIds()("msg", now);
    const contact = contactOf(recipient);
    const subject = createRecipientDigest(await installation.readPepper(store))(tenantId, contact);
    const carrier = await store.write(async (tx) => {
      const found = await findCarrierOf(tx, slot);
      await queueCarrierTest(tx, tenant, found, { messageId, recipient, now });
      const target = `${nameCarrier(found.name, found)}, messageId ${messageId}, ${maskContact(contact)}`;
      await noteCommand(tx, environment, { tenantId, operation: "carriers test", target, subject });
      return found;
    });
    environment.output.err(`Queued ${messageId} for ${carrier.name}.\n`);
    const kind = findKind(carrier.kind);
    if (carrier.channel === "EMAIL" && kind?.findPublicUrl !== undefined)
      await tryPublicUrl(carrier, { store, installation }, environment);
    // if the carrier reports only failures, perhaps days later, waiting for more than SENT is useless
    const settled = traitsOf(carrier)?.tellsOnlyFailures ? ["SENT", ...ends] : ends;
    const isSettled = ({ status }: MessageDetails) => settled.includes(status);
    const message = await follow(store, { tenantId, messageId, waitMs, isSettled }, environment);
    print(environment.output, flags.output, view(message));
    if (message.status === "QUEUED" && message.attempts === 0) await refuseWaiting(store, slot);
    requireSent(message, { tenantId, recipient });
    if (message.provider !== carrier.name)
      throw new Error(`${message.provider} sent it, because ${carrier.name} cannot be reached: see msgd carriers list`);
  });
}

/** Tests the carrier's public URL. Unlike the server, this command may lack the key that opens the settings. */
async function tryPublicUrl(
  carrier: CarrierRow,
  { store, installation }: { store: Store; installation: Installation },
  environment: CommandEnvironment,
): Promise<void> {
  try {
    const box = await installation.openSecretBox(store);
    const settings = JSON.parse(box.open(carrier.sealedSettings, bindCarrier(carrier)));
    await warnOfPublicUrl(settings, { installation, pepper: await installation.readPepper(store) }, environment);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    environment.output.err(`The carrier's settings cannot be read here, so its publicUrl is not tested: ${why}\n`);
  }
}

async function findCarrierOf(tx: Transaction, slot: CarrierSlot): Promise<CarrierRow> {
  const own = await findCarrier(tx, slot);
  return own ?? (await findCarrier(tx, { ...slot, tenantId: EVERY_TENANT })) ?? refuseMissing(slot);
}

interface Followed {
  readonly tenantId: number;
  readonly messageId: string;
  readonly waitMs: number;
  readonly isSettled: (message: MessageDetails) => boolean;
}

async function follow(
  store: Store,
  { tenantId, messageId, waitMs, isSettled }: Followed,
  { clock, output }: CommandEnvironment,
): Promise<MessageDetails> {
  const began = clock.now();
  let shown = "";
  for (;;) {
    const message = await store.read((tx) => findMessageDetails(tx, tenantId, messageId));
    if (message === undefined) throw new Error("the message that was queued is gone");
    const line = describe(message);
    if (line !== shown) output.err(`${line}\n`);
    shown = line;
    const passedMs = clock.now() - began;
    if (isSettled(message) || passedMs >= waitMs) return message;
    if (message.status === "QUEUED" && message.attempts === 0 && passedMs >= Math.min(UNTAKEN_MS, waitMs))
      return message;
    await sleep(LOOK_MS);
  }
}

function describe({ status, reason, attempts, carrierWords }: MessageDetails): string {
  const state = reason === null ? status : `${status} (${reason})`;
  const tries = attempts > 1 ? `, attempt ${attempts}` : "";
  return `${state}${tries}${carrierWords === null ? "" : `: ${toPrintable(carrierWords)}`}`;
}

function view({ messageId, status, reason, attempts, provider, providerMessageId, carrierWords }: MessageDetails) {
  const ids = { carrier: provider, carrierMessageId: providerMessageId };
  return { messageId, status, reason, attempts, ...ids, carrierWords: carrierWords && toPrintable(carrierWords) };
}

const failures: Readonly<Record<string, string>> = {
  UNDELIVERED: "it was sent but did not arrive",
  UNKNOWN: "it is unknown whether it was sent",
};

/** Throws, because no server has attempted to send the message, and says why as far as servers have reported it. */
async function refuseWaiting(store: Store, slot: CarrierSlot): Promise<never> {
  const { name, downSince, downWords } = await store.read((tx) => findCarrierOf(tx, slot));
  if (downSince === null) {
    throw new Error(
      "no server has picked up the message: it is sent when a server runs on this database (msgd serve) and reaches the carrier",
    );
  }
  throw new Error(
    `the message waits: ${name} is down since ${viewTime(downSince)}: ${toPrintable(downWords ?? "")}. It is sent once a running server (msgd serve) reaches the carrier`,
  );
}

function requireSent(
  { status, reason }: MessageDetails,
  { tenantId, recipient }: { tenantId: number; recipient: string },
): void {
  if (status === "SENT" || status === "DELIVERED") return;
  if (status === "FAILED" && reason === "OPTED_OUT") {
    throw new Error(
      `it was not sent, because the recipient has opted out: see msgd recipients show ${shellWord(recipient)} --tenant ${tenantId}`,
    );
  }
  if (!ends.includes(status)) throw new Error("it was not sent yet; the server keeps trying: see msgd messages show");
  throw new Error(failures[status] ?? "it was not sent");
}

function readContact(channel: Channel, text: string): string {
  const contact = channel === "EMAIL" ? parseEmailAddress(text) : parsePhoneNumber(text);
  if (contact !== undefined) return contact;
  const expected = channel === "EMAIL" ? "an email address" : "a phone number such as +12025550100";
  throw new ConfigError(`--to: expected ${expected}, received "${text}"`);
}

function readWait(flag: string): number {
  const waitMs = parseDuration(flag);
  if (waitMs !== undefined && waitMs <= LONGEST_WAIT_MS) return waitMs;
  throw new ConfigError(`--wait: expected a time up to 1h such as 30s or 5m, received "${flag}"`);
}
