// The values of command_status (SMPP 3.4, 5.1.3), and what each proves of a submission. All but ESME_ROK prove that it was
// not taken.

import type { DeliveryReason } from "../../../rules/delivery.ts";

export const statuses = {
  ESME_ROK: 0x00,
  ESME_RINVMSGLEN: 0x01,
  ESME_RINVCMDLEN: 0x02,
  ESME_RINVCMDID: 0x03,
  ESME_RINVBNDSTS: 0x04,
  ESME_RALYBND: 0x05,
  ESME_RINVPRTFLG: 0x06,
  ESME_RINVREGDLVFLG: 0x07,
  ESME_RSYSERR: 0x08,
  ESME_RINVSRCADR: 0x0a,
  ESME_RINVDSTADR: 0x0b,
  ESME_RINVMSGID: 0x0c,
  ESME_RBINDFAIL: 0x0d,
  ESME_RINVPASWD: 0x0e,
  ESME_RINVSYSID: 0x0f,
  ESME_RCANCELFAIL: 0x11,
  ESME_RREPLACEFAIL: 0x13,
  ESME_RMSGQFUL: 0x14,
  ESME_RINVSERTYP: 0x15,
  ESME_RINVNUMDESTS: 0x33,
  ESME_RINVDLNAME: 0x34,
  ESME_RINVDESTFLAG: 0x40,
  ESME_RINVSUBREP: 0x42,
  ESME_RINVESMCLASS: 0x43,
  ESME_RCNTSUBDL: 0x44,
  ESME_RSUBMITFAIL: 0x45,
  ESME_RINVSRCTON: 0x48,
  ESME_RINVSRCNPI: 0x49,
  ESME_RINVDSTTON: 0x50,
  ESME_RINVDSTNPI: 0x51,
  ESME_RINVSYSTYP: 0x53,
  ESME_RINVREPFLAG: 0x54,
  ESME_RINVNUMMSGS: 0x55,
  ESME_RTHROTTLED: 0x58,
  ESME_RINVSCHED: 0x61,
  ESME_RINVEXPIRY: 0x62,
  ESME_RINVDFTMSGID: 0x63,
  ESME_RX_T_APPN: 0x64,
  ESME_RX_P_APPN: 0x65,
  ESME_RX_R_APPN: 0x66,
  ESME_RQUERYFAIL: 0x67,
  ESME_RINVOPTPARSTREAM: 0xc0,
  ESME_ROPTPARNOTALLWD: 0xc1,
  ESME_RINVPARLEN: 0xc2,
  ESME_RMISSINGOPTPARAM: 0xc3,
  ESME_RINVOPTPARAMVAL: 0xc4,
  ESME_RDELIVERYFAILURE: 0xfe,
  ESME_RUNKNOWNERR: 0xff,
} as const;

const names: ReadonlyMap<number, string> = new Map(Object.entries(statuses).map(([name, status]) => [status, name]));

/** Such as `ESME_RTHROTTLED (88)`, or `status 1034` for one of the carrier's own. */
export function nameStatus(status: number): string {
  const name = names.get(status);
  return name === undefined ? `status ${status}` : `${name} (${status})`;
}

export type Verdict =
  | { readonly kind: "taken" }
  /** It may be taken later. `isTooFast`: it came too soon after others. */
  | { readonly kind: "later"; readonly retryAfterMs: number; readonly isTooFast: boolean }
  | { readonly kind: "refused"; readonly reason: DeliveryReason }
  | { readonly kind: "failed" };

const verdicts: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  [statuses.ESME_ROK, { kind: "taken" }],
  [statuses.ESME_RTHROTTLED, { kind: "later", retryAfterMs: 1_000, isTooFast: true }],
  [statuses.ESME_RMSGQFUL, { kind: "later", retryAfterMs: 10_000, isTooFast: true }],
  // all or part of the SMSC is unavailable, as SMPP 5.0 explains it
  [statuses.ESME_RSYSERR, { kind: "later", retryAfterMs: 30_000, isTooFast: false }],
  [statuses.ESME_RX_T_APPN, { kind: "later", retryAfterMs: 30_000, isTooFast: false }],
  // of the session, and none of the message
  [statuses.ESME_RINVBNDSTS, { kind: "later", retryAfterMs: 30_000, isTooFast: false }],
  [statuses.ESME_RINVDSTADR, { kind: "refused", reason: "UNKNOWN_HANDSET" }],
  [statuses.ESME_RDELIVERYFAILURE, { kind: "refused", reason: "UNREACHABLE" }],
]);

/** What a response says of what it answers. Our own sender, text length, coding and all that has no name here have failed. */
export function judgeStatus(status: number): Verdict {
  return verdicts.get(status) ?? { kind: "failed" };
}
