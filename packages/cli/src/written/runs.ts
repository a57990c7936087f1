/** What the written commands do, by their words, as one file of the bundle. */

import { runListen } from "../listen/run-listen.ts";
import { runApply } from "../registration/run-apply.ts";
import { runAlertsTail } from "./alerts-tail.ts";
import { runApi } from "./api.ts";
import { runAuthList } from "./auth-list.ts";
import { runAuthLogin } from "./auth-login.ts";
import { runAuthLogout } from "./auth-logout.ts";
import { runAuthStatus } from "./auth-status.ts";
import { runAuthSwitch } from "./auth-switch.ts";
import { runCompletion } from "./completion/completion.ts";
import { runConfigGet } from "./config-get.ts";
import { runConfigList } from "./config-list.ts";
import { runConfigPath } from "./config-path.ts";
import { runConfigSet } from "./config-set.ts";
import { runConsentCheck } from "./consent-check.ts";
import { runConsentImport } from "./consent-import.ts";
import { runDoctor } from "./doctor/doctor.ts";
import { runMock } from "./mock.ts";
import { runRegistrationWait } from "./registration-wait.ts";
import { runSchema } from "./schema.ts";
import { runSendBulk } from "./send-bulk.ts";
import { runTtsWatch } from "./tts-watch.ts";
import type { WrittenRun } from "./written-command.ts";

export const runs: Readonly<Record<string, WrittenRun>> = {
  "alerts tail": runAlertsTail,
  "auth list": runAuthList,
  "auth login": runAuthLogin,
  "auth logout": runAuthLogout,
  "auth status": runAuthStatus,
  "auth switch": runAuthSwitch,
  api: runApi,
  completion: runCompletion,
  "config get": runConfigGet,
  "config list": runConfigList,
  "config path": runConfigPath,
  "config set": runConfigSet,
  "consent check": runConsentCheck,
  "consent import": runConsentImport,
  doctor: runDoctor,
  listen: runListen,
  mock: runMock,
  "registration apply": runApply,
  "registration wait": runRegistrationWait,
  schema: runSchema,
  "send bulk": runSendBulk,
  "tts watch": runTtsWatch,
};
