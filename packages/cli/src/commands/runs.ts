/** The run functions of all defined commands, by their words. The bundle has them in one file. */

import type { CommandRun } from "../model/catalog.ts";
import { runAlertsTail } from "./alerts-tail/run.ts";
import { runApi } from "./api/run.ts";
import { runAuthList } from "./auth-list/run.ts";
import { runAuthLogin } from "./auth-login/run.ts";
import { runAuthLogout } from "./auth-logout/run.ts";
import { runAuthStatus } from "./auth-status/run.ts";
import { runAuthSwitch } from "./auth-switch/run.ts";
import { runCompletion } from "./completion/run.ts";
import { runConfigGet } from "./config-get/run.ts";
import { runConfigList } from "./config-list/run.ts";
import { runConfigPath } from "./config-path/run.ts";
import { runConfigSet } from "./config-set/run.ts";
import { runConsentCheck } from "./consent-check/run.ts";
import { runConsentImport } from "./consent-import/run.ts";
import type { DefinedWords } from "./definitions.ts";
import { runDoctor } from "./doctor/run.ts";
import { runListen } from "./listen/run.ts";
import { runMerchantsImport } from "./merchants-import/run.ts";
import { runMock } from "./mock/run.ts";
import { runOpen } from "./open/run.ts";
import { runApply } from "./registration-apply/run.ts";
import { runRegistrationWait } from "./registration-wait/run.ts";
import { runSchema } from "./schema/run.ts";
import { runSendBulk } from "./send-bulk/run.ts";
import { runTtsWatch } from "./tts-watch/run.ts";
import { runWhoami } from "./whoami/run.ts";

export const runs: Readonly<Record<DefinedWords, CommandRun>> = {
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
  "merchants import": runMerchantsImport,
  mock: runMock,
  open: runOpen,
  "registration apply": runApply,
  "registration wait": runRegistrationWait,
  schema: runSchema,
  "send bulk": runSendBulk,
  "tts watch": runTtsWatch,
  whoami: runWhoami,
};
