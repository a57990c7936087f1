/** Creates certificates for tests of TLS on demand, so that none can expire. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Certificate {
  key: string;
  cert: string;
}

export interface Wanted {
  /** Start of the day during which the certificate is valid, relative to now. @default half a day ago */
  validFromMs?: number;
  /** The IPv4 address of the certificate's subject. */
  address?: readonly [number, number, number, number];
  /** Whether an unknown authority signs the certificate. By default it is self-signed. */
  isIssued?: boolean;
}

const [INTEGER, BIT_STRING, OBJECT_ID, UTF8, SEQUENCE, SET, UTC_TIME] = [2, 3, 6, 12, 0x30, 0x31, 23];
const DAY_MS = 86_400_000;

/** Encodes a value as DER: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const value = Buffer.concat(content);
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const objectId = (hex: string) => der(OBJECT_ID, Buffer.from(hex, "hex"));
const nameOf = (text: string) =>
  der(SEQUENCE, der(SET, der(SEQUENCE, objectId("550403"), der(UTF8, Buffer.from(text)))));
const utcTime = (epochMs: number) =>
  der(UTC_TIME, Buffer.from(`${new Date(epochMs).toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
const keyPair = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });

/** Creates a key and a certificate in PEM. By default the certificate is self-signed and for 127.0.0.1. */
export function makeCertificate({
  validFromMs = -DAY_MS / 2,
  address = [127, 0, 0, 1],
  isIssued,
}: Wanted = {}): Certificate {
  const { privateKey, publicKey } = keyPair();
  const signer: KeyObject = isIssued ? keyPair().privateKey : privateKey;
  const ecdsaWithSha256 = der(SEQUENCE, objectId("2a8648ce3d040302"));
  const from = Date.now() + validFromMs;
  const subjectAltName = der(SEQUENCE, objectId("551d11"), der(4, der(SEQUENCE, der(0x87, Buffer.from(address)))));
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ecdsaWithSha256,
    nameOf(isIssued ? "an authority" : "msgctl tests"),
    der(SEQUENCE, utcTime(from), utcTime(from + DAY_MS)),
    nameOf("msgctl tests"),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, subjectAltName)),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", signed, signer));
  const text = der(SEQUENCE, signed, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
