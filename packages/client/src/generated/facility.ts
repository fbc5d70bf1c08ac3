// Generated from schemas/openapi/facility.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/facilityService/facility/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The facilities open to the client, in the order of routing
         * @description In the order in which orders without a distributionCentre are routed, the first facility first. Where the operator changes that order between two pages, a facility may be missed or come twice.
         */
        get: operations["listFacilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilityService/facility/get/{facilityCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One facility
         * @description One facility.
         */
        get: operations["getFacility"];
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
         * Facility
         * @description A place that keeps and sends goods.
         */
        Facility: {
            /**
             * @description Code of the facility: the distributionCentre of feeds and orders.
             * @example DC1
             */
            facilityCode: string;
            /**
             * @description What people call it.
             * @example London Gateway
             */
            name: string;
            address: components["schemas"]["FacilityAddress"];
            /**
             * @description IANA time zone.
             * @example Europe/London
             */
            timezone: string;
            /**
             * @description Local time, HH:MM: what is accepted until then on an operating day is to leave that day, later orders on the next one. Null: orders are due at no certain time.
             * @example 17:00
             */
            cutOffTime: string | null;
            /** @description Days on which goods leave, from Monday on. */
            operatingDays: components["schemas"]["Weekday"][];
            /** @description Days on which none leave, by date. */
            holidays: components["schemas"]["Holiday"][];
            /** @description What it can do, in alphabetical order: words of the operator's. */
            capabilities: string[];
            status: components["schemas"]["FacilityStatus"];
            /**
             * @description Counts up with every change; also in the ETag.
             * @example 1
             */
            version: number;
        };
        /**
         * FacilityAddress
         * @description Where it is.
         */
        FacilityAddress: {
            /**
             * @description Company at the address.
             * @example London Gateway Logistics Ltd
             */
            companyName: string | null;
            /**
             * @description Street and number.
             * @example 1 Gateway Park
             */
            address1: string | null;
            /**
             * @description Second line.
             * @example Gate 4
             */
            address2: string | null;
            /**
             * @description City.
             * @example Stanford-le-Hope
             */
            city: string | null;
            /**
             * @description Postcode.
             * @example SS17 9DY
             */
            zip: string | null;
            /**
             * @description State, province or county.
             * @example Essex
             */
            state: string | null;
            /**
             * @description Country code of ISO 3166-1, two letters.
             * @example GB
             */
            country: string;
            /**
             * @description Telephone number.
             * @example +44 1375 000000
             */
            phone: string | null;
            /**
             * @description Mail address.
             * @example dc1@example.com
             */
            email: string | null;
        };
        /**
         * FacilityPage
         * @description Facilities open to the client, in the order of routing.
         */
        FacilityPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Facility"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * FacilityStatus
         * @description ACTIVE, or CLOSED: nothing more is to be sent there. It is for the client to know: documents that name a closed facility are judged like others, as long as it is open to the client.
         * @example ACTIVE
         * @enum {string}
         */
        FacilityStatus: "ACTIVE" | "CLOSED";
        /**
         * Holiday
         * @description A day on which no goods leave.
         */
        Holiday: {
            /**
             * Format: date
             * @description The day, by its own calendar.
             * @example 2026-12-25
             */
            date: string;
            /**
             * @description What it is called.
             * @example Christmas Day
             */
            name: string | null;
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
         * Weekday
         * @description Day of the week.
         * @example MON
         * @enum {string}
         */
        Weekday: "MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN";
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
    };
    parameters: {
        /**
         * @description Client identifier. May be left out where the token is for one client.
         * @example DEMO
         */
        ClientId: string;
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
    };
    pathItems: never;
}
export type Facility = components['schemas']['Facility'];
export type FacilityAddress = components['schemas']['FacilityAddress'];
export type FacilityPage = components['schemas']['FacilityPage'];
export type FacilityStatus = components['schemas']['FacilityStatus'];
export type Holiday = components['schemas']['Holiday'];
export type Problem = components['schemas']['Problem'];
export type Weekday = components['schemas']['Weekday'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ParameterClientId = components['parameters']['ClientId'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderETag = components['headers']['ETag'];
export type $defs = Record<string, never>;
export interface operations {
    listFacilities: {
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
            /** @description Facilities open to the client, in the order of routing. */
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
                     *           "facilityCode": "DC1",
                     *           "name": "London Gateway",
                     *           "address": {
                     *             "companyName": "London Gateway Logistics Ltd",
                     *             "address1": "1 Gateway Park",
                     *             "address2": "Gate 4",
                     *             "city": "Stanford-le-Hope",
                     *             "zip": "SS17 9DY",
                     *             "state": "Essex",
                     *             "country": "GB",
                     *             "phone": "+44 1375 000000",
                     *             "email": "dc1@example.com"
                     *           },
                     *           "timezone": "Europe/London",
                     *           "cutOffTime": "17:00",
                     *           "operatingDays": [
                     *             "MON"
                     *           ],
                     *           "holidays": [
                     *             {
                     *               "date": "2026-12-25",
                     *               "name": "Christmas Day"
                     *             }
                     *           ],
                     *           "capabilities": [
                     *             "COLD_CHAIN"
                     *           ],
                     *           "status": "ACTIVE",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["FacilityPage"];
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
    getFacility: {
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
                 * @description The facility.
                 * @example DC1
                 */
                facilityCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A place that keeps and sends goods. */
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
                     *       "facilityCode": "DC1",
                     *       "name": "London Gateway",
                     *       "address": {
                     *         "companyName": "London Gateway Logistics Ltd",
                     *         "address1": "1 Gateway Park",
                     *         "address2": "Gate 4",
                     *         "city": "Stanford-le-Hope",
                     *         "zip": "SS17 9DY",
                     *         "state": "Essex",
                     *         "country": "GB",
                     *         "phone": "+44 1375 000000",
                     *         "email": "dc1@example.com"
                     *       },
                     *       "timezone": "Europe/London",
                     *       "cutOffTime": "17:00",
                     *       "operatingDays": [
                     *         "MON"
                     *       ],
                     *       "holidays": [
                     *         {
                     *           "date": "2026-12-25",
                     *           "name": "Christmas Day"
                     *         }
                     *       ],
                     *       "capabilities": [
                     *         "COLD_CHAIN"
                     *       ],
                     *       "status": "ACTIVE",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Facility"];
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
}
