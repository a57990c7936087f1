/** The contract's parts as large as the rest of a command. Like all of libraries/, a bundle file loaded if needed. */
export { operations } from "@msgctl/contract";
export { parameterSchemas, schemas } from "@msgctl/contract/schemas";
