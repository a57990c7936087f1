/** Everything that runs once a command line is parsed, as one bundle file: versions, help and usage errors skip it. */
export { profileOutput } from "./call/access/profile-output.ts";
export { runOperation } from "./operation/run-operation.ts";
export { withDestination } from "./output/file/destination.ts";
export { requireQuery } from "./output/query/query.ts";
export { askArguments } from "./prompts/ask-arguments.ts";
export { awaitCreated } from "./waiting/await-created.ts";
