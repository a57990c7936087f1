/**
 * The reference of msgctl as plain data: everything its reference pages are made from. The generator of the pages reads
 * it; the program does not.
 */
import { globalFlagRows, type Row } from "../help/flags.ts";
import { VARIABLES } from "../help/topics.ts";
import type { Catalog } from "../model/catalog.ts";
import { EXIT_CODE_MEANINGS } from "../process/exit-codes.ts";
import { versionLine } from "../process/version.ts";
import { type ExampleFacts, type GroupFacts, readExamples, readGroups } from "./command-facts.ts";
import { readTopics, type TopicFacts } from "./topic-facts.ts";

export interface Reference {
  /** `msgctl 0.1.0 (contract 0.1.0)`. */
  version: string;
  groups: readonly GroupFacts[];
  /** Commands without a group, each as a group of its own. */
  roots: readonly GroupFacts[];
  /** A first tour of the tool. */
  examples: readonly ExampleFacts[];
  /** The flags that every command has. */
  globalFlags: readonly Row[];
  exitCodes: readonly Row[];
  /** The environment variables that are read. */
  variables: readonly Row[];
  topics: readonly TopicFacts[];
}

/** Builds the reference of a catalog's commands, and of what they have in common. */
export async function readReference(catalog: Catalog): Promise<Reference> {
  const { contractVersion, examples } = catalog.index;
  return {
    version: versionLine(contractVersion),
    ...(await readGroups(catalog)),
    examples: readExamples(examples),
    globalFlags: globalFlagRows().map(([term, text]) => [term.trim(), text]),
    exitCodes: Object.entries(EXIT_CODE_MEANINGS),
    variables: VARIABLES,
    topics: readTopics(),
  };
}
