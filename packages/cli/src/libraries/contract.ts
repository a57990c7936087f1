/**
 * The contract's parts that are as large as the rest of a command. Like all of libraries/, a bundle file loaded on demand.
 */
export { operations } from "@msgctl/contract";
export { parameterSchemas, schemas } from "@msgctl/contract/schemas";
