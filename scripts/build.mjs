// `npm run build`: installs missing packages, and builds every missing or stale `dist`. With `-- --without-sqlite`, it does not
// compile SQLite, which the build does not load: for a machine that only builds.

import { setUp } from "./setup.mjs";

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== "--without-sqlite");
if (unknown.length > 0) {
  process.stderr.write(`unknown argument: ${unknown.join(" ")}. The only one is --without-sqlite.\n`);
  process.exit(2);
}
await setUp({ withSqlite: args.length === 0 });
