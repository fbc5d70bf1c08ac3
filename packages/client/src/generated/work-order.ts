// Generated from schemas/openapi/work-order.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/workOrderService/workOrder/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a work order and reserve its components
         * @description It is RELEASED to the warehouse when all components are reserved, and WAITING_COMPONENTS until then. Its SKUs must be known through CAT. Facility, finishedGoodSku and consumption stay as they are.
         */
        post: operations["createWorkOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workOrderService/workOrder/update/{workOrderId}": {
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
         * Change a work order until the warehouse starts on it
         * @description Changes qty, components, dueDate, priority and notes. components are replaced as a whole; what is not needed any more is free again, what is needed besides is reserved. A patch that changes nothing makes no new version.
         */
        patch: operations["updateWorkOrder"];
        trace?: never;
    };
    "/v1/workOrderService/workOrder/cancel/{workOrderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a work order until the warehouse starts on it
         * @description What it holds of its components is free again at once. After the first report it is refused with 409: then only the warehouse can end it, by closing it short.
         */
        post: operations["cancelWorkOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workOrderService/workOrder/get/{workOrderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One work order with its components
         * @description One work order with its components.
         */
        get: operations["getWorkOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workOrderService/workOrder/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Work orders by receipt, oldest first unless sorted the other way
         * @description Work orders by receipt, oldest first unless sorted the other way.
         */
        get: operations["listWorkOrders"];
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
         * Consumption
         * @description BACKFLUSH: a finished good consumes its components by qtyPer. REPORTED: the warehouse reports what was consumed. Fixed at create.
         * @example BACKFLUSH
         * @enum {string}
         */
        Consumption: "BACKFLUSH" | "REPORTED";
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
         * WorkOrder
         * @description Assembles a finished good from components.
         */
        WorkOrder: {
            /**
             * @description Identifier of the work order.
             * @example WO-100
             */
            workOrderId: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility that assembles.
             * @example DC1
             */
            facilityCode: string;
            status: components["schemas"]["WorkOrderStatus"];
            /**
             * @description What is made.
             * @example GIFT-SET
             */
            finishedGoodSku: string;
            /**
             * @description Stock unit of what is made.
             * @example EA
             */
            uom: string;
            /**
             * @description How much is to be made.
             * @example 2
             */
            qtyOrdered: number;
            /**
             * @description How much was made.
             * @example 2
             */
            qtyCompleted: number;
            consumption: components["schemas"]["Consumption"];
            /** @description What it is made of. */
            components: components["schemas"]["WorkOrderComponent"][];
            /**
             * Format: date-time
             * @description By when it is wanted.
             * @example 2026-11-20T10:00:00.000Z
             */
            dueDate: string | null;
            /**
             * @description 1 is served first, 9 last.
             * @example 5
             */
            priority: number;
            /**
             * @description Notes for the warehouse.
             * @example Gift wrap in red.
             */
            notes: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Counts up with every change; also in the ETag.
             * @example 1
             */
            version: number;
        };
        /**
         * WorkOrderCancel
         * @description May be left out.
         */
        WorkOrderCancel: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Why; kept in the audit log.
             * @example Not wanted any more
             */
            reason?: string;
        };
        /**
         * WorkOrderComponent
         * @description A component of a work order.
         */
        WorkOrderComponent: {
            /**
             * @description Number of the component within the work order.
             * @example 1
             */
            lineNumber: number;
            /**
             * @description Component.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Stock unit of the component, in which its quantities are.
             * @example EA
             */
            uom: string;
            /**
             * @description Quantity for one finished good.
             * @example 2
             */
            qtyPer: number;
            /**
             * @description Quantity for all that is ordered.
             * @example 2
             */
            qtyRequired: number;
            /**
             * @description Reserved for it in the warehouse.
             * @example 2
             */
            qtyAllocated: number;
            /**
             * @description Consumed so far, scrap included.
             * @example 2
             */
            qtyConsumed: number;
        };
        /**
         * WorkOrderComponentCreate
         * @description A component of a new work order.
         */
        WorkOrderComponentCreate: {
            /**
             * @description Component.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Quantity for one finished good. At most three decimals; whole where the stock unit is EA.
             * @example 2
             */
            qtyPer: number;
        };
        /**
         * WorkOrderCreate
         * @description A work order to be created.
         */
        WorkOrderCreate: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Facility that assembles.
             * @example DC1
             */
            facilityCode: string;
            /**
             * @description Identifier of the work order; made for you where left out.
             * @example WO-100
             */
            workOrderId?: string;
            /**
             * @description What is to be made.
             * @example GIFT-SET
             */
            finishedGoodSku: string;
            /**
             * @description How much is to be made. At most three decimals; whole where the stock unit is EA.
             * @example 2
             */
            qty: number;
            /** @description What it is made of; no SKU twice. */
            components: components["schemas"]["WorkOrderComponentCreate"][];
            consumption?: components["schemas"]["Consumption"];
            /**
             * Format: date-time
             * @description By when it is wanted.
             * @example 2026-11-20T10:00:00.000Z
             */
            dueDate?: string;
            /**
             * @description 1 is served first, 9 last.
             * @default 5
             * @example 5
             */
            priority?: number;
            /**
             * @description Notes for the warehouse.
             * @example Gift wrap in red.
             */
            notes?: string;
        };
        /**
         * WorkOrderPage
         * @description Work orders, by receipt.
         */
        WorkOrderPage: {
            /** @description The records of this page. */
            items: components["schemas"]["WorkOrder"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * WorkOrderPatch
         * @description JSON merge patch (RFC 7396) of a work order.
         */
        WorkOrderPatch: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description How much is to be made. At most three decimals; whole where the stock unit is EA.
             * @example 2
             */
            qty?: number;
            /** @description What it is made of; no SKU twice. */
            components?: components["schemas"]["WorkOrderComponentCreate"][];
            /**
             * Format: date-time
             * @description By when it is wanted.
             * @example 2026-11-30T12:00:00.000Z
             */
            dueDate?: string | null;
            /**
             * @description 1 is served first, 9 last.
             * @example 5
             */
            priority?: number | null;
            /**
             * @description Notes for the warehouse.
             * @example Gift wrap in red.
             */
            notes?: string | null;
        };
        /**
         * WorkOrderStatus
         * @description State of the work order.
         * @example RELEASED
         * @enum {string}
         */
        WorkOrderStatus: "CREATED" | "WAITING_COMPONENTS" | "RELEASED" | "IN_PROGRESS" | "COMPLETED" | "CLOSED_SHORT" | "CANCELLED";
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
         * @description The work order.
         * @example WO-100
         */
        PathWorkOrderId: string;
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
export type Consumption = components['schemas']['Consumption'];
export type Problem = components['schemas']['Problem'];
export type ReceiptSort = components['schemas']['ReceiptSort'];
export type WorkOrder = components['schemas']['WorkOrder'];
export type WorkOrderCancel = components['schemas']['WorkOrderCancel'];
export type WorkOrderComponent = components['schemas']['WorkOrderComponent'];
export type WorkOrderComponentCreate = components['schemas']['WorkOrderComponentCreate'];
export type WorkOrderCreate = components['schemas']['WorkOrderCreate'];
export type WorkOrderPage = components['schemas']['WorkOrderPage'];
export type WorkOrderPatch = components['schemas']['WorkOrderPatch'];
export type WorkOrderStatus = components['schemas']['WorkOrderStatus'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseBadRequestBody = components['responses']['BadRequestBody'];
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
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterPathWorkOrderId = components['parameters']['PathWorkOrderId'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLocation = components['headers']['Location'];
export type $defs = Record<string, never>;
export interface operations {
    createWorkOrder: {
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
        /** @description A work order to be created. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "facilityCode": "DC1",
                 *       "workOrderId": "WO-100",
                 *       "finishedGoodSku": "GIFT-SET",
                 *       "qty": 2,
                 *       "components": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "qtyPer": 2
                 *         }
                 *       ],
                 *       "consumption": "BACKFLUSH",
                 *       "dueDate": "2026-11-20T10:00:00.000Z",
                 *       "priority": 5,
                 *       "notes": "Gift wrap in red."
                 *     }
                 */
                "application/json": components["schemas"]["WorkOrderCreate"];
            };
        };
        responses: {
            /** @description Assembles a finished good from components. */
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
                     *       "workOrderId": "WO-100",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "status": "RELEASED",
                     *       "finishedGoodSku": "GIFT-SET",
                     *       "uom": "EA",
                     *       "qtyOrdered": 2,
                     *       "qtyCompleted": 2,
                     *       "consumption": "BACKFLUSH",
                     *       "components": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "uom": "EA",
                     *           "qtyPer": 2,
                     *           "qtyRequired": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyConsumed": 2
                     *         }
                     *       ],
                     *       "dueDate": "2026-11-20T10:00:00.000Z",
                     *       "priority": 5,
                     *       "notes": "Gift wrap in red.",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
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
    updateWorkOrder: {
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
                 * @description The work order.
                 * @example WO-100
                 */
                workOrderId: components["parameters"]["PathWorkOrderId"];
            };
            cookie?: never;
        };
        /** @description JSON merge patch (RFC 7396) of a work order. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "qty": 2,
                 *       "components": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "qtyPer": 2
                 *         }
                 *       ],
                 *       "dueDate": "2026-11-30T12:00:00.000Z",
                 *       "priority": 5,
                 *       "notes": "Gift wrap in red."
                 *     }
                 */
                "application/json": components["schemas"]["WorkOrderPatch"];
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "qty": 2,
                 *       "components": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "qtyPer": 2
                 *         }
                 *       ],
                 *       "dueDate": "2026-11-30T12:00:00.000Z",
                 *       "priority": 5,
                 *       "notes": "Gift wrap in red."
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["WorkOrderPatch"];
            };
        };
        responses: {
            /** @description Assembles a finished good from components. */
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
                     *       "workOrderId": "WO-100",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "status": "RELEASED",
                     *       "finishedGoodSku": "GIFT-SET",
                     *       "uom": "EA",
                     *       "qtyOrdered": 2,
                     *       "qtyCompleted": 2,
                     *       "consumption": "BACKFLUSH",
                     *       "components": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "uom": "EA",
                     *           "qtyPer": 2,
                     *           "qtyRequired": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyConsumed": 2
                     *         }
                     *       ],
                     *       "dueDate": "2026-11-20T10:00:00.000Z",
                     *       "priority": 5,
                     *       "notes": "Gift wrap in red.",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
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
    cancelWorkOrder: {
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
                 * @description The work order.
                 * @example WO-100
                 */
                workOrderId: components["parameters"]["PathWorkOrderId"];
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "reason": "Not wanted any more"
                 *     }
                 */
                "application/json": components["schemas"]["WorkOrderCancel"];
            };
        };
        responses: {
            /** @description Assembles a finished good from components. */
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
                     *       "workOrderId": "WO-100",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "status": "RELEASED",
                     *       "finishedGoodSku": "GIFT-SET",
                     *       "uom": "EA",
                     *       "qtyOrdered": 2,
                     *       "qtyCompleted": 2,
                     *       "consumption": "BACKFLUSH",
                     *       "components": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "uom": "EA",
                     *           "qtyPer": 2,
                     *           "qtyRequired": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyConsumed": 2
                     *         }
                     *       ],
                     *       "dueDate": "2026-11-20T10:00:00.000Z",
                     *       "priority": 5,
                     *       "notes": "Gift wrap in red.",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
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
    getWorkOrder: {
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
                 * @description The work order.
                 * @example WO-100
                 */
                workOrderId: components["parameters"]["PathWorkOrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Assembles a finished good from components. */
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
                     *       "workOrderId": "WO-100",
                     *       "clientId": "DEMO",
                     *       "facilityCode": "DC1",
                     *       "status": "RELEASED",
                     *       "finishedGoodSku": "GIFT-SET",
                     *       "uom": "EA",
                     *       "qtyOrdered": 2,
                     *       "qtyCompleted": 2,
                     *       "consumption": "BACKFLUSH",
                     *       "components": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "uom": "EA",
                     *           "qtyPer": 2,
                     *           "qtyRequired": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyConsumed": 2
                     *         }
                     *       ],
                     *       "dueDate": "2026-11-20T10:00:00.000Z",
                     *       "priority": 5,
                     *       "notes": "Gift wrap in red.",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
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
    listWorkOrders: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description State of the work order.
                 * @example RELEASED
                 */
                status?: components["schemas"]["WorkOrderStatus"];
                /**
                 * @description Work orders of this facility.
                 * @example DC1
                 */
                facilityCode?: string;
                /**
                 * @description Changed at this moment or later; may repeat what was answered before.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedSince?: string;
                /**
                 * @description By receipt: oldest first, or with a minus newest first.
                 * @example receivedAt
                 */
                sort?: components["schemas"]["ReceiptSort"];
                /**
                 * @description How many records at the most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
                 * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Work orders, by receipt. */
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
                     *           "workOrderId": "WO-100",
                     *           "clientId": "DEMO",
                     *           "facilityCode": "DC1",
                     *           "status": "RELEASED",
                     *           "finishedGoodSku": "GIFT-SET",
                     *           "uom": "EA",
                     *           "qtyOrdered": 2,
                     *           "qtyCompleted": 2,
                     *           "consumption": "BACKFLUSH",
                     *           "components": [
                     *             {
                     *               "lineNumber": 1,
                     *               "sku": "MUG-BLUE-330",
                     *               "uom": "EA",
                     *               "qtyPer": 2,
                     *               "qtyRequired": 2,
                     *               "qtyAllocated": 2,
                     *               "qtyConsumed": 2
                     *             }
                     *           ],
                     *           "dueDate": "2026-11-20T10:00:00.000Z",
                     *           "priority": 5,
                     *           "notes": "Gift wrap in red.",
                     *           "receivedAt": "2026-11-20T10:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrderPage"];
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
}
