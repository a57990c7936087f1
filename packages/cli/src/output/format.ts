/** The formats that data can be printed in. Names only: every start loads this file. */
export const FORMATS = ["table", "json", "jsonl", "yaml", "csv", "raw"] as const;

export type Format = (typeof FORMATS)[number];

/** The formats whose errors are JSON too, for programs. */
export const JSON_FORMATS: readonly Format[] = ["json", "jsonl"];

/** The formats that show fields in columns, which --columns chooses. */
export const COLUMN_FORMATS: readonly Format[] = ["table", "csv"];
