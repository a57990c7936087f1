/** The reference of msgctl for the generator of its pages, by the name msgctl/reference; no part of what is published. */
import { catalog } from "./catalog.ts";
import { type Reference, readReference } from "./reference/reference.ts";

export type { CommandFacts, ExampleFacts, GroupFacts, ValueFacts } from "./reference/command-facts.ts";
export type { Reference } from "./reference/reference.ts";
export type { TopicFacts, TopicPart } from "./reference/topic-facts.ts";

/** What msgctl says of its own commands. */
export const reference: Reference = await readReference(catalog);
