// `npm run build`: every package, whether or not anything changed.

import { buildAnew } from "./setup.mjs";

await buildAnew();
