import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sectionsOf, withRelease } from "./changelog.ts";

const head = "# Changelog\n\nThe format.\n\n";
const changelog = `${head}## Unreleased\n\n### SDK\n\n- New.\n\n## 0.2.0 - 2026-11-30\n\n- Old.\n`;

describe("the sections", () => {
  it("are read with their dates", () => {
    expect(Object.fromEntries(sectionsOf(changelog))).toEqual({
      "": { date: undefined, notes: "### SDK\n\n- New." },
      "0.2.0": { date: "2026-11-30", notes: "- Old." },
    });
  });

  it.each(["## 0.2.0", "## [0.2.0] - 2026-11-30", "## unreleased", "## 0.2.0 - 30 November"])(
    "do not begin with %s",
    (heading) => {
      expect(() => sectionsOf(`${head}${heading}\n\n- A.\n`)).toThrow(`CHANGELOG.md has the heading "${heading}"`);
    },
  );

  it("are unique", () => {
    expect(() => sectionsOf(`${changelog}\n## 0.2.0 - 2026-12-01\n`)).toThrow(/"## 0\.2\.0 - 2026-12-01" twice/);
  });

  it("of this project can be read", () => {
    const file = fileURLToPath(new URL("../../CHANGELOG.md", import.meta.url));
    const [[, newest] = []] = sectionsOf(readFileSync(file, "utf8"));
    expect(newest?.notes).toContain("### Contract");
  });
});

describe("a release", () => {
  it("takes over the unreleased changes, and leaves room for the next", () => {
    const released = withRelease(changelog, "0.3.0", "2027-01-02");
    expect(Object.fromEntries(sectionsOf(released))).toEqual({
      "": { date: undefined, notes: "" },
      "0.3.0": { date: "2027-01-02", notes: "### SDK\n\n- New." },
      "0.2.0": { date: "2026-11-30", notes: "- Old." },
    });
    expect(released.startsWith(head)).toBe(true);
  });

  it("is refused without changes, or a second time", () => {
    const released = withRelease(changelog, "0.3.0", "2027-01-02");
    expect(() => withRelease(released, "0.4.0", "2027-01-02")).toThrow(/nothing under ## Unreleased/);
    expect(() => withRelease(changelog, "0.2.0", "2027-01-02")).toThrow(/already has a section 0\.2\.0/);
    expect(() => withRelease(head, "0.4.0", "2027-01-02")).toThrow(/nothing under ## Unreleased/);
  });
});
