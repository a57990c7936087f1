/**
 * The commands that do not correspond to exactly one operation, in the order of the help, keyed by their words. A definition
 * has everything that help, flags and completion need. The code that runs a command is in its folder, see runs.ts.
 */

import type { Definition } from "../model/command.ts";
import { alertsTail } from "./alerts-tail/definition.ts";
import { api } from "./api/definition.ts";
import { authList } from "./auth-list/definition.ts";
import { authLogin } from "./auth-login/definition.ts";
import { authLogout } from "./auth-logout/definition.ts";
import { authStatus } from "./auth-status/definition.ts";
import { authSwitch } from "./auth-switch/definition.ts";
import { completion } from "./completion/definition.ts";
import { configGet } from "./config-get/definition.ts";
import { configList } from "./config-list/definition.ts";
import { configPath } from "./config-path/definition.ts";
import { configSet } from "./config-set/definition.ts";
import { consentCheck } from "./consent-check/definition.ts";
import { consentImport } from "./consent-import/definition.ts";
import { doctor } from "./doctor/definition.ts";
import { listen } from "./listen/definition.ts";
import { merchantsImport } from "./merchants-import/definition.ts";
import { mock } from "./mock/definition.ts";
import { open } from "./open/definition.ts";
import { registrationApply } from "./registration-apply/definition.ts";
import { registrationWait } from "./registration-wait/definition.ts";
import { schema } from "./schema/definition.ts";
import { sendBulk } from "./send-bulk/definition.ts";
import { ttsWatch } from "./tts-watch/definition.ts";
import { whoami } from "./whoami/definition.ts";

export const definitions = {
  "consent check": consentCheck,
  "consent import": consentImport,
  "merchants import": merchantsImport,
  "tts watch": ttsWatch,
  "alerts tail": alertsTail,
  "registration apply": registrationApply,
  "registration wait": registrationWait,
  "send bulk": sendBulk,
  "config get": configGet,
  "config set": configSet,
  "config list": configList,
  "config path": configPath,
  "auth login": authLogin,
  "auth logout": authLogout,
  "auth status": authStatus,
  "auth list": authList,
  "auth switch": authSwitch,
  whoami: whoami,
  doctor: doctor,
  open: open,
  api: api,
  listen: listen,
  mock: mock,
  schema: schema,
  completion: completion,
} satisfies Readonly<Record<string, Definition>>;

export type DefinedWords = keyof typeof definitions;
