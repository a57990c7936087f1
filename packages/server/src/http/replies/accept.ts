// Reads the Accept header.

import { Refusal } from "../../domain/refusal.ts";
import { PROBLEM_TYPE } from "./problems.ts";

/**
 * Throws `not_acceptable` if the Accept header excludes the media type of the reply, which is null if only an error has a
 * body. An absent or empty header accepts everything.
 */
export function requireAcceptable(accept: string | undefined, replyType: string | null): void {
  const mediaType = replyType ?? "application/json";
  if (!accept || accept === "*/*" || accept === mediaType) return;
  const ranges = new Map(accept.toLowerCase().split(",").map(readRange));
  if (replyType === null && ranges.get(PROBLEM_TYPE)) return;
  const [type] = mediaType.split("/", 1);
  // the most specific range in the header decides (RFC 9110, 12.5.1)
  if (ranges.get(mediaType) ?? ranges.get(`${type}/*`) ?? ranges.get("*/*")) return;
  throw new Refusal("not_acceptable", `The reply is ${mediaType}, which the Accept header does not accept.`);
}

/** Parses a media range, and whether it is accepted: a weight of 0 means that it is not. */
function readRange(range: string): [name: string, isAccepted: boolean] {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
  return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
}

/** Returns whether the Accept header names HTML, as that of browsers does. A wildcard does not count. */
export function namesHtml(accept = ""): boolean {
  return accept
    .toLowerCase()
    .split(",")
    .map(readRange)
    .some(([name, isAccepted]) => name === "text/html" && isAccepted);
}
