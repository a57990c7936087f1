// Holds the requests between msgd and an adapter against carrier.openapi.yaml.

import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

type Node = Readonly<Record<string, unknown>>;

const DOCUMENT = "carrier.openapi.yaml";
const document = parse(readFileSync(new URL(`../../${DOCUMENT}`, import.meta.url), "utf8")) as Node;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, DOCUMENT);

/** A request as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path below the adapter's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Lists what the document does not allow in a request of msgd: also fields and queries that it does not have. */
export function findRequestFaults({ method, path, headers, body }: ReceivedRequest): string[] {
  const paths = document.paths as Readonly<Record<string, Node>>;
  const [template, item] = Object.entries(paths).find(([known]) => toPattern(known).test(path)) ?? [];
  const operation = item?.[method.toLowerCase()] as Node | undefined;
  if (template === undefined || item === undefined || operation === undefined)
    return [`${method} ${path}: no operation`];
  const [, id] = toPattern(template).exec(path) ?? [];
  const faults = (item.parameters as { $ref: string }[]).flatMap(({ $ref }) => {
    const { name, in: place, schema } = at($ref) as { name: string; in: string; schema: object };
    return findFaults(schema, place === "path" ? id : headers[name]).map((fault) => `${name}${fault}`);
  });
  if (typeof headers["webhook-signature"] !== "string") faults.push("webhook-signature is missing");
  if (operation.requestBody === undefined) return body === "" ? faults : [...faults, "unexpected body"];
  const schema = { $ref: `${DOCUMENT}#/components/schemas/Message`, unevaluatedProperties: false };
  return [...faults, ...findFaults(schema, JSON.parse(body))];
}

/** Lists what the document does not allow in a value of one of its schemas. */
export function findValueFaults(name: string, value: unknown): string[] {
  return findFaults({ $ref: `${DOCUMENT}#/components/schemas/${name}` }, value);
}

const validators = new Map<string, ValidateFunction>();

function findFaults(schema: object, value: unknown): string[] {
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/, "([^/?]+)")}$`);
}

function at(reference: string): Node {
  const [, ...keys] = reference.split("/");
  return keys.reduce<Node>((node, key) => node[key] as Node, document);
}
