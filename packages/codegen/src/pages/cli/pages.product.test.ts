/** Parses the man pages with groff and mandoc, if these are installed. */
import { spawnSync } from "node:child_process";
import { reference } from "msgctl/reference";
import { expect, it } from "vitest";
import { renderReference } from "./pages.ts";

const manuals = [...renderReference(reference, { name: "msgctl", man: [] })].filter(([path]) => path.endsWith(".1"));
const reader = (program: string) => spawnSync(program, ["--version"]).error === undefined;

it.skipIf(!reader("groff"))("groff reads every man page without a warning", () => {
  for (const [path, text] of manuals) {
    const { status, stdout, stderr } = spawnSync("groff", ["-ww", "-man", "-Tutf8", "-P-cbou", "-rLL=80n"], {
      input: text,
      encoding: "utf8",
    });
    expect([path, status, stderr]).toEqual([path, 0, ""]);
    expect(stdout).toContain("NAME");
  }
});

it.skipIf(!reader("mandoc"))("mandoc reads every man page without a warning, except about the missing date", () => {
  for (const [path, text] of manuals) {
    const { stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "warning"], { input: text, encoding: "utf8" });
    expect([
      path,
      stdout
        .trim()
        .split("\n")
        .filter((line) => line !== "" && !line.includes("missing date")),
    ]).toEqual([path, []]);
  }
});
