// Pages that are loaded together when one of them is first opened: separate ones would share a dozen small files with the
// first load.

export { BatchPage } from "./calls/batch-page.tsx";
export { CallPage } from "./calls/call-page.tsx";
export { CallsPage } from "./calls/calls-page.tsx";
export { KeysPage } from "./keys/keys-page.tsx";
export { RegistrationPage } from "./registration/registration-page.tsx";
export { UsersPage } from "./users/users-page.tsx";
export { VoicePage } from "./voice/voice-page.tsx";
