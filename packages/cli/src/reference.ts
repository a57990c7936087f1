/** The reference of msgctl for the generator of its pages, imported as msgctl/reference; not published. */
import { catalog } from "./catalog.ts";
import { type Reference, readReference } from "./reference/reference.ts";

export type { CommandFacts, ExampleFacts, GroupFacts, ValueFacts } from "./reference/command-facts.ts";
export type { Reference } from "./reference/reference.ts";
export type { TopicFacts, TopicPart } from "./reference/topic-facts.ts";

/** The reference of msgctl's own commands. */
export const reference: Reference = await readReference(catalog);
