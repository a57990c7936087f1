// Adds an operation to openapi.yaml and runs `generate`. Without further changes, this yields a typed SDK method and a working
// command. The server does not compile until it handles the operation.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { artefacts } from "../../packages/codegen/src/artefacts/index.ts";
import { renderContract } from "../../packages/codegen/src/generate.ts";
import { writeFiles } from "../../packages/codegen/src/generated-files.ts";
import { documentsBeside } from "../../packages/codegen/src/stages.ts";
import { copyProject } from "./project-copy.ts";

const NOTE_REQUEST = {
  type: "object",
  description: "A note to keep.",
  additionalProperties: false,
  required: ["text"],
  properties: {
    text: { type: "string", minLength: 1, description: "What to remember." },
    mood: { $ref: "#/components/schemas/NoteMood" },
  },
};
const NOTE_VIEW = {
  type: "object",
  description: "A note.",
  required: ["noteId", "text"],
  properties: {
    noteId: { type: "integer", format: "int64", description: "Identifier of the note." },
    text: { type: "string", description: "What to remember." },
  },
};
const ADD_NOTE = {
  operationId: "addMerchantNote",
  tags: ["Merchants"],
  summary: "Add a note to a merchant",
  description: "Keeps a note beside the merchant.",
  "x-msgctl": {
    group: "merchants",
    name: "add-note",
    args: ["merchantId"],
    columns: ["noteId", "text"],
    identity: ["noteId"],
  },
  parameters: [
    {
      name: "merchantId",
      in: "path",
      required: true,
      description: "Identifier of the merchant.",
      schema: { type: "string" },
    },
    { name: "Idempotency-Key", in: "header", description: "Makes a repeat safe.", schema: { type: "string" } },
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/NoteRequest" } } },
  },
  responses: {
    "200": {
      description: "The note.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/NoteView" } } },
    },
  },
};

/** Compiles if the method exists with these types. If the types are looser, an unused @ts-expect-error is an error. */
const USE_OF_METHOD = `
import { MessagingClient } from "@msgctl/sdk";

export async function addNote(client: MessagingClient): Promise<number> {
  const note = await client.merchants.addNote("bright-dental", { text: "Call back", mood: "GOOD" }, { idempotencyKey: "k" });
  // @ts-expect-error the text is required
  client.merchants.addNote("bright-dental", {});
  // @ts-expect-error a mood that the contract does not name
  client.merchants.addNote("bright-dental", { text: "Call back", mood: "FINE" });
  // @ts-expect-error the view has no such field
  note.author;
  return note.noteId;
}
`;

const { root, remove } = copyProject();

beforeAll(async () => {
  const path = join(root, "openapi.yaml");
  const document = parseDocument(readFileSync(path, "utf8"));
  document.setIn(["paths", "/api/v1/merchants/{merchantId}/notes"], document.createNode({ post: ADD_NOTE }));
  const schemas = {
    NoteRequest: NOTE_REQUEST,
    NoteView: NOTE_VIEW,
    NoteMood: { type: "string", enum: ["GOOD", "BAD"], description: "How it went." },
  };
  for (const [name, schema] of Object.entries(schemas)) {
    document.setIn(["components", "schemas", name], document.createNode(schema));
  }
  writeFileSync(path, document.toString());
  await writeFiles(root, await renderContract(root, artefacts, [], documentsBeside));
});
afterAll(remove);

describe("the generated types", () => {
  let compiled: Outcome;

  beforeAll(async () => {
    const use = "packages/sdk/src/use-of-new-operation.ts";
    writeFileSync(join(root, use), USE_OF_METHOD);
    const files = [use, "packages/server/src/domain/operations.ts"];
    writeFileSync(join(root, "tsconfig.new.json"), JSON.stringify({ extends: "./tsconfig.json", include: [], files }));
    compiled = await run(["node_modules/typescript/bin/tsc", "-p", "tsconfig.new.json", "--pretty", "false"]);
  });

  it("let the SDK call the operation, with valid arguments only", () => {
    expect(compiled.stdout).not.toContain("use-of-new-operation.ts");
  });

  it("keep the server from compiling until it handles the operation", () => {
    expect(compiled.status).not.toBe(0);
    const errors = compiled.stdout.split("\n").filter((line) => /error TS\d+/.test(line));
    expect(errors.map((line) => line.split("(")[0])).toEqual(["packages/server/src/domain/operations.ts"]);
    expect(compiled.stdout).toMatch(/Property 'addMerchantNote' is missing/);
  });
});

describe("the generated command", () => {
  let service: Server;
  const received: { method: string | undefined; url: string | undefined; body: string }[] = [];

  beforeAll(async () => {
    service = createServer(async (request, response) => {
      received.push({ method: request.method, url: request.url, body: await textOf(request) });
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ noteId: 12, text: "Call back" }));
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => service.close());

  const msgctl = (...words: string[]) => {
    const { port } = service.address() as AddressInfo;
    return run(["--import", "tsx", "packages/cli/src/main.ts", "merchants", "add-note", ...words], {
      MSGCTL_BASE_URL: `http://127.0.0.1:${port}`,
      MSGCTL_API_KEY: "an-api-key",
      MSGCTL_API_SECRET: "an-api-secret",
    });
  };

  it("has help in the contract's words", async () => {
    const { stdout, status } = await msgctl("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("Keeps a note beside the merchant.");
    expect(stdout).toMatch(/msgctl merchants add-note <merchant-?id>/i);
    expect(stdout).toMatch(/--text string\s+What to remember\./);
    expect(stdout).toMatch(/--mood [\s\S]*GOOD/);
  });

  it("sends the request and prints the reply", async () => {
    const { stdout, status } = await msgctl("bright-dental", "--text", "Call back", "--mood", "GOOD", "-o", "json");
    expect({ status, reply: JSON.parse(stdout) }).toEqual({ status: 0, reply: { noteId: 12, text: "Call back" } });
    expect(received).toEqual([
      {
        method: "POST",
        url: "/api/v1/merchants/bright-dental/notes",
        body: JSON.stringify({ text: "Call back", mood: "GOOD" }),
      },
    ]);
  });

  it("refuses a value that the contract does not allow, without sending a request", async () => {
    const before = received.length;
    const { status, stderr } = await msgctl("bright-dental", "--text", "Call back", "--mood", "FINE");
    expect(status).toBe(2);
    expect(stderr).toContain("--mood");
    expect(received.length).toBe(before);
  });
});

it("the operation is a tool for agents, which writes", async () => {
  const program = 'import { tools } from "./packages/mcp/src/generated/tools.ts"; console.log(JSON.stringify(tools))';
  const { stdout } = await run(["--import", "tsx", "--input-type=module", "--eval", program]);
  const tools = JSON.parse(stdout) as { name: string }[];
  expect(tools.find(({ name }) => name === "merchants_add_note")).toMatchObject({
    ...{ method: "POST", idempotent: true, identity: ["noteId"] },
    input: {
      properties: { merchantId: {}, text: {}, mood: { enum: ["GOOD", "BAD"] } },
      required: ["merchantId", "text"],
    },
  });
});

interface Outcome {
  status: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

/** Runs Node in the copy. Never rejects, because some tests expect a failure. */
function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const options = { cwd: root, env: { ...process.env, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
