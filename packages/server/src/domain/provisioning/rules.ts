// Rules of voice provisioning: checks of a file beyond its schema, the directory that FreeSWITCH reads, and SIP names.

import { hash } from "node:crypto";
import {
  AGENT_STATUS_VALUES,
  MENU_ACTION_VALUES,
  NUMBER_CAPABILITY_VALUES,
  NUMBER_STATUS_VALUES,
  ROUTING_STRATEGY_VALUES,
  WEEKDAY_VALUES,
} from "@msgctl/contract/constants";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { isTimezone } from "@msgctl/contract/timezones";
import {
  checkEnum,
  checkEnumList,
  checkId,
  checkPhoneNumber,
  checkRange,
  checkReference,
  checkText,
  type DocumentFault,
  type DocumentObject,
  fault,
  findDuplicates,
  objectOf,
  objectsAt,
} from "../document-checks.ts";
import { isPhoneNumber } from "../phone-numbers.ts";
import { type AgentStatus, move } from "../transitions.ts";
import { findForbidden } from "../unicode.ts";

/** An entry must have a password or a hash: FreeSWITCH admits a user who has neither without authentication. */
interface DirectoryEntry {
  readonly domain: string;
  readonly sipUsername: string;
  readonly extension: string;
  readonly credential: { readonly name: "a1-hash" | "password"; readonly value: string };
  readonly accountCode: string;
  /** The caller id of outbound calls; null leaves it to the switch. */
  readonly outboundName: string | null;
  readonly outboundNumber: string | null;
}

const header = `<?xml version="1.0" encoding="UTF-8"?>`;

/** The answer for an unknown name. FreeSWITCH accepts it only with status 200. */
export const notFoundDocument = `${header}
<document type="freeswitch/xml">
  <section name="result">
    <result status="not found"/>
  </section>
</document>
`;

/** The directory entry of one user for FreeSWITCH's mod_xml_curl. FreeSWITCH fills in the variables of the dial-string. */
export function directoryDocument(entry: DirectoryEntry): string {
  const { domain, sipUsername, extension, credential } = entry;
  const variables: [name: string, value: string | null][] = [
    ["user_context", "default"],
    // calls look for registrations under the user's id; without this variable a phone may register under its extension
    ["sip-force-user", sipUsername],
    ["accountcode", entry.accountCode],
    ["effective_caller_id_name", sipUsername],
    ["effective_caller_id_number", extension],
    ["outbound_caller_id_name", entry.outboundName],
    ["outbound_caller_id_number", entry.outboundNumber],
  ];
  const lines = variables.map(([name, value]) =>
    value === null ? "" : `                <variable name="${name}" value="${escapeXml(value)}"/>\n`,
  );
  return `${header}
<document type="freeswitch/xml">
  <section name="directory">
    <domain name="${escapeXml(domain)}">
      <params>
        <param name="dial-string" value="\${sofia_contact(\${dialed_user}@\${dialed_domain})}"/>
      </params>
      <groups>
        <group name="default">
          <users>
            <user id="${escapeXml(sipUsername)}" number-alias="${escapeXml(extension)}">
              <params>
                <param name="${credential.name}" value="${escapeXml(credential.value)}"/>
              </params>
              <variables>
${lines.join("")}              </variables>
            </user>
          </users>
        </group>
      </groups>
    </domain>
  </section>
</document>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // unescaped, these become spaces when parsed (XML 1.0, 3.3.3)
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Characters outside the Char production of XML 1.0. With the `u` flag a lone surrogate counts as a character. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Escapes text for an attribute's value. Characters that XML does not allow, even escaped, are dropped. */
export function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, "").replaceAll(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? "");
}

/** Returns whether XML allows every character of the text. */
export function isXmlText(text: string): boolean {
  return text.search(FORBIDDEN) < 0;
}

const LONGEST_NAME = 128;
const LARGEST_PORT = 65_535;
/** Limits per tenant: above real needs, but low enough to read everything except users in one turn. */
export const provisioningLimits = {
  sipUsers: 1_000,
  ringGroups: 100,
  ringGroupMembers: 1_000,
  phoneNumbers: 200,
  menus: 50,
} as const;
/**
 * Fields whose texts are not names: spoken texts may have line breaks, and passwords any character that phones can send.
 */
const isSpokenOrSecret = /(?:[gG]reetingText|\/password)$/;

/** Finds all faults of the tenant's document, in reading order. */
export function findProvisioningFaults(document: unknown, tenantId: number): DocumentFault[] {
  const root = objectOf(document, "");
  const users = objectsAt(root, "sipUsers");
  const numbers = objectsAt(root, "phoneNumbers");
  const groups = objectsAt(root, "ringGroups");
  const menus = objectsAt(root, "menus");
  const known: KnownIds = { users: idsOf(users, "userId"), groups: idsOf(groups, "id"), menus: idsOf(menus, "id") };
  const members = groups.flatMap((group) => objectsAt(group, "members"));
  return [
    ...findSettingFaults(root, tenantId),
    ...checkCount(root, "sipUsers", users.length, provisioningLimits.sipUsers, "SIP users"),
    ...checkCount(root, "ringGroups", groups.length, provisioningLimits.ringGroups, "ring groups"),
    ...checkCount(root, "ringGroups", members.length, provisioningLimits.ringGroupMembers, "members of ring groups"),
    ...checkCount(root, "phoneNumbers", numbers.length, provisioningLimits.phoneNumbers, "phone numbers"),
    ...checkCount(root, "menus", menus.length, provisioningLimits.menus, "menus"),
    ...findDuplicates(users, ["userId", "sipUsername", "extension"]),
    ...findSharedNames(users),
    ...users.flatMap(findUserFaults),
    ...findDuplicates(numbers, ["id", "e164Number"]),
    ...findSecondPrimary(numbers),
    ...numbers.flatMap(findNumberFaults),
    ...findDuplicates(groups, ["id"]),
    ...groups.flatMap((group) => findGroupFaults(group, known)),
    ...findDuplicates(menus, ["id"]),
    ...findSecondPrimary(menus),
    ...menus.flatMap((menu) => findMenuFaults(menu, known)),
    ...findTextFaults(document, ""),
  ];
}

function idsOf(objects: readonly DocumentObject[], name: string): ReadonlySet<unknown> {
  return new Set(objects.map(({ fields }) => fields[name]));
}

function checkCount(root: DocumentObject, name: string, count: number, most: number, what: string): DocumentFault[] {
  if (count <= most) return [];
  const detail = `expected at most ${most} ${what}, received ${count}: create another tenant for the others`;
  return [fault(root, name, detail)];
}

function findSettingFaults(root: DocumentObject, tenantId: number): DocumentFault[] {
  const { tenantId: written } = root.fields;
  const isOthers = typeof written === "number" && written !== tenantId;
  return [
    ...(isOthers ? [fault(root, "tenantId", `the file is for tenant ${written}, but --tenant is ${tenantId}`)] : []),
    ...["sipHost", "sipDomain"].flatMap((name) =>
      checkText(root, name, (text) => /^[^\s@:/]{1,253}$/.test(text) && isXmlText(text), "a host name, or null"),
    ),
    ...checkText(root, "wssUrl", (text) => /^wss:\/\/[^\s]+$/.test(text) && URL.canParse(text), "a wss:// address"),
    ...["udpPort", "tlsPort", "wsPort"].flatMap((name) => checkRange(root, name, 1, LARGEST_PORT)),
  ];
}

function findUserFaults(user: DocumentObject): DocumentFault[] {
  return [
    ...checkId(user, "userId"),
    ...checkText(user, "email", (text) => parseEmailAddress(text) !== undefined, "an email address"),
    ...["extension", "sipUsername"].flatMap((name) =>
      checkText(user, name, isSipName, `1 to ${LONGEST_NAME} characters, none of them a space, @ or :`),
    ),
    ...findPasswordFaults(user),
    ...checkEnum(user, "agentStatus", AGENT_STATUS_VALUES),
    ...checkPhoneNumber(user, "forwardNumber"),
  ];
}

/** `:` is not allowed, as it separates fields in the digest, nor `@`, as it separates name and domain in lookups. */
function isSipName(text: string): boolean {
  return text.length <= LONGEST_NAME && /^[^\s@:]+$/.test(text) && isXmlText(text);
}

function findPasswordFaults(user: DocumentObject): DocumentFault[] {
  const { password } = user.fields;
  if (typeof password !== "string" || (password !== "" && isXmlText(password) && !/[\r\n]/.test(password))) return [];
  const detail =
    password === ""
      ? "expected a password, or null for a user without one, received an empty text"
      : "has a line break or another character that no phone can send";
  return [fault(user, "password", detail)];
}

/** Lookups use the username or the extension, so no user's extension may be another user's username. */
function findSharedNames(users: readonly DocumentObject[]): DocumentFault[] {
  const owners = new Map(users.map((user) => [user.fields.sipUsername, user]));
  return users.flatMap((user) => {
    const { extension } = user.fields;
    const owner = typeof extension === "string" ? owners.get(extension) : undefined;
    if (owner === undefined || owner === user) return [];
    return [fault(user, "extension", `${JSON.stringify(extension)} is the username of ${owner.pointer}`)];
  });
}

function findNumberFaults(number: DocumentObject): DocumentFault[] {
  return [
    ...checkId(number, "id"),
    ...checkText(number, "e164Number", isPhoneNumber, "a phone number in E.164"),
    ...checkEnum(number, "status", NUMBER_STATUS_VALUES),
    ...checkEnumList(number, "capabilities", NUMBER_CAPABILITY_VALUES),
  ];
}

function findGroupFaults(group: DocumentObject, known: KnownIds): DocumentFault[] {
  const members = objectsAt(group, "members");
  return [
    ...checkId(group, "id"),
    ...checkEnum(group, "routingStrategy", ROUTING_STRATEGY_VALUES),
    ...checkRange(group, "timeoutSeconds", 1, 3_600),
    ...findDuplicates(members, ["userId"]),
    ...members.flatMap((member) => [
      ...checkReference(member, "userId", known.users, "sipUsers"),
      ...checkText(member, "email", (text) => parseEmailAddress(text) !== undefined, "an email address"),
      ...checkRange(member, "priority", 0, 1_000_000),
      ...checkEnum(member, "agentStatus", AGENT_STATUS_VALUES),
      ...checkPhoneNumber(member, "forwardNumber"),
    ]),
  ];
}

function findSecondPrimary(objects: readonly DocumentObject[]): DocumentFault[] {
  const [first, ...others] = objects.filter(({ fields }) => fields.primary === true);
  return others.map((object) => fault(object, "primary", `${first?.pointer} is already primary, and only one may be`));
}

/** Finds faults in every text of the document, whatever its field. */
function findTextFaults(value: unknown, pointer: string): DocumentFault[] {
  if (typeof value === "string") {
    const detail = findForbidden(value, isSpokenOrSecret.test(pointer) ? "text" : "name") ?? findVariable(value);
    return detail === undefined ? [] : [{ pointer, detail }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findTextFaults(member, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

/** Rejects `${…}`, which FreeSWITCH expands everywhere: a name that contains it could run code. */
function findVariable(text: string): string | undefined {
  return text.includes("${") ? "has ${, which the switch would expand as a variable" : undefined;
}

/** Ids that references may use. */
interface KnownIds {
  readonly users: ReadonlySet<unknown>;
  readonly groups: ReadonlySet<unknown>;
  readonly menus: ReadonlySet<unknown>;
}

const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Finds all faults of one menu. */
function findMenuFaults(menu: DocumentObject, known: KnownIds): DocumentFault[] {
  const options = objectsAt(menu, "options");
  return [
    ...checkId(menu, "id"),
    ...checkText(
      menu,
      "greetingUrl",
      (text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text),
      "an http(s) address, or null",
    ),
    ...checkAction(menu, "fallbackAction", "fallbackValue", known),
    ...findHoursFaults(menu),
    ...checkAction(menu, "afterHoursAction", "afterHoursValue", known),
    ...checkRange(menu, "maxRetries", 0, 100),
    ...checkRange(menu, "timeoutSeconds", 1, 3_600),
    ...checkEnumList(menu, "businessDays", WEEKDAY_VALUES),
    ...findDuplicates(options, ["id", "digit"]),
    ...options.flatMap((option) => findOptionFaults(option, known)),
  ];
}

function findOptionFaults(option: DocumentObject, known: KnownIds): DocumentFault[] {
  const { actionType, ringGroupId, userId } = option.fields;
  return [
    ...checkId(option, "id"),
    ...checkText(option, "digit", (text) => /^[0-9*#]$/.test(text), "one key: 0 to 9, * or #"),
    ...checkReference(option, "ringGroupId", known.groups, "ringGroups"),
    ...checkReference(option, "userId", known.users, "sipUsers"),
    ...(actionType === "RING_GROUP" && ringGroupId === null
      ? [fault(option, "ringGroupId", "expected the ring group to call, received null")]
      : []),
    ...(actionType === "USER" && userId === null
      ? [fault(option, "userId", "expected the user to call, received null")]
      : []),
    ...(actionType === "RING_GROUP" || actionType === "USER"
      ? []
      : checkAction(option, "actionType", "targetValue", known)),
  ];
}

/** Checks that an action is known and that its value is of the kind that the action needs. */
function checkAction(object: DocumentObject, actionName: string, valueName: string, known: KnownIds): DocumentFault[] {
  const action = object.fields[actionName];
  const value = object.fields[valueName];
  if (typeof action !== "string") return [];
  if (!(MENU_ACTION_VALUES as readonly string[]).includes(action))
    return checkEnum(object, actionName, MENU_ACTION_VALUES);
  const target = targets[action];
  if (target === undefined || (value !== null && typeof value !== "string")) return [];
  if (value !== null && target.has(value, known)) return [];
  const received = JSON.stringify(value);
  return [fault(object, valueName, `expected ${target.expected}, for ${actionName} ${action}, received ${received}`)];
}

/** The kind of value that each action needs. */
const targets: Readonly<Record<string, { expected: string; has(value: string, known: KnownIds): boolean }>> = {
  FORWARD: { expected: "a phone number in E.164", has: isPhoneNumber },
  SUBMENU: { expected: "the id of a menu of this file", has: (id, { menus }) => hasId(menus, id) },
  RING_GROUP: { expected: "the id of a ring group of this file", has: (id, { groups }) => hasId(groups, id) },
  USER: { expected: "the userId of a user of this file", has: (id, { users }) => hasId(users, id) },
};

function hasId(ids: ReadonlySet<unknown>, id: string): boolean {
  return /^[1-9]\d{0,15}$/.test(id) && ids.has(Number(id));
}

function findHoursFaults(menu: DocumentObject): DocumentFault[] {
  const names = ["businessTimeZone", "businessOpenLocal", "businessCloseLocal"];
  const missing = menu.fields.businessHoursEnabled === true ? names.filter((name) => menu.fields[name] === null) : [];
  return [
    ...missing.map((name) =>
      fault(menu, name, "expected a value, because businessHoursEnabled is true, received null"),
    ),
    ...checkText(menu, "businessTimeZone", isTimezone, "an IANA time zone such as America/New_York"),
    ...checkText(menu, "businessOpenLocal", (text) => CLOCK_TIME.test(text), "a time as HH:MM"),
    ...checkText(menu, "businessCloseLocal", (text) => CLOCK_TIME.test(text), "a time as HH:MM"),
  ];
}

/**
 * HA1 of SIP digest authentication: MD5 over name, realm and password, in hex (RFC 2617, 3.2.2.2). `name` is the one with
 * which the phone authenticates: the extension for a user who registers under it.
 */
export function hashA1(name: string, realm: string, password: string): string {
  return hash("md5", `${name}:${realm}:${password}`, "hex");
}

/** Splits a SIP name such as `1001` or `dana@sip.example` at the last `@`. The domain is optional. */
export function splitSipName(identifier: string): { readonly name: string; readonly domain: string | undefined } {
  const at = identifier.lastIndexOf("@");
  return at < 0
    ? { name: identifier, domain: undefined }
    : { name: identifier.slice(0, at), domain: identifier.slice(at + 1) };
}

/**
 * Returns whether a SIP name's domain is the tenant's, or omitted. Host names are case-insensitive (RFC 3261, 19.1.4).
 */
export function isOfDomain(domain: string | undefined, tenantDomain: string): boolean {
  return domain === undefined || domain.toLowerCase() === tenantDomain.toLowerCase();
}

/**
 * The presence of a user after a phone registered or unregistered. Registering does not change the status of a user who is
 * on a break or on a call; unregistering makes any user OFFLINE.
 */
export function agentStatusAfter(current: AgentStatus, registered: boolean): AgentStatus {
  const next = registered ? (current === "OFFLINE" ? "AVAILABLE" : current) : "OFFLINE";
  return next === current ? current : move("agent", current, next);
}
