// Generated from packages/dashboard/openapi.yaml by npm run generate. Do not edit.

import type { Schemas } from "@msgctl/contract";

export interface paths {
    "/dashboard/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the session
         * @description Returns the signed-in user, the tenant, and properties of the server.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Starts a session and sets the cookie that refreshes it. The refusal is the same for an unknown address, a wrong password and a disabled user. If the password is right and the user has a second factor, a missing code is a 400 and a wrong one a 401, both with an error at `/code`. A wrong code is a failure too. After too many failures for one account or from one network address, sign-ins are refused for 15 minutes. In a browser in which the user has signed in before, only that browser's failures count.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the cookie's session, and removes the cookie. Without a cookie, does nothing.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/session/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the session
         * @description Returns a new token for the cookie's session, and sets a new cookie. For 30 seconds, the previous cookie still returns the same new cookie, in case the reply was lost. After that, the previous cookie counts as stolen, and its use ends the session.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description Returns each operation of the contract, the role that it requires, and whether the session has that role.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password
         * @description Sets the password with a link from `msgd users create` or `msgd users reset`. The link works once. All sessions of the user end; the user then signs in with the new password.
         */
        post: operations["setPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's own sessions
         * @description The user's sessions that have not ended, the latest first. A server in development has none.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End one's other sessions
         * @description Ends all sessions of the user except the one that asks, on every instance within a second.
         */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one's own password
         * @description Replaces the user's password, and ends the user's other sessions. Refused if the present password is wrong; after 30 such failures in a quarter of an hour, refused until the quarter of an hour is over.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one's own second factor
         * @description Returns whether the user has a second factor, and whether the tenant requires one. Secrets are not included.
         */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/second-factor/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to turn on one's second factor
         * @description Returns a new secret for an authenticator app. It has no effect until `confirmSecondFactor` receives a code of the app, within 15 minutes. It is not shown again; another request replaces it. Refused if the present password is wrong or a second factor is on. After 30 failures in a quarter of an hour, refused until the quarter of an hour is over.
         */
        post: operations["startSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn on one's second factor
         * @description Turns the second factor on, ends the user's other sessions, and returns the recovery codes, which are not shown again. From then on, a sign-in needs a code. Wrong codes count as failures of `startSecondFactor` do.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/second-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn off one's second factor
         * @description Deletes the secret and the recovery codes. Refused if the present password or the code is wrong, which counts as a failure of `startSecondFactor` does.
         */
        post: operations["removeSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace one's recovery codes
         * @description Returns new recovery codes, which are not shown again. The earlier ones no longer work. Refused if the present password or the code is wrong, which counts as a failure of `startSecondFactor` does.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search messages
         * @description Returns messages, newest first, one page at a time. If a part of the search is not understood, the search is refused with the position of that part, under `/query/q`.
         */
        get: operations["searchMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a message
         * @description Returns all details of a message or call, in its current state.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages/{messageId}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the address of an email's document
         * @description Returns the address of an email's document, for a sandboxed frame. The address is valid for a minute and needs no credential. The document runs no scripts, and loads nothing from other hosts, except for pictures on request.
         */
        get: operations["getMailFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow messages
         * @description Server-sent events about messages that the search finds from now on: `open` once, after which no change is missed; `messages` with a `MessageChanges`, at most four times a second; `session` when the session has ended. A comment every 15 seconds keeps the connection open. After a reconnection, request the page again.
         */
        get: operations["followMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/calls/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a call
         * @description Returns all details of a text-to-speech call, with its message and the latest callbacks about it.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/batches/{batchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a batch of calls
         * @description Returns the totals of a batch, when its calls started or will start, and what became of the callbacks about them.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/id-lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up an id
         * @description Finds the objects with a given id, and the results of requests with a given Idempotency-Key. Keys are kept for a week, or as long as the server is configured to. If merchants of the tenant have their own credentials, only keys of the first 1,000 merchants that used one are searched. Returns only ids. To find messages by id or recipient, use `searchMessages`.
         */
        get: operations["lookUpId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the outcomes of messages
         * @description Returns how many messages and calls of each hour were delivered, failed or have not ended. Hours without messages and calls are left out.
         */
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/merchants/{merchantId}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a merchant's payments
         * @description Returns the last 10 payments for a merchant's credits, the newest first, and who handles the tenant's payments. Only admins see the customer's link and the reason of a failure.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the costs of this month
         * @description Returns the costs of the tenant or, for a user limited to one merchant, of that merchant. A merchant's messages are counted at today's prices, a tenant's at the prices of their day. Calls that have not ended are counted with their estimated cost.
         */
        get: operations["getMonthCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open alerts
         * @description Returns the alerts that nobody has acknowledged. Users limited to one merchant see those of that merchant. The contract's `listAlerts` lists all alerts.
         */
        get: operations["listOpenAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/alerts/{alertId}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert
         * @description Removes the alert from the open ones, and records who did so and when. If it is acknowledged already, changes nothing.
         */
        post: operations["acknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a recipient
         * @description Returns the recipient's consent decisions for each merchant and channel, with their history. To find the messages to the recipient, use `searchMessages`. For an unknown recipient, all lists are empty.
         */
        get: operations["getRecipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages to a recipient with their whole texts
         * @description Returns the messages to a recipient who requests their data, newest first, 5 to a page. A page may have fewer; only the last page has no `next`. While older messages are missing because they are not in the index yet, `isComplete` is false.
         */
        get: operations["listRecipientMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}/unsuppress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a suppression
         * @description Lifts the recipient's suppression, for all merchants of the tenant. Messages that are sent from now on go out again. If one of them bounces for good, the recipient is suppressed again. Changes nothing if the recipient is not suppressed.
         */
        post: operations["unsuppressRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a recipient
         * @description Erases the recipient's number or address, and the contents of messages to the recipient. A message that has not ended is erased when it ends. Times and costs of messages are kept. Opt-outs are kept under a keyed digest, so that sends to the recipient are still refused. An erasure cannot be undone.
         */
        post: operations["eraseRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Returns the labels (`X-Project`) under which a server in development accepted messages and calls of the tenant, the most recently used first, 50 at most.
         */
        get: operations["listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description Returns the latest requests of the tenant's programs that this instance answered, newest first: at most 1,000, and none older than an hour. Bodies and credentials are not kept.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List callbacks
         * @description Returns the tenant's posted and pending callbacks, newest first, 100 to a page. Finished callbacks are kept for 7 days. For a user limited to one merchant, each request searches 1,000 callbacks, so a page with a `next` may have few or none.
         */
        get: operations["listCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/callbacks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a callback
         * @description Returns a callback with its body, and whether it can be sent again.
         */
        get: operations["getCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/callbacks/{webhookId}/resends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a callback again
         * @description Queues a finished callback like a new one, with the same `webhook-id` and the same number of attempts. The callback is posted after earlier callbacks of its call, and not while its receiver is paused. The request is refused while the callback is pending, if its receiver has answered 410, and if the recipient of its call was erased.
         */
        post: operations["resendCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/receivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List receivers
         * @description The hosts that callbacks are posted to, with their success. Counts the tenant's newest 1,000 callbacks in each state, which are kept for 7 days. For users of the whole tenant.
         */
        get: operations["listReceivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/event-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the URL for events of messages
         * @description Returns the URL to which the events of the tenant's messages are posted. For users of the whole tenant.
         */
        get: operations["getEventSubscription"];
        /**
         * Set the URL for events of messages
         * @description Sets the URL to which the events of the tenant's messages are posted, or replaces it, as `msgd callbacks set` does. Events are posted again if its receiver had answered 410. For admins of the whole tenant.
         */
        put: operations["setEventSubscription"];
        post?: never;
        /**
         * Remove the URL for events of messages
         * @description Posts no more events of the tenant's messages. Callbacks that are already queued are still posted. For admins of the whole tenant.
         */
        delete: operations["removeEventSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/callback-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the signing secret
         * @description Returns the newest secret that signs the tenant's callbacks. Creates one if there is none. For admins of the whole tenant.
         */
        get: operations["getCallbackSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/receivers/resends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a receiver's failed callbacks again
         * @description Queues the callbacks to a receiver that have failed since a time, as `resendCallback` does. Skips those that cannot be sent again. Each request examines 1,000 of the tenant's failed callbacks; repeat it with `before` until `next` is null. For users of the whole tenant.
         */
        post: operations["resendCallbacks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the health
         * @description Returns whether the server is ready, and the tenant's backlog. Counts stop at 10,000. For admins of the whole tenant.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/installation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the installation
         * @description Returns whether the server is ready, the backlog of all tenants together, and counts of each tenant's messages. For operators and, in development, everyone. Counts stop at 10,000, those of a tenant's waiting messages at 1,000.
         */
        get: operations["getInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/carriers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List carriers
         * @description Returns the carriers of the tenant's messages, with their state, rates and backlog, the channels whose messages wait because they have none, and the tenant's payment processor. Counts stop at 10,000. For admins of the whole tenant.
         */
        get: operations["listCarriers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/carriers/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a carrier
         * @description Sends one message through the carrier, as `msgd carriers test` does: it uses no quota, is not charged, and needs no consent. Refused for a simulated carrier, for a tenant that is disabled, and within 10 seconds of the tenant's previous test. For admins of the whole tenant.
         */
        post: operations["testCarrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is wrong
         * @description The faults that users should know of now: unreachable carriers and, for users of the whole tenant, channels without a carrier. Agents and admins of the whole tenant also see messages in doubt and silent receivers, and its admins that a backup is overdue. Operators see those of all tenants, but no receivers. Counts stop at 10,000 for carriers and at 1,000 for doubts.
         */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Returns the requests with which the tenant's users saw recipients or secrets, or changed something, newest first, 100 to a page. For auditors and admins of the whole tenant. A server in development has no users, and lists nothing.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns the users of the tenant or, for an admin limited to one merchant, of that merchant, sorted by address, disabled users last, 1,000 at most. A server in development has no users.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Creates a user, and returns the link with which the user sets a password. The link is not shown again. An address that any user of the installation already has is refused, without showing whose address it is.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Require a second factor, or stop requiring it
         * @description Sets whether all users of the tenant must have a second factor. While they must, a user without one can only set one up; this applies to their sessions within a second. An admin who has none cannot require it, nor can an admin of one merchant.
         */
        post: operations["setSecondFactorPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/{userId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a user
         * @description Ends the user's password, second factor and sessions, enables a disabled user, and returns a new link, which is not shown again. Admins cannot reset themselves, because that would end the session in which the link is shown.
         */
        post: operations["resetUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/{userId}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a user
         * @description Ends the user's sessions and link within a second. The user cannot sign in until they are reset. Admins cannot disable themselves.
         */
        post: operations["disableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user a role
         * @description Changes the user's role, also in the user's sessions, within a second. Admins cannot change their own role.
         */
        post: operations["setUserRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Returns the keys of the tenant or, for an admin limited to one merchant, of that merchant, newest first, revoked keys last, 1,000 at most. Secrets are not included.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates a key of the tenant or of one merchant. The key is live or test like the tenant. Returns the secret, which is not shown again.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{apiKey}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Creates a new secret for the key and returns it. The secret is not shown again. The previous secret works until the overlap ends; any older secret stops working at once.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{apiKey}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description Revokes the key and all of its secrets permanently, within a second on every instance.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/test-recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test recipients
         * @description Returns the numbers and addresses for which the simulated carrier produces a specific outcome of an SMS or an email, and that outcome.
         */
        get: operations["listTestRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Stable name of a problem. One code always has the same status and title.
         * @enum {string}
         */
        ProblemCode: Schemas["ProblemCode"];
        /** @description One fault of a request. */
        FieldProblem: Schemas["FieldProblem"];
        /**
         * @description A way to reach a recipient.
         * @enum {string}
         */
        Channel: Schemas["Channel"];
        /** @description The reason why a request was refused (RFC 9457). */
        Problem: Schemas["Problem"];
        /** @description Identifier that you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or `:`. */
        MerchantId: Schemas["MerchantId"];
        /**
         * @description QUEUED: accepted, or deferred by a provider. SENDING: being submitted to a provider, or submitted and not answered yet. SENT: accepted by a provider. DELIVERED, UNDELIVERED: reported by the delivery receipt. FAILED: accepted by no provider; nothing is charged. EXPIRED: too late to be delivered. CANCELED: withdrawn. UNKNOWN: no final report within 72 hours; a late receipt may still change it.
         * @enum {string}
         */
        MessageStatus: Schemas["MessageStatus"];
        /**
         * @description Progress of a call, in this order. SCHEDULED: waits for its scheduled time. QUEUED: about to start. SYNTHESIZING: the speech is being generated. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: ended. FAILED: could not be made or did not get through. REJECTED: refused by consent or quota. CANCELED: withdrawn.
         * @enum {string}
         */
        TtsCallStatus: Schemas["TtsCallStatus"];
        /**
         * @description State of the telephone call. QUEUED: not dialled yet. INITIATED: dialled. RINGING: ringing. IN_PROGRESS: answered. COMPLETED, BUSY, NO_ANSWER, FAILED and CANCELED are final.
         * @enum {string}
         */
        CallStatus: Schemas["CallStatus"];
        /**
         * @description How much of the speech was played. NOT_STARTED: nothing yet. PLAYING: in progress. COMPLETED: played to the end. PARTIAL: cut off. FAILED: could not be played.
         * @enum {string}
         */
        PlaybackStatus: Schemas["PlaybackStatus"];
        /**
         * @description Outcome of a call. SUCCESS: a person heard the whole message. PARTIAL: voicemail answered, or the person hung up during playback. FAILED: neither. PENDING, SCHEDULED: the call has not ended.
         * @enum {string}
         */
        FinalStatus: Schemas["FinalStatus"];
        /**
         * @description HIT: the speech already existed and costs nothing. MISS: the speech was generated for this call. PENDING: not known yet.
         * @enum {string}
         */
        TtsCacheStatus: Schemas["TtsCacheStatus"];
        /**
         * @description PROVISIONAL until the call has ended and is priced, then FINALIZED.
         * @enum {string}
         */
        BillingState: Schemas["BillingState"];
        /**
         * @description Whether a call starts immediately or at a scheduled time.
         * @enum {string}
         */
        ExecutionType: Schemas["ExecutionType"];
        /**
         * @description Why a rule delayed or refused a call. QUIET_HOURS: delayed until 08:00 in the recipient's time zone. TIMEZONE_INFERRED: the number only reveals a country with several time zones, so the call waits until it is day in every zone where the recipient may be. All other values: refused.
         * @enum {string}
         */
        PolicyReason: Schemas["PolicyReason"];
        /**
         * @description Priority in the queue; it has no other effect.
         * @enum {string}
         */
        TtsPriority: Schemas["TtsPriority"];
        /**
         * @description Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of range), BLOCKED (by the recipient or the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (filtered as spam), CARRIER_UNKNOWN (the carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER, VOICEMAIL, HANGUP (during playback), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be generated).
         * @enum {string}
         */
        DeliveryReason: Schemas["DeliveryReason"];
        /**
         * Format: double
         * @description An amount in US dollars with at most six decimals.
         */
        UsdAmount: Schemas["UsdAmount"];
        /**
         * @description TTS: generated speech. CALL: telephone minutes.
         * @enum {string}
         */
        UsageType: Schemas["UsageType"];
        /**
         * @description The unit of a quantity.
         * @enum {string}
         */
        UsageUnit: Schemas["UsageUnit"];
        /** @description One item of usage. baseCost + markupCost = finalCost. */
        VoiceTtsUsageView: Schemas["VoiceTtsUsageView"];
        /** @description One call with its delivery, usage and cost. */
        VoiceTtsCallView: Schemas["VoiceTtsCallView"];
        /**
         * @description QUEUED: no call has started. SCHEDULED: every call waits for its scheduled time. IN_PROGRESS: some calls have started, and some have not ended. COMPLETED: all calls have ended, none failed. COMPLETED_WITH_ERRORS: all have ended, some failed. FAILED: all failed.
         * @enum {string}
         */
        TtsBatchStatus: Schemas["TtsBatchStatus"];
        /** @description Totals of a batch. */
        VoiceTtsBatchSummaryView: Schemas["VoiceTtsBatchSummaryView"];
        /**
         * @description Purpose of a message; it determines which consent is required. OTP: a one-time passcode. TRANSACTIONAL: about something the recipient did. REMINDER: about a future event. MARKETING: anything promotional.
         * @enum {string}
         */
        MessageType: Schemas["MessageType"];
        /**
         * @description Whether the recipient opted in or out.
         * @enum {string}
         */
        ConsentStatus: Schemas["ConsentStatus"];
        /**
         * @description Usage alerts are INFO at 50 %, WARNING at 80 and 90 %, and CRITICAL at 100 %.
         * @enum {string}
         */
        AlertSeverity: Schemas["AlertSeverity"];
        /**
         * @description PENDING: requested. REQUIRES_ACTION: the payer must confirm it. PROCESSING: in progress. SUCCEEDED: paid, and the credits are added. FAILED: refused. CANCELED: withdrawn.
         * @enum {string}
         */
        PaymentStatus: Schemas["PaymentStatus"];
        /**
         * Format: email
         * @description A single plain email address of at most 254 characters. Upper and lower case are equivalent; a `+tag` is kept.
         */
        EmailAddress: Schemas["EmailAddress"];
        /**
         * @description What a user of a tenant may do. A viewer reads; an auditor also reads the audit; an agent also replies, sends callbacks again and records consent; an admin may do everything.
         * @enum {string}
         */
        TenantRole: "viewer" | "auditor" | "agent" | "admin";
        /**
         * @description What a user may do: the roles of `TenantRole`, and that of an operator, who belongs to no tenant and sees the state of the server, counts of all tenants, and the audit of operators.
         * @enum {string}
         */
        Role: "viewer" | "auditor" | "agent" | "admin" | "operator";
        /**
         * @description How a request ended.
         * @enum {string}
         */
        RequestOutcome: "failed";
        /**
         * @description Whether the tenant is for production or for tests.
         * @enum {string}
         */
        TenantMode: "live" | "test";
        /** @description A tenant, as its users see it. */
        TenantView: {
            /** @description The tenant's id. */
            tenantId: string;
            /** @description The tenant's name. */
            name: string;
            /** @description The IANA name of the time zone in which its days and months begin. */
            timezone: string;
            mode: components["schemas"]["TenantMode"];
        };
        /** @description The credentials of a user. */
        SignIn: {
            /** @description The user's address. */
            email: string;
            /** @description The user's password. */
            password: string;
            /** @description A code of the user's authenticator app, or a recovery code. Needed if the user has a second factor. */
            code?: string | undefined;
        };
        /** @description The token for requests of a session. */
        SessionToken: {
            /** @description A JWT, to be sent as `Authorization: Bearer`. */
            token: string;
            /**
             * Format: date-time
             * @description When the token expires. Refresh the session before then.
             */
            expiresAt: string;
        };
        /** @description A password, and the link that sets it. */
        NewPassword: {
            /** @description The part of the link after the `#`. */
            link: string;
            /** @description 12 to 128 characters of any kind. */
            password: string;
        };
        /** @description A session of the user. */
        OwnSession: {
            /**
             * Format: date-time
             * @description When the user signed in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the session was last used. It is renewed every quarter of an hour.
             */
            refreshedAt: string;
            /** @description Whether it is the session of this request. */
            isCurrent: boolean;
        };
        /** @description A new password. */
        PasswordChange: {
            /** @description The present password. */
            current: string;
            /** @description 12 to 128 characters of any kind. */
            password: string;
        };
        /**
         * @description Whether users of the tenant must have a second factor.
         * @enum {string}
         */
        SecondFactorPolicy: "optional" | "required";
        /** @description A new policy. */
        NewSecondFactorPolicy: {
            secondFactor: components["schemas"]["SecondFactorPolicy"];
        };
        /** @description The user's second factor. */
        SecondFactorView: {
            /**
             * Format: date-time
             * @description When the second factor was turned on; null if it is off.
             */
            since: string | null;
            /**
             * Format: int32
             * @description Number of recovery codes that were not used.
             */
            recoveryCodesLeft: number;
            policy: components["schemas"]["SecondFactorPolicy"];
        };
        /** @description The present password. */
        PresentPassword: {
            /** @description The present password. */
            current: string;
        };
        /** @description A first code. */
        SecondFactorCode: {
            /** @description A code of the authenticator app. */
            code: string;
        };
        /** @description The present password, and a code. */
        SecondFactorProof: {
            /** @description The present password. */
            current: string;
            /** @description A code of the authenticator app, or a recovery code. */
            code: string;
        };
        /** @description A secret for an authenticator app. */
        SecondFactorSecret: {
            /** @description The secret, in base32. */
            secret: string;
            /** @description An `otpauth://` link with the secret, the server and the user's address. */
            link: string;
        };
        /** @description Codes that each replace one code of the authenticator app. */
        RecoveryCodes: {
            /** @description Ten codes, each of which is valid once. */
            recoveryCodes: string[];
        };
        /** @description The user whose password was set. */
        PasswordOwner: {
            /** @description The user's address. */
            email: string;
        };
        /** @description The session, and properties of its server. */
        SessionView: {
            /** @description The user's address; null in development. */
            email: string | null;
            role: components["schemas"]["Role"];
            /** @description The only merchant that the user sees; null for all merchants of the tenant. */
            merchantId: string | null;
            /** @description Whether the user can only set up a second factor, because the tenant requires one and the user has none. */
            needsSecondFactor: boolean;
            /** @description The tenant. An operator's has the id 0 and stands for all tenants. */
            tenant: components["schemas"]["TenantView"];
            /** @description The tenants that the user may choose: in development all, up to 100, otherwise the user's own tenant. */
            tenants: components["schemas"]["TenantView"][];
            /** @description Whether this is a server for trying things out, with `/control`. */
            isDevelopment: boolean;
            /** @description Whether the server keeps an index of its messages. */
            canSearch: boolean;
            /** @description The calling code of the country in which numbers are written without one, such as 1; null if the tenant's time zone has no single country. */
            callingCode: string | null;
            /**
             * Format: date-time
             * @description The server's time, which is moved in development.
             */
            now: string;
        };
        /** @description The role that an operation of the contract requires. */
        PermissionView: {
            /** @description The operationId of the contract. */
            operationId: string;
            role: components["schemas"]["TenantRole"];
            /** @description Whether the session has that role. */
            isAllowed: boolean;
        };
        /** @description A message or call in a list. */
        MessageRow: {
            /** @description The message's id. */
            messageId: string;
            channel: components["schemas"]["Channel"];
            /** @description Purpose of the message: `OTP`, `REMINDER`, `MARKETING` or `TRANSACTIONAL`. */
            type: string;
            status: components["schemas"]["MessageStatus"];
            /** @description Why the message was not delivered; null otherwise. */
            reason: string | null;
            /** @description The id of the message's merchant. */
            merchantId: string;
            /** @description The recipient: a phone number or an email address. */
            to: string;
            /** @description The subject of an email; null for other channels. */
            subject: string | null;
            /** @description The first 200 characters of the text; of an HTML email, of its visible text. */
            excerpt: string;
            /**
             * Format: date-time
             * @description When the message was accepted.
             */
            createdAt: string;
            /** @description The label under which the message was accepted; null if it has none. */
            project: string | null;
        };
        /** @description A message or call with all of its text. */
        WholeMessage: {
            /** @description The message's id. */
            messageId: string;
            /**
             * Format: date-time
             * @description When the message was accepted.
             */
            createdAt: string;
            /** @description The id of the message's merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            /** @description Purpose of the message: `OTP`, `REMINDER`, `MARKETING` or `TRANSACTIONAL`. */
            type: string;
            status: components["schemas"]["MessageStatus"];
            /** @description Why the message was not delivered; null otherwise. */
            reason: string | null;
            /** @description The recipient: a phone number or an email address. */
            to: string;
            /** @description The label under which the message was accepted; null if it has none. */
            project: string | null;
            /** @description The subject of an email; null for other channels. */
            subject: string | null;
            /** @description The text, or the document of an email. */
            content: string;
        };
        /** @description Messages to one recipient. */
        WholeMessagePage: {
            /** @description The messages as they are now. */
            messages: components["schemas"]["WholeMessage"][];
            /** @description The cursor of the next page; null after the last. */
            next: string | null;
            /** @description Whether all older messages are in the index. */
            isComplete: boolean;
        };
        /** @description A label of messages. */
        ProjectView: {
            /** @description The label. */
            project: string;
        };
        /**
         * @description Which pictures of an email are shown in addition to those that it contains.
         * @default none
         * @enum {string}
         */
        MailPictures: "none" | "all";
        /** @description The address of an email's document. */
        MailFrame: {
            /** @description The path on this server, valid until `expiresAt`. */
            path: string;
            /**
             * Format: date-time
             * @description When the address expires.
             */
            expiresAt: string;
        };
        /**
         * @description Whether a message's units are reserved, charged, or released.
         * @enum {string}
         */
        ChargeState: "RESERVED" | "SETTLED" | "RELEASED";
        /** @description A message or call. */
        MessageView: {
            /** @description The message's id. */
            messageId: string;
            channel: components["schemas"]["Channel"];
            /** @description Purpose of the message: `OTP`, `REMINDER`, `MARKETING` or `TRANSACTIONAL`. */
            type: string;
            purpose: components["schemas"]["MessagePurpose"];
            status: components["schemas"]["MessageStatus"];
            /** @description Why the message was not delivered; null otherwise. */
            reason: string | null;
            /** @description The id of the message's merchant. */
            merchantId: string;
            /** @description The recipient: a phone number or an email address; `erased` after an erasure. */
            to: string;
            /** @description The subject of an email; null for other channels. */
            subject: string | null;
            /** @description The whole text of an SMS or an email, or the text that a call speaks. */
            content: string;
            /**
             * Format: int64
             * @description Units of quota: segments, emails or minutes.
             */
            units: number;
            /**
             * Format: int64
             * @description How many of these units are paid for with credits.
             */
            creditUnits: number;
            /**
             * Format: int32
             * @description How often the message was submitted to the carrier.
             */
            attempts: number;
            /** @description The carrier; null until one is chosen. */
            provider: string | null;
            /** @description The carrier's id of the message; null until the carrier has assigned one. */
            providerMessageId: string | null;
            /**
             * Format: int64
             * @description The carrier's price, in millionths of a dollar; null until it is known.
             */
            providerCostMicros: number | null;
            /**
             * Format: int64
             * @description The markup on that price, in millionths of a dollar; null until it is known.
             */
            markupMicros: number | null;
            charge: components["schemas"]["ChargeState"];
            /** @description The first day of the month whose quota the message uses; empty for a call that was not dialled. */
            period: string;
            /**
             * Format: date-time
             * @description When the message was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a carrier accepted the message; null until then.
             */
            takenAt: string | null;
            /**
             * Format: date-time
             * @description When the state of the message last changed.
             */
            updatedAt: string;
            /** @description The recipient's consent when the message was accepted; null if there was none. */
            consent: components["schemas"]["ConsentChange"] | null;
            /** @description The recipient's present decisions about the merchant, by channel. Empty after an erasure. */
            decisions: components["schemas"]["HeldConsent"][];
            /** @description The label under which the message was accepted; null if it has none. */
            project: string | null;
            /** @description The last error text of a carrier that did not accept the message at once or did not deliver it; null if there is none. */
            carrierWords: string | null;
            /**
             * Format: date-time
             * @description When the carrier sent this text; null if there is none.
             */
            carrierSaidAt: string | null;
            /** @description The unreachable carrier for which the message waits; null otherwise. */
            carrierDown: components["schemas"]["DownCarrier"] | null;
            /** @description The hours that a marketing text waits for; null if it waits for none. */
            hold: components["schemas"]["TextHold"] | null;
        };
        /** @description A text-to-speech call. */
        CallDetails: {
            /** @description The call, as in the contract. */
            call: components["schemas"]["VoiceTtsCallView"];
            /** @description The message as which the call is dialled. */
            message: components["schemas"]["MessageView"];
            /**
             * Format: date-time
             * @description When the call had its speech; null until then.
             */
            spokenAt: string | null;
            /** @description The URL to which callbacks about the call are posted; null if none are. */
            callbackUrl: string | null;
            /** @description The latest 20 callbacks about the call, newest first. Finished callbacks are kept for 7 days. */
            callbacks: components["schemas"]["CallbackRow"][];
        };
        /** @description A batch of calls. */
        BatchDetails: {
            /** @description The batch's totals, as in the contract. */
            batch: components["schemas"]["VoiceTtsBatchSummaryView"];
            /** @description Calls that consent or quota refused when the batch was accepted. */
            refused: number;
            /**
             * Format: date-time
             * @description When the first call was to start that a rule delayed; null if no call was delayed.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description When the first call started; null until then.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When the first call had its speech; null until then.
             */
            spokenAt: string | null;
            /**
             * Format: date-time
             * @description When the next scheduled call starts; null if none is scheduled.
             */
            nextStartAt: string | null;
            /**
             * Format: date-time
             * @description When the last scheduled call starts; null if none is scheduled.
             */
            lastStartAt: string | null;
            /** @description The URL to which callbacks are posted; null if none are. */
            callbackUrl: string | null;
            callbacks: components["schemas"]["CallbackCounts"];
            /** @description The callback that reports the end of the batch; null if there is none or it is no longer kept. */
            endCallback: components["schemas"]["CallbackRow"] | null;
        };
        /** @description The callbacks about the calls of a batch, by state. Finished callbacks are kept for 7 days. */
        CallbackCounts: {
            /** @description Callbacks that the receiver has not accepted yet. */
            pending: components["schemas"]["BoundedCount"];
            /** @description Callbacks that the receiver accepted. */
            delivered: components["schemas"]["BoundedCount"];
            /** @description Callbacks that the receiver did not accept after all attempts. */
            failed: components["schemas"]["BoundedCount"];
        };
        /** @description A carrier that cannot be reached. */
        DownCarrier: {
            /** @description The carrier's name, as in `msgd carriers list`. */
            name: string;
            /**
             * Format: date-time
             * @description Since when the carrier has been unreachable.
             */
            since: string;
            /** @description The error of the last attempt to reach the carrier. */
            words: string;
        };
        /** @description The hours to which the tenant's marketing texts are held, in the recipient's time zone. */
        TextHold: {
            /**
             * Format: date-time
             * @description When the text may be sent.
             */
            until: string;
            /** @description The time zone that decides: of several, the one whose hours begin last. */
            timezone: string;
            /** @description The hours, such as 08:00-20:00. */
            hours: string;
        };
        /**
         * @description Whether the message was sent by request, or confirms a reply such as STOP.
         * @enum {string}
         */
        MessagePurpose: "SEND" | "CONFIRMATION";
        /** @description A page of the messages found, newest first. */
        MessagePage: {
            /** @description The messages as they are now. */
            messages: components["schemas"]["MessageRow"][];
            /** @description Numbers of the search that are not written in E.164. */
            readAs: components["schemas"]["ReadNumber"][];
            /** @description The cursor of the next page; null after the last. */
            next: string | null;
            /**
             * Format: date-time
             * @description If the search reached its time limit, the time back to which it searched; null if it did not.
             */
            lookedBackTo: string | null;
            /** @description Whether all older messages are in the index. */
            isComplete: boolean;
        };
        /** @description A number of a search, as written and as read. */
        ReadNumber: {
            /** @description The part of the search, such as `(202) 555-0150`. */
            written: string;
            /** @description The number as it was read, such as `+12025550150`. */
            number: string;
        };
        /**
         * @description The kind of object that an id belongs to.
         * @enum {string}
         */
        IdLookupKind: "message" | "batch" | "call" | "callback" | "merchant" | "request";
        /** @description An object that matches the text of a look-up. */
        IdLookupMatch: {
            /** @description The kind of the object; null if the request with the key created nothing that has an id. */
            kind: components["schemas"]["IdLookupKind"] | null;
            /** @description The object's id; null if it has none. */
            id: string | null;
            /** @description The operation for which the text is the Idempotency-Key; null if the text is the id. */
            keyOf: string | null;
            /** @description Whether the object is still kept; false for a request id that is not among the latest requests. */
            isKept: boolean;
        };
        /** @description Changes of the messages that a search finds. */
        MessageChanges: {
            /** @description New and changed messages in their current state, five at most. */
            messages: components["schemas"]["MessageRow"][];
            /** @description Ids of messages that the search no longer finds. */
            gone: string[];
            /**
             * Format: int32
             * @description How many other messages are newly found.
             */
            more: number;
            /**
             * Format: int32
             * @description How many other messages have changed and are still found.
             */
            changed: number;
        };
        /** @description The costs of a month so far. */
        MonthCosts: {
            /**
             * Format: date
             * @description The first day of the month.
             */
            from: string;
            /**
             * Format: date
             * @description Today, in the tenant's time zone.
             */
            to: string;
            /**
             * Format: int64
             * @description Segments that were charged.
             */
            smsSegments: number;
            /**
             * Format: int64
             * @description The cost of these segments, in millionths of a dollar.
             */
            smsMicros: number;
            /**
             * Format: int64
             * @description Emails that were charged.
             */
            emails: number;
            /**
             * Format: int64
             * @description The cost of these emails, in millionths of a dollar.
             */
            emailMicros: number;
            /**
             * Format: int64
             * @description Calls that were accepted, whether or not they have ended.
             */
            calls: number;
            /**
             * Format: int64
             * @description The cost of the calls and their speech, in millionths of a dollar.
             */
            callMicros: number;
            /**
             * Format: int64
             * @description The part of `callMicros` that is still an estimate.
             */
            callEstimateMicros: number;
            /** @description Whether there are more calls, whose costs are not included: only the newest 10,000 batches are counted. */
            hasMoreCalls: boolean;
        };
        /** @description Outcomes of messages, by the hour in which they were accepted. */
        ActivityView: {
            /** @description Hours with messages, oldest first. */
            hours: components["schemas"]["ActivityHour"][];
            /**
             * Format: date-time
             * @description Time up to which messages are counted.
             */
            countedUntil: string;
            /** @description Whether all older messages are counted. */
            isComplete: boolean;
        };
        /** @description An hour's messages and calls. */
        ActivityHour: {
            /**
             * Format: date-time
             * @description When the hour begins.
             */
            at: string;
            /** @description Number of delivered messages and calls. */
            delivered: number;
            /** @description Number of messages and calls that were not delivered. */
            failed: number;
            /** @description Number of messages and calls whose outcome cannot be determined. */
            unknown: number;
            /** @description Number of messages and calls that have not ended. */
            underWay: number;
        };
        /** @description A recipient's consent decisions, and their history. */
        RecipientView: {
            /** @description The number or address in its normal form. */
            contact: string;
            /** @description What may be sent to the recipient now, by channel and by merchant: up to 100 merchants about which the recipient has decided, and all others. */
            mayReceive: components["schemas"]["AllowanceView"][];
            /** @description The current decisions, by merchant and channel. */
            consents: components["schemas"]["HeldConsent"][];
            /** @description The history of decisions, newest first, 1,000 at most. */
            changes: components["schemas"]["ConsentChange"][];
            /** @description Whether there are older changes. */
            hasMore: boolean;
            /** @description The STOP messages that the recipient texted to numbers of the tenant or merchant, newest first. Each blocks messages from that number, however old the STOP is, until the recipient texts START to the number. */
            stops: components["schemas"]["StopView"][];
            /** @description Why nothing is sent to the recipient; null if the recipient is not suppressed. */
            suppression: components["schemas"]["SuppressionView"] | null;
            /** @description The opt-outs that were in force when the recipient was erased, by merchant and channel. */
            keptOptOuts: components["schemas"]["KeptOptOut"][];
            /** @description The recipient's erasures, newest first. */
            erasures: components["schemas"]["ErasureView"][];
        };
        /** @description What a merchant may send to a recipient by a channel, as the recipient's decisions, STOPs and suppression allow. */
        AllowanceView: {
            channel: components["schemas"]["Channel"];
            /** @description The merchant; null for all merchants about which the recipient has decided nothing. */
            merchantId: string | null;
            /** @description The types of messages that may be sent. */
            types: components["schemas"]["MessageType"][];
        };
        /** @description A STOP that a recipient texted to a number. */
        StopView: {
            /** @description The number to which the STOP was texted. */
            number: string;
            /** @description The word: STOP, or one like it. */
            word: string;
            /**
             * Format: date-time
             * @description When the STOP was received.
             */
            saidAt: string;
            /** @description The OPT_INs that merchants recorded later. Each overrides the STOP for its merchant and channel only. */
            overrides: components["schemas"]["HeldConsent"][];
        };
        /** @description A recipient whose messages bounced for good. Messages of the channel to this recipient end FAILED with the same reason, without being sent or charged, until the suppression ends or is lifted. */
        SuppressionView: {
            channel: components["schemas"]["Channel"];
            reason: components["schemas"]["DeliveryReason"];
            /** @description The message that bounced last; null if it belongs to a merchant that the user may not see. */
            messageId: string | null;
            /**
             * Format: date-time
             * @description When the recipient was suppressed.
             */
            since: string;
            /**
             * Format: date-time
             * @description When the suppression ends.
             */
            until: string;
        };
        /** @description An opt-out that was in force when a recipient was erased. It stays in force until the recipient decides again. */
        KeptOptOut: {
            /** @description The merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            /**
             * Format: date-time
             * @description When the opt-out was recorded.
             */
            optedOutAt: string;
        };
        /** @description An erasure of a recipient. */
        ErasureView: {
            /**
             * Format: date-time
             * @description When the erasure was requested.
             */
            askedAt: string;
            /**
             * Format: date-time
             * @description When the last of the recipient's messages was erased; null until then.
             */
            endedAt: string | null;
            /** @description The only merchant whose messages were erased; null for all. */
            merchantId: string | null;
            /** @description Messages and calls erased so far. */
            erased: number;
        };
        /** @description A recipient's last decision for a merchant and a channel. */
        HeldConsent: {
            /** @description The merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            status: components["schemas"]["ConsentStatus"];
            /** @description Where the decision was captured; `SMS_REPLY:<WORD>` for a reply; null if not given. */
            source: string | null;
            /**
             * Format: date-time
             * @description When the decision was recorded.
             */
            updatedAt: string;
        };
        /** @description A decision, when it was recorded and by whom. */
        ConsentChange: {
            /** @description The merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            status: components["schemas"]["ConsentStatus"];
            /** @description Where the decision was captured; null if not given. */
            source: string | null;
            /** @description An API key, `user` and the user's number, or `provider:` and a carrier. */
            changedBy: string;
            /**
             * Format: date-time
             * @description When the decision was recorded.
             */
            changedAt: string;
        };
        /** @description A request, and how it was answered. */
        RequestView: {
            /** @description `X-Request-Id` of the reply. */
            requestId: string;
            /**
             * Format: date-time
             * @description When the request was answered.
             */
            at: string;
            /** @description The operation; null if the path belongs to none. */
            operationId: string | null;
            /** @description The method. */
            method: string;
            /** @description The path, without its query. */
            path: string;
            /**
             * Format: int32
             * @description The status of the reply.
             */
            status: number;
            /** @description The problem's code; null for a success. */
            code: string | null;
            /** @description The problem's detail. Null for a success, and outside of development, since it may quote the body. */
            detail: string | null;
            /** @description The first ten faults of the request. */
            faults: components["schemas"]["RequestFault"][];
            /**
             * Format: double
             * @description Milliseconds until the request was answered.
             */
            milliseconds: number;
            /** @description The merchant of the credential; null for a credential of the tenant. */
            merchantId: string | null;
            /** @description The request's label, from `X-Project`; null if it has none. */
            project: string | null;
        };
        /** @description A fault of a request. */
        RequestFault: {
            /** @description A JSON Pointer to the faulty value. */
            pointer: string;
            /** @description The kind of fault. */
            code: string;
            /** @description What was received and what is allowed; null outside of development. */
            detail: string | null;
        };
        /** @description Alerts that nobody has acknowledged. */
        OpenAlerts: {
            /** @description The newest of them, 5 at most, newest first. */
            alerts: components["schemas"]["OpenAlert"][];
            /** @description The older ones that are not listed. */
            more: components["schemas"]["BoundedCount"];
        };
        /** @description An alert that nobody has acknowledged. */
        OpenAlert: {
            /**
             * Format: int64
             * @description The alert's id.
             */
            alertId: number;
            /** @description The merchant that the alert is about. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            severity: components["schemas"]["AlertSeverity"];
            /** @description The alert in words. */
            message: string;
            /**
             * Format: date-time
             * @description When the alert was raised.
             */
            createdAt: string;
        };
        /** @description An alert that a user has acknowledged. */
        AcknowledgedAlert: {
            /**
             * Format: int64
             * @description The alert's id.
             */
            alertId: number;
            /**
             * Format: date-time
             * @description When it was first acknowledged.
             */
            acknowledgedAt: string;
            /** @description The address of the user who acknowledged it first; null in development, where nobody signs in. */
            acknowledgedBy: string | null;
        };
        /** @description `webhook-id` of a callback: the same at every attempt. */
        WebhookId: string;
        /**
         * @description The state of a callback.
         * @enum {string}
         */
        CallbackStatus: "PENDING" | "DELIVERED" | "FAILED";
        /** @description A page of callbacks. */
        CallbackPage: {
            /** @description Callbacks, newest first. */
            callbacks: components["schemas"]["CallbackRow"][];
            /** @description Where the next page begins; null after the last. */
            next: string | null;
        };
        /** @description A host that callbacks are posted to, and its success. */
        ReceiverView: {
            /** @description The host name of its URLs. */
            receiver: string;
            /** @description Number of callbacks that it accepted. */
            delivered: number;
            /** @description Number of callbacks that it did not accept after all attempts. */
            failed: number;
            /** @description Number of callbacks that it has not accepted yet. */
            pending: number;
            /**
             * Format: date-time
             * @description When one of its callbacks last changed.
             */
            lastAt: string;
            /** @description How often its callbacks had which outcome at their last attempt, the latest outcome first, 5 at most. */
            answers: components["schemas"]["ReceiverAnswer"][];
            /** @description How often it has been paused since its last answer; 0 while it answers. */
            rests: number;
            /**
             * Format: date-time
             * @description When it is next tried; null unless it is paused.
             */
            triedAt: string | null;
        };
        /** @description An outcome of a receiver's callbacks. */
        ReceiverAnswer: {
            /** @description The outcome, such as `200` or `timeout`. */
            outcome: string;
            /** @description Number of callbacks with this outcome. */
            count: number;
            /**
             * Format: date-time
             * @description When one of them last changed.
             */
            lastAt: string;
        };
        /** @description Failed callbacks to send again. */
        ReceiverResend: {
            /** @description The host name. */
            receiver: string;
            /**
             * Format: date-time
             * @description Only callbacks that failed at this time or later.
             */
            since: string;
            /** @description `next` of the previous request. Omit it for the newest. */
            before?: components["schemas"]["WebhookId"] | undefined;
        };
        /** @description How many callbacks are sent again. */
        ReceiverResent: {
            /** @description Number of callbacks that are pending again. */
            resent: number;
            /** @description Where the next request begins; null after the last. */
            next: string | null;
        };
        /** @description Where the events of a tenant's messages are posted. */
        EventSubscriptionView: {
            /** @description The URL; null if none is set. */
            url: string | null;
            /** @description The types of events, such as `message.updated`. */
            events: string[];
            /**
             * Format: date-time
             * @description When the URL was set; null if there is none.
             */
            setAt: string | null;
            /**
             * Format: date-time
             * @description When its receiver answered 410, since when nothing is posted; null if it has not.
             */
            stoppedAt: string | null;
        };
        /** @description Where to post the events of a tenant's messages. */
        NewEventSubscription: {
            /** @description The https URL, at a public address. */
            url: string;
            /** @description The types of events to post. */
            events: ("message.updated" | "message.received")[];
        };
        /** @description A secret that signs callbacks. */
        CallbackSecret: {
            /** @description The secret, `whsec_…`. */
            secret: string;
        };
        /** @description A callback in a list. */
        CallbackRow: {
            /** @description The callback's `webhook-id`. */
            webhookId: string;
            /** @description The type of the event, such as `voice.tts_call.updated`. */
            type: string;
            /** @description The URL to which the callback is posted. */
            url: string;
            status: components["schemas"]["CallbackStatus"];
            /**
             * Format: int32
             * @description Finished attempts since the callback was last queued.
             */
            attempts: number;
            /** @description The outcome of the last attempt, such as `200` or `timeout`; null until an attempt has ended. */
            lastOutcome: string | null;
            /**
             * Format: date-time
             * @description The earliest time of the next attempt; null once the callback is finished.
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description The call that the event is about; null if unknown.
             */
            requestId: number | null;
            /** @description The message of that call or of the event; null if unknown. */
            messageId: string | null;
            /** @description The merchant of that call or message; null if unknown. */
            merchantId: string | null;
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            at: string;
            /**
             * Format: date-time
             * @description When the state of the callback last changed.
             */
            updatedAt: string;
        };
        /** @description A callback with its body. */
        CallbackView: {
            /** @description The callback's `webhook-id`. */
            webhookId: string;
            /** @description The type of the event, such as `voice.tts_call.updated`. */
            type: string;
            /** @description The URL to which the callback is posted. */
            url: string;
            status: components["schemas"]["CallbackStatus"];
            /**
             * Format: int32
             * @description Finished attempts since the callback was last queued.
             */
            attempts: number;
            /** @description The outcome of the last attempt, such as `200` or `timeout`; null until an attempt has ended. */
            lastOutcome: string | null;
            /**
             * Format: date-time
             * @description The earliest time of the next attempt; null once the callback is finished.
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description The call that the event is about; null if unknown.
             */
            requestId: number | null;
            /** @description The message of that call or of the event; null if unknown. */
            messageId: string | null;
            /** @description The merchant of that call; null if unknown. */
            merchantId: string | null;
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            at: string;
            /**
             * Format: date-time
             * @description When the state of the callback last changed.
             */
            updatedAt: string;
            /** @description The JSON that is posted, byte for byte. */
            body: string;
            /**
             * Format: date-time
             * @description Until when the callback's unresponsive receiver is paused; null if the callback does not wait for that.
             */
            restsUntil: string | null;
            /** @description Why the callback cannot be sent again now; null if it can. */
            obstacle: string | null;
        };
        /** @description A count that stops at 10,000. */
        BoundedCount: {
            /**
             * Format: int32
             * @description How many were counted.
             */
            count: number;
            /** @description Whether there are more than were counted. */
            isMore: boolean;
        };
        /**
         * @description The database engine.
         * @enum {string}
         */
        DatabaseEngine: "SQLite" | "PostgreSQL";
        /**
         * @description A carrier cannot be reached; messages wait because their channel has no carrier; a carrier may or may not have accepted some messages; a receiver does not answer; the last backup is older than two days, or there is none.
         * @enum {string}
         */
        NoticeKind: "CARRIER_DOWN" | "NO_CARRIER" | "IN_DOUBT" | "RECEIVER_SILENT" | "BACKUP_OVERDUE";
        /** @description A fault that users should know of. */
        NoticeView: {
            kind: components["schemas"]["NoticeKind"];
            /** @description The name of the carrier, the channel, or the host of the receiver; null for other kinds. */
            name: string | null;
            /**
             * Format: date-time
             * @description Since when: for a receiver, the time of the next attempt; for a backup, the time of the last one. Null if unknown.
             */
            since: string | null;
            /** @description Number of messages that wait or are in doubt; null for other kinds. */
            count: components["schemas"]["BoundedCount"] | null;
        };
        /** @description The state of the server, and the tenant's backlog. */
        HealthView: {
            /** @description Whether the server should receive requests, as `/readyz` reports. */
            isReady: boolean;
            /** @description Why the server is not ready; null if it is. */
            obstacle: string | null;
            /** @description Other information about the server, such as that its database was restored; null if there is none. */
            note: string | null;
            /** @description The version of msgd; null if unknown. */
            version: string | null;
            engine: components["schemas"]["DatabaseEngine"];
            /** @description Whether `msgd backup` can back up this database. It cannot if the database is on PostgreSQL or in memory. */
            canBackUp: boolean;
            /**
             * Format: date-time
             * @description When the data of the last `msgd backup` was read; null before the first backup, and if msgd cannot back up the database.
             */
            backedUpAt: string | null;
            /** @description The tenant's messages that no carrier has accepted yet, including those in a carrier's queue and those that wait for another attempt. */
            queued: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the oldest of these messages was accepted; null if there is none.
             */
            queuedSince: string | null;
            /** @description The tenant's messages that a carrier has accepted and whose outcome it has not reported. */
            dispatched: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the oldest of these messages was accepted; null if there is none.
             */
            dispatchedSince: string | null;
            /** @description The tenant's messages that a carrier may or may not have accepted. */
            inDoubt: components["schemas"]["BoundedCount"];
            /** @description The tenant's messages that ended UNKNOWN. */
            unknown: components["schemas"]["BoundedCount"];
            /** @description The tenant's callbacks that no receiver has accepted yet. */
            callbacksPending: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the oldest of these callbacks has been tried; null if there is none.
             */
            callbacksSince: string | null;
            /** @description The tenant's payments that wait for the operator. Payments of a test tenant are simulated, and never wait. */
            payments: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the oldest of these payments has waited; null if there is none.
             */
            paymentsSince: string | null;
            /** @description The tenant's brands, campaigns and numbers that wait for the operator's decision. A test tenant's registrations never wait. */
            registrations: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the oldest of these registrations has waited; null if there is none.
             */
            registrationsSince: string | null;
            /** @description The tenant's unresponsive receivers that are paused, 20 at most. */
            restingReceivers: components["schemas"]["RestingReceiver"][];
            /** @description Whether there are more paused receivers. */
            hasMoreResting: boolean;
        };
        /** @description The tenant's carriers, channels without one, and who handles the tenant's payments. */
        CarrierList: {
            payments: components["schemas"]["PaymentHandling"];
            /** @description The carriers of the tenant's messages. Empty for a test tenant, whose messages are simulated. */
            carriers: components["schemas"]["CarrierView"][];
            /** @description Queued messages whose channel has no carrier, and queued calls that wait for speech, by channel. Channels without any are left out. */
            uncarried: components["schemas"]["UncarriedChannel"][];
        };
        /** @description What becomes of the tenant's payments. */
        PaymentHandling: {
            /**
             * @description PROCESSOR: a processor charges them. OPERATOR: no processor is set, so they wait until the operator settles them. SIMULATED: nothing is charged, because the tenant is a test tenant or the server is in development.
             * @enum {string}
             */
            handling: "PROCESSOR" | "OPERATOR" | "SIMULATED";
            /** @description The processor; null if there is none. */
            processor: components["schemas"]["ProcessorView"] | null;
            /** @description The tenant's payments that wait for the operator. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the oldest of these payments has waited; null if there is none.
             */
            waitingSince: string | null;
        };
        /** @description The payment processor of a tenant, as in `msgd processors show`. */
        ProcessorView: {
            /** @description The processor's name. */
            name: string;
            /** @description The name of its kind, such as `stripe`. */
            kind: string;
            /** @description Whether it is shared by all tenants that have none of their own. */
            isCommon: boolean;
            /**
             * Format: date-time
             * @description When the operator set it.
             */
            setAt: string;
            /**
             * Format: date-time
             * @description When it last answered; null if it has not.
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description Since when it has not answered; null if it answered the last attempt, or was not asked yet.
             */
            downSince: string | null;
            /** @description The error of the last attempt to ask it; null if it answered. */
            downWords: string | null;
            /** @description The tenant's open payments that it has or may have. */
            held: components["schemas"]["BoundedCount"];
        };
        /** @description A merchant's payments. */
        PaymentList: {
            /**
             * @description As in `PaymentHandling`.
             * @enum {string}
             */
            handling: "PROCESSOR" | "OPERATOR" | "SIMULATED";
            /** @description The payments, the newest first. */
            payments: components["schemas"]["PaymentView"][];
            /** @description Whether there are older payments. */
            hasMore: boolean;
        };
        /** @description A payment for a merchant's credits. */
        PaymentView: {
            /** @description The payment's id. */
            paymentId: string;
            channel: components["schemas"]["Channel"];
            /**
             * Format: int64
             * @description The units that it buys.
             */
            units: number;
            /**
             * Format: int64
             * @description The amount in hundredths of the currency.
             */
            amountCents: number;
            /** @description The currency. */
            currency: string;
            status: components["schemas"]["PaymentStatus"];
            /** @description Whether the operator has to find out at the processor what became of it. */
            isInDoubt: boolean;
            /** @description Whether the operator has to settle it. */
            waitsForOperator: boolean;
            /** @description Where the customer authenticates the payment; null if that is not needed, or for users who are no admins. */
            actionUrl: string | null;
            /**
             * Format: date-time
             * @description When the payment is canceled unless the customer has authenticated it; null if that is not needed.
             */
            actionUntil: string | null;
            /** @description Why it failed or was canceled; null if it did not, or for users who are no admins. */
            failureReason: string | null;
            /**
             * Format: int64
             * @description How much was refunded at the processor. The credits stay.
             */
            refundedCents: number;
            /** @description Whether the customer disputes it at the processor. */
            isDisputed: boolean;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its status last changed.
             */
            updatedAt: string;
        };
        /** @description A test of a carrier. */
        CarrierTest: {
            /** @description The carrier's name. */
            carrier: string;
            /** @description The recipient, a phone number in any notation or an email address. */
            to: string;
        };
        /** @description The message that tests a carrier. */
        QueuedTest: {
            /** @description The message's id, with which `getMessage` shows its state. */
            messageId: string;
        };
        /** @description A carrier of the tenant's messages, as in `msgd carriers list`. */
        CarrierView: {
            /** @description The carrier's name. */
            name: string;
            channel: components["schemas"]["Channel"];
            /** @description The name of the carrier's kind, such as `smtp`; `simulated` for a carrier that sends nothing. */
            kind: string;
            /** @description Whether the carrier is used only while the first carrier is unreachable. */
            isSecond: boolean;
            /** @description Whether the carrier is shared by all tenants that have no carrier of their own. */
            isCommon: boolean;
            /** @description Whether it reports only failures: a delivered message then stays SENT. */
            tellsOnlyFailures: boolean;
            /**
             * Format: int32
             * @description The most messages that it gets in a second; null if only its capacity limits the rate.
             */
            perSecond: number | null;
            /**
             * Format: int32
             * @description The most messages that it gets of each tenant in a second; null for no such limit.
             */
            perSecondOfTenant: number | null;
            /**
             * Format: date-time
             * @description Since when the carrier has been unreachable; null if it is reachable.
             */
            downSince: string | null;
            /** @description The error of the last attempt to reach the carrier; null if it is reachable. */
            downWords: string | null;
            /** @description The tenant's messages that wait for the carrier. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the oldest of these messages was accepted; null if there is none.
             */
            waitingSince: string | null;
        };
        /** @description A channel without a carrier, or calls without speech synthesis. */
        UncarriedChannel: {
            channel: components["schemas"]["Channel"];
            /** @description The messages that wait. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the oldest of these messages was accepted.
             */
            since: string | null;
        };
        /** @description An unresponsive receiver. */
        RestingReceiver: {
            /** @description The receiver's host name. */
            receiver: string;
            /**
             * Format: int32
             * @description How often the receiver was paused since its last answer.
             */
            rests: number;
            /**
             * Format: date-time
             * @description When the next callback is posted to the receiver.
             */
            triedAt: string;
        };
        /** @description The state of the server, the backlog of all tenants together, and the tenants. */
        InstallationView: {
            /** @description Whether the server should receive requests, as `/readyz` reports. */
            isReady: boolean;
            /** @description Why the server is not ready; null if it is. */
            obstacle: string | null;
            /** @description Other information about the server, such as that its database was restored; null if there is none. */
            note: string | null;
            /** @description The version of msgd; null if unknown. */
            version: string | null;
            engine: components["schemas"]["DatabaseEngine"];
            /** @description Whether `msgd backup` can back up this database. It cannot if the database is on PostgreSQL or in memory. */
            canBackUp: boolean;
            /**
             * Format: date-time
             * @description When the data of the last `msgd backup` was read; null before the first backup, and if msgd cannot back up the database.
             */
            backedUpAt: string | null;
            /** @description The disk with the data; null if the data is not on this machine's disk. */
            disk: components["schemas"]["DiskRoom"] | null;
            /** @description How far this machine's clock is ahead of PostgreSQL's, in milliseconds; null if they were not compared. */
            clockAheadMs: number | null;
            /** @description Messages that are due to be submitted to a carrier or looked up at it, including those in carriers' queues. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the oldest of these messages was due or, if it is in a carrier's queue, was accepted; null if there is none.
             */
            waitingSince: string | null;
            /** @description Messages and calls whose channel has no carrier, by channel. Channels without any are left out. */
            uncarried: components["schemas"]["UncarriedChannel"][];
            /** @description Messages that a carrier may or may not have accepted. */
            inDoubt: components["schemas"]["BoundedCount"];
            /** @description Messages that ended UNKNOWN. */
            unknown: components["schemas"]["BoundedCount"];
            /** @description Jobs that are due. */
            jobsDue: components["schemas"]["BoundedCount"];
            /** @description Callbacks that no receiver has accepted yet. */
            callbacksPending: components["schemas"]["BoundedCount"];
            /** @description Texts of the last 90 days to numbers that belong to no tenant, as in `msgd texts list`. */
            unmatchedTexts: components["schemas"]["BoundedCount"];
            /** @description Payments that wait for the operator. */
            payments: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the oldest of these payments has waited; null if there is none.
             */
            paymentsSince: string | null;
            /** @description Brands, campaigns and numbers that wait for the operator's decision. */
            registrations: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the oldest of these registrations has waited; null if there is none.
             */
            registrationsSince: string | null;
            /**
             * Format: int32
             * @description How many carriers can be reached.
             */
            carriersUp: number;
            /** @description Carriers that cannot be reached, those for the longest time first, 20 at most. */
            carriersDown: components["schemas"]["UnreachableCarrier"][];
            /** @description Whether more carriers cannot be reached. */
            hasMoreDown: boolean;
            /** @description Tenants, those that sent most since `countedSince` first, 100 at most. */
            tenants: components["schemas"]["TenantFigures"][];
            /**
             * Format: int32
             * @description How many tenants there are.
             */
            tenantCount: number;
            /**
             * Format: date-time
             * @description Since when accepted messages are counted: an hour ago or, if more were accepted since, the oldest of the newest 10,000.
             */
            countedSince: string;
        };
        /** @description The disk with the data. */
        DiskRoom: {
            /**
             * Format: int64
             * @description The size of the disk.
             */
            totalBytes: number;
            /**
             * Format: int64
             * @description The space that is available to msgd.
             */
            freeBytes: number;
            /**
             * Format: int64
             * @description The size of the database's file, without its log.
             */
            databaseBytes: number;
        };
        /** @description A carrier that cannot be reached. */
        UnreachableCarrier: {
            /** @description The carrier's name. */
            name: string;
            channel: components["schemas"]["Channel"];
            /** @description The tenant whose carrier it is; null if tenants share it. */
            tenantId: string | null;
            /**
             * Format: date-time
             * @description Since when it has been unreachable.
             */
            since: string;
        };
        /** @description Counts of a tenant's messages. They are of all merchants together. */
        TenantFigures: {
            /** @description The tenant's id. */
            tenantId: string;
            /** @description The tenant's name. */
            name: string;
            mode: components["schemas"]["TenantMode"];
            /**
             * Format: date-time
             * @description When the operator disabled the tenant; null if it is enabled.
             */
            disabledAt: string | null;
            /**
             * Format: int32
             * @description Messages, and calls that were dialled, since `countedSince`.
             */
            accepted: number;
            /** @description Counts of the month so far, in the tenant's time zone. */
            month: components["schemas"]["MonthCounts"];
            /** @description Messages that no carrier has accepted yet. */
            queued: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the oldest of these messages was accepted; null if there is none.
             */
            queuedSince: string | null;
            /** @description Messages that a carrier may or may not have accepted. */
            inDoubt: components["schemas"]["BoundedCount"];
        };
        /** @description What was charged in a month. */
        MonthCounts: {
            /**
             * Format: int64
             * @description Segments of SMS.
             */
            smsSegments: number;
            /**
             * Format: int64
             * @description Emails.
             */
            emails: number;
            /**
             * Format: int64
             * @description Calls of the newest 1,000 batches.
             */
            calls: number;
            /** @description Whether the month has more batches. */
            hasMoreCalls: boolean;
        };
        /** @description A page of the audit log. */
        AuditPage: {
            /** @description Entries, newest first. */
            entries: components["schemas"]["AuditEntry"][];
            /**
             * Format: int64
             * @description Where the next page begins; null after the last.
             */
            next: number | null;
        };
        /** @description A request of a user, or a decision of the operator. */
        AuditEntry: {
            /**
             * Format: int64
             * @description The entry's number.
             */
            entryId: number;
            /**
             * Format: date-time
             * @description When the request or decision was made.
             */
            askedAt: string;
            /** @description The user's address at that time, or the name that the operator gave. */
            email: string;
            /** @description The operation of the dashboard or the contract, or the operator's `msgd` command. */
            operation: string;
            /** @description The object of the request or decision, with recipients masked; null if there was none. */
            target: string | null;
            /** @description `X-Request-Id` of the reply; null for a command. */
            requestId: string | null;
        };
        /**
         * @description Whether a user can sign in, or first has to set a password.
         * @enum {string}
         */
        UserState: "INVITED" | "LINK_EXPIRED" | "ACTIVE" | "DISABLED";
        /** @description A user who may sign in. */
        UserView: {
            /**
             * Format: int64
             * @description The user's number.
             */
            userId: number;
            /** @description The user's address, in lower case. */
            email: string;
            role: components["schemas"]["TenantRole"];
            /** @description The only merchant that the user sees; null for all merchants of the tenant. */
            merchantId: string | null;
            state: components["schemas"]["UserState"];
            /** @description Whether the user signs in with a second factor. */
            hasSecondFactor: boolean;
            /**
             * Format: date-time
             * @description When the user was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the user last signed in; null if never.
             */
            signedInAt: string | null;
            /**
             * Format: date-time
             * @description When the link with which the user sets a password expires or expired; null if there is none.
             */
            linkExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When the user was disabled; null if the user is not disabled.
             */
            disabledAt: string | null;
        };
        /** @description Users of the tenant. */
        UserList: {
            /** @description Users by address, disabled users last, 1,000 at most. */
            users: components["schemas"]["UserView"][];
            /** @description Whether there are more users. */
            hasMore: boolean;
            secondFactor: components["schemas"]["SecondFactorPolicy"];
        };
        /** @description The user to create. */
        NewUser: {
            email: components["schemas"]["EmailAddress"];
            role: components["schemas"]["TenantRole"];
            /** @description The only merchant that the user may see. Default: all merchants of the tenant. */
            merchantId?: components["schemas"]["MerchantId"] | undefined;
        };
        /** @description The new role of a user. */
        NewRole: {
            role: components["schemas"]["TenantRole"];
        };
        /** @description A user, and the link with which the user sets a password. */
        LinkedUser: {
            user: components["schemas"]["UserView"];
            /** @description The link, which works once; without the server's address unless --public-url is set. */
            link: string;
            /**
             * Format: date-time
             * @description When the link expires.
             */
            linkExpiresAt: string;
        };
        /**
         * @description Whether a key works. While it is rotating, it has two secrets.
         * @enum {string}
         */
        KeyState: "ACTIVE" | "ROTATING" | "REVOKED";
        /** @description A key, without its secrets. */
        KeyView: {
            /** @description The API key, which is sent with a secret. */
            apiKey: string;
            /** @description The key's name; null if it has none. */
            name: string | null;
            /** @description The only merchant that the key may act for; null for all merchants of the tenant. */
            merchantId: string | null;
            state: components["schemas"]["KeyState"];
            /**
             * Format: date-time
             * @description When the key was created.
             */
            createdAt: string;
            /** @description The address of the user who created the key; null if it was created by `msgd keys create`, or in development. */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute; null if never.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description Until when the key's previous secret works; null if only one secret works.
             */
            overlapEndsAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null if it is not revoked.
             */
            revokedAt: string | null;
        };
        /** @description Keys of the tenant. */
        KeyList: {
            /** @description Keys, newest first, revoked keys last, 1,000 at most. */
            keys: components["schemas"]["KeyView"][];
            /** @description Whether there are more keys. */
            hasMore: boolean;
        };
        /** @description The key to create. */
        NewKey: {
            /** @description The key's name. On a server in development, also the project of messages that are sent with it. */
            name?: string | undefined;
            /** @description The only merchant that the key may act for. Default: all merchants of the tenant. */
            merchantId?: components["schemas"]["MerchantId"] | undefined;
        };
        /** @description How to rotate a key. */
        Rotation: {
            /**
             * Format: int32
             * @description How long the previous secret keeps working, in seconds, from 0 to 30 days.
             */
            overlapSeconds: number;
        };
        /** @description A key with its new secret, which is shown only once. */
        IssuedKey: {
            key: components["schemas"]["KeyView"];
            /** @description The secret. The server keeps only a hash of it. */
            apiSecret: string;
        };
        /** @description A test recipient of the simulated carrier, and the outcome of a message to it. */
        TestRecipient: {
            /** @description The phone number or email address. */
            to: string;
            channel: components["schemas"]["Channel"];
            /** @description The status that the message ends with. */
            status: string;
            /** @description The reason with which the message ends; null if there is none. */
            reason: string | null;
            /** @description The text with which the recipient replies; null if the recipient does not reply. */
            reply: string | null;
            /** @description Whether the outcome of the message takes 30 seconds. */
            isSlow: boolean;
        };
    };
    responses: {
        /** @description A path or query value is not valid, or a query parameter is unknown. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential is missing, wrong or revoked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is outside the merchant of the credential. */
        ScopeDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. Its log has the details under the requestId. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot accept requests at the moment. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 2 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared as application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. Nothing was done. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such batch, or the path does not exist. */
        BatchNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such merchant. */
        MerchantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant, or the user's merchant, has no such call. */
        CallNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller sees no such alert. */
        AlertNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such carrier, or it was replaced. */
        CarrierNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The carrier cannot be tested. */
        CarrierRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such callback, or it was removed. */
        CallbackNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The callback cannot be sent again now. */
        CallbackRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller manages no such user. */
        UserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A server in development has no users. */
        NoUsers: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The second factor is on already, or is off, or no secret waits for a code. */
        SecondFactorRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The user is the caller, or the tenant has its maximum number of users. */
        UserRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller manages no such key. */
        KeyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is revoked, or the tenant has its maximum number of keys. */
        KeyRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such message. */
        MessageNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifier of the merchant.
         * @example bright-dental
         */
        MerchantIdInPath: components["schemas"]["MerchantId"];
        /**
         * @description The search, in the dashboard's search language: `to:+1202 status:failed -type:otp after:7d "exact words"`. An empty search finds everything.
         * @example to:+1202 status:failed
         */
        Search: string;
        /** @description The callback's `webhook-id`. */
        WebhookIdInPath: components["schemas"]["WebhookId"];
        /** @description The user's number. */
        UserIdInPath: number | bigint;
        /** @description The API key, without its secret. */
        ApiKeyInPath: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of this request, in every reply. Quote it when you report a problem.
         * @example req_k3Zp0vQ8mT2x00000a7
         */
        "X-Request-Id": string;
        /**
         * @description How to authenticate.
         * @example ApiKey realm="msgd"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description What is left of the limit: `r` requests for the next `t` seconds (IETF RateLimit draft).
         * @example "default";r=597;t=42
         */
        RateLimit: string;
        /**
         * @description The limit: `q` requests in any `w` seconds (IETF RateLimit draft).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The token of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended, or there was none. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next token of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operations, in the order of the contract. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
        };
    };
    setPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description The user whose password was set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordOwner"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnSession"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions have ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password was changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The second factor. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["NoUsers"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresentPassword"];
            };
        };
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["NoUsers"];
            409: components["responses"]["SecondFactorRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCode"];
            };
        };
        responses: {
            /** @description The recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["NoUsers"];
            409: components["responses"]["SecondFactorRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description The second factor is off. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["NoUsers"];
            409: components["responses"]["SecondFactorRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description The recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["NoUsers"];
            409: components["responses"]["SecondFactorRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchMessages: {
        parameters: {
            query?: {
                /**
                 * @description The search, in the dashboard's search language: `to:+1202 status:failed -type:otp after:7d "exact words"`. An empty search finds everything.
                 * @example to:+1202 status:failed
                 */
                q?: components["parameters"]["Search"] | undefined;
                /** @description `next` of the previous page. */
                cursor?: string | undefined;
                /** @description Maximum number of messages to return, 1 to 200. Default: 50. */
                limit?: number | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's id. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MessageNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMailFrame: {
        parameters: {
            query?: {
                /** @description Whether pictures from other hosts are shown. Loading them tells those hosts that the email was read. */
                pictures?: components["schemas"]["MailPictures"] | undefined;
            };
            header?: never;
            path: {
                /** @description The id of the email. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The frame. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailFrame"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MessageNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followMessages: {
        parameters: {
            query?: {
                /**
                 * @description The search, in the dashboard's search language: `to:+1202 status:failed -type:otp after:7d "exact words"`. An empty search finds everything.
                 * @example to:+1202 status:failed
                 */
                q?: components["parameters"]["Search"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. The `data` of a `messages` event has this form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["MessageChanges"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                requestId: number | bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["CallNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The batch's id. */
                batchId: number | bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["BatchNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookUpId: {
        parameters: {
            query: {
                /** @description The whole id or key. */
                text: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matches, 15 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdLookupMatch"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivity: {
        parameters: {
            query?: {
                /** @description Number of hours to count, up to now. */
                hours?: number | undefined;
                /** @description Count only messages of this merchant. */
                merchantId?: components["schemas"]["MerchantId"] | undefined;
                /** @description Count only messages by this channel. */
                channel?: components["schemas"]["Channel"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMonthCosts: {
        parameters: {
            query?: {
                /** @description Only the costs of this merchant. Refused for another merchant than the user's own. */
                merchantId?: components["schemas"]["MerchantId"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The costs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonthCosts"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOpenAlerts: {
        parameters: {
            query?: {
                /** @description Only the alerts of this merchant. Refused for another merchant than the user's own. */
                merchantId?: components["schemas"]["MerchantId"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest of them, and how many more there are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAlerts"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The alert's id. */
                alertId: number | bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert, with the first acknowledgement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcknowledgedAlert"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["AlertNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecipientMessages: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string | undefined;
            };
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeMessagePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unsuppressRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient, no longer suppressed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient's remaining data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The labels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Only requests that were refused or failed, with a status of 400 or above. */
                outcome?: components["schemas"]["RequestOutcome"] | undefined;
                /** @description Maximum number of requests to return, 1 to 1,000. Default: 1,000. */
                limit?: number | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
        };
    };
    listCallbacks: {
        parameters: {
            query?: {
                /** @description Only callbacks in this state. */
                status?: components["schemas"]["CallbackStatus"] | undefined;
                /** @description `next` of the previous page. */
                before?: components["schemas"]["WebhookId"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The callback's `webhook-id`. */
                webhookId: components["parameters"]["WebhookIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["CallbackNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The callback's `webhook-id`. */
                webhookId: components["parameters"]["WebhookIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback, pending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["CallbackNotFound"];
            409: components["responses"]["CallbackRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReceivers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receivers, those with most callbacks first, 100 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL, if there is one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscriptionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEventSubscription"];
            };
        };
        responses: {
            /** @description The URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscriptionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant has no URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscriptionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallbackSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCallbacks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiverResend"];
            };
        };
        responses: {
            /** @description The number of callbacks that are pending again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverResent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The installation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCarriers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The carriers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testCarrier: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CarrierTest"];
            };
        };
        responses: {
            /** @description The message, which is queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedTest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["CarrierNotFound"];
            409: components["responses"]["CarrierRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notices, the worst first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticeView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Only entries about this phone number or email address. */
                about?: string | undefined;
                /** @description Only requests of the user with this address, or decisions under this name. */
                email?: string | undefined;
                /** @description Only requests of this operation, or this `msgd` command. */
                operation?: string | undefined;
                /** @description The first day of the entries, in the tenant's time zone. */
                from?: string | undefined;
                /** @description The last day of the entries, included. */
                to?: string | undefined;
                /** @description `next` of the previous page. */
                before?: number | bigint | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The user, and their link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedUser"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            409: components["responses"]["UserRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSecondFactorPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSecondFactorPolicy"];
            };
        };
        responses: {
            /** @description The policy was set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["NoUsers"];
            409: components["responses"]["SecondFactorRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's number. */
                userId: components["parameters"]["UserIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, and their link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedUser"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's number. */
                userId: components["parameters"]["UserIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUserRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's number. */
                userId: components["parameters"]["UserIdInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key, and its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            409: components["responses"]["KeyRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The API key, without its secret. */
                apiKey: components["parameters"]["ApiKeyInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            /** @description The key, and its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["KeyNotFound"];
            409: components["responses"]["KeyRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The API key, without its secret. */
                apiKey: components["parameters"]["ApiKeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["KeyNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTestRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipients. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRecipient"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
        };
    };
}
