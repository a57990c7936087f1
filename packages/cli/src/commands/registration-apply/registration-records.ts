import type { Catalog } from "../../model/catalog.ts";
import type { OperationRecord } from "../../model/record.ts";

const OPERATIONS = {
  brand: "registerBrand",
  campaign: "registerCampaign",
  number: "registerNumber",
  assignment: "assignNumber",
  status: "getRegistrationStatus",
} as const;

/** The records of the operations that make up a registration. */
export type RegistrationRecords = Readonly<Record<keyof typeof OPERATIONS, OperationRecord>>;

/** Loads the records. */
export async function loadRecords({ record }: Catalog): Promise<RegistrationRecords> {
  const [brand, campaign, number, assignment, status] = await Promise.all([
    record(OPERATIONS.brand),
    record(OPERATIONS.campaign),
    record(OPERATIONS.number),
    record(OPERATIONS.assignment),
    record(OPERATIONS.status),
  ]);
  return { brand, campaign, number, assignment, status };
}
