import { defineTests } from "../reminders-suite.js";

// jest provides them to every test file
const { test, beforeAll, beforeEach, afterAll } = /** @type {any} */ (globalThis);

defineTests({ test, beforeAll, beforeEach, afterAll });
