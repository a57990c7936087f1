// Validates the options of createMockService: TypeScript checks neither JavaScript callers nor a number's range.

import { isTimezone } from "@msgctl/contract/timezones";
import type { MockServiceOptions } from "./mock-service.ts";
import { MockUsageError } from "./usage-error.ts";

const LATEST_NOW = Date.UTC(9999, 0);

/** The values that each option allows, as a text and as a check. */
const allowed: { readonly [Name in keyof Required<MockServiceOptions>]: readonly [string, (value: never) => boolean] } =
  {
    baseUrl: ["an origin such as https://api.msgctl.example", isOrigin],
    // the service itself reports faults of the seed
    seed: ["merchants and consents", () => true],
    onMistake: oneOf("warn", "error", "silent"),
    now: [
      `whole epoch milliseconds, 0 to ${LATEST_NOW}`,
      (now: number) => Number.isInteger(now) && now >= 0 && now <= LATEST_NOW,
    ],
    consentPolicy: oneOf("strict", "opt_out_only"),
    registration: oneOf("open", "strict"),
    rateLimit: [
      "perSecond above 0 and burst of 1 or more",
      (rate: { perSecond?: number; burst?: number } | null) =>
        isAtLeast(rate?.perSecond, Number.MIN_VALUE) && isAtLeast(rate?.burst, 1),
    ],
    allowPrivateCallbacks: oneOf(true, false),
    timezone: ["an IANA time zone such as America/New_York", isTimezone],
  };

/** Throws a `MockUsageError` that names the first invalid option, what was received, and what is allowed. */
export function checkOptions(options: MockServiceOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(allowed, name)) {
      throw new MockUsageError(`${name}: no such option. There are ${Object.keys(allowed).join(", ")}.`);
    }
    const [expected, isAllowed] = allowed[name as keyof MockServiceOptions];
    if (!isAllowed(value as never)) throw new MockUsageError(`${name}: expected ${expected}; received ${show(value)}.`);
  }
}

/** Names by which a caller may mean `to`, a message's recipient. Some are fields of the contract. */
const recipients: ReadonlySet<string> = new Set(["contact", "email", "number", "phone", "recipient", "toNumber"]);

/** Returns `given`. Throws a `MockUsageError` for a field other than `fields`, which would otherwise be ignored. */
export function requireFields<T extends object>(asked: string, given: T, fields: readonly (string & keyof T)[]): T {
  const unknown = Object.keys(given).filter((name) => !(fields as readonly string[]).includes(name));
  if (unknown.length === 0) return given;
  const meant = new Set(unknown.flatMap((name) => findMeant(name, fields)));
  const hint = meant.size === 0 ? "" : ` Did you mean ${[...meant].join(", ")}?`;
  throw new MockUsageError(
    `service.${asked}: expected only ${fields.join(", ")}; received ${unknown.join(", ")}.${hint}`,
  );
}

function findMeant(name: string, fields: readonly string[]): readonly string[] {
  if (recipients.has(name) && fields.includes("to")) return ["to"];
  return fields.filter((field) => isLike(name, field));
}

/** Whether one name contains the other, or both begin with the same four letters, as `messageId` and `message` do. */
function isLike(name: string, field: string): boolean {
  const [one, other] = [name.toLowerCase(), field.toLowerCase()];
  return one.length > 1 && (one.includes(other) || other.includes(one) || one.slice(0, 4) === other.slice(0, 4));
}

function oneOf(...values: readonly unknown[]): readonly [string, (value: unknown) => boolean] {
  return [values.join(", "), (value) => values.includes(value)];
}

function isAtLeast(value: number | undefined, least: number): boolean {
  return Number.isFinite(value) && (value as number) >= least;
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash;
}

/** NaN, Infinity and a bigint are not JSON. */
function show(value: unknown): string {
  return typeof value === "number" || typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
