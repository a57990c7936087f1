// Prism's mock server over the contract, as a user starts it: `prism mock openapi.yaml`.

import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { documentFile } from "./document.ts";

const START_MS = 45_000;

export interface Prism {
  readonly baseUrl: string;
  readonly stop: () => Promise<void>;
}

/** Starts Prism on a free port of the loopback interface; rejects with its output when it does not come up. */
export async function startPrism(): Promise<Prism> {
  const manifest = createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json");
  const command = join(dirname(manifest), "dist", "index.js");
  const process_ = spawn(process.execPath, [command, "mock", documentFile, "--host", "127.0.0.1", "--port", "0"]);
  try {
    return { baseUrl: await readAddress(process_), stop: () => stop(process_) };
  } catch (error) {
    await stop(process_);
    throw error;
  }
}

function readAddress(prism: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (why: string) => reject(new Error(`Prism ${why}. It wrote:\n${output}`));
    const timer = setTimeout(() => fail(`did not listen within ${START_MS} ms`), START_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [, address] = /Prism is listening on (http:\/\/\S+)/.exec(output) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    // both streams are read to the end: a full pipe would stop Prism
    prism.stdout?.on("data", read);
    prism.stderr?.on("data", read);
    prism.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
}

async function stop(prism: ChildProcess): Promise<void> {
  if (prism.exitCode !== null || prism.signalCode !== null) return;
  const ended = new Promise((resolve) => prism.once("exit", resolve));
  prism.kill();
  await ended;
}
