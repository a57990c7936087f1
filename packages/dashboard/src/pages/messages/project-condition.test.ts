import { expect, it } from "vitest";
import { readProject, withProject } from "./project-condition.ts";

it.each([
  ["", "", "project:b"],
  ["project:a", "a", "project:b"],
  ["to:+1202 PROJECT:a -type:otp", "a", "project:b to:+1202 -type:otp"],
  ['"project:a" hello', "", 'project:b "project:a" hello'],
  ["-project:a", "", "project:b -project:a"],
  ["myproject:a", "", "project:b myproject:a"],
])("the project in the search %j is %j, and replacing it with b gives %j", (query, project, changed) => {
  expect(readProject(query)).toBe(project);
  expect(withProject(query, "b")).toBe(changed);
  expect(readProject(withProject(query, ""))).toBe("");
});
