// The default alphabet of GSM and its extension (3GPP TS 23.038, 6.2.1): septets, one in each octet.

const ESCAPE = 0x1b;
/** Characters by septet. A second escape after one is shown as a space. */
const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const extension: ReadonlyMap<number, string> = new Map([
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"],
]);

const septetsOf = new Map<string, readonly number[]>();
for (const [septet, character] of Array.from(basic).entries()) {
  if (septet !== ESCAPE) septetsOf.set(character, [septet]);
}
for (const [septet, character] of extension) septetsOf.set(character, [ESCAPE, septet]);

/** One septet, or two with an escape; undefined for a character that the alphabet lacks. */
export function toSeptets(character: string): readonly number[] | undefined {
  return septetsOf.get(character);
}

/** Reads septets as a phone does: drops an escape before a septet that the extension lacks. */
export function readSeptets(octets: Uint8Array): string {
  let text = "";
  let isEscaped = false;
  for (const octet of octets) {
    const isEscape: boolean = octet === ESCAPE && !isEscaped;
    if (!isEscape) text += (isEscaped ? extension.get(octet) : undefined) ?? basic[octet] ?? "";
    isEscaped = isEscape;
  }
  return text;
}
