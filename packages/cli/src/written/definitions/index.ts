/** What every written command says of itself, as one file of the bundle: enough for help, flags and completion. */
import type { WrittenCommand } from "../written-command.ts";
import { api } from "./api.ts";
import { authList } from "./auth-list.ts";
import { authLogin } from "./auth-login.ts";
import { authLogout } from "./auth-logout.ts";
import { authStatus } from "./auth-status.ts";
import { authSwitch } from "./auth-switch.ts";
import { completion } from "./completion.ts";
import { configGet } from "./config-get.ts";
import { configList } from "./config-list.ts";
import { configPath } from "./config-path.ts";
import { configSet } from "./config-set.ts";
import { consentImport } from "./consent-import.ts";
import { doctor } from "./doctor.ts";
import { listen } from "./listen.ts";
import { registrationApply } from "./registration-apply.ts";
import { schema } from "./schema.ts";
import { sendBulk } from "./send-bulk.ts";

export const definitions: readonly WrittenCommand[] = [
  authList,
  authLogin,
  authLogout,
  authStatus,
  authSwitch,
  api,
  completion,
  configGet,
  configList,
  configPath,
  configSet,
  consentImport,
  doctor,
  listen,
  registrationApply,
  schema,
  sendBulk,
];
