// Runs the READMEs of examples/ as a reader would. Each `sh` line is run, and all output that a README shows is checked: the
// comments behind commands, and the blocks in other languages. `…` matches any text.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { root } from "./example-process.ts";
import { ReaderClone } from "./reader-clone.ts";

/** Examples that other suites test: they need root, Docker, systemd or several ports, or they need no server. */
const ELSEWHERE = ["self-hosting", "carriers", "carrier-adapter", "consumer-tests-msw", "consumer-tests-prism"];
const START = /^npm start(?: -- (?<flags>.*?))?(?: +#.*)?$/;
const SHOWN = / {2,}# (.*)$/;

const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const readmes = ["README.md", ...folders.map(({ name }) => `${name}/README.md`)];
const here = readmes.filter((path) => !ELSEWHERE.some((name) => path.startsWith(`${name}/`)));
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const blocksIn = (path: string) => blocksOf(readFileSync(join(root, "examples", path), "utf8"));

describe.skipIf(process.platform === "win32")("a README", () => {
  it.concurrent.for(here)("shows the real output: %s", async (path, { skip }) => {
    const blocks = blocksIn(path);
    const lines = blocks.flatMap(({ language, text }) => (language === "sh" ? text.split("\n") : []));
    skip(!hasCurl && lines.some((line) => line.startsWith("curl ")), "curl is not installed");
    const start = lines.map((line) => START.exec(line)).find((match) => match !== null);
    const clone = new ReaderClone();
    try {
      await clone.start(start?.groups?.flags?.split(" ") ?? []);
      let settings = "";
      for (const { language, text } of blocks) {
        if (language !== "sh") continue;
        const pasted = text.replace(new RegExp(START, "m"), "");
        const code = await clone.paste(`${settings}${pasted}`);
        expect([pasted, code ?? 0, code ? clone.written : ""]).toEqual([pasted, 0, ""]);
        // the next lines run in another terminal, without this one's variables
        if (code === undefined) settings = "";
        else settings += pasted.match(/^export .*\n/gm)?.join("") ?? "";
      }
      const others = blocks.filter(({ language }) => language !== "sh").flatMap(({ text }) => text.split("\n"));
      const comments = lines.filter((line) => !START.test(line)).map((line) => SHOWN.exec(line)?.[1] ?? "");
      for (const shown of [...comments, ...others]) {
        await vi.waitFor(() => expect(clone.written).toMatch(patternOf(clone.here(shown))), 60_000);
      }
      const { apiKey, apiSecret } = clone.credential;
      for (const hidden of [apiKey, apiSecret]) expect(clone.written).not.toContain(hidden);
    } finally {
      await clone.remove();
    }
  });
});

function patternOf(shown: string): RegExp {
  return new RegExp(
    shown
      .trim()
      .split("…")
      .map((part) => part.replaceAll(/[\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*"),
  );
}

it("each example has a README and is listed in the index", () => {
  const index = readFileSync(join(root, "examples/README.md"), "utf8");
  for (const { name } of folders) expect([name, index]).toEqual([name, expect.stringContaining(`[${name}/](${name})`)]);
});
