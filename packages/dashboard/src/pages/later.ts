// Pages that are loaded together when the first of them is opened. If each page were loaded separately, the bundler would
// split the first load of the dashboard into a dozen small shared files.

export { AccountPage } from "./account/account-page.tsx";
export { SetUpPage } from "./account/set-up-page.tsx";
export { BatchPage } from "./calls/batch-page.tsx";
export { CallPage } from "./calls/call-page.tsx";
export { CallsPage } from "./calls/calls-page.tsx";
export { InstallationPage } from "./installation/installation-page.tsx";
export { KeysPage } from "./keys/keys-page.tsx";
export { RegistrationPage } from "./registration/registration-page.tsx";
export { UsersPage } from "./users/users-page.tsx";
export { VoicePage } from "./voice/voice-page.tsx";
