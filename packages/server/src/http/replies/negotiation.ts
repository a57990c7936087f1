import { Refusal } from "../../rules/refusal.ts";

/** Throws `not_acceptable` unless the Accept header takes `mediaType` (as an absent or empty one does). */
export function requireAcceptable(accept: string | undefined, mediaType: string): void {
  if (!accept || accept === "*/*" || accept === mediaType) return;
  const ranges = new Map(accept.toLowerCase().split(",").map(readRange));
  const [type] = mediaType.split("/", 1);
  // the most specific range that is given decides (RFC 9110, 12.5.1)
  if (ranges.get(mediaType) ?? ranges.get(`${type}/*`) ?? ranges.get("*/*")) return;
  throw new Refusal("not_acceptable", `The reply is ${mediaType}, and the Accept header leaves it out.`);
}

/** Parses a media range, and whether it is accepted: a weight of 0 means that it is not. */
function readRange(range: string): [name: string, isAccepted: boolean] {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
  return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
}

/** Returns whether the Accept header names HTML, as browsers' do; a wildcard does not count. */
export function namesHtml(accept = ""): boolean {
  return accept
    .toLowerCase()
    .split(",")
    .map(readRange)
    .some(([name, isAccepted]) => name === "text/html" && isAccepted);
}
