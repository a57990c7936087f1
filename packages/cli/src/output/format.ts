/** The output formats. This file has only their names, since every start loads it. */
export const FORMATS = ["table", "json", "jsonl", "yaml", "csv", "raw"] as const;

export type Format = (typeof FORMATS)[number];

/** The formats with which errors are printed as JSON, too. */
export const JSON_FORMATS: readonly Format[] = ["json", "jsonl"];

/** The formats with columns, which --columns selects. */
export const COLUMN_FORMATS: readonly Format[] = ["table", "csv"];
