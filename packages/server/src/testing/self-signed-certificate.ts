// For tests of TLS and signatures: creates a new self-signed certificate each time, so that no stored one can expire.

import { generateKeyPairSync, sign } from "node:crypto";

const [INTEGER, BIT_STRING, OBJECT_ID, UTF8, SEQUENCE, SET, UTC_TIME] = [2, 3, 6, 12, 0x30, 0x31, 23];
const DAY_MS = 86_400_000;

/** Encodes a value as DER, as X.509 requires: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const value = Buffer.concat(content);
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function objectId(...hex: string[]): Buffer {
  return der(OBJECT_ID, Buffer.from(hex.join(""), "hex"));
}

function utcTime(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}

interface CertificateOptions {
  /** Relative to now. The certificate is valid for a day. */
  readonly validFromMs?: number;
  /** Algorithm of the certificate's key. */
  readonly algorithm?: "ec" | "rsa";
  /** Host name. @default the address 127.0.0.1 */
  readonly host?: string;
}

/** Returns the certificate and its key as PEM. */
export function makeSelfSignedCertificate(options: CertificateOptions = {}): {
  readonly key: string;
  readonly cert: string;
} {
  const { validFromMs = -DAY_MS / 2, algorithm = "ec", host } = options;
  const signer = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  // SNS signs with RSA keys; who signed the certificate is not looked at
  const { privateKey, publicKey } = algorithm === "ec" ? signer : generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const ecdsaWithSha256 = der(SEQUENCE, objectId("2a8648ce3d040302"));
  const commonName = der(SEQUENCE, objectId("550403"), der(UTF8, Buffer.from("msgd tests")));
  const name = der(SEQUENCE, der(SET, commonName));
  const from = Date.now() + validFromMs;
  // subjectAltName: a DNS name or an IP address
  const subject = host === undefined ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(host));
  const address = der(SEQUENCE, subject);
  const extension = der(SEQUENCE, objectId("551d11"), der(4, address));
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(SEQUENCE, utcTime(from), utcTime(from + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", signed, signer.privateKey));
  const certificate = der(SEQUENCE, signed, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
