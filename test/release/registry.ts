// A registry on the loopback address, from which a release is tried as its users will install it. All other packages come
// from the registry that npm is configured to use.

import { execFile, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { installPeers } from "../bench/peers.ts";
import { npmCommand, root } from "../packages/packed.ts";

const run = promisify(execFile);

const START_MS = 60_000;
const POLL_MS = 200;
const NPM_MS = 300_000;

export interface Registry {
  /** Publishes a tarball. */
  publish(tarball: string): Promise<void>;
  /** The environment of a user: npm with this registry, the given Node.js first in PATH, and no settings of this machine. */
  environment(program: string, home: string): Record<string, string>;
  stop(): Promise<void>;
}

/** Starts an empty registry. Packages of others stay cached between runs. */
export async function startRegistry(names: readonly string[]): Promise<Registry> {
  const installed = join(root, ".cache/release-registry");
  const { missing, failure } = await installPeers(join(root, "test/release/registry"), installed);
  if (missing.length > 0) throw new Error(`${missing.join(", ")} could not be installed from npm: ${failure}`);
  const folder = join(installed, "storage");
  // an earlier run has published the same versions
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  rmSync(join(folder, ".verdaccio-db.json"), { force: true });
  mkdirSync(folder, { recursive: true });
  const upstream = (await run("npm", ["config", "get", "registry"], { cwd: root })).stdout.trim();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const everybody = { access: "$all", publish: "$all" };
  const settings = {
    storage: folder,
    uplinks: { upstream: { url: upstream, timeout: "60s", maxage: "10m" } },
    packages: {
      ...Object.fromEntries(names.map((name) => [name, everybody])),
      "**": { access: "$all", proxy: "upstream" },
    },
    log: { type: "stdout", format: "pretty", level: "error" },
    max_body_size: "100mb",
  };
  const config = join(installed, "config.yaml");
  writeFileSync(config, stringify(settings));
  const verdaccio = join(installed, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(process.execPath, [verdaccio, "--config", config, "--listen", `127.0.0.1:${port}`], {
    ...{ cwd: installed, stdio: ["ignore", "pipe", "pipe"] as const },
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (written += text));
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
  const isUp = () =>
    fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const start = Date.now(); !(await isUp()); await sleep(POLL_MS)) {
    if (child.exitCode === null && Date.now() - start < START_MS) continue;
    await stop();
    throw new Error(`the registry did not start: ${written}`);
  }
  const environment = (program: string, home: string) => ({
    ...{ PATH: `${dirname(program)}${delimiter}${process.env.PATH}`, HOME: home },
    ...{ npm_config_registry: url, npm_config_userconfig: join(home, ".npmrc"), npm_config_update_notifier: "false" },
    ...{ npm_config_cache: join(root, ".cache/release-npm"), npm_config_fund: "false", npm_config_audit: "false" },
    // npx must run what is installed
    npm_config_yes: "false",
  });
  return {
    async publish(tarball) {
      // npm asks for a credential, which this registry ignores
      const words = ["publish", tarball, "--provenance=false", `--//127.0.0.1:${port}/:_authToken=anybody`];
      const { file, args, options } = npmCommand([...words, "--tag=latest", "--ignore-scripts"]);
      await run(file, args, {
        ...options,
        cwd: installed,
        env: environment(process.execPath, installed),
        timeout: NPM_MS,
      });
    },
    environment,
    stop,
  };
}
