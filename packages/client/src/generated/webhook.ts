// Generated from schemas/openapi/webhook.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/webhookService/webhook/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have events pushed to an address
         * @description It is told of what happens from now on. A client may have 200 webhooks.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/patch/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a webhook
         * @description While it is paused it receives nothing: what waits is held and sent after it resumes; events of the paused time are SKIPPED, and can be redelivered by hand. `isPaused` 0 also makes a disabled webhook ACTIVE again.
         */
        patch: operations["patchWebhook"];
        trace?: never;
    };
    "/v1/webhookService/webhook/delete/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook; what waits for it is not sent any more
         * @description Delete a webhook; what waits for it is not sent any more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/rotateSecret/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new signing secret; the one before signs alongside for 24 hours
         * @description Make a new signing secret; the one before signs alongside for 24 hours.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/get/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook, and how sending to it goes
         * @description One webhook, and how sending to it goes.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The client's webhooks as they were made, oldest first unless sorted the other way
         * @description The client's webhooks as they were made, oldest first unless sorted the other way.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/deliveries/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a webhook was sent, or is to be sent, oldest first unless sorted the other way
         * @description Of the last 90 days. With a filter a request looks at a bounded number of deliveries: a page may be short, or empty, although more is to come; read on until `nextCursor` is null.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/delivery/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery with every try
         * @description One delivery with every try.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/redeliver/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery that has ended again, with the same webhook-id
         * @description What was delivered, failed or skipped, within 30 days. Earlier ones of its object are waited for.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/recover/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what a receiver missed
         * @description By when the events happened, 10000 at a time, of what ended within 30 days.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/test/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample now, and answer what came of it
         * @description A `webhook:test`, signed as every push is, with data as an event of the webhook's topic has them. It is in no event log, and no delivery.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/event/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The event log, as a change feed: what a client missed, it can always read
         * @description Every event of the last 90 days, whether or not a webhook asked for it, in the order in which they became visible. Without cursor and `since` it starts with the oldest that is kept; a cursor that is older than that goes on with it.
         *
         *     With a filter a request looks at a bounded number of events. So a page may be short, or empty, although more is to come: read on until `nextCursor` is the cursor that was sent.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhookService/webhook/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a webhook can be told of
         * @description What a webhook can be told of.
         */
        get: operations["listTopics"];
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
         * Delivery
         * @description An event that one webhook is sent.
         */
        Delivery: {
            /**
             * @description Identifier of the delivery.
             * @example 019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13
             */
            deliveryId: string;
            /**
             * @description The webhook.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
             */
            webhookId: string;
            /**
             * @description The event: what `webhook-id` says on every try.
             * @example evt_019aa0f27f537c0a9c3e2a6f0c1d9b11
             */
            eventId: string;
            /**
             * @description Topic of the event.
             * @example order:despatched
             */
            topicName: string;
            objectType: components["schemas"]["EventObjectType"];
            /**
             * @description Which one.
             * @example WEB-100045
             */
            objectId: string;
            /**
             * @description What `crossdock-sequence` says: counts the events of the object that the webhook is sent. Null of what was skipped.
             * @example 7
             */
            sequence: number | null;
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description Tries that have ended since it was made, or was last sent again by hand; probes of a failing receiver are not counted.
             * @example 1
             */
            tries: number;
            /**
             * Format: date-time
             * @description When it is tried next, or as soon after it as the webhook's probes find the receiver well; null where it has ended, is held, or waits for an earlier one of its object.
             * @example 2026-11-20T10:00:00.000Z
             */
            nextTryAt: string | null;
            /**
             * @description Why the last try failed: its class, and more in words.
             * @example status: answered 503
             */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was delivered, skipped or given up.
             * @example 2026-11-20T10:00:00.000Z
             */
            endedAt: string | null;
        };
        /**
         * DeliveryAction
         * @description May be left out.
         */
        DeliveryAction: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
        };
        /**
         * DeliveryPage
         * @description Deliveries of a webhook, as they were made.
         */
        DeliveryPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Delivery"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * DeliveryStatus
         * @description PENDING: not tried yet, or waiting for an earlier one of its object. RETRYING: it has failed and is tried again. HELD while the webhook is paused. DELIVERED. FAILED for good, and can be redelivered for 30 days. SKIPPED: it happened while the webhook was paused or disabled.
         * @example DELIVERED
         * @enum {string}
         */
        DeliveryStatus: "PENDING" | "RETRYING" | "HELD" | "DELIVERED" | "FAILED" | "SKIPPED";
        /**
         * DeliveryTry
         * @description One request, and what came of it.
         */
        DeliveryTry: {
            /**
             * @description Identifier of the try.
             * @example 019aa0f2-8a11-7c0a-9c3e-2a6f0c1d9b14
             */
            tryId: string;
            /**
             * @description STARTED: under way. UNKNOWN: whoever sent it died before its end was written; it is tried again.
             * @example ENDED
             * @enum {string}
             */
            state: "STARTED" | "ENDED" | "UNKNOWN";
            /**
             * @description A probe of a failing receiver: none of the counted tries.
             * @example false
             */
            isProbe: boolean;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-20T10:00:00.000Z
             */
            endedAt: string | null;
            /**
             * @description Milliseconds from beginning to end.
             * @example 84
             */
            durationMs: number | null;
            /**
             * @description The address that was connected to.
             * @example 93.184.215.14
             */
            address: string | null;
            phases: components["schemas"]["ExchangePhases"];
            /**
             * @description HTTP status of the answer.
             * @example 200
             */
            status: number | null;
            /**
             * @description Headers of the answer, without cookies.
             * @example {
             *       "content-type": "text/plain"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description The first 8 KiB of the answer, read as UTF-8.
             * @example ok
             */
            body: string;
            /**
             * @description blocked, dns, connect, tls, reset, timeout, redirect, status, protocol, or expired where the event is not kept any more; null where it was delivered, or nobody saw its end.
             * @example status
             */
            errorClass: string | null;
        };
        /**
         * DeliveryWithTries
         * @description A delivery with all its tries.
         */
        DeliveryWithTries: {
            /**
             * @description Identifier of the delivery.
             * @example 019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13
             */
            deliveryId: string;
            /**
             * @description The webhook.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
             */
            webhookId: string;
            /**
             * @description The event: what `webhook-id` says on every try.
             * @example evt_019aa0f27f537c0a9c3e2a6f0c1d9b11
             */
            eventId: string;
            /**
             * @description Topic of the event.
             * @example order:despatched
             */
            topicName: string;
            objectType: components["schemas"]["EventObjectType"];
            /**
             * @description Which one.
             * @example WEB-100045
             */
            objectId: string;
            /**
             * @description What `crossdock-sequence` says: counts the events of the object that the webhook is sent. Null of what was skipped.
             * @example 7
             */
            sequence: number | null;
            status: components["schemas"]["DeliveryStatus"];
            /**
             * @description Tries that have ended since it was made, or was last sent again by hand; probes of a failing receiver are not counted.
             * @example 1
             */
            tries: number;
            /**
             * Format: date-time
             * @description When it is tried next, or as soon after it as the webhook's probes find the receiver well; null where it has ended, is held, or waits for an earlier one of its object.
             * @example 2026-11-20T10:00:00.000Z
             */
            nextTryAt: string | null;
            /**
             * @description Why the last try failed: its class, and more in words.
             * @example status: answered 503
             */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was delivered, skipped or given up.
             * @example 2026-11-20T10:00:00.000Z
             */
            endedAt: string | null;
            /** @description Every try of the last 30 days, as they were begun. */
            exchanges: components["schemas"]["DeliveryTry"][];
        };
        /**
         * Event
         * @description The body of a push, and its place in the event log.
         */
        Event: {
            /**
             * @description Names the event: also the header webhook-id, the same on every try. Events of one id are one event.
             * @example evt_019aa0f27f537c0a9c3e2a6f0c1d9b11
             */
            id: string;
            /**
             * @description The topic.
             * @example order:despatched
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T10:00:00.000Z
             */
            timestamp: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility; null where the event belongs to none, and goes to all.
             * @example DC1
             */
            facilityCode: string | null;
            /** @description What it is about. */
            objectType: components["schemas"]["EventObjectType"];
            /**
             * @description The object that it is about.
             * @example WEB-100045
             */
            objectId: string;
            /**
             * @description Counts all events of the object; null for events that were published before they were counted.
             * @example 42
             */
            sequence: number | null;
            /**
             * @description What the topic tells: `/asyncapi.json` has the schema for each, `/docs/events` shows them.
             * @example {
             *       "orderId": "WEB-100045",
             *       "status": "DESPATCHED",
             *       "statusCode": 100
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description Place in the client's event log: counted without gaps, in the order in which events became visible.
             * @example 88214
             */
            position: number;
        };
        /**
         * EventFeed
         * @description The event log behind a cursor.
         */
        EventFeed: {
            /** @description Events by position. */
            items: components["schemas"]["Event"][];
            /**
             * @description Sent as `cursor`, it answers what comes after. Always there. Where nothing is left to be read it is the very cursor that was sent.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string;
        };
        /**
         * EventObjectType
         * @description What the event is about.
         * @example order
         * @enum {string}
         */
        EventObjectType: "order" | "workOrder" | "purchaseOrder" | "return" | "stock" | "feed" | "webhook";
        /**
         * ExchangePhases
         * @description Where the time went.
         */
        ExchangePhases: {
            /**
             * @description Milliseconds to look the name up; null where it did not come to that.
             * @example 12.5
             */
            lookup: number | null;
            /**
             * @description Milliseconds to connect; null where it did not come to that.
             * @example 12.5
             */
            connect: number | null;
            /**
             * @description Milliseconds of the TLS handshake; null where it did not come to that.
             * @example 12.5
             */
            tls: number | null;
            /**
             * @description Milliseconds to send the request; null where it did not come to that.
             * @example 12.5
             */
            send: number | null;
            /**
             * @description Milliseconds until the answer began; null where it did not come to that.
             * @example 12.5
             */
            wait: number | null;
            /**
             * @description Milliseconds to receive the answer; null where it did not come to that.
             * @example 12.5
             */
            receive: number | null;
        };
        /** @description Problem details (RFC 9457). */
        Problem: {
            /**
             * @description Path of the page that explains the problem.
             * @example /problems/invalid-request
             */
            type: string;
            /**
             * @description The kind of problem, in words.
             * @example The request does not have the required shape
             */
            title: string;
            /**
             * @description Status of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description What is wrong with this very request.
             * @example /query/limit must be <= 500
             */
            detail: string;
            /**
             * @description Path of the request.
             * @example /v1/orderService/order/list
             */
            instance: string;
            /**
             * Format: uuid
             * @description Names the request in the operator's log.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            correlationToken: string;
            /** @description Every fault of the request. */
            errors: {
                /**
                 * @description `#/…` points into the body; `/query/…`, `/path/…` and `/header/…` to parameters.
                 * @example /query/limit
                 */
                pointer: string;
                /**
                 * @description What is wrong there.
                 * @example must be <= 500
                 */
                message: string;
            }[];
        };
        /**
         * ReceiptSort
         * @description By receipt: oldest first, or with a minus newest first.
         * @default receivedAt
         * @example receivedAt
         * @enum {string}
         */
        ReceiptSort: "receivedAt" | "-receivedAt";
        /**
         * Recovery
         * @description What is to be sent again.
         */
        Recovery: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * Format: date-time
             * @description Events that happened at this moment or later.
             * @example 2026-11-20T10:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Events that happened before this moment; left out: until now.
             * @example 2026-11-20T18:00:00.000Z
             */
            until?: string;
            /**
             * @description true: only what has FAILED. false: what was skipped and what was delivered as well.
             * @default true
             * @example true
             */
            onlyFailed?: boolean;
        };
        /**
         * RecoveryOutcome
         * @description What is sent again.
         */
        RecoveryOutcome: {
            /**
             * @description The webhook.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
             */
            webhookId: string;
            /**
             * @description How many deliveries are sent again.
             * @example 12
             */
            scheduled: number;
            /**
             * Format: date-time
             * @description There are more than are taken at a time: ask again with this as `since`. Null: that was all.
             * @example 2026-11-20T10:00:00.000Z
             */
            nextSince: string | null;
        };
        /**
         * TestExchange
         * @description What came of it.
         */
        TestExchange: {
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-20T10:00:00.000Z
             */
            endedAt: string | null;
            /**
             * @description Milliseconds from beginning to end.
             * @example 84
             */
            durationMs: number | null;
            /**
             * @description The address that was connected to.
             * @example 93.184.215.14
             */
            address: string | null;
            phases: components["schemas"]["ExchangePhases"];
            /**
             * @description HTTP status of the answer.
             * @example 200
             */
            status: number | null;
            /**
             * @description Headers of the answer, without cookies.
             * @example {
             *       "content-type": "text/plain"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description The first 8 KiB of the answer, read as UTF-8.
             * @example ok
             */
            body: string;
            /**
             * @description blocked, dns, connect, tls, reset, timeout, redirect, status, protocol, or expired where the event is not kept any more; null where it was delivered, or nobody saw its end.
             * @example status
             */
            errorClass: string | null;
        };
        /**
         * TestRequest
         * @description What was sent, without the custom headers and the signature.
         */
        TestRequest: {
            /**
             * @description Where it was sent.
             * @example https://example.com/hooks
             */
            url: string;
            /**
             * @description What `webhook-id` said.
             * @example evt_019aa0f27f537c0a9c3e2a6f0c1d9b11
             */
            eventId: string;
            /**
             * @description What was sent, byte by byte.
             * @example {"id":"evt_019aa0f27f537c0a9c3e2a6f0c1d9b11","type":"webhook:test"}
             */
            body: string;
        };
        /**
         * Topic
         * @description What a webhook can be told of.
         */
        Topic: {
            /**
             * @description The topic, as a webhook names it.
             * @example order:despatched
             */
            topicName: string;
            /** @description What its events are about. */
            objectType: components["schemas"]["EventObjectType"];
            /**
             * @description What stands in their objectId.
             * @example the orderId
             */
            object: string;
            /**
             * @description When it is told.
             * @example All that is to leave has left the warehouse.
             */
            description: string;
            /**
             * @description Path of the page that describes it.
             * @example /docs/events#order:despatched
             */
            documentation: string;
            /** @description What a push of it could look like. */
            sample: {
                /**
                 * @description Names the event: also the header webhook-id, the same on every try. Events of one id are one event.
                 * @example evt_019aa0f27f537c0a9c3e2a6f0c1d9b11
                 */
                id: string;
                /**
                 * @description The topic.
                 * @example order:despatched
                 */
                type: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                timestamp: string;
                /**
                 * @description Client.
                 * @example DEMO
                 */
                clientId: string;
                /**
                 * @description Facility; null where the event belongs to none, and goes to all.
                 * @example DC1
                 */
                facilityCode: string | null;
                /** @description What it is about. */
                objectType: components["schemas"]["EventObjectType"];
                /**
                 * @description The object that it is about.
                 * @example WEB-100045
                 */
                objectId: string;
                /**
                 * @description Counts all events of the object; null for events that were published before they were counted.
                 * @example 42
                 */
                sequence: number | null;
                /**
                 * @description What the topic tells: `/asyncapi.json` has the schema for each, `/docs/events` shows them.
                 * @example {
                 *       "orderId": "WEB-100045",
                 *       "status": "DESPATCHED",
                 *       "statusCode": 100
                 *     }
                 */
                data: {
                    [key: string]: unknown;
                };
            };
        };
        /**
         * TopicPage
         * @description Topics, group by group.
         */
        TopicPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Topic"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * Webhook
         * @description A subscription: where which events are pushed to, and how that goes.
         */
        Webhook: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
             */
            webhookId: string;
            /**
             * @description What it is told of: a topic, `*` for all, or a group such as `order:*`.
             * @example order:*
             */
            topicName: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility whose events are pushed, or `*` for all. Events that belong to no facility are always pushed.
             * @example DC1
             */
            facilityCode: string;
            /**
             * @description Where the events are POSTed to: http(s), without credentials. Plain http only in sandbox. Addresses of private networks are refused, unless the operator has listed them.
             * @example https://example.com/hooks
             */
            url: string;
            /**
             * @description Content-Type of the push: any JSON type or `text/*`. The body is JSON, whatever it says.
             * @example application/json
             */
            contentType: string;
            /** @description Mail addresses that are alerted when the destination cannot be reached or answers errors. */
            emailList: string[];
            /**
             * @description Headers sent with every push: their names. Values are never shown.
             * @example {
             *       "X-Hook-Key": "***"
             *     }
             */
            customHeaders: {
                [key: string]: string;
            };
            /**
             * @description 0: active. 1: paused, and receives nothing.
             * @example 0
             */
            isPaused: number;
            status: components["schemas"]["WebhookStatus"];
            health: components["schemas"]["WebhookHealth"];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the client last changed it.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Counts up with every change by the client; also in the ETag.
             * @example 1
             */
            version: number;
        };
        /**
         * WebhookAction
         * @description May be left out.
         */
        WebhookAction: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
        };
        /**
         * WebhookCreate
         * @description A subscription to be made.
         */
        WebhookCreate: {
            /**
             * @description What it is told of: a topic, `*` for all, or a group such as `order:*`.
             * @example order:*
             */
            topicName: string;
            /**
             * @description Client identifier: here always said.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility whose events are pushed, or `*` for all. Events that belong to no facility are always pushed.
             * @example DC1
             */
            facilityCode: string;
            /**
             * @description Where the events are POSTed to: http(s), without credentials. Plain http only in sandbox. Addresses of private networks are refused, unless the operator has listed them.
             * @example https://example.com/hooks
             */
            url: string;
            /**
             * @description Content-Type of the push: any JSON type or `text/*`. The body is JSON, whatever it says.
             * @example application/json
             */
            contentType: string;
            /** @description Mail addresses that are alerted when the destination cannot be reached or answers errors. */
            emailList?: string[];
            /**
             * @description Headers sent with every push, by name: the header's value; answers show `***` in its place. At most 20. Not those of the connection, Host, Content-*, webhook-* or crossdock-*.
             * @example {
             *       "X-Hook-Key": "a key of your own"
             *     }
             */
            customHeaders?: {
                [key: string]: string;
            };
            /**
             * @description 0: active. 1: paused, and receives nothing.
             * @default 0
             * @example 0
             */
            isPaused?: number;
        };
        /**
         * WebhookHealth
         * @description How sending goes.
         */
        WebhookHealth: {
            /**
             * Format: date-time
             * @description When something was last delivered.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description When a try last failed.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastFailureAt: string | null;
            /**
             * @description Failed tries since the last success.
             * @example 0
             */
            consecutiveFailures: number;
            /**
             * @description Deliveries that have not ended.
             * @example 3
             */
            pending: number;
        };
        /**
         * WebhookPage
         * @description Webhooks, as they were made.
         */
        WebhookPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Webhook"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * WebhookPatch
         * @description JSON merge patch (RFC 7396) of a subscription.
         */
        WebhookPatch: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description What it is told of: a topic, `*` for all, or a group such as `order:*`.
             * @example order:*
             */
            topicName?: string;
            /**
             * @description Facility whose events are pushed, or `*` for all. Events that belong to no facility are always pushed.
             * @example DC1
             */
            facilityCode?: string;
            /**
             * @description Where the events are POSTed to: http(s), without credentials. Plain http only in sandbox. Addresses of private networks are refused, unless the operator has listed them.
             * @example https://example.com/hooks
             */
            url?: string;
            /**
             * @description Content-Type of the push: any JSON type or `text/*`. The body is JSON, whatever it says.
             * @example application/json
             */
            contentType?: string;
            /** @description Mail addresses that are alerted when the destination cannot be reached or answers errors. */
            emailList?: string[] | null;
            /**
             * @description Headers sent with every push, by name: the header's value; answers show `***` in its place. At most 20. Not those of the connection, Host, Content-*, webhook-* or crossdock-*. Merged by name: null removes one, `***` keeps the value that is stored.
             * @example {
             *       "X-Hook-Key": "another key"
             *     }
             */
            customHeaders?: {
                [key: string]: string | null;
            } | null;
            /**
             * @description 0: active. 1: paused, and receives nothing.
             * @example 0
             */
            isPaused?: number | null;
        };
        /**
         * WebhookStatus
         * @description ACTIVE; FAILING: the last tries failed, and only probes are sent; PAUSED by the client; DISABLED: eight days of failures, or the receiver answered 410. A patch with isPaused 0 makes it ACTIVE again.
         * @example ACTIVE
         * @enum {string}
         */
        WebhookStatus: "ACTIVE" | "FAILING" | "PAUSED" | "DISABLED";
        /**
         * WebhookTest
         * @description A request that was sent now, and its answer.
         */
        WebhookTest: {
            /**
             * @description The webhook.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
             */
            webhookId: string;
            /**
             * @description The receiver answered 2xx.
             * @example true
             */
            isDelivered: boolean;
            /**
             * @description Why it was not delivered.
             * @example status 503
             */
            error: string | null;
            request: components["schemas"]["TestRequest"];
            exchange: components["schemas"]["TestExchange"];
        };
        /**
         * WebhookWithSecret
         * @description The subscription, and once its signing secret.
         */
        WebhookWithSecret: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
             */
            webhookId: string;
            /**
             * @description What it is told of: a topic, `*` for all, or a group such as `order:*`.
             * @example order:*
             */
            topicName: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility whose events are pushed, or `*` for all. Events that belong to no facility are always pushed.
             * @example DC1
             */
            facilityCode: string;
            /**
             * @description Where the events are POSTed to: http(s), without credentials. Plain http only in sandbox. Addresses of private networks are refused, unless the operator has listed them.
             * @example https://example.com/hooks
             */
            url: string;
            /**
             * @description Content-Type of the push: any JSON type or `text/*`. The body is JSON, whatever it says.
             * @example application/json
             */
            contentType: string;
            /** @description Mail addresses that are alerted when the destination cannot be reached or answers errors. */
            emailList: string[];
            /**
             * @description Headers sent with every push: their names. Values are never shown.
             * @example {
             *       "X-Hook-Key": "***"
             *     }
             */
            customHeaders: {
                [key: string]: string;
            };
            /**
             * @description 0: active. 1: paused, and receives nothing.
             * @example 0
             */
            isPaused: number;
            status: components["schemas"]["WebhookStatus"];
            health: components["schemas"]["WebhookHealth"];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the client last changed it.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Counts up with every change by the client; also in the ETag.
             * @example 1
             */
            version: number;
            /**
             * @description Signs the pushes as Standard Webhooks has it: `whsec_` and 32 bytes in base64. Shown only now; a repeat with the same Idempotency-Key shows `***`.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwSx4eW0sQ1Zk=
             */
            signingSecret: string;
        };
    };
    responses: {
        /** @description `invalid-request`: The request does not have the required shape. */
        BadRequest: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `malformed-request`: The request cannot be read. `invalid-request`: The request does not have the required shape. */
        BadRequestBody: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`: The state of the object does not allow it. */
        Conflict: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`: The state of the object does not allow it. */
        ConflictIdempotencyKey: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `client-forbidden`: The token is not for this client. `client-suspended`: The client is suspended. `token-kind-forbidden`: The token is for another kind of service. */
        Forbidden: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal-error`: Something went wrong here. */
        InternalServerError: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not-found`: The object does not exist. */
        NotFound: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `body-too-large`: The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition-failed`: The object is not the version that If-Match names. */
        PreconditionFailed: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unavailable`: The service is not available at the moment. */
        ServiceUnavailable: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate-limited`: Too many requests. */
        TooManyRequests: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `token-missing`: A bearer token is required. `token-invalid`: The bearer token is not valid. `token-expired`: The bearer token has expired. `token-other-environment`: The bearer token is of another environment. `token-revoked`: The credential of the bearer token is revoked. */
        Unauthorized: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unprocessable`: The request has a value that cannot be used here. */
        UnprocessableEntity: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `media-type`: The content type is not taken here. */
        UnsupportedMediaType: {
            headers: {
                "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Client identifier. May be left out where the token is for one client.
         * @example DEMO
         */
        ClientId: string;
        /**
         * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
         * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
         */
        Cursor: string;
        /**
         * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
         * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
         */
        IdempotencyKey: string;
        /**
         * @description ETag of the version that is to be changed; another one is refused with 412.
         * @example "1"
         */
        IfMatch: string;
        /**
         * @description How many records at the most.
         * @example 50
         */
        Limit: number;
        /**
         * @description The delivery.
         * @example 019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13
         */
        PathDeliveryId: string;
        /**
         * @description The webhook.
         * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
         */
        PathWebhookId: string;
        /**
         * @description By receipt: oldest first, or with a minus newest first.
         * @example receivedAt
         */
        Sort: components["schemas"]["ReceiptSort"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names the request in the operator's log, and the problem in its body.
         * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
         */
        "X-Correlation-Token": string;
        /**
         * @description The rate of the credential: `q` requests in `w` seconds.
         * @example "default";q=100;w=1
         */
        "RateLimit-Policy": string;
        /**
         * @description Of it, `r` requests are left; all of them again in `t` seconds.
         * @example "default";r=199;t=1
         */
        RateLimit: string;
        /**
         * @description Seconds to wait before the request is sent again.
         * @example 2
         */
        "Retry-After": string;
        /**
         * @description What is wrong with the token (RFC 6750).
         * @example Bearer error="invalid_token", error_description="The access token has expired."
         */
        "WWW-Authenticate": string;
        /**
         * @description The version of the record, for `If-Match`.
         * @example "1"
         */
        ETag: string;
        /**
         * @description Path of what was created.
         * @example /v1/workOrderService/workOrder/get/WO-100
         */
        Location: string;
    };
    pathItems: never;
}
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAction = components['schemas']['DeliveryAction'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type DeliveryTry = components['schemas']['DeliveryTry'];
export type DeliveryWithTries = components['schemas']['DeliveryWithTries'];
export type Event = components['schemas']['Event'];
export type EventFeed = components['schemas']['EventFeed'];
export type EventObjectType = components['schemas']['EventObjectType'];
export type ExchangePhases = components['schemas']['ExchangePhases'];
export type Problem = components['schemas']['Problem'];
export type ReceiptSort = components['schemas']['ReceiptSort'];
export type Recovery = components['schemas']['Recovery'];
export type RecoveryOutcome = components['schemas']['RecoveryOutcome'];
export type TestExchange = components['schemas']['TestExchange'];
export type TestRequest = components['schemas']['TestRequest'];
export type Topic = components['schemas']['Topic'];
export type TopicPage = components['schemas']['TopicPage'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookAction = components['schemas']['WebhookAction'];
export type WebhookCreate = components['schemas']['WebhookCreate'];
export type WebhookHealth = components['schemas']['WebhookHealth'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookPatch = components['schemas']['WebhookPatch'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseBadRequestBody = components['responses']['BadRequestBody'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseConflictIdempotencyKey = components['responses']['ConflictIdempotencyKey'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnprocessableEntity = components['responses']['UnprocessableEntity'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ParameterClientId = components['parameters']['ClientId'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterPathDeliveryId = components['parameters']['PathDeliveryId'];
export type ParameterPathWebhookId = components['parameters']['PathWebhookId'];
export type ParameterSort = components['parameters']['Sort'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLocation = components['headers']['Location'];
export type $defs = Record<string, never>;
export interface operations {
    createWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: {
                /**
                 * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
                 * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description A subscription to be made. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "topicName": "order:*",
                 *       "clientId": "DEMO",
                 *       "facilityCode": "DC1",
                 *       "url": "https://example.com/hooks",
                 *       "contentType": "application/json",
                 *       "emailList": [
                 *         "ops@example.com"
                 *       ],
                 *       "customHeaders": {
                 *         "X-Hook-Key": "a key of your own"
                 *       },
                 *       "isPaused": 0
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The subscription, and once its signing secret. */
            201: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    /**
                     * @description The request was done earlier, under the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "topicName": "order:*",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "url": "https://example.com/hooks",
                     *       "contentType": "application/json",
                     *       "emailList": [
                     *         "ops@example.com"
                     *       ],
                     *       "customHeaders": {
                     *         "X-Hook-Key": "***"
                     *       },
                     *       "isPaused": 0,
                     *       "status": "ACTIVE",
                     *       "health": {
                     *         "lastSuccessAt": "2026-11-20T10:00:00.000Z",
                     *         "lastFailureAt": "2026-11-20T10:00:00.000Z",
                     *         "consecutiveFailures": 0,
                     *         "pending": 3
                     *       },
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1,
                     *       "signingSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwSx4eW0sQ1Zk="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictIdempotencyKey"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: {
                /**
                 * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
                 * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description ETag of the version that is to be changed; another one is refused with 412.
                 * @example "1"
                 */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        /** @description JSON merge patch (RFC 7396) of a subscription. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "topicName": "order:*",
                 *       "facilityCode": "DC1",
                 *       "url": "https://example.com/hooks",
                 *       "contentType": "application/json",
                 *       "emailList": [
                 *         "ops@example.com"
                 *       ],
                 *       "customHeaders": {
                 *         "X-Hook-Key": "another key"
                 *       },
                 *       "isPaused": 0
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPatch"];
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "topicName": "order:*",
                 *       "facilityCode": "DC1",
                 *       "url": "https://example.com/hooks",
                 *       "contentType": "application/json",
                 *       "emailList": [
                 *         "ops@example.com"
                 *       ],
                 *       "customHeaders": {
                 *         "X-Hook-Key": "another key"
                 *       },
                 *       "isPaused": 0
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description A subscription: where which events are pushed to, and how that goes. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    /**
                     * @description The request was done earlier, under the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "topicName": "order:*",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "url": "https://example.com/hooks",
                     *       "contentType": "application/json",
                     *       "emailList": [
                     *         "ops@example.com"
                     *       ],
                     *       "customHeaders": {
                     *         "X-Hook-Key": "***"
                     *       },
                     *       "isPaused": 0,
                     *       "status": "ACTIVE",
                     *       "health": {
                     *         "lastSuccessAt": "2026-11-20T10:00:00.000Z",
                     *         "lastFailureAt": "2026-11-20T10:00:00.000Z",
                     *         "consecutiveFailures": 0,
                     *         "pending": 3
                     *       },
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictIdempotencyKey"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: {
                /**
                 * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
                 * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description ETag of the version that is to be changed; another one is refused with 412.
                 * @example "1"
                 */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /**
                     * @description The request was done earlier, under the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictIdempotencyKey"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: {
                /**
                 * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
                 * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description ETag of the version that is to be changed; another one is refused with 412.
                 * @example "1"
                 */
                "if-match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookAction"];
            };
        };
        responses: {
            /** @description The subscription, and once its signing secret. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    /**
                     * @description The request was done earlier, under the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "topicName": "order:*",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "url": "https://example.com/hooks",
                     *       "contentType": "application/json",
                     *       "emailList": [
                     *         "ops@example.com"
                     *       ],
                     *       "customHeaders": {
                     *         "X-Hook-Key": "***"
                     *       },
                     *       "isPaused": 0,
                     *       "status": "ACTIVE",
                     *       "health": {
                     *         "lastSuccessAt": "2026-11-20T10:00:00.000Z",
                     *         "lastFailureAt": "2026-11-20T10:00:00.000Z",
                     *         "consecutiveFailures": 0,
                     *         "pending": 3
                     *       },
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1,
                     *       "signingSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwSx4eW0sQ1Zk="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictIdempotencyKey"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A subscription: where which events are pushed to, and how that goes. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "topicName": "order:*",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "url": "https://example.com/hooks",
                     *       "contentType": "application/json",
                     *       "emailList": [
                     *         "ops@example.com"
                     *       ],
                     *       "customHeaders": {
                     *         "X-Hook-Key": "***"
                     *       },
                     *       "isPaused": 0,
                     *       "status": "ACTIVE",
                     *       "health": {
                     *         "lastSuccessAt": "2026-11-20T10:00:00.000Z",
                     *         "lastFailureAt": "2026-11-20T10:00:00.000Z",
                     *         "consecutiveFailures": 0,
                     *         "pending": 3
                     *       },
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description By receipt: oldest first, or with a minus newest first.
                 * @example receivedAt
                 */
                sort?: components["parameters"]["Sort"];
                /**
                 * @description How many records at the most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
                 * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhooks, as they were made. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *           "topicName": "order:*",
                     *           "clientId": "DEMO",
                     *           "facilityCode": "DC1",
                     *           "url": "https://example.com/hooks",
                     *           "contentType": "application/json",
                     *           "emailList": [
                     *             "ops@example.com"
                     *           ],
                     *           "customHeaders": {
                     *             "X-Hook-Key": "***"
                     *           },
                     *           "isPaused": 0,
                     *           "status": "ACTIVE",
                     *           "health": {
                     *             "lastSuccessAt": "2026-11-20T10:00:00.000Z",
                     *             "lastFailureAt": "2026-11-20T10:00:00.000Z",
                     *             "consecutiveFailures": 0,
                     *             "pending": 3
                     *           },
                     *           "createdAt": "2026-11-20T10:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description PENDING: not tried yet, or waiting for an earlier one of its object. RETRYING: it has failed and is tried again. HELD while the webhook is paused. DELIVERED. FAILED for good, and can be redelivered for 30 days. SKIPPED: it happened while the webhook was paused or disabled.
                 * @example DELIVERED
                 */
                status?: components["schemas"]["DeliveryStatus"];
                /**
                 * @description Deliveries of this topic, or of a group such as `order:*`.
                 * @example order:*
                 */
                topicName?: string;
                /**
                 * @description Deliveries of this object.
                 * @example WEB-100045
                 */
                objectId?: string;
                /**
                 * @description Made at this moment or later.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                since?: string;
                /**
                 * @description By receipt: oldest first, or with a minus newest first.
                 * @example receivedAt
                 */
                sort?: components["parameters"]["Sort"];
                /**
                 * @description How many records at the most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
                 * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries of a webhook, as they were made. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "deliveryId": "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13",
                     *           "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *           "eventId": "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11",
                     *           "topicName": "order:despatched",
                     *           "objectType": "order",
                     *           "objectId": "WEB-100045",
                     *           "sequence": 7,
                     *           "status": "DELIVERED",
                     *           "tries": 1,
                     *           "nextTryAt": "2026-11-20T10:00:00.000Z",
                     *           "lastError": "status: answered 503",
                     *           "createdAt": "2026-11-20T10:00:00.000Z",
                     *           "endedAt": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: never;
            path: {
                /**
                 * @description The delivery.
                 * @example 019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13
                 */
                deliveryId: components["parameters"]["PathDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery with all its tries. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveryId": "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13",
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "eventId": "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11",
                     *       "topicName": "order:despatched",
                     *       "objectType": "order",
                     *       "objectId": "WEB-100045",
                     *       "sequence": 7,
                     *       "status": "DELIVERED",
                     *       "tries": 1,
                     *       "nextTryAt": "2026-11-20T10:00:00.000Z",
                     *       "lastError": "status: answered 503",
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "endedAt": "2026-11-20T10:00:00.000Z",
                     *       "exchanges": [
                     *         {
                     *           "tryId": "019aa0f2-8a11-7c0a-9c3e-2a6f0c1d9b14",
                     *           "state": "ENDED",
                     *           "isProbe": false,
                     *           "startedAt": "2026-11-20T10:00:00.000Z",
                     *           "endedAt": "2026-11-20T10:00:00.000Z",
                     *           "durationMs": 84,
                     *           "address": "93.184.215.14",
                     *           "phases": {
                     *             "lookup": 12.5,
                     *             "connect": 12.5,
                     *             "tls": 12.5,
                     *             "send": 12.5,
                     *             "wait": 12.5,
                     *             "receive": 12.5
                     *           },
                     *           "status": 200,
                     *           "headers": {
                     *             "content-type": "text/plain"
                     *           },
                     *           "body": "ok",
                     *           "errorClass": "status"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryWithTries"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: {
                /**
                 * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
                 * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The delivery.
                 * @example 019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13
                 */
                deliveryId: components["parameters"]["PathDeliveryId"];
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO"
                 *     }
                 */
                "application/json": components["schemas"]["DeliveryAction"];
            };
        };
        responses: {
            /** @description An event that one webhook is sent. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /**
                     * @description The request was done earlier, under the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveryId": "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13",
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "eventId": "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11",
                     *       "topicName": "order:despatched",
                     *       "objectType": "order",
                     *       "objectId": "WEB-100045",
                     *       "sequence": 7,
                     *       "status": "DELIVERED",
                     *       "tries": 1,
                     *       "nextTryAt": "2026-11-20T10:00:00.000Z",
                     *       "lastError": "status: answered 503",
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "endedAt": "2026-11-20T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictIdempotencyKey"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: {
                /**
                 * @description A name that the client gives to this very request: sent again within seven days, it is answered as the first time, with `Idempotent-Replayed: true`, and does nothing.
                 * @example 5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        /** @description What is to be sent again. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "since": "2026-11-20T10:00:00.000Z",
                 *       "until": "2026-11-20T18:00:00.000Z",
                 *       "onlyFailed": true
                 *     }
                 */
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description What is sent again. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /**
                     * @description The request was done earlier, under the same `Idempotency-Key`.
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "scheduled": 12,
                     *       "nextSince": "2026-11-20T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryOutcome"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictIdempotencyKey"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12
                 */
                webhookId: components["parameters"]["PathWebhookId"];
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookAction"];
            };
        };
        responses: {
            /** @description A request that was sent now, and its answer. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
                     *       "isDelivered": true,
                     *       "error": "status 503",
                     *       "request": {
                     *         "url": "https://example.com/hooks",
                     *         "eventId": "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11",
                     *         "body": "{\"id\":\"evt_019aa0f27f537c0a9c3e2a6f0c1d9b11\",\"type\":\"webhook:test\"}"
                     *       },
                     *       "exchange": {
                     *         "startedAt": "2026-11-20T10:00:00.000Z",
                     *         "endedAt": "2026-11-20T10:00:00.000Z",
                     *         "durationMs": 84,
                     *         "address": "93.184.215.14",
                     *         "phases": {
                     *           "lookup": 12.5,
                     *           "connect": 12.5,
                     *           "tls": 12.5,
                     *           "send": 12.5,
                     *           "wait": 12.5,
                     *           "receive": 12.5
                     *         },
                     *         "status": 200,
                     *         "headers": {
                     *           "content-type": "text/plain"
                     *         },
                     *         "body": "ok",
                     *         "errorClass": "status"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description As of a webhook: one topic, a group of them such as `order:*`, or `*` for all.
                 * @example order:*
                 */
                topicName?: string;
                /**
                 * @description As of a webhook: events of this facility, and those that belong to none; `*` for all.
                 * @example DC1
                 */
                facilityCode?: string;
                /**
                 * @description Events about objects of this kind.
                 * @example order
                 */
                objectType?: components["schemas"]["EventObjectType"];
                /**
                 * @description Events about this object; with objectType, where other kinds may have one of the same name.
                 * @example WEB-100045
                 */
                objectId?: string;
                /**
                 * @description Where to start without a cursor: at the first event of this moment or later. Events are listed by position, so some behind it may be a little older. With a cursor it is passed over.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                since?: string;
                /**
                 * @description How many records at the most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
                 * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event log behind a cursor. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11",
                     *           "type": "order:despatched",
                     *           "timestamp": "2026-11-20T10:00:00.000Z",
                     *           "clientId": "DEMO",
                     *           "facilityCode": "DC1",
                     *           "objectType": "order",
                     *           "objectId": "WEB-100045",
                     *           "sequence": 42,
                     *           "data": {
                     *             "orderId": "WEB-100045",
                     *             "status": "DESPATCHED",
                     *             "statusCode": 100
                     *           },
                     *           "position": 88214
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["EventFeed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTopics: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description How many records at the most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
                 * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Topics, group by group. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "topicName": "order:despatched",
                     *           "objectType": "order",
                     *           "object": "the orderId",
                     *           "description": "All that is to leave has left the warehouse.",
                     *           "documentation": "/docs/events#order:despatched",
                     *           "sample": {
                     *             "id": "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11",
                     *             "type": "order:despatched",
                     *             "timestamp": "2026-11-20T10:00:00.000Z",
                     *             "clientId": "DEMO",
                     *             "facilityCode": "DC1",
                     *             "objectType": "order",
                     *             "objectId": "WEB-100045",
                     *             "sequence": 42,
                     *             "data": {
                     *               "orderId": "WEB-100045",
                     *               "status": "DESPATCHED",
                     *               "statusCode": 100
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["TopicPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
