/** Finds rows that would override an opt-out by the recipient, and asks about them. */
import type { ReviewedRows, RowReview } from "../../bulk/bulk-job.ts";
import type { ListRow } from "../../bulk/list/checked-list.ts";
import { CliError } from "../../failures/errors.ts";
import type { RawValues } from "../../model/request.ts";
import { isObject, readField } from "../../output/fields.ts";
import { formatCount } from "../../output/text/quantities.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { readContact } from "../consent-check/contact.ts";

/** Matches the source of consents that recipients gave or withdrew themselves: by an SMS reply, or by the link in an email. */
const BY_RECIPIENT = /^(?:SMS_REPLY|EMAIL_LINK):/;

/**
 * Returns the rows to skip: opt-ins of contacts who have opted out by a reply or a link. If the last row of a contact is an
 * opt-out, nothing is overridden and nobody is asked.
 *
 * @throws {CliError} If nobody can be asked, or the answer is to record nothing.
 */
export async function reviewStops(review: RowReview & { isStopKept: boolean }): Promise<ReviewedRows> {
  const { list, rows, read, asker, flags, isStopKept } = review;
  if (!(await hasOptIn(rows()))) return NONE;
  const merchant = list.isOfAll("merchantId") ? readField(list.totals.first ?? {}, "merchantId") : undefined;
  const values: RawValues = new Map(merchant === undefined ? [] : [["merchant-id", String(merchant)]]);
  const consents = await read("listConsents", values);
  const stops = new Set(Array.isArray(consents) ? consents.filter(isStop).map(nameConsent) : []);
  const overriding = new Map<string, string[]>();
  const leftOut = new Set<string>();
  for await (const { id, body } of stops.size === 0 ? [] : rows()) {
    const name = nameConsent(body);
    if (!stops.has(name)) continue;
    const ids = overriding.get(name) ?? [];
    const isOptIn = readField(body, "status") === "OPT_IN";
    // The last row of a contact wins. An opt-in before it would apply for a moment, or until an interrupted run is resumed.
    if (!isOptIn) for (const earlier of ids) leftOut.add(earlier);
    overriding.set(name, isOptIn ? [...ids, id] : []);
  }
  const found = [...overriding.values()].filter((ids) => ids.length > 0);
  const optIns = leftOut.size === 1 ? "1 opt-in is" : `${formatCount(leftOut.size)} opt-ins are`;
  const undone = leftOut.size === 0 ? "" : `${optIns} left out: the contact has opted out, and a later row says so. `;
  if (found.length === 0) return { leftOut, ...(leftOut.size > 0 && { remark: undone.trimEnd() }) };
  const kept = new Set([...leftOut, ...found.flat()]);
  const contacts = found.length === 1 ? "1 contact has" : `${formatCount(found.length)} contacts have`;
  const said = `${undone}${contacts} opted out by a reply or a link, and this list would opt them in`;
  if (isStopKept) return { leftOut: kept, remark: `${said}: their rows are left out.` };
  if (flags.global.yes) return { leftOut, remark: `${said}.` };
  const ask = asker();
  if (ask === undefined) {
    throw new CliError(EXIT.inputNeeded, "overrides_stops", `${said}; nothing was recorded`, {
      hints: ["Give --keep-stops to leave them out.", "Give -y to opt them in if they have agreed again."],
    });
  }
  ask.tell(`${said}.`);
  const keep = "leave them out";
  const override = "opt them in: they have agreed again";
  const answer = await ask.choose("What should happen to their rows?", [keep, "record nothing", override]);
  if (answer === keep) return { leftOut: kept };
  if (answer === override) return { leftOut };
  throw new CliError(EXIT.interrupted, "not_confirmed", "nothing was recorded");
}

async function hasOptIn(rows: AsyncIterable<ListRow>): Promise<boolean> {
  for await (const { body } of rows) if (readField(body, "status") === "OPT_IN") return true;
  return false;
}

const NONE: ReviewedRows = { leftOut: new Set() };

function isStop(consent: unknown): consent is object {
  if (!isObject(consent)) return false;
  return consent.status === "OPT_OUT" && BY_RECIPIENT.test(String(consent.source));
}

/** Returns the key of a consent: merchant, channel and normalized contact. */
export function nameConsent(consent: object): string {
  const contact = String(readField(consent, "contact"));
  const parts = [readField(consent, "merchantId"), readField(consent, "channel"), readContact(contact)?.contact];
  return JSON.stringify(parts);
}
