// `npm run build`: installs missing packages, and builds every missing or stale `dist`.

import { setUp } from "./setup.mjs";

await setUp();
