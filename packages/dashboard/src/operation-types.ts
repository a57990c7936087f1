// Request and response types of each operation of the dashboard's API, by operationId. Types only.
import type { BodyIn, PathIn, QueryIn, ResponseIn } from "@msgctl/contract";
import type { operations as operationTable } from "./generated/operations.ts";
import type { components, operations as Signatures } from "./generated/types.ts";

export type OperationId = keyof typeof operationTable;

/** Schemas by name: all those of the dashboard's API, and those of the contract that it refers to. */
export type Views = components["schemas"];

export type PathOf<K extends OperationId> = PathIn<Signatures[K]>;
export type QueryOf<K extends OperationId> = QueryIn<Signatures[K]>;
export type BodyOf<K extends OperationId> = BodyIn<Signatures[K]>;
export type ResponseOf<K extends OperationId> = ResponseIn<Signatures[K]>;
