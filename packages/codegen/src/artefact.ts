import type { Contract } from "./model.ts";

/** One generated file: where it goes, and how its text is made from the contract alone. */
export interface Artefact {
  /** From the root of the project, in a folder named `generated`. */
  path: string;
  /** Returns the whole text after the notice line, which the generator itself puts first. */
  render(contract: Contract): string | Promise<string>;
}

/** First line of every generated file. */
export const NOTICE = "// Generated from openapi.yaml by npm run generate. Do not edit.";
