import { describe, expect, it } from "vitest";
import { requireAcceptable } from "./accept.ts";

describe("an Accept header", () => {
  it.each([undefined, "", "*/*", "application/json", "application/*", "text/html, application/json;q=0.1"])(
    "accepts JSON: %j",
    (accept) => requireAcceptable(accept, "application/json"),
  );

  it.each(["text/html", "application/json;q=0", "application/problem+json"])("does not accept JSON: %j", (accept) => {
    expect(() => requireAcceptable(accept, "application/json")).toThrow("The reply is application/json");
  });

  // Postman's importer asks so for an operation whose only bodies are errors
  it.each(["application/problem+json", "application/json", undefined])("accepts a reply without a body: %j", (accept) =>
    requireAcceptable(accept, null),
  );

  it("that names neither JSON nor problems does not accept a reply without a body", () => {
    expect(() => requireAcceptable("text/html", null)).toThrow("does not accept");
  });
});
