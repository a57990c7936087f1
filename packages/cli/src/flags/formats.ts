/** The contract's string formats that msgctl checks. The service checks the others. */

import { PHONE_NUMBER_PATTERN } from "@msgctl/contract/constants";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { isTimezone } from "@msgctl/contract/timezones";

export interface Format {
  /** The placeholder in help: `--to phone`. */
  placeholder: string;
  /** Describes the expected form in messages. */
  meaning: string;
  /** An example for messages, used if the record has none. */
  sample: string;
  accepts(text: string): boolean;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

const FORMATS: Readonly<Record<string, Format>> = {
  e164: {
    placeholder: "phone",
    meaning: "a phone number in E.164 form (+ and 7 to 15 digits)",
    sample: "+12025550100",
    accepts: (text) => PHONE_NUMBER_PATTERN.test(text),
  },
  email: {
    placeholder: "email",
    meaning: "an email address",
    sample: "mara@example.com",
    accepts: (text) => parseEmailAddress(text) !== undefined,
  },
  date: { placeholder: "date", meaning: "a calendar date", sample: "2026-01-31", accepts: isDate },
  "date-time": {
    placeholder: "time",
    meaning: "a time with its offset",
    sample: "2026-01-31T08:00:00Z",
    accepts: (text) => isDate(INSTANT.exec(text)?.[1] ?? "") && !Number.isNaN(Date.parse(text)),
  },
  uri: {
    placeholder: "url",
    meaning: "an absolute URL",
    sample: "https://example.com/path",
    accepts: (text) => URL.canParse(text),
  },
  "iana-timezone": {
    placeholder: "timezone",
    meaning: "an IANA time zone name",
    sample: "America/New_York",
    accepts: isTimezone,
  },
};

export interface PatternWords {
  /** Describes the expected form in messages. Unlike an argument, text from a file may contain U+0000. */
  meaning: string;
  /** The sentence that follows "Text." in the reference; may be empty. */
  sentence: string;
  /** Suggests a valid text similar to an invalid one. */
  suggest?(text: string): string;
}

/** Descriptions of the contract's patterns, except for those that a format covers. */
export const PATTERN_WORDS: Readonly<Record<string, PatternWords>> = {
  "^[^\\x00]*$": { meaning: "text without U+0000", sentence: "" },
  "^[^\\x00\\r\\n]*$": { meaning: "text on one line, without U+0000", sentence: "On one line." },
  "^[^\\x00-\\x1f\\x7f-\\x9f]*$": {
    meaning: "text without control characters",
    sentence: "Without control characters.",
  },
  "^(\\.{0,2}[A-Za-z0-9_:-]|\\.{3})[A-Za-z0-9._:-]*$": {
    meaning: "letters a-z and A-Z, digits and . _ : - without spaces",
    sentence: "Letters a-z and A-Z, digits and `.`, `_`, `:`, `-`.",
    suggest: (text) =>
      text
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replace(/[^a-z0-9._:]+/g, "-")
        .replace(/^[-.]+|[-.]+$/g, ""),
  },
  "^[A-Z]{2}$": {
    meaning: "two capital letters",
    sentence: "Two capital letters.",
    suggest: (text) => text.toUpperCase(),
  },
  "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$": {
    meaning: "a language tag (BCP 47)",
    sentence: "A language tag (BCP 47).",
    suggest: (text) => text.replaceAll("_", "-"),
  },
};

/** Describes the texts that match a pattern. An unknown pattern is quoted. */
export function describePattern(pattern: string): PatternWords {
  return PATTERN_WORDS[pattern] ?? { meaning: `text that matches ${pattern}`, sentence: `Matches \`${pattern}\`.` };
}

/** Finds a format by name; undefined if msgctl does not check it. */
export function findFormat(name: string | undefined): Format | undefined {
  return name === undefined ? undefined : FORMATS[name];
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // Date accepts 2025-02-30 and converts it to 2 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
