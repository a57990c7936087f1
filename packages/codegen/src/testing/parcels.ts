import { readFileSync } from "node:fs";
import { readContract } from "../document/contract.ts";
import type { Contract } from "../model.ts";

/** The made-up document that unit tests read, complete and valid. */
export const PARCELS = readFileSync(new URL("parcels.yaml", import.meta.url), "utf8");

/** The document with one passage replaced. Throws unless the passage occurs exactly once, so that the change has an effect. */
export function parcelsWith(passage: string, replacement: string): string {
  const parts = PARCELS.split(passage);
  if (parts.length !== 2) throw new Error(`"${passage}" occurs ${parts.length - 1} times in parcels.yaml.`);
  return parts.join(replacement);
}

/** The contract read from the document. */
export function parcels(text = PARCELS): Contract {
  return readContract(text, "parcels.yaml");
}
