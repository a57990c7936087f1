import { expect, it } from "vitest";
import { explainSqliteBinding } from "./sqlite-binding.ts";

/** The error that the package `bindings` throws. */
const missing = Object.assign(
  new Error("Could not locate the bindings file. Tried:\n → /app/build/better_sqlite3.node"),
  {
    tries: ["/app/build/better_sqlite3.node"],
  },
);
/** The error that Node.js throws. */
const notLoaded = (words: string) => Object.assign(new Error(words), { code: "ERR_DLOPEN_FAILED" });
const otherNode = notLoaded(
  "The module '/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 127. Please try re-compiling or re-installing\nthe module (for instance, using `npm rebuild` or `npm install`).",
);
const otherMachine = notLoaded(
  "/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node: invalid ELF header",
);

it.each([
  [
    "that is missing",
    missing,
    /^better-sqlite3 has no compiled binding for Node\.js \d+\.\d+\.\d+ on \w+ \w+: its install script did not run\. /,
  ],
  [
    "of another Node.js",
    otherNode,
    /^The compiled binding of better-sqlite3 is built for NODE_MODULE_VERSION 115, not for Node\.js /,
  ],
  ["of another machine", otherMachine, /^The compiled binding of better-sqlite3 cannot be loaded by Node\.js /],
])("explains a binding %s in one line, with the command to run", (_what, error, words) => {
  const explained = explainSqliteBinding(error) as Error;
  expect(explained.message).toMatch(words);
  expect(explained.message).toContain("npm rebuild better-sqlite3 --ignore-scripts=false (pnpm: pnpm ");
  expect(explained.message).not.toContain("\n");
  expect(explained.cause).toBe(error);
});

it("returns other errors unchanged", () => {
  for (const error of [new Error("disk full"), notLoaded("/app/keyring.node: invalid ELF header"), undefined, "text"]) {
    expect(explainSqliteBinding(error)).toBe(error);
  }
});
