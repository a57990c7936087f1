// Program of the threads for input from outside that may cost more than the server's own thread can give.

import { answerRequests } from "../threads/worker-threads.ts";
import { type MailToRead, type ReadMail, readMail } from "./bounces/read-mail.ts";

export type TaskRequest = { readonly mail: MailToRead };
export type TaskAnswer = ReadMail;

answerRequests<TaskRequest, TaskAnswer>(({ mail }) => readMail(mail));
