// `npm run build`: what is missing or stale of the packages and their `dist`.

import { setUp } from "./setup.mjs";

await setUp();
