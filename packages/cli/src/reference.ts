/** The reference of msgctl, which the generator of its pages imports as msgctl/reference. Not published. */
import { catalog } from "./catalog.ts";
import { type Reference, readReference } from "./reference/reference.ts";

export type { CommandFacts, ExampleFacts, GroupFacts, ValueFacts } from "./reference/command-facts.ts";
export type { Reference } from "./reference/reference.ts";
export type { TopicFacts, TopicPart } from "./reference/topic-facts.ts";

/** Builds the reference of all commands of msgctl. */
export const reference: Reference = await readReference(catalog);
