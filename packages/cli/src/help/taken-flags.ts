/** Decides which global flags the help of a defined command lists. The command refuses or ignores all other global flags. */
import type { Definition, Requests } from "../model/command.ts";

const OF_A_BODY = ["--body-file", "--set"];
const OF_ONE_WRITE = ["--curl", "--idempotency-key"];

const NOT_TAKEN: Readonly<Record<Requests, readonly string[]>> = {
  none: [
    ...[...OF_A_BODY, ...OF_ONE_WRITE, "--dry-run"],
    ...["--base-url", "--timeout", "--retries", "--verbose", "--yes"],
  ],
  some: [...OF_A_BODY, ...OF_ONE_WRITE, "--dry-run", "--yes"],
  any: ["--set"],
  one: [...OF_A_BODY, "--idempotency-key", "--yes"],
  several: [...OF_A_BODY, ...OF_ONE_WRITE],
  rows: [...OF_ONE_WRITE, "--body-file", "--query", "--columns", "--verbose", "--out", "--show-secrets"],
};

/** Whether the command takes a global flag. `flags` is in commander's syntax: `-q, --query <expression>`. */
export function takesGlobalFlag({ requests = "none", refuses = [], output }: Definition): (flags: string) => boolean {
  const isShapeless = output === undefined ? requests === "none" : output.fields.length === 0;
  const notTaken = [...NOT_TAKEN[requests], ...refuses, ...(isShapeless ? ["--columns"] : [])];
  return (flags) => !notTaken.some((name) => flags.split(/[ ,]+/).includes(name));
}
