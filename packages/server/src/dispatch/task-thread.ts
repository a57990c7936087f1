// Program of the threads for input from outside that may cost more than the server's own thread can give.

import { type MailToRead, type ReadMail, readMail } from "../carriers/smtp/bounces/read-mail.ts";
import { answerRequests } from "../threads/worker-threads.ts";

export type TaskRequest = { readonly mail: MailToRead };
export type TaskAnswer = ReadMail;

answerRequests<TaskRequest, TaskAnswer>(({ mail }) => readMail(mail));
