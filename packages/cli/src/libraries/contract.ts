/**
 * Large parts of the contract, which few commands need. Each file of libraries/ is a bundle file that is loaded on demand.
 */
export { operations } from "@msgctl/contract";
export { parameterSchemas, schemas } from "@msgctl/contract/schemas";
