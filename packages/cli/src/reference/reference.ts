/**
 * The reference of msgctl as plain data, from which the generator makes the reference pages. The program itself does not
 * use it.
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
  /** Commands without a group, each as a group of one command. */
  roots: readonly GroupFacts[];
  /** The first commands to try. */
  examples: readonly ExampleFacts[];
  /** The flags that every command has. */
  globalFlags: readonly Row[];
  exitCodes: readonly Row[];
  /** The environment variables that msgctl reads. */
  variables: readonly Row[];
  topics: readonly TopicFacts[];
}

/** Builds the reference of a catalog's commands, including their common flags, variables and topics. */
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
