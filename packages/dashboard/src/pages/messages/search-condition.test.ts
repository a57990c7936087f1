import { expect, it } from "vitest";
import { readCondition, withCondition } from "./search-condition.ts";

it.each([
  ["", "", "project:b"],
  ["project:a", "a", "project:b"],
  ["to:+1202 PROJECT:a -type:otp", "a", "to:+1202 -type:otp project:b"],
  ['"project:a" hello', "", '"project:a" hello project:b'],
  ["-project:a", "", "-project:a project:b"],
  ["myproject:a", "", "myproject:a project:b"],
])("the label in %j is %j, and replacing it gives %j", (query, project, changed) => {
  expect(readCondition(query, "project")).toBe(project);
  expect(withCondition(query, "project", "b")).toBe(changed);
  expect(readCondition(withCondition(query, "project", ""), "project")).toBe("");
});
