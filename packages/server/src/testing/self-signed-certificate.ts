// For tests of TLS: creates a new self-signed certificate for 127.0.0.1 each time, so that no stored one can expire.

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

/** Returns the certificate and its key as PEM. `validFromMs` is relative to now. The certificate is valid for a day. */
export function makeSelfSignedCertificate({ validFromMs = -DAY_MS / 2 }: { validFromMs?: number } = {}): {
  readonly key: string;
  readonly cert: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = der(SEQUENCE, objectId("2a8648ce3d040302"));
  const commonName = der(SEQUENCE, objectId("550403"), der(UTF8, Buffer.from("msgd tests")));
  const name = der(SEQUENCE, der(SET, commonName));
  const from = Date.now() + validFromMs;
  // subjectAltName: the IP address 127.0.0.1
  const address = der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])));
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
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", signed, privateKey));
  const certificate = der(SEQUENCE, signed, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
