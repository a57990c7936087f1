import { CliError, type Fault } from "../../failures/errors.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { withSpinner } from "../../prompts/spinner.ts";
import { openRead } from "../../waiting/open-read.ts";
import { CHANNELS } from "./consent-channels.ts";
import { judgeConsent } from "./consent-verdict.ts";
import { CONTACT_EXPECTED, type Contact, readContact } from "./contact.ts";

export const runConsentCheck: CommandRun = async (line, io, context) => {
  const record = await context.catalog.record("listConsents");
  const wrong: Fault[] = [];
  const missing: Fault[] = [];
  const contact = requireContact(line.arguments.get("contact") ?? "", wrong);
  const channel = readChannel(line.flags.channel, contact, { wrong, missing });
  const { merchantId } = line.flags;
  if (typeof merchantId !== "string")
    missing.push({ where: "--merchant-id", message: "missing: the merchant that sends the messages" });
  const values = new Map(typeof merchantId === "string" ? [["merchant-id", merchantId]] : []);
  const opened = await openRead({ record, values, wrong, missing }, line, io, context);
  if (opened === undefined || contact === undefined || channel === undefined) return;
  const { options, read, print, command } = opened;
  const reading = read({ timeoutMs: options.timeoutMs, retries: undefined });
  const isShown = !options.quiet && !options.verbose;
  const consents = await (isShown ? withSpinner({ screen: io.stderr, label: record.summary }, reading) : reading);
  const question = { merchantId: String(merchantId), channel, contact: contact.contact };
  const verdict = judgeConsent(question, consents as readonly unknown[]);
  await print(verdict);
  if (verdict.optedIn) return;
  const flags = ["--merchant-id", question.merchantId, "--channel", channel, "--contact", question.contact];
  const isOut = verdict.status !== null;
  const state = isOut ? "has opted out of" : "has not opted in to";
  throw new CliError(
    EXIT.partial,
    isOut ? "consent_opted_out" : "consent_required",
    `${question.contact} ${state} the ${channel} messages of ${question.merchantId}`,
    { hints: [`Once they agree: \`${command("consent", "record", ...flags, "--status", "OPT_IN")}\`.`] },
  );
};

function requireContact(text: string, wrong: Fault[]): Contact | undefined {
  const contact = readContact(text);
  if (contact === undefined)
    wrong.push({ where: "<contact>", message: `received ${JSON.stringify(text)}; expected ${CONTACT_EXPECTED}` });
  return contact;
}

/** Returns the channel. The flag may be omitted for an email address, which has only one channel; a phone number has two. */
function readChannel(
  given: unknown,
  contact: Contact | undefined,
  { wrong, missing }: { wrong: Fault[]; missing: Fault[] },
): string | undefined {
  if (contact === undefined) return undefined;
  const channels: readonly string[] = CHANNELS[contact.kind];
  const [only] = channels;
  if (given === undefined && channels.length === 1) return only;
  const where = "--channel";
  if (given === undefined) {
    missing.push({ where, message: `missing: ${channels.join(" or ")}` });
    return undefined;
  }
  if (channels.includes(String(given))) return String(given);
  const message = `received "${String(given)}"; expected ${channels.join(" or ")} for ${contact.contact}`;
  wrong.push({ where, message });
  return undefined;
}
