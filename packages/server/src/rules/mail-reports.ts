// Reads mails that come back: reports of delivery (RFC 3464, and two forms of before it), and complaints that mailbox
// providers pass on (RFC 5965).

import { type DeliveryReason, readReason } from "./delivery.ts";

export type MailReport =
  | { readonly kind: "delivered"; readonly detail: string }
  /** Handed on, to a server that may not tell how it ends, or to a list: a failure may follow. */
  | { readonly kind: "relayed"; readonly detail: string }
  | { readonly kind: "undelivered"; readonly reason: DeliveryReason; readonly detail: string }
  | { readonly kind: "complaint" };

/** A group of fields, by their names in lower case. */
type Fields = ReadonlyMap<string, string>;

/** The first report of how it ended, else that it was passed on; undefined where a mail is only late, or nothing is said. */
export function readDeliveryStatus(text: string): MailReport | undefined {
  let passedOn: MailReport | undefined;
  for (const fields of readGroups(text)) {
    const status = /^\s*(\d)\.(\d{1,3})\.\d{1,3}\b/.exec(fields.get("status") ?? "");
    const detail = fields.get("diagnostic-code")?.replace(/^\s*[\w-]+\s*;\s*/, "") ?? fields.get("status") ?? "";
    // comments are allowed (RFC 3464, 2.1.1): failed (no such user)
    switch (
      fields
        .get("action")
        ?.replace(/\s*\(.*$/, "")
        .toLowerCase()
    ) {
      case "delivered":
        return { kind: "delivered", detail };
      // RFC 3464, 2.3.3
      case "relayed":
      case "expanded":
        passedOn = { kind: "relayed", detail };
        break;
      case "failed":
        return { kind: "undelivered", reason: status?.[2] === "7" ? "BLOCKED" : "UNREACHABLE", detail };
    }
  }
  return passedOn;
}

/** Exim's plain form: the header names the recipients that failed for good, and the text has what their servers said. */
export function readFailedRecipients(header: string, text: string): MailReport | undefined {
  if (!header.includes("@")) return undefined;
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const recipient = lines.findIndex((line) => /^ {2}[^\s@]+@\S+$/.test(line));
  const others = lines.slice(recipient + 1);
  const end = others.findIndex((line) => !line.startsWith("    "));
  return toFailure(recipient < 0 ? "" : others.slice(0, end < 0 ? undefined : end).join(" "));
}

/** qmail's form, https://cr.yp.to/proto/qsbmf.txt: a paragraph for each recipient that failed for good. */
export function readQmailBounce(text: string): MailReport | undefined {
  const [opening = "", ...paragraphs] = text.replaceAll("\r\n", "\n").trimStart().split("\n\n");
  if (!opening.startsWith("Hi. This is the")) return undefined;
  const quoted = paragraphs.findIndex((paragraph) => /^\s*-/.test(paragraph));
  for (const paragraph of paragraphs.slice(0, quoted < 0 ? undefined : quoted)) {
    const [, words] = /^\s*<[^<>\n]+>:\n(.+)$/s.exec(paragraph) ?? [];
    if (words !== undefined) return toFailure(words);
  }
  return undefined;
}

function toFailure(words: string): MailReport {
  const detail = words.replaceAll(/\s+/g, " ").trim();
  return { kind: "undelivered", reason: readReason(detail), detail };
}

const complaints = new Set(["abuse", "fraud", "opt-out", "opt-out-list"]);

/** A complaint about a mail; undefined for what is none, such as that it was no spam. */
export function readFeedback(text: string): MailReport | undefined {
  const isComplaint = readGroups(text).some((fields) =>
    complaints.has(fields.get("feedback-type")?.toLowerCase() ?? ""),
  );
  return isComplaint ? { kind: "complaint" } : undefined;
}

/** Groups of fields with blank lines between them; a line that begins with a blank goes on with the one before. */
function readGroups(text: string): Fields[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/\n[ \t]+/g, " ")
    .split(/\n\s*\n/)
    .map((group) => {
      const fields = group.split("\n").flatMap((line) => {
        const colon = line.indexOf(":");
        return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
      });
      return new Map(fields);
    });
}
