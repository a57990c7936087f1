import type { paths } from "@msgctl/contract";
import { createOpenApiHttp, type OpenApiHttpHandlers } from "openapi-msw";
import { withoutSlash } from "./pattern.ts";

/** msw's `http`, which knows the contract's paths, and of each path its params, query, body and replies. */
export type TypedHandlers = OpenApiHttpHandlers<paths>;

/**
 * Makes handlers one by one, typed by the contract:
 * `http.get("/api/v1/merchants/{merchantId}", ({ params, response }) => response(200).json(…))`.
 */
export function createHandlers(options: {
  /** The address that the client under test is given, as `https://api.example.com`; `*` is any. */
  readonly baseUrl: string;
}): TypedHandlers {
  return createOpenApiHttp<paths>({ baseUrl: withoutSlash(options.baseUrl) });
}
