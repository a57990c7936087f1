import { defineTests } from "../reminders-suite.js";

// jest provides these functions as globals
const { test, beforeAll, beforeEach, afterAll } = /** @type {any} */ (globalThis);

defineTests({ test, beforeAll, beforeEach, afterAll });
