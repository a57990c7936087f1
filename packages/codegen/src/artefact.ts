import type { ApiDocument, Contract } from "./model.ts";

/** One generated file: its path, and a function that makes its text only from the contract or another document. */
export interface Artefact<Document extends ApiDocument = Contract> {
  /** Path from the root of the project, in a folder named `generated`. */
  path: string;
  /** Returns the whole text after the notice line, which the generator itself puts first. */
  render(document: Document): string | Promise<string>;
}

/** First line of every file that is generated from the contract. */
export const NOTICE = noticeOf("openapi.yaml");

/** First line of a file that is generated from the document at `path`. */
export function noticeOf(path: string): string {
  return `// Generated from ${path} by npm run generate. Do not edit.`;
}
