// Explains errors of better-sqlite3's compiled binding, which is loaded when a database is first opened.

/** If the binding is missing or was built for another Node.js, returns an error with the command to run; else `error`. */
export function explainSqliteBinding(error: unknown): unknown {
  const explained = explain(Object(error));
  return explained === undefined ? error : new Error(explained, { cause: error });
}

function explain({ message = "", code, tries }: { message?: string; code?: unknown; tries?: unknown }) {
  const here = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (Array.isArray(tries) && message.includes("bindings file")) {
    return `better-sqlite3 has no compiled binding for ${here}: its install script did not run. Run: npm rebuild better-sqlite3 --ignore-scripts=false (pnpm: pnpm approve-builds better-sqlite3)`;
  }
  if (code !== "ERR_DLOPEN_FAILED" || !message.includes("better_sqlite3")) return undefined;
  const [, builtFor] = /NODE_MODULE_VERSION (\d+)/.exec(message) ?? [];
  const fault =
    builtFor === undefined ? "cannot be loaded by" : `is built for NODE_MODULE_VERSION ${builtFor}, not for`;
  return `The compiled binding of better-sqlite3 ${fault} ${here} (NODE_MODULE_VERSION ${process.versions.modules}). Run with this Node.js: npm rebuild better-sqlite3 --ignore-scripts=false (pnpm: pnpm rebuild better-sqlite3)`;
}
