import { after, before, beforeEach, test } from "node:test";
import { defineTests } from "../reminders-suite.js";

defineTests({
  test: (name, run) => void test(name, run),
  beforeAll: before,
  beforeEach,
  afterAll: after,
});
