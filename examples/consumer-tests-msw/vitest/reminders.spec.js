import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { defineTests } from "../reminders-suite.js";

defineTests({ test, beforeAll, beforeEach, afterAll });
