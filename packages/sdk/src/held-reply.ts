/** Compares a 2xx reply with the contract: a gateway or a sign-in page may answer 200 in the service's place. */
import { callMeta } from "./api-call.ts";
import { UnexpectedReplyError } from "./errors.ts";
import { type ExactJson, readJson } from "./int64.ts";
import { type Identities, type Identity, type OutgoingRequest, type Reply, withoutQuery } from "./outgoing-request.ts";

/** Address of a client, and identities of its operations. */
export interface Known {
  readonly baseUrl: string;
  readonly identities: Identities;
}

export const JSON_TYPE = "application/json";

/** Parses a 2xx reply. If it does not match the contract, the result has an `error`. */
export function holdReply(request: OutgoingRequest, known: Known, response: Response, text: string): Reply {
  const { ok, status, headers } = response;
  const { method, url, accept } = request;
  if (!ok) return { response, text };
  const identity = identityOf(request, known);
  const isJsonDue = identity === undefined ? accept === JSON_TYPE && status !== 204 : Array.isArray(identity);
  const json = isJsonDue ? readIfJson(text) : undefined;
  const expected = missing(identity, isJsonDue, status, text, json);
  if (!expected) return { response, text, json };
  const received = [`HTTP ${status}`, headers.get("content-type") ?? "no content type", text || "no body"];
  const error = new UnexpectedReplyError(
    `${method} ${withoutQuery(url)} got no usable reply: ${received.map(excerpt).join(", ")}. Expected ${expected}. ` +
      `${method === "GET" ? "" : "Whether the call was done is unknown. "}Is something else at ${known.baseUrl}?`,
    { ...callMeta(request), status, requestId: headers.get("x-request-id") ?? undefined },
  );
  return { response, text, error };
}

/**
 * Finds the operation's identity by its path template, or by the actual path if the template is unknown. Returns undefined
 * for an unknown operation.
 */
function identityOf(
  { method, route, url, identity }: OutgoingRequest,
  { baseUrl, identities }: Known,
): Identity | undefined {
  if (identity !== undefined) return identity;
  const matches = (key: string) => {
    const form = new RegExp(`^${key.replace(/{\w+}/g, "[^/]+")}$`);
    return form.test(`${method} ${withoutQuery(url).slice(baseUrl.length)}`);
  };
  const key = `${method} ${route}`;
  return identities[key in identities ? key : (Object.keys(identities).find(matches) ?? "")];
}

function readIfJson(text: string): ExactJson | undefined {
  try {
    return readJson(text);
  } catch {
    // The parser's own message quotes the text, which may be secret.
    return undefined;
  }
}

/** Describes the reply that was expected; undefined if the received reply matches. */
function missing(
  identity: Identity | undefined,
  isJsonDue: boolean,
  status: number,
  text: string,
  json: ExactJson | undefined,
): string | undefined {
  if (identity === undefined) return isJsonDue && !json ? "JSON" : undefined;
  if (identity === null) return status === 204 ? undefined : "HTTP 204";
  if (typeof identity === "string") return text.includes(`<${identity}`) ? undefined : `XML with <${identity}>`;
  const isList = typeof identity[0] === "object";
  const members = identity.flat();
  const views = isList ? json?.value : [json?.value];
  const isMet = Array.isArray(views) && views.every((view) => members.every((name) => Object(view)[name] != null));
  return isMet ? undefined : `a JSON ${isList ? "list of objects" : "object"} with ${members.join(", ")}`;
}

const LONGEST_EXCERPT = 100;

/** Shortens a text to one line, escapes invisible characters, and hides text that may be a credential. */
function excerpt(text: string): string {
  const start = text.slice(0, LONGEST_EXCERPT).replace(/\s+/g, " ");
  if (/passw|secret|key|mk[st]_/i.test(start)) return "a body that may hold a secret";
  const line = start.replace(/\p{C}/gu, (character) => `\\u${character.codePointAt(0)?.toString(16)}`);
  return line + (text[LONGEST_EXCERPT] ? "…" : "");
}
