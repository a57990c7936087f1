// Entry point of the threads that process untrusted input too expensive for the server's main thread.

import { type MailToRead, type ReadMail, readMail } from "../carriers/smtp/bounces/read-mail.ts";
import { answerRequests } from "../threads/worker-threads.ts";

export type TaskRequest = { readonly mail: MailToRead };
export type TaskAnswer = ReadMail;

answerRequests<TaskRequest, TaskAnswer>(({ mail }) => readMail(mail));
