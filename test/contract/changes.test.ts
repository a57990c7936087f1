import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findBreakingChanges, NO_OASDIFF, oasdiff } from "./changes.ts";
import { judge, readContract, recordedFolder } from "./release.ts";

// biome-ignore lint/suspicious/noExplicitAny: each change edits the document where it likes
type Editable = any;
type Edit = (document: Editable) => void;

const text = readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8");
const schemaOf = (document: Editable, name: string) => document.components.schemas[name];
const drop = (list: string[], value: string) => list.splice(list.indexOf(value), 1);

/** Each edits another operation, so that one comparison shows all. */
const breaking: Readonly<Record<string, readonly [Edit, words: string]>> = {
  "a removed operation": [(at) => delete at.paths["/api/v1/alerts"], "GET /api/v1/alerts api-path-removed"],
  "a removed field of a reply": [
    (at) => {
      delete schemaOf(at, "DispatchResponse").properties.status;
      drop(schemaOf(at, "DispatchResponse").required, "status");
    },
    "removed the required property `status` from the response",
  ],
  "a field of a reply that may be absent": [
    (at) => drop(schemaOf(at, "V1MessageResponse").required, "messageId"),
    "the response property `messageId` became optional",
  ],
  "a field of a reply that may be null": [
    (at) => {
      schemaOf(at, "MerchantView").properties.displayName.type = ["string", "null"];
    },
    "displayName` became nullable",
  ],
  "a removed field of a request": [
    (at) => delete schemaOf(at, "V1EmailSendRequest").properties.subject,
    "removed the request property `subject`",
  ],
  "a new required field of a request": [
    (at) => {
      schemaOf(at, "V1SmsSendRequest").properties.sender = { type: "string", maxLength: 11 };
      schemaOf(at, "V1SmsSendRequest").required.push("sender");
    },
    "added the new required request property `sender`",
  ],
  "a field of a request that becomes required": [
    (at) => schemaOf(at, "V1MerchantUpsertRequest").required.push("smsCredits"),
    "the request property `smsCredits` became required",
  ],
  "a narrowed limit": [
    (at) => {
      schemaOf(at, "V1OmniSmsSendRequest").properties.message.maxLength = 160;
    },
    "`message` request property's maxLength was decreased to `160`",
  ],
  "a narrowed pattern": [
    (at) => {
      schemaOf(at, "V1MerchantMessagingBrandRequest").properties.city.pattern = "^[A-Z]+$";
    },
    "changed the pattern of the request property `city`",
  ],
  "a removed value of a request's enum": [
    (at) => drop(schemaOf(at, "TtsPriority").enum, "HIGH"),
    "removed the enum value `HIGH` of the request property `priority`",
  ],
  "a removed reply": [
    (at) => delete at.paths["/api/v1/sms/send"].post.responses[402],
    "removed the non-success response with the status `402`",
  ],
  "a removed header of a reply": [
    (at) => delete at.paths["/api/v1/email/send"].post.responses[200].headers["Idempotent-Replayed"],
    "the optional response header `Idempotent-Replayed` removed",
  ],
  "a new required parameter": [
    (at) =>
      at.paths["/api/v1/reports/usage"].get.parameters.push({
        name: "zone",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
    "added the new required `query` request parameter `zone`",
  ],
  "a renamed operation": [
    (at) => {
      at.paths["/api/v1/simulator/reply"].post.operationId = "reply";
    },
    "api operation id `simulateReply` removed",
  ],
  "a removed field of an event": [
    (at) => delete schemaOf(at, "VoiceTtsCallUpdatedEvent").properties.timestamp,
    "GET /events/voice.tts_call.updated response",
  ],
};

const harmless: Readonly<Record<string, Edit>> = {
  "a new operation": (at) => {
    const copy = structuredClone(at.paths["/api/v1/alerts"]);
    copy.get.operationId = "listAlarms";
    at.paths["/api/v1/alarms"] = copy;
  },
  "a new field of a reply": (at) => {
    schemaOf(at, "MerchantView").properties.color = { type: "string" };
    schemaOf(at, "MerchantView").required.push("color");
  },
  "a new field of an event": (at) => {
    schemaOf(at, "VoiceTtsCallUpdatedEvent").properties.color = { type: "string" };
    schemaOf(at, "VoiceTtsCallUpdatedEvent").required.push("color");
  },
  "a new optional field of a request": (at) => {
    schemaOf(at, "V1SmsSendRequest").properties.sender = { type: "string", maxLength: 11 };
  },
  "a new optional parameter": (at) =>
    at.paths["/api/v1/reports/usage"].get.parameters.push({ name: "zone", in: "query", schema: { type: "string" } }),
  "a wider limit": (at) => {
    schemaOf(at, "V1OmniSmsSendRequest").properties.message.maxLength = 3_200;
  },
  "a new value of a reply's open enum": (at) => schemaOf(at, "MessageStatus").enum.push("READ"),
  "a new value of a request's enum": (at) => schemaOf(at, "TtsPriority").enum.push("LOWEST"),
  "a new error code": (at) => schemaOf(at, "ProblemCode").enum.push("merchant_frozen"),
  "a new reply": (at) => {
    const { responses } = at.paths["/api/v1/sms/send"].post;
    responses[410] = responses[429];
  },
  "other words": (at) => {
    schemaOf(at, "MerchantView").description = "A merchant.";
  },
};

function edited(edits: readonly Edit[]) {
  const document = parse(text);
  for (const edit of edits) edit(document);
  return document;
}

if (oasdiff === undefined) console.warn(`Skipped: ${NO_OASDIFF}`);

describe.skipIf(oasdiff === undefined)("of a changed contract", () => {
  let found: string[];
  beforeAll(async () => {
    const edits = Object.values(breaking).map(([edit]) => edit);
    const changes = await findBreakingChanges(parse(text), edited(edits));
    found = changes.map(({ where, text }) => `${where}: ${text}`);
  });

  it.each(Object.entries(breaking))("%s is named as breaking", (_what, [, words]) => {
    expect(found.filter((line) => line.includes(words))).not.toEqual([]);
  });

  it("only what the edits changed is named", () => {
    const expected = Object.values(breaking).map(([, words]) => words);
    expect(found.filter((line) => !expected.some((words) => line.includes(words)))).toEqual([]);
  });

  it("additions are not named", async () => {
    expect(await findBreakingChanges(parse(text), edited(Object.values(harmless)))).toEqual([]);
  });

  it("an event of a message may not lose a field either", async () => {
    const [released, current] = [readContract(recordedFolder), readContract(recordedFolder)];
    delete schemaOf(current, "MessageUpdatedEvent").properties.timestamp;
    expect((await findBreakingChanges(released, current)).map(({ where }) => where)).toEqual([
      expect.stringMatching(/^GET \/events\/message\.updated response-/),
    ]);
  });
});

const change = { where: "GET /api/v1/alerts api-path-removed-without-deprecation", text: "api path removed" };

it.each<[what: string, intended: unknown, faults: readonly string[]]>([
  ["is not listed", [], [`${change.where}: api path removed`]],
  ["is listed with a reason", [{ change: change.where, reason: "Nobody has used it." }], []],
  ["is listed by operation", [{ change: "GET /api/v1/alerts", reason: "Nobody has used it." }], []],
  [
    "is listed without a reason",
    [{ change: change.where }],
    ['entry 1 needs a change and a reason: {"change":"GET /api/v1/alerts api-path-removed-without-deprecation"}'],
  ],
  [
    "is not the one that is listed",
    [{ change: "GET /api/v1/alarms", reason: "Nobody has used it." }],
    ["entry 1 matches no change: GET /api/v1/alarms", `${change.where}: api path removed`],
  ],
  ["may be listed, but the file is no list", { change: change.where }, ["the file must be a list"]],
])("a breaking change that %s", (_what, intended, faults) => {
  expect(judge([change], intended)).toEqual(faults);
});
