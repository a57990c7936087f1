// Which country, state and postal codes there are.

/** ISO 3166-1 alpha-2, officially assigned. */
const countries = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA " +
    "CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA " +
    "GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS " +
    "MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS " +
    "RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW " +
    "TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** USPS: states, the district, territories, freely associated states, and the armed forces. */
const usStates = new Set(
  (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA " +
    "RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI UM FM MH PW AA AE AP"
  ).split(" "),
);

const ZIP = /^\d{5}(?:-\d{4})?$/;

export interface AddressFault {
  readonly field: "country" | "state" | "postalCode";
  readonly detail: string;
}

/** What is wrong with the parts of an address that are given. Only US addresses have their state and ZIP looked at. */
export function findAddressFaults(address: {
  readonly country?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly postalCode?: string | null | undefined;
}): AddressFault[] {
  const { country, state, postalCode } = address;
  const faults: AddressFault[] = [];
  if (country != null && !isCountry(country)) {
    faults.push({ field: "country", detail: `Expected an ISO 3166-1 code such as US; there is no ${country}.` });
  }
  if (country !== "US") return faults;
  if (state != null && !usStates.has(state)) {
    faults.push({ field: "state", detail: `Expected a US state's two letters, such as NY; received ${show(state)}.` });
  }
  if (postalCode != null && !ZIP.test(postalCode)) {
    const detail = `Expected a ZIP code such as 20005 or 20005-1234; received ${show(postalCode)}.`;
    faults.push({ field: "postalCode", detail });
  }
  return faults;
}

/** Whether ISO 3166-1 has assigned the two letters. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

function show(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
