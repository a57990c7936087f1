/** A YAML document that parsers of both YAML versions read alike: `no`, `+12025550100` and `12:30` stay texts. */
export async function yamlDocument(value: unknown): Promise<string> {
  const { stringify } = await import("../libraries/yaml.ts");
  return stringify(value ?? null, { compat: "yaml-1.1", aliasDuplicateObjects: false, lineWidth: 0 });
}
