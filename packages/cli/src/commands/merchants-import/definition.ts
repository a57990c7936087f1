import { BULK_ARGUMENT, BULK_FLAGS } from "../../bulk/bulk-flags.ts";
import type { Definition } from "../../model/command.ts";

export const merchantsImport: Definition = {
  summary: "Create and change the merchants of a CSV file",
  description:
    "Creates or changes one merchant for each row of a CSV file. Columns are named as the fields or flags of `merchants upsert`, in any case; a field without a column, or with an empty cell, stays as it is. What changes is shown, old and new, and confirmed. All rows are checked before the first is done. Credits are balances: a list with columns of credits would give spent ones back when it is imported again, so `--set-balances` has to say that they are meant. Killed or interrupted, the same command goes on where it was.",
  arguments: [BULK_ARGUMENT],
  flags: [
    { flags: "--set-balances", description: "Set credits to what the list says, whatever has been used of them." },
    ...BULK_FLAGS,
  ],
  requests: "rows",
  fieldsOf: ["upsertMerchant"],
  examples: [
    { title: "Check a list", argv: ["merchants", "import", "merchants.csv", "--dry-run"] },
    { title: "Import it without a question", argv: ["merchants", "import", "merchants.csv", "-y"] },
  ],
};
