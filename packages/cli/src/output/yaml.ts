import { stringify } from "yaml";

/** A YAML document that parsers of both YAML versions read alike: `no`, `+12025550100` and `12:30` stay texts. */
export function yamlDocument(value: unknown): string {
  return stringify(value ?? null, { compat: "yaml-1.1", aliasDuplicateObjects: false, lineWidth: 0 });
}
