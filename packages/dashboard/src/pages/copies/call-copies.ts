// A call of an operation as a program would write it: for a shell with msgctl's three variables set, and for Node.js.

import { type BodyOf, type OperationId, operations } from "@msgctl/contract";
import { HIDDEN } from "../visible-text.ts";

export interface Call<K extends OperationId = OperationId> {
  readonly operationId: K;
  readonly body: BodyOf<K>;
}

export interface CallCopies {
  readonly curl: string;
  readonly msgctl: string;
  readonly TypeScript: string;
}

/** What would not show in a text, or would move what is around it, is written as an escape. */
export function copyCall({ operationId, body }: Call): CallCopies {
  const { method, path, group, name, idempotent } = operations[operationId];
  const fields = Object.entries(Object(body));
  return {
    curl: [
      `curl -X ${method} "$MSGCTL_BASE_URL${path}"`,
      '-H "X-API-KEY: $MSGCTL_API_KEY"',
      '-H "X-API-SECRET: $MSGCTL_API_SECRET"',
      ...(idempotent ? ['-H "Idempotency-Key: copy-$(date +%s)"'] : []),
      '-H "Content-Type: application/json"',
      `-d ${shellWord(toJson(body))}`,
    ].join(" \\\n  "),
    msgctl: [`msgctl ${group} ${name}`, ...fields.map(([field, value]) => toFlag(field, String(value)))].join(
      " \\\n  ",
    ),
    TypeScript: [
      `await client.${group}.${name}({`,
      ...fields.map(([field, value]) => `  ${field}: ${toJson(value)},`),
      "});",
    ].join("\n"),
  };
}

function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(HIDDEN, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function toFlag(field: string, value: string): string {
  const flag = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  // it would be taken for a flag of its own
  return `${flag}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;
}

/** A word of a command line, quoted if a shell would interpret it; in Bash's and Zsh's own way where escapes are needed. */
function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  if (word.search(HIDDEN) < 0) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${word.replaceAll(/[\\']/g, "\\$&").replaceAll(HIDDEN, toEscape)}'`;
}
