/** What every written command says of itself, as one file of the bundle: enough for help, flags and completion. */

import { alertsTail } from "./definitions/alerts-tail.ts";
import { api } from "./definitions/api.ts";
import { authList } from "./definitions/auth-list.ts";
import { authLogin } from "./definitions/auth-login.ts";
import { authLogout } from "./definitions/auth-logout.ts";
import { authStatus } from "./definitions/auth-status.ts";
import { authSwitch } from "./definitions/auth-switch.ts";
import { completion } from "./definitions/completion.ts";
import { configGet } from "./definitions/config-get.ts";
import { configList } from "./definitions/config-list.ts";
import { configPath } from "./definitions/config-path.ts";
import { configSet } from "./definitions/config-set.ts";
import { consentCheck } from "./definitions/consent-check.ts";
import { consentImport } from "./definitions/consent-import.ts";
import { doctor } from "./definitions/doctor.ts";
import { listen } from "./definitions/listen.ts";
import { mock } from "./definitions/mock.ts";
import { registrationApply } from "./definitions/registration-apply.ts";
import { registrationWait } from "./definitions/registration-wait.ts";
import { schema } from "./definitions/schema.ts";
import { sendBulk } from "./definitions/send-bulk.ts";
import { ttsWatch } from "./definitions/tts-watch.ts";
import type { WrittenCommand } from "./written-command.ts";

export const definitions: readonly WrittenCommand[] = [
  alertsTail,
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
  consentCheck,
  consentImport,
  doctor,
  listen,
  mock,
  registrationApply,
  registrationWait,
  schema,
  sendBulk,
  ttsWatch,
];
