import { createHash } from "node:crypto";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { directoryExamples, exampleProvisioning, storeProvisioning } from "../../testing/provisioning-example.ts";
import type { ProvisioningView } from "./operations.ts";

const url = "/api/v1/voice/provisioning";
const parser = new XMLParser({
  ...{
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
  },
  isArray: (name) => name === "param" || name === "variable",
});
const notFound = directoryExamples.notFound.value;

let service: InMemoryService;
let tenantId: number;
beforeEach(async () => {
  service = await openInMemoryService();
  tenantId = service.credential.tenantId;
});
afterEach(() => service.close());

const importExample = async (change: (view: ProvisioningView) => void = () => {}) => {
  const view = exampleProvisioning(tenantId);
  change(view);
  await storeProvisioning(service.store, view);
  return view;
};
const look = (identifier: string, headers: Record<string, string> = {}) =>
  service.call("GET", `${url}/freeswitch/directory/${encodeURIComponent(identifier)}`, { headers });
const report = (sipUsername: string, registered: boolean, headers: Record<string, string> = {}) =>
  service.call("POST", `${url}/sip-presence`, { body: { sipUsername, registered }, headers });
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** The user of a directory document, read with a third-party XML parser. */
function readXml(text: string): {
  id: string;
  alias: string;
  domain: string;
  params: Record<string, string>;
  variables: Record<string, string>;
} {
  expect(XMLValidator.validate(text)).toBe(true);
  const { section } = parser.parse(text).document;
  expect(section["@name"]).toBe("directory");
  const { user } = section.domain.groups.group.users;
  const named = (elements: readonly Record<"@name" | "@value", string>[]) =>
    Object.fromEntries(elements.map((element) => [element["@name"], element["@value"]]));
  return {
    id: user["@id"],
    alias: user["@number-alias"],
    domain: section.domain["@name"],
    params: named(user.params.param),
    variables: named(user.variables.variable),
  };
}

describe("the provisioning view", () => {
  it("is empty if nothing was imported", async () => {
    expect((await service.call("GET", url)).json()).toEqual({
      tenantId,
      ...{ sipHost: null, sipDomain: null, wssUrl: null, udpPort: null, tlsPort: null, wsPort: null },
      ...{ sipUsers: [], phoneNumbers: [], ringGroups: [], menus: [] },
    });
  });

  it("is complete, and contains only this tenant's data", async () => {
    const view = await importExample();
    expect((await service.call("GET", url)).json()).toEqual(view);
    const other = await service.issue({ tenant: "Other" });
    expect((await service.call("GET", url, { as: other })).json()).toMatchObject({ sipUsers: [], sipHost: null });
  });

  it("keeps no readable password in the database", async () => {
    await importExample();
    const rows = await service.store.read((tx) => tx.all<object>("SELECT * FROM sip_users"));
    expect(JSON.stringify(rows)).not.toContain("kW7-harbor");
  });

  it("is replaced as a whole by the next import", async () => {
    await importExample();
    const view = await importExample((next) => {
      next.sipUsers = next.sipUsers.map((user) => ({ ...user, sipUsername: "erin", userId: 72 }));
      next.ringGroups = [];
      next.menus = [];
    });
    expect((await service.call("GET", url)).json()).toEqual(view);
    expect((await look("dana")).body).toBe(notFound);
  });
});

describe("the provisioning of many users", () => {
  /** Imports users whose order differs from that of their ids. */
  const importUsers = (count: number) =>
    importExample((view) => {
      const [dana] = view.sipUsers;
      if (dana === undefined) throw new Error("nobody to copy");
      view.sipUsers = Array.from({ length: count }, (_, index) => {
        const [sipUsername, extension] = [`user-${index}`, String(1_000 + index)];
        return { ...dana, userId: dana.userId + count - 1 - index, sipUsername, extension, password: `p-${index}` };
      });
    });

  it.each([
    // the reply also has the one member of a ring group
    [99, 0],
    [100, 1],
    [1_000, 1],
  ])(
    "is complete for %i users, and is read from %i snapshots: 1 if the reply is long, else 0",
    async (count, snapshots) => {
      const view = await importUsers(count);
      const openSnapshot = vi.spyOn(service.store, "openSnapshot");
      expect((await service.call("GET", url)).json()).toEqual(view);
      expect(openSnapshot).toHaveBeenCalledTimes(snapshots);
    },
  );

  it("is refused before its first byte if the key is missing", async () => {
    const { sipUsers } = await importUsers(101);
    await service.store.write(async (tx) => {
      await tx.run("UPDATE sip_users SET sealed_password = 'v1.00000000.' || substr(sealed_password, 13)");
      await tx.run("UPDATE sip_users SET sealed_password = NULL WHERE user_id = $1", sipUsers[0]?.userId ?? 0);
    });
    expect((await service.call("GET", url)).json()).toMatchObject({ status: 503, code: "unavailable" });
  });
});

describe("the directory", () => {
  it("answers with the contract's example", async () => {
    await importExample();
    const reply = await look("1001");
    const expected = directoryExamples.found.value.replace(
      '"accountcode" value="17"',
      `"accountcode" value="${tenantId}"`,
    );
    expect(reply.body).toBe(expected);
    expect(reply.headers).toMatchObject({
      "content-type": "application/xml; charset=utf-8",
      "cache-control": "no-store",
    });
  });

  it.each([
    ["dana", "dana"],
    ["1001", "1001"],
    ["dana@bright-dental.example", "dana"],
    ["1001@Bright-Dental.Example", "1001"],
  ])("finds %s, and hashes the password with the requested name", async (identifier, name) => {
    await importExample();
    const user = readXml((await look(identifier)).body);
    expect(user).toMatchObject({ id: "dana", alias: "1001" });
    expect(user.params).toEqual({ "a1-hash": md5(`${name}:bright-dental.example:kW7-harbor-stone-19`) });
  });

  it.each([
    "Dana",
    "dana@elsewhere.example",
    "dana@",
    "da%",
    "da/na",
    '<user id="dana"/>',
    `dana@\${domain}`,
    "dana\u0000",
    "dana\r\nX-Injected: 1",
    "dana\u{10FFFF}",
  ])("does not find %j, with status 200", async (identifier) => {
    await importExample();
    const reply = await look(identifier);
    expect([reply.statusCode, reply.body]).toEqual([200, notFound]);
    expect(reply.headers).not.toHaveProperty("x-injected");
  });

  it("does not find a name that is longer than allowed", async () => {
    await importExample();
    for (const identifier of ["x".repeat(10_000), `dana@${"x".repeat(10_000)}`, "😀".repeat(1_000)]) {
      const reply = await look(identifier);
      expect([reply.statusCode, reply.body]).toEqual([200, notFound]);
    }
  });

  it.each(["%ED%A0%80", "%FF", "%C0%AE", "dana%", "%00%ZZ"])(
    "answers 404 route_not_found to %s, which is not URL-encoded UTF-8",
    async (raw) => {
      await importExample();
      const reply = await service.call("GET", `${url}/freeswitch/directory/${raw}`);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "route_not_found"]);
    },
  );

  it.each(["dana", "1001"])(
    "registers a phone that logs in as %s under the user's id, which calls are routed to",
    async (name) => {
      await importExample();
      const { id, variables } = readXml((await look(name)).body);
      expect([id, variables["sip-force-user"]]).toEqual(["dana", "dana"]);
    },
  );

  it("finds a name outside the Basic Multilingual Plane, and hashes its UTF-8", async () => {
    const name = "da😀na\u{10FFFF}";
    await importExample((view) => void Object.assign(view.sipUsers[0] ?? {}, { sipUsername: name }));
    const user = readXml((await look(name)).body);
    expect(user).toMatchObject({ id: name, alias: "1001" });
    expect(user.params).toEqual({ "a1-hash": md5(`${name}:bright-dental.example:kW7-harbor-stone-19`) });
  });

  it.each<[string, (view: ProvisioningView) => void]>([
    ["no password", (view) => void Object.assign(view.sipUsers[0] ?? {}, { password: null })],
    ["voice off", (view) => void Object.assign(view.sipUsers[0] ?? {}, { voiceEnabled: false })],
    ["no domain", (view) => void Object.assign(view, { sipDomain: null })],
  ])("does not show a user with %s", async (_what, change) => {
    await importExample(change);
    expect((await look("dana")).body).toBe(notFound);
  });

  it("finds each tenant's own user if two tenants use the same name", async () => {
    await importExample();
    const other = await service.issue({ tenant: "Other" });
    const view = exampleProvisioning(other.tenantId);
    Object.assign(view.sipUsers[0] ?? {}, { password: "another" });
    expect((await service.call("GET", `${url}/freeswitch/directory/dana`, { as: other })).body).toBe(notFound);
    await storeProvisioning(service.store, view);
    const theirs = await service.call("GET", `${url}/freeswitch/directory/dana`, { as: other });
    expect(readXml(theirs.body).params).toEqual({ "a1-hash": md5("dana:bright-dental.example:another") });
    expect(readXml((await look("dana")).body).params).toEqual({
      "a1-hash": md5("dana:bright-dental.example:kW7-harbor-stone-19"),
    });
  });

  it("contains the password itself if the operator chose that", async () => {
    await service.close();
    service = await openInMemoryService({ directoryCredential: "password" });
    await importExample((view) => void Object.assign(view.sipUsers[0] ?? {}, { password: `p<&>"'\t${"é😀"}` }));
    expect(readXml((await look("dana")).body).params).toEqual({ password: `p<&>"'\té😀` });
  });

  it("is well-formed for any names", async () => {
    const hostile = `</user><user id="x"/>&amp;'"]]><!--\u0001\uFFFE\uD800`;
    await importExample((view) => {
      Object.assign(view, { sipDomain: `d"<&` });
      Object.assign(view.sipUsers[0] ?? {}, { sipUsername: "a<b>&\"'c", extension: "<1>" });
      Object.assign(view.phoneNumbers[0] ?? {}, { label: hostile });
    });
    const reply = await look("<1>");
    const user = readXml(reply.body);
    expect(user).toMatchObject({ id: "a<b>&\"'c", alias: "<1>", domain: `d"<&` });
    expect(user.variables.outbound_caller_id_name).toBe(`</user><user id="x"/>&amp;'"]]><!--`);
  });

  it("contains no caller id if there is no primary number", async () => {
    await importExample((view) => void Object.assign(view, { phoneNumbers: [] }));
    expect(Object.keys(readXml((await look("dana")).body).variables)).toEqual([
      "user_context",
      "sip-force-user",
      "accountcode",
      "effective_caller_id_name",
      "effective_caller_id_number",
    ]);
  });

  it.each([
    [
      "as FreeSWITCH sends it",
      "hostname=sw1&section=directory&tag_name=domain&key_name=name&user=other&domain=elsewhere&action=sip_auth",
    ],
    ["with 2000 values", Array.from({ length: 2_000 }, (_, index) => `k${index}=v`).join("&")],
    ["that contains the identifier", "identifier=erin&identifier=other&identifier[]=x&__proto__=y"],
    ["that is not encoded text", "user=%ZZ&%FF=%00"],
  ])("ignores a query %s", async (_what, query) => {
    await importExample();
    const reply = await service.call("GET", `${url}/freeswitch/directory/dana?${query}`);
    expect([reply.statusCode, reply.body]).toEqual([200, (await look("dana")).body]);
  });

  it("ignores the form Content-Type that mod_xml_curl sends without a body", async () => {
    await importExample();
    const reply = await look("dana", { "content-type": "application/x-www-form-urlencoded", accept: "*/*" });
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "application/xml; charset=utf-8"]);
  });

  it("distinguishes a missing key from an unknown user", async () => {
    await importExample();
    await service.store.write((tx) =>
      tx.run("UPDATE sip_users SET sealed_password = 'v1.00000000.' || substr(sealed_password, 13)"),
    );
    for (const reply of [await look("dana"), await service.call("GET", url)]) {
      expect([reply.statusCode, reply.json().code]).toEqual([503, "unavailable"]);
      expect(reply.json().detail).toContain("secret key");
    }
    expect((await report("dana", true)).statusCode).toBe(204);
  });

  it("does not open a password that was moved to another user", async () => {
    await importExample((view) => {
      const [dana] = view.sipUsers;
      if (dana)
        view.sipUsers = [dana, { ...dana, userId: 72, sipUsername: "erin", extension: "1002", password: "other" }];
    });
    await service.store.write((tx) =>
      tx.run("UPDATE sip_users SET sealed_password = (SELECT sealed_password FROM sip_users WHERE user_id = 71)"),
    );
    expect((await look("erin")).statusCode).toBe(503);
  });
});

describe("HTTP Basic on the directory", () => {
  const basic = (key: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`,
  });
  const path = `${url}/freeswitch/directory/dana`;

  it("replaces the two credential headers, but only for the directory", async () => {
    await importExample();
    const { apiKey, apiSecret } = service.credential;
    const headers = basic(apiKey, apiSecret);
    expect((await service.call("GET", path, { as: null, headers })).statusCode).toBe(200);
    expect((await service.call("GET", url, { as: null, headers })).json().code).toBe("credentials_missing");
  });

  it.each([
    ["nothing", {}, "credentials_missing"],
    ["another scheme", { authorization: "Bearer abc" }, "credentials_missing"],
    ["an unknown key", basic("mkt_test_x", "mks_y"), "credentials_invalid"],
    ["no secret", basic("mkt_test_x", ""), "credentials_missing"],
    ["no base64", { authorization: "Basic %%%" }, "credentials_missing"],
  ])("refuses %s, and challenges for Basic", async (_what, headers, code) => {
    const reply = await service.call("GET", path, { as: null, headers });
    expect([reply.statusCode, reply.json().code]).toEqual([401, code]);
    expect(reply.headers["www-authenticate"]).toContain('Basic realm="msgd"');
  });

  it("may be combined with the headers of the same tenant", async () => {
    await importExample();
    const second = await service.issue({});
    const other = await service.issue({ tenant: "Other" });
    expect((await look("dana", basic(second.apiKey, second.apiSecret))).statusCode).toBe(200);
    const mixed = await look("dana", basic(other.apiKey, other.apiSecret));
    expect([mixed.statusCode, mixed.json().code]).toEqual([403, "tenant_mismatch"]);
    const wrong = await look("dana", basic(second.apiKey, other.apiSecret));
    expect(wrong.json().code).toBe("credentials_invalid");
  });
});

describe("presence", () => {
  const stateOf = async () => {
    const { sipUsers, ringGroups } = (await service.call("GET", url)).json() as ProvisioningView;
    const member = ringGroups[0]?.members[0];
    return [sipUsers[0]?.agentStatus, member?.agentStatus, member?.browserActive];
  };

  it.each([
    ["OFFLINE", true, "AVAILABLE"],
    ["AVAILABLE", true, "AVAILABLE"],
    ["ON_BREAK", true, "ON_BREAK"],
    ["BUSY", true, "BUSY"],
    ["OFFLINE", false, "OFFLINE"],
    ["AVAILABLE", false, "OFFLINE"],
    ["ON_BREAK", false, "OFFLINE"],
    ["BUSY", false, "OFFLINE"],
  ] as const)("changes an agent's status from %s, if registered is %s, to %s", async (from, registered, to) => {
    await importExample((view) => void Object.assign(view.sipUsers[0] ?? {}, { agentStatus: from }));
    const reply = await report("dana", registered);
    expect([reply.statusCode, reply.body]).toEqual([204, ""]);
    expect(await stateOf()).toEqual([to, to, registered]);
  });

  it("does not mark the browser of a user as active if the browser is disabled", async () => {
    await importExample((view) => void Object.assign(view.ringGroups[0]?.members[0] ?? {}, { browserEnabled: false }));
    await report("dana", true);
    expect(await stateOf()).toEqual(["AVAILABLE", "AVAILABLE", false]);
  });

  it.each(["1001", "dana@bright-dental.example"])("also finds the user as %s", async (name) => {
    await importExample();
    expect((await report(name, false)).statusCode).toBe(204);
    expect(await stateOf()).toEqual(["OFFLINE", "OFFLINE", false]);
  });

  it.each(["erin", "dana@elsewhere.example", "dana@", "<dana/>", `\${dana}`, "😀", "x".repeat(128)])(
    "does not find %j",
    async (name) => {
      await importExample();
      const reply = await report(name, true);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "sip_user_not_found"]);
    },
  );

  it("refuses a name with a control character", async () => {
    await importExample();
    const reply = await report("dana\u0000", true);
    expect([reply.statusCode, reply.json().errors]).toMatchObject([400, [{ code: "invalid_characters" }]]);
  });

  it("accepts the longest name with the longest domain", async () => {
    const [name, sipDomain] = ["n".repeat(128), `${"d".repeat(245)}.example`];
    await importExample((view) => {
      Object.assign(view, { sipDomain });
      Object.assign(view.sipUsers[0] ?? {}, { sipUsername: name });
    });
    expect((await report(`${name}@${sipDomain}`, true)).statusCode).toBe(204);
    expect((await report(`${name}n@${sipDomain}`, true)).json().code).toBe("validation_error");
  });
});
