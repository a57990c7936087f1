import { Refusal } from "../operations/refusal.ts";

/** Throws `not_acceptable` unless the Accept header takes `mediaType` (as every client that sends none does). */
export function requireAcceptable(accept: string | undefined, mediaType: string): void {
  if (accept === undefined || accept === "*/*" || accept === mediaType) return;
  const [type] = mediaType.split("/", 1);
  const accepted = new Set([mediaType, `${type}/*`, "*/*"]);
  if (accept.split(",").some((range) => takes(range, accepted))) return;
  throw new Refusal("not_acceptable", `The reply is ${mediaType}, and the Accept header leaves it out.`);
}

function takes(range: string, accepted: ReadonlySet<string>): boolean {
  const [name = "", ...parameters] = range
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  return accepted.has(name) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}
