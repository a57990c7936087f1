/**
 * What msgctl says of itself, as plain data: all that its reference pages are made of. The generator of the pages reads it;
 * the program does not.
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
  /** A first walk through the tool. */
  examples: readonly ExampleFacts[];
  /** The flags of every command. */
  globalFlags: readonly Row[];
  exitCodes: readonly Row[];
  /** The environment variables that are read. */
  variables: readonly Row[];
  topics: readonly TopicFacts[];
}

/** Everything the reference says of a catalog's commands, and of what concerns all of them. */
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
