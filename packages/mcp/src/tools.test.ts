import { operations } from "@msgctl/contract";
import { describe, expect, it } from "vitest";
import { tools } from "./generated/tools.ts";
import { CONFIRM_ALL, createWorld } from "./testing/world.ts";

const listOf = async (line: string) => (await (await createWorld({ line })).client.listTools()).tools;

describe("the tools that a client sees", () => {
  it("are those that read, unless writing was allowed", async () => {
    const listed = await listOf("");
    const reading = Object.values(operations).filter(({ method }) => method === "GET");
    expect(listed).toHaveLength(reading.length);
    expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  it("are one for each operation of the contract if everything is allowed", async () => {
    const listed = await listOf("--allow all --allow-billable");
    const names = Object.values(operations).map(({ group, name }) => `${group}_${name}`.replaceAll("-", "_"));
    expect(listed.map(({ name }) => name)).toEqual(names);
    expect(names).toContain("send_direct_sms");
  });

  it("write only in the allowed groups, and cost money only with --allow-billable", async () => {
    const writing = (listed: Awaited<ReturnType<typeof listOf>>) =>
      listed.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing(await listOf("--allow consent,send"))).toEqual(["consent_record"]);
    expect(writing(await listOf("--allow tts --allow-billable"))).toEqual(["tts_create"]);
  });

  it("say by annotations what costs money or cannot be undone", async () => {
    const listed = await listOf("--allow all --allow-billable");
    const destructive = listed.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(destructive).toEqual(tools.filter(({ cost }) => cost !== undefined).map(({ name }) => name));
    expect(listed.find(({ name }) => name === "merchants_upsert")?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    });
  });

  it("describe arguments and replies, without credentials in either", async () => {
    const listed = await listOf("--allow all --allow-billable");
    const sms = listed.find(({ name }) => name === "send_sms");
    expect(sms?.inputSchema).toMatchObject({
      properties: { to: { format: "e164" }, type: { enum: expect.arrayContaining(["OTP"]) }, idempotencyKey: {} },
      required: ["merchantId", "to", "message", "type"],
    });
    const provisioning = listed.find(({ name }) => name === "provisioning_show");
    expect(JSON.stringify(provisioning?.outputSchema)).toContain("sipUsername");
    expect(JSON.stringify(provisioning?.outputSchema)).not.toContain('"password"');
  });

  it("have no merchantId if they are bound to a merchant, and leave out what is not about one", async () => {
    const listed = await listOf("--allow all --allow-billable --merchant demo");
    for (const { inputSchema } of listed) expect(Object.keys(inputSchema.properties ?? {})).not.toContain("merchantId");
    const names = listed.map(({ name }) => name);
    expect(names).toContain("send_sms");
    expect(names).toContain("tts_get");
    expect(names).not.toContain("send_direct_sms");
    expect(names).not.toContain("provisioning_show");
    expect(names).not.toContain("simulator_reply");
  });
});

describe("a call of a tool that is not offered", () => {
  it("says with which flags it would be", async () => {
    const { call, service } = await createWorld({ line: "--allow consent" });
    const { error } = await call("send_sms", { merchantId: "demo" });
    expect(error).toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("--allow consent,send --allow-billable"),
    });
    expect(await service.messages()).toEqual([]);
  });

  it("is an error of the protocol if there is no such tool", async () => {
    const { client } = await createWorld();
    await expect(client.callTool({ name: "send_pigeon" })).rejects.toThrow("Unknown tool: send_pigeon");
  });
});

it("every reading tool gets a reply of the service that fits its description", async () => {
  const world = await createWorld(CONFIRM_ALL);
  const { call } = world;
  const batch = await call("tts_create", {
    ...{ merchantId: "demo", messageText: "Hello", useCase: "REMINDER", toNumbers: ["+12025550100", "+12025550150"] },
  });
  expect(batch.error.code).toBe("");
  const batchId = Number(batch.structured.batchId);
  const { items } = (await call("tts_list")).structured as { items: { requestId: string }[] };
  const args: Record<string, Record<string, unknown>> = {
    merchants_get: { merchantId: "demo" },
    tts_get: { requestId: Number(items[0]?.requestId) },
    tts_summary: { batchId },
    tts_numbers: { batchId },
    reports_usage: { from: "2026-01-01", to: "2026-01-31" },
    registration_status: { merchantId: "demo" },
  };
  const codes: Record<string, string> = {};
  for (const { name, method } of tools) {
    // the client checks the reply against the tool's output schema
    if (method === "GET") codes[name] = (await call(name, args[name])).error.code;
  }
  expect(Object.entries(codes).filter(([, code]) => code !== "")).toEqual([
    ["provisioning_directory", "arguments_missing"],
  ]);
});
