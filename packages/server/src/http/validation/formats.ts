import type { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isTimezone } from "../../rules/calendar.ts";
import { parseEmailAddress, parsePhoneNumber } from "../../rules/contacts.ts";

const LARGEST_INT32 = 2_147_483_647;

/** Gives a validator the formats that the contract names, by the same rules that the operations go by. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat("e164", (value: string) => parsePhoneNumber(value) !== undefined);
  ajv.addFormat("email", (value: string) => parseEmailAddress(value) !== undefined);
  ajv.addFormat("iana-timezone", isTimezone);
  ajv.addFormat("date", fullFormats.date);
  ajv.addFormat("date-time", fullFormats["date-time"]);
  ajv.addFormat("uri", fullFormats.uri);
  // JSON.parse has already rounded what a double cannot hold; what it gives then is never a safe integer. One with a
  // fraction is not of the type, which tells so
  ajv.addFormat("int64", {
    type: "number",
    validate: (value: number) => Number.isSafeInteger(value) || !Number.isInteger(value),
  });
  ajv.addFormat("int32", { type: "number", validate: (value: number) => Math.abs(value) <= LARGEST_INT32 });
  ajv.addFormat("double", { type: "number", validate: Number.isFinite });
}
