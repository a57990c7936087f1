// The bill of materials of a package (CycloneDX): what it installs, and what is bundled into it.

/** The parts of a CycloneDX document that are read or written here. */
export interface Sbom {
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown };
  readonly components: readonly Component[];
  readonly [field: string]: unknown;
}

export interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { license?: { id?: string; name?: string }; expression?: string }[];
  readonly externalReferences?: readonly { type: string; url: string }[];
  readonly components?: readonly Component[];
  readonly [field: string]: unknown;
}

/** A package whose code is in a bundle. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly source: string;
}

const RULE = `\n${"-".repeat(80)}\n`;

/**
 * Reads the packages of a THIRD-PARTY-LICENSES.txt, which scripts/bundled-licences.ts writes in a build.
 *
 * @throws {Error} If a part of the file does not begin with a package and its source.
 */
export function bundledOf(licences: string): Bundled[] {
  const [, ...parts] = licences.split(RULE);
  return parts.map((part) => {
    const [, name = "", version = "", licence = "", source = ""] =
      /^\n(\S+) (\S+) \((.+)\)\nSource: (.+)\n/.exec(part) ?? [];
    if (source === "") throw new Error(`THIRD-PARTY-LICENSES.txt has a part of another form: ${part.slice(0, 80)}`);
    return { name, version, licence, source };
  });
}

/**
 * Adds the bundled packages to a document made by `npm sbom`, as parts of its package. Removes addresses of the registry from
 * which the packages were installed: a package is identified by its purl and its hash. npm names the package by its folder.
 */
export function withBundled(sbom: Sbom, { name, bundled }: { name: string; bundled: readonly Bundled[] }): Sbom {
  const parts = new Map(bundled.map((each) => [`${each.name}@${each.version}`, componentOf(each)]));
  const sorted = [...parts.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1));
  const { metadata, components } = sbom;
  const component = withoutRegistry(metadata.component);
  return {
    ...sbom,
    metadata: { ...metadata, component: { ...component, name, ...(sorted.length > 0 && { components: sorted }) } },
    components: components.map(withoutRegistry),
  };
}

function componentOf({ name, version, licence, source }: Bundled): Component {
  const isPlain = /^[\w.-]+$/.test(licence);
  return {
    ...{ type: "library", name, version },
    "bom-ref": `bundled:${name}@${version}`,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [isPlain ? { license: { id: licence } } : { expression: licence }],
    ...(URL.canParse(source) && { externalReferences: [{ type: "vcs", url: source }] }),
  };
}

function withoutRegistry(component: Component): Component {
  const { externalReferences, properties: _, ...others } = component;
  const left = externalReferences?.filter(({ type }) => type !== "distribution") ?? [];
  return { ...others, ...(left.length > 0 && { externalReferences: left }) } as Component;
}

/** Every component with its SPDX expression, the bundled ones too. */
export function licencesIn({ metadata, components }: Sbom): { name: string; licence: string }[] {
  return [...components, ...(metadata.component.components ?? [])].map(({ name, version, licenses = [] }) => {
    const ids = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "unknown");
    return { name: `${name}@${version}`, licence: ids.join(" AND ") || "unknown" };
  });
}
