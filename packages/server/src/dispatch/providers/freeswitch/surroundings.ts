/** A user of SIP phones, as the tenant's provisioning has them. */
export interface PhoneUser {
  readonly sipUsername: string;
  readonly extension: string;
  readonly isRegistered: boolean;
}

/** What a carrier of calls learns of the server that it works for, and tells it. */
export interface CallSurroundings {
  /** The messages of the carrier's calls that began, and of whose end nothing is known: the oldest first. */
  listCallsUnderWay(limit: number): Promise<string[]>;
  /** The domain of the tenant's phones, and who uses them. */
  findPhones(): Promise<{ domain: string | undefined; users: readonly PhoneUser[] }>;
  /** Records that a phone of a user registered or left. Nothing is done for a name that is none of the tenant's users. */
  notePresence(presence: { sipUsername: string; registered: boolean }): Promise<void>;
}
