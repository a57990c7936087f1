import { BULK_ARGUMENT, BULK_FLAGS } from "../../bulk/bulk-flags.ts";
import type { Definition } from "../../model/command.ts";

export const merchantsImport: Definition = {
  summary: "Create and change the merchants of a CSV file",
  description:
    "Creates or changes one merchant for each row of a CSV file. Name the columns like the fields or flags of `merchants upsert`, in any case. A field without a column, or with an empty cell, stays unchanged. Shows old and new values, and asks for confirmation. All rows are checked before the first is imported. Credits are balances: importing the same list again would restore credits that were used, so columns of credits need `--set-balances`. If the command is interrupted, run it again: it continues where it stopped.",
  arguments: [BULK_ARGUMENT],
  flags: [
    { flags: "--set-balances", description: "Set credits to the values of the list, even if some have been used." },
    ...BULK_FLAGS,
  ],
  requests: "rows",
  fieldsOf: ["upsertMerchant"],
  examples: [
    { title: "Check a list", argv: ["merchants", "import", "merchants.csv", "--dry-run"] },
    { title: "Import a list without confirmation", argv: ["merchants", "import", "merchants.csv", "-y"] },
  ],
};
