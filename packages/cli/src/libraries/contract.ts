/** What of the contract is as large as the rest of a command together. As all of libraries/, a file of the bundle that is loaded where it is needed. */
export { operations } from "@msgctl/contract";
export { parameterSchemas, schemas } from "@msgctl/contract/schemas";
