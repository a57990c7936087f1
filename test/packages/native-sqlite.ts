// Builds better-sqlite3 for another version of Node.js than the one that runs the tests. A full build would take minutes,
// mostly for SQLite itself. SQLite does not depend on Node, so its compiled objects are reused and only linked again.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readManifest, root } from "./packed.ts";
import { findHeaders, node, type Runtime } from "./runtimes.ts";

const source = join(root, "node_modules/better-sqlite3");
const sqlite = join(source, "build/Release/obj.target/deps/sqlite3.a");
const FLAGS = ["-shared", "-fPIC", "-pthread", "-O1", "-w", "-std=c++20", "-fno-rtti", "-fno-exceptions", "-DNDEBUG"];
const LINK_FLAGS = ["-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"];

/**
 * The last headers of Node 24 whose `node::ObjectWrap` is safe. A module compiled with those of 24.19 to 24.21 aborts during
 * a garbage collection (nodejs/node issue 65446); compiled with older ones, as ready-made builds are, it works on all.
 */
const SAFE_24 = "24.18.1";

/** Returns the folder of the package, which is built once and kept in .cache, or the reason why there is none. */
export async function findSqliteFor(runtime: Runtime): Promise<{ folder: string } | { missing: string }> {
  const { version } = readManifest(source);
  const folder = join(root, `.cache/sqlite/${version}-node-${runtime.version}`);
  if (existsSync(folder)) return { folder };
  if (process.platform !== "linux") return { missing: "better-sqlite3 is compiled for another Node.js on Linux alone" };
  if (!existsSync(sqlite)) return { missing: `better-sqlite3 came compiled, without ${sqlite} to link again` };
  const isUnsafe = Number(/^24\.(\d+)\./.exec(runtime.version)?.[1] ?? 0) > 18;
  const headers = await findHeaders(isUnsafe ? node(SAFE_24) : runtime);
  if ("missing" in headers) return headers;
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(join(dirname(folder), "making-"));
  try {
    for (const part of ["package.json", "lib"]) cpSync(join(source, part), join(aside, part), { recursive: true });
    const made = join(aside, "build/Release/better_sqlite3.node");
    mkdirSync(dirname(made), { recursive: true });
    const includes = [`-I${headers.folder}`, `-I${join(source, "deps/sqlite3")}`];
    const inputs = [join(source, "src/better_sqlite3.cpp"), sqlite];
    await promisify(execFile)("c++", [...FLAGS, ...includes, ...inputs, ...LINK_FLAGS, "-o", made]);
    renameSync(aside, folder);
    return { folder };
  } catch (error) {
    // another test run has built it meanwhile
    if (existsSync(folder)) return { folder };
    throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
