/** The code that runs after a command line is parsed, as one bundle file. Version, help and usage errors do not load it. */
export { profileOutput } from "./call/access/profile-output.ts";
export { runOperation } from "./operation/run-operation.ts";
export { withDestination } from "./output/file/destination.ts";
export { requireQuery } from "./output/query/query.ts";
export { askArguments } from "./prompts/ask-arguments.ts";
export { awaitCreated } from "./waiting/await-created.ts";
