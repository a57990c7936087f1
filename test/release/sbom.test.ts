import { describe, expect, it } from "vitest";
import { isAllowed } from "./licences.ts";
import { bundledOf, licencesIn, type Sbom, withBundled } from "./sbom.ts";

const rule = `\n${"-".repeat(80)}\n`;
const licences = [
  "The JavaScript of this folder contains code of these packages.\n",
  "\n@acme/b 2.0.0 (MIT)\nSource: git+https://git.example/b.git\n\nMIT License\n",
  "\na 1.0.0 ((MIT OR GPL-3.0-only))\nSource: acme/a\n\nMIT License\n",
].join(rule);

const sbom: Sbom = {
  bomFormat: "CycloneDX",
  metadata: {
    timestamp: "2026-11-30T00:00:00Z",
    component: { type: "library", name: "folder", version: "1.0.0", purl: "pkg:npm/%40acme/sdk@1.0.0" },
  },
  components: [
    {
      ...{
        type: "library",
        name: "c",
        version: "3.0.0",
        purl: "pkg:npm/c@3.0.0",
        licenses: [{ license: { id: "ISC" } }],
      },
      properties: [{ name: "cdx:npm:package:path", value: "node_modules/c" }],
      hashes: [{ alg: "SHA-512", content: "00" }],
      externalReferences: [
        { type: "distribution", url: "http://127.0.0.1:4873/c/-/c-3.0.0.tgz" },
        { type: "website", url: "https://c.example" },
      ],
    },
  ],
};

describe("bundled packages", () => {
  it("are read with their licence and source", () => {
    expect(bundledOf(licences)).toEqual([
      { name: "@acme/b", version: "2.0.0", licence: "MIT", source: "git+https://git.example/b.git" },
      { name: "a", version: "1.0.0", licence: "(MIT OR GPL-3.0-only)", source: "acme/a" },
    ]);
  });

  it("are never skipped", () => {
    expect(() => bundledOf(`${licences}${rule}Some licence\n`)).toThrow(/a part of another form: Some licence/);
  });
});

describe("a bill of materials", () => {
  const complete = withBundled(sbom, { name: "@acme/sdk", bundled: [...bundledOf(licences), ...bundledOf(licences)] });

  it("is named after its package", () => expect(complete.metadata.component.name).toBe("@acme/sdk"));

  it("lists each bundled package once, as a part of the package", () => {
    expect(complete.metadata.component.components).toEqual([
      {
        ...{ type: "library", name: "@acme/b", version: "2.0.0", "bom-ref": "bundled:@acme/b@2.0.0" },
        ...{ purl: "pkg:npm/%40acme/b@2.0.0", licenses: [{ license: { id: "MIT" } }] },
        externalReferences: [{ type: "vcs", url: "git+https://git.example/b.git" }],
      },
      {
        ...{ type: "library", name: "a", version: "1.0.0", "bom-ref": "bundled:a@1.0.0" },
        ...{ purl: "pkg:npm/a@1.0.0", licenses: [{ expression: "(MIT OR GPL-3.0-only)" }] },
      },
    ]);
    expect(complete.metadata.timestamp).toBe("2026-11-30T00:00:00Z");
  });

  it("names no registry and no folder, and keeps hashes", () => {
    expect(JSON.stringify(complete)).not.toMatch(/127\.0\.0\.1|node_modules/);
    expect(complete.components).toEqual([
      {
        ...{ type: "library", name: "c", version: "3.0.0", purl: "pkg:npm/c@3.0.0" },
        licenses: [{ license: { id: "ISC" } }],
        hashes: [{ alg: "SHA-512", content: "00" }],
        externalReferences: [{ type: "website", url: "https://c.example" }],
      },
    ]);
  });

  it("has the licence of every component", () => {
    expect(licencesIn(complete)).toEqual([
      { name: "c@3.0.0", licence: "ISC" },
      { name: "@acme/b@2.0.0", licence: "MIT" },
      { name: "a@1.0.0", licence: "(MIT OR GPL-3.0-only)" },
    ]);
    const [first] = sbom.components;
    if (first === undefined) throw new Error("the document has no component");
    const { licenses: _, ...unlicensed } = first;
    expect(licencesIn({ ...sbom, components: [unlicensed] })).toEqual([{ name: "c@3.0.0", licence: "unknown" }]);
  });
});

describe("the licence", () => {
  it.each(["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND MIT", "(BSD-2-Clause OR (GPL-2.0-only AND MIT)) AND ISC"])(
    "%s is allowed",
    (expression) => expect(isAllowed(expression)).toBe(true),
  );
  it.each([
    "GPL-3.0-only",
    "MIT AND GPL-3.0-only",
    "(GPL-2.0-only OR AGPL-3.0-only)",
    "unknown",
    "",
    "SEE LICENSE IN a",
  ])("%j is refused", (expression) => expect(isAllowed(expression)).toBe(false));
});
