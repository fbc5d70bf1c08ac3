// Generated from schemas/openapi/webhook.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
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
            /**
             * @description What it is about.
             * @example order
             * @enum {string}
             */
            objectType: "order" | "workOrder" | "purchaseOrder" | "return" | "stock" | "feed" | "webhook";
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
             * @example eyJ2IjoxLCJrIjoiZXZlbnRzIiwicCI6eyJwIjo4ODIxNCwiYyI6IkRFTU8ifX0
             */
            nextCursor: string;
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
         * Topic
         * @description What a webhook can be told of.
         */
        Topic: {
            /**
             * @description The topic, as a webhook names it.
             * @example order:despatched
             */
            topicName: string;
            /**
             * @description What its events are about.
             * @example order
             * @enum {string}
             */
            objectType: "order" | "workOrder" | "purchaseOrder" | "return" | "stock" | "feed" | "webhook";
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
                /**
                 * @description What it is about.
                 * @example order
                 * @enum {string}
                 */
                objectType: "order" | "workOrder" | "purchaseOrder" | "return" | "stock" | "feed" | "webhook";
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
             * @example eyJ2IjoxLCJrIjoib3JkZXJzOnJlY2VpdmVkQXQiLCJwIjp7fX0
             */
            nextCursor: string | null;
        };
    };
    responses: never;
    parameters: never;
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
    };
    pathItems: never;
}
export type Event = components['schemas']['Event'];
export type EventFeed = components['schemas']['EventFeed'];
export type Problem = components['schemas']['Problem'];
export type Topic = components['schemas']['Topic'];
export type TopicPage = components['schemas']['TopicPage'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: string;
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
                objectType?: "order" | "workOrder" | "purchaseOrder" | "return" | "stock" | "feed" | "webhook";
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
                limit?: number;
                /**
                 * @description The nextCursor of the page before, as it was answered.
                 * @example eyJ2IjoxLCJrIjoib3JkZXJzOnJlY2VpdmVkQXQiLCJwIjp7fX0
                 */
                cursor?: string;
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
                     *       "nextCursor": "eyJ2IjoxLCJrIjoiZXZlbnRzIiwicCI6eyJwIjo4ODIxNCwiYyI6IkRFTU8ifX0"
                     *     }
                     */
                    "application/json": components["schemas"]["EventFeed"];
                };
            };
            /** @description `invalid-request`: The request does not have the required shape. */
            400: {
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
            /** @description `token-missing`: A bearer token is required. `token-invalid`: The bearer token is not valid. `token-expired`: The bearer token has expired. `token-other-environment`: The bearer token is of another environment. `token-revoked`: The credential of the bearer token is revoked. */
            401: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `client-forbidden`: The token is not for this client. `client-suspended`: The client is suspended. `token-kind-forbidden`: The token is for another kind of service. */
            403: {
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
            /** @description `unprocessable`: The request names something that does not exist here. */
            422: {
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
            /** @description `rate-limited`: Too many requests. */
            429: {
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
            /** @description `internal-error`: Something went wrong here. */
            500: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service is not available at the moment. */
            503: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTopics: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: string;
                /**
                 * @description How many records at the most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The nextCursor of the page before, as it was answered.
                 * @example eyJ2IjoxLCJrIjoib3JkZXJzOnJlY2VpdmVkQXQiLCJwIjp7fX0
                 */
                cursor?: string;
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
                     *       "nextCursor": "eyJ2IjoxLCJrIjoib3JkZXJzOnJlY2VpdmVkQXQiLCJwIjp7fX0"
                     *     }
                     */
                    "application/json": components["schemas"]["TopicPage"];
                };
            };
            /** @description `invalid-request`: The request does not have the required shape. */
            400: {
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
            /** @description `token-missing`: A bearer token is required. `token-invalid`: The bearer token is not valid. `token-expired`: The bearer token has expired. `token-other-environment`: The bearer token is of another environment. `token-revoked`: The credential of the bearer token is revoked. */
            401: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `client-forbidden`: The token is not for this client. `client-suspended`: The client is suspended. `token-kind-forbidden`: The token is for another kind of service. */
            403: {
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
            /** @description `rate-limited`: Too many requests. */
            429: {
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
            /** @description `internal-error`: Something went wrong here. */
            500: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service is not available at the moment. */
            503: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
