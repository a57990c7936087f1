/** What of the contract is as large as the rest of a command together: loaded when a schema is really printed. */
export { operations } from "@msgctl/contract";
export { parameterSchemas, schemas } from "@msgctl/contract/schemas";
