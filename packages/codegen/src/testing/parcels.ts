import { readFileSync } from "node:fs";
import { readContract } from "../document/contract.ts";
import type { Contract } from "../model.ts";

/** The invented document that unit tests read, whole and valid. */
export const PARCELS = readFileSync(new URL("parcels.yaml", import.meta.url), "utf8");

/** The document with one passage replaced. A passage that is not there exactly once would make a test say nothing. */
export function parcelsWith(passage: string, replacement: string): string {
  const parts = PARCELS.split(passage);
  if (parts.length !== 2) throw new Error(`"${passage}" occurs ${parts.length - 1} times in parcels.yaml.`);
  return parts.join(replacement);
}

/** What is read from the document. */
export function parcels(text = PARCELS): Contract {
  return readContract(text, "parcels.yaml");
}
