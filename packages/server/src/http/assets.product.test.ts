// The built script and style of /docs.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocsAssets } from "../../../../scripts/docs-assets.ts";

const folder = mkdtempSync(join(tmpdir(), "msgd-docs-"));
beforeAll(() => buildDocsAssets(folder));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the built files of /docs", () => {
  it("load nothing from other hosts", () => {
    for (const name of readdirSync(folder).filter((file) => /\.(?:js|css|svg|ico)$/.test(file))) {
      const text = readFileSync(join(folder, name), "latin1").replace("http://www.w3.org/2000/svg", "");
      expect(text, name).not.toMatch(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z]|@import/i);
      expect(text, name).not.toMatch(
        /\burl\(|\beval\(|new Function|innerHTML|localStorage|sessionStorage|document\.cookie/,
      );
    }
  });

  it("take their colours, corners and sizes of small text from the dashboard's tokens", () => {
    const style = new URL("../docs-site/style/", import.meta.url);
    for (const name of readdirSync(style)) {
      const text = readFileSync(new URL(name, style), "utf8");
      expect(text, name).not.toMatch(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\(/i);
      expect(text, name).not.toMatch(/^\s*(?:border-radius|font-size):(?! (?:var|inherit))/m);
    }
  });

  it("are a script and a style of at most 16 kB each", () => {
    for (const name of ["client.js", "style.css"]) {
      expect(readFileSync(join(folder, name)).length).toBeLessThan(16_384);
    }
  });
});
