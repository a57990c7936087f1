// Rules for the headers that the contract documents: which replies have them, their form, and whether they are required.

import { type OperationId, operations } from "@msgctl/contract";

interface HeaderRule {
  /** Name of the header, spelled as in the contract. */
  readonly name: string;
  readonly form: RegExp;
  readonly allowed: string;
  /** Whether the contract documents the header for this reply, which may belong to no operation. */
  readonly isDocumented: (status: number, operationId: OperationId | undefined) => boolean;
  /** Whether every such reply must have the header. */
  readonly isRequired: (status: number) => boolean;
}

const always = () => true;
const never = () => false;
const isSuccess = (status: number) => status < 300;
const isIdempotent = (operationId: OperationId | undefined) =>
  operationId !== undefined && operations[operationId].idempotent;
const isLimited = (status: number) => isSuccess(status) || status === 429;

export const headerRules: readonly HeaderRule[] = [
  {
    ...{ name: "X-Request-Id", form: /^[\x21-\x7e]{1,255}$/, allowed: "1 to 255 printable characters" },
    ...{ isDocumented: always, isRequired: always },
  },
  {
    ...{ name: "Idempotent-Replayed", form: /^(?:true|false)$/, allowed: "true or false", isRequired: never },
    isDocumented: (status, operationId) => isSuccess(status) && isIdempotent(operationId),
  },
  {
    ...{ name: "RateLimit", form: /^"[^"]+";r=\d+;t=\d+$/, allowed: '"<name>";r=<left>;t=<seconds>' },
    // a server may have no rate limit
    ...{ isDocumented: isLimited, isRequired: (status) => status === 429 },
  },
  {
    ...{ name: "RateLimit-Policy", form: /^"[^"]+";q=\d+;w=\d+$/, allowed: '"<name>";q=<requests>;w=<seconds>' },
    ...{ isDocumented: isLimited, isRequired: (status) => status === 429 },
  },
  {
    ...{ name: "Retry-After", form: /^\d{1,10}$/, allowed: "whole seconds" },
    // a 409 has the header only while the first request is in progress
    isDocumented: (status, operationId) =>
      status === 429 || status === 503 || (status === 409 && isIdempotent(operationId)),
    isRequired: (status) => status === 429 || status === 503,
  },
  {
    ...{ name: "Allow", form: /^[A-Z]+(?:, ?[A-Z]+)*$/, allowed: "methods, such as GET, POST" },
    ...{ isDocumented: (status) => status === 405, isRequired: always },
  },
  {
    ...{ name: "WWW-Authenticate", form: /^[A-Za-z][\w-]*(?: .+)?$/, allowed: 'a scheme, such as ApiKey realm="msgd"' },
    ...{ isDocumented: (status) => status === 401, isRequired: always },
  },
  {
    ...{ name: "Cache-Control", form: /\bno-store\b/, allowed: "no-store" },
    isDocumented: (status, operationId) => isSuccess(status) && operationId === "getDirectoryEntry",
    isRequired: always,
  },
];

/** Lists the faults of a reply's headers. */
export function findHeaderFaults(
  operationId: OperationId | undefined,
  { statusCode, headers }: { readonly statusCode: number; readonly headers: Readonly<Record<string, unknown>> },
): string[] {
  const faults = headerRules.flatMap(({ name, form, allowed, isDocumented, isRequired }) => {
    if (!isDocumented(statusCode, operationId)) return [];
    const value = headers[name.toLowerCase()];
    if (value === undefined || value === "") return isRequired(statusCode) ? [`no ${name}`] : [];
    return form.test(String(value)) ? [] : [`${name} is ${JSON.stringify(value)}, expected ${allowed}`];
  });
  const [limit, policy] = [headers.ratelimit, headers["ratelimit-policy"]];
  if ((limit === undefined) !== (policy === undefined)) {
    faults.push(
      limit === undefined ? "RateLimit-Policy came without RateLimit" : "RateLimit came without RateLimit-Policy",
    );
  }
  return faults;
}
