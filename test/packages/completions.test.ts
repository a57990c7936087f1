// Completions in an editor. They must list the known values of open enums in replies.

import { join } from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { installSdk } from "./packed.ts";

const { folder, remove } = installSdk();
afterAll(remove);

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
  strict: true,
};
const file = join(folder, "editor.ts");
const head = `import { MessagingClient, type MessagingError, ApiError } from "@msgctl/sdk";
import { verifyWebhook } from "@msgctl/sdk/webhooks";
declare const client: MessagingClient;
declare const error: MessagingError;
`;
let text = "";
let version = 0;
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : "1"),
  getScriptSnapshot(name) {
    const content = name === file ? text : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => folder,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** Returns the completions at the `|`. */
function offeredIn(line: string): string[] {
  version += 1;
  text = head + line.replace("|", "");
  const place = head.length + line.indexOf("|");
  return (service.getCompletionsAtPosition(file, place, {})?.entries ?? []).map(({ name }) => name);
}

describe("an editor offers", () => {
  it.each([
    ["the values of a request's enum", 'client.send.sms({ type: "|" });', ["OTP", "REMINDER", "MARKETING"]],
    [
      "the known values of a reply's open enum",
      'const sent = await client.send.sms({} as never); if (sent.status === "|") {}',
      ["QUEUED", "SENT", "DELIVERED", "UNKNOWN"],
    ],
    [
      "the known codes of an error",
      'if (error instanceof ApiError && error.code === "|") {}',
      ["consent_required", "quota_exceeded", "rate_limited"],
    ],
    [
      "the events of a webhook",
      'const event = await verifyWebhook("", {}, ""); if (event.type === "|") {}',
      ["voice.tts_call.updated", "voice.tts_call.finalized", "voice.tts_batch.finalized"],
    ],
    ["the groups of a client", "client.|", ["send", "consent", "tts", "merchants", "raw"]],
    ["hand-written methods beside the generated ones", "client.send.|", ["sms", "directEmail", "many"]],
    ["the options of a call", 'client.merchants.get("m1", { | });', ["signal", "timeoutMs", "maxRetries"]],
  ])("%s", (_, line, expected) => {
    expect(offeredIn(line)).toEqual(expect.arrayContaining(expected));
  });
});
