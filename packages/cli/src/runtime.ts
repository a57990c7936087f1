/** All that runs once a command line was read, as one file of the bundle: versions, help and wrong lines do without it. */
export { profileOutput } from "./call/access/profile-output.ts";
export { runOperation } from "./operation/run-operation.ts";
export { withDestination } from "./output/file/destination.ts";
export { requireQuery } from "./output/query/query.ts";
export { askArguments } from "./prompts/ask-arguments.ts";
export { awaitCreated } from "./waiting/await-created.ts";
