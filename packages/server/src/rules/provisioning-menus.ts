// The menus of a provisioning file: each key and each fallback must lead somewhere.

import { MENU_ACTION_VALUES, WEEKDAY_VALUES } from "@msgctl/contract/constants";
import {
  checkEnum,
  checkEnumList,
  checkId,
  checkRange,
  checkReference,
  checkText,
  checkTimezone,
  type DocumentFault,
  fault,
  findDuplicates,
  type Place,
  placesAt,
} from "./document-places.ts";
import { parsePhoneNumber } from "./phone-numbers.ts";

/** Ids that references may name. */
export interface KnownIds {
  readonly users: ReadonlySet<unknown>;
  readonly groups: ReadonlySet<unknown>;
  readonly menus: ReadonlySet<unknown>;
}

const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** All faults of one menu. */
export function findMenuFaults(menu: Place, known: KnownIds): DocumentFault[] {
  const options = placesAt(menu, "options");
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

function findOptionFaults(option: Place, known: KnownIds): DocumentFault[] {
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

/** An action is one of the known, and the value beside it leads where the action needs it to. */
function checkAction(place: Place, actionName: string, valueName: string, known: KnownIds): DocumentFault[] {
  const action = place.fields[actionName];
  const value = place.fields[valueName];
  if (typeof action !== "string") return [];
  if (!(MENU_ACTION_VALUES as readonly string[]).includes(action))
    return checkEnum(place, actionName, MENU_ACTION_VALUES);
  const expected = describeValue(action);
  if (expected === undefined || (value !== null && typeof value !== "string")) return [];
  if (value !== null && leadsSomewhere(action, value, known)) return [];
  const received = JSON.stringify(value);
  return [fault(place, valueName, `expected ${expected}, for ${actionName} ${action}, received ${received}`)];
}

function describeValue(action: string): string | undefined {
  switch (action) {
    case "FORWARD":
      return "a phone number in E.164";
    case "SUBMENU":
      return "the id of a menu of this file";
    case "RING_GROUP":
      return "the id of a ring group of this file";
    case "USER":
      return "the userId of a user of this file";
    default:
      return undefined;
  }
}

function leadsSomewhere(action: string, value: string, known: KnownIds): boolean {
  if (action === "FORWARD") return parsePhoneNumber(value) === value;
  const id = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : undefined;
  const ids = { SUBMENU: known.menus, RING_GROUP: known.groups, USER: known.users }[action];
  return ids?.has(id) ?? true;
}

function findHoursFaults(menu: Place): DocumentFault[] {
  const names = ["businessTimeZone", "businessOpenLocal", "businessCloseLocal"];
  const missing = menu.fields.businessHoursEnabled === true ? names.filter((name) => menu.fields[name] === null) : [];
  return [
    ...missing.map((name) =>
      fault(menu, name, "expected a value, because businessHoursEnabled is true, received null"),
    ),
    ...checkTimezone(menu, "businessTimeZone"),
    ...checkText(menu, "businessOpenLocal", (text) => CLOCK_TIME.test(text), "a time as HH:MM"),
    ...checkText(menu, "businessCloseLocal", (text) => CLOCK_TIME.test(text), "a time as HH:MM"),
  ];
}
