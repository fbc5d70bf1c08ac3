// Generated from schemas/openapi/item-master.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/itemMasterService/findItemBySku": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The item of one SKU, if it is known
         * @description An unknown SKU is no error: it is answered with 200, `found` false and null in all other fields. The ETag is that of the item, and left out where there is none.
         */
        get: operations["findItemBySku"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/itemMasterService/findItemBySkuList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The items of up to 1 000 SKUs
         * @description Every SKU is answered, in the order asked, duplicates once; an unknown one with `found` false and null in all other fields.
         */
        post: operations["findItemBySkuList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/itemMasterService/item/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items by receipt, oldest first unless sorted the other way
         * @description An item is received when a catalogue first brings it.
         */
        get: operations["listItems"];
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
         * FoundItem
         * @description The answer to one SKU that was asked for, whether it is known or not.
         */
        FoundItem: {
            /**
             * @description The client's own identifier of the product, case-sensitive.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Whether a catalogue has brought the SKU; where it has not, all other fields are null.
             * @example true
             */
            found: boolean;
            /**
             * @description Name of the product.
             * @example Ceramic mug, blue, 330 ml
             */
            name: string | null;
            /**
             * @description Alternative SKU.
             * @example MUG-330
             */
            altSku: string | null;
            /**
             * @description Scannable identifier of this SKU alone.
             * @example 4006381333931
             */
            eanCode: string | null;
            /**
             * @description Weight of one stock unit, in weightUomCode.
             * @example 0.35
             */
            weight: number | null;
            /**
             * @description Unit of the weight: KG, G, LB or OZ.
             * @example KG
             */
            weightUomCode: string | null;
            /**
             * @description Height of one stock unit, in dimensionsUomCode.
             * @example 9.5
             */
            height: number | null;
            /**
             * @description Length of one stock unit, in dimensionsUomCode.
             * @example 12
             */
            length: number | null;
            /**
             * @description Width of one stock unit, in dimensionsUomCode.
             * @example 8.5
             */
            width: number | null;
            /**
             * @description Unit of height, length and width: CM, MM, M, IN or FT.
             * @example CM
             */
            dimensionsUomCode: string | null;
            /**
             * @description Product type code.
             * @example STANDARD
             */
            productType: string | null;
            /**
             * @description Country where it was made: ISO 3166-1, two letters.
             * @example DE
             */
            countryOfOrigin: string | null;
            /**
             * @description Web address of a picture.
             * @example https://images.example.com/mug-blue-330.jpg
             */
            imageUrl: string | null;
            /**
             * @description Whether the warehouse records the batch of every unit that it receives and sends out.
             * @example false
             */
            captureBatchRef: boolean | null;
            /**
             * @description Attributes by name, each a text.
             * @example {
             *       "WebOrderId": "77812"
             *     }
             */
            extendedAttributes: {
                [key: string]: string;
            } | null;
            /** @description Further barcodes that identify the item when scanned. */
            gtinBarcodes: string[] | null;
            /**
             * @description Unit that stock of it is counted in: the extended attribute StockUom, EA without it.
             * @example EA
             */
            stockUom: string | null;
            /**
             * @description False: known, but not allocated to orders: the extended attribute Active, true without it.
             * @example true
             */
            active: boolean | null;
            /**
             * Format: date-time
             * @description When a catalogue first brought it.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string | null;
            /**
             * Format: date-time
             * @description When a catalogue last brought it.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string | null;
            /** @description What the last catalogue that named the item said of it without refusing it. */
            warnings: string[] | null;
            /**
             * @description Counts up with every change; also in the ETag.
             * @example 1
             */
            version: number | null;
            /**
             * Format: uuid
             * @description Token of the feed document that the item is from: the last catalogue that named it.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            feedToken: string | null;
        };
        /**
         * FoundItems
         * @description The answers to the SKUs that were asked for.
         */
        FoundItems: {
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /** @description One for each SKU, in the order in which they were asked for. */
            items: components["schemas"]["FoundItem"][];
        };
        /**
         * Item
         * @description A product, as the client's catalogue describes it.
         */
        Item: {
            /**
             * @description The client's own identifier of the product, case-sensitive.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Name of the product.
             * @example Ceramic mug, blue, 330 ml
             */
            name: string;
            /**
             * @description Alternative SKU.
             * @example MUG-330
             */
            altSku: string | null;
            /**
             * @description Scannable identifier of this SKU alone.
             * @example 4006381333931
             */
            eanCode: string | null;
            /**
             * @description Weight of one stock unit, in weightUomCode.
             * @example 0.35
             */
            weight: number | null;
            /**
             * @description Unit of the weight: KG, G, LB or OZ.
             * @example KG
             */
            weightUomCode: string | null;
            /**
             * @description Height of one stock unit, in dimensionsUomCode.
             * @example 9.5
             */
            height: number | null;
            /**
             * @description Length of one stock unit, in dimensionsUomCode.
             * @example 12
             */
            length: number | null;
            /**
             * @description Width of one stock unit, in dimensionsUomCode.
             * @example 8.5
             */
            width: number | null;
            /**
             * @description Unit of height, length and width: CM, MM, M, IN or FT.
             * @example CM
             */
            dimensionsUomCode: string | null;
            /**
             * @description Product type code.
             * @example STANDARD
             */
            productType: string | null;
            /**
             * @description Country where it was made: ISO 3166-1, two letters.
             * @example DE
             */
            countryOfOrigin: string | null;
            /**
             * @description Web address of a picture.
             * @example https://images.example.com/mug-blue-330.jpg
             */
            imageUrl: string | null;
            /**
             * @description Whether the warehouse records the batch of every unit that it receives and sends out.
             * @example false
             */
            captureBatchRef: boolean;
            /**
             * @description Attributes by name, each a text.
             * @example {
             *       "WebOrderId": "77812"
             *     }
             */
            extendedAttributes: {
                [key: string]: string;
            };
            /** @description Further barcodes that identify the item when scanned. */
            gtinBarcodes: string[];
            /**
             * @description Unit that stock of it is counted in: the extended attribute StockUom, EA without it.
             * @example EA
             */
            stockUom: string;
            /**
             * @description False: known, but not allocated to orders: the extended attribute Active, true without it.
             * @example true
             */
            active: boolean;
            /**
             * Format: date-time
             * @description When a catalogue first brought it.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a catalogue last brought it.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /** @description What the last catalogue that named the item said of it without refusing it. */
            warnings: string[];
            /**
             * @description Counts up with every change; also in the ETag.
             * @example 1
             */
            version: number;
            /**
             * Format: uuid
             * @description Token of the feed document that the item is from: the last catalogue that named it.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            feedToken: string;
        };
        /**
         * ItemPage
         * @description Items, by receipt.
         */
        ItemPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Item"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * ItemSkuList
         * @description SKUs that are asked for.
         */
        ItemSkuList: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /** @description The SKUs asked for; one that stands there twice is answered once. */
            skus: string[];
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
export type FoundItem = components['schemas']['FoundItem'];
export type FoundItems = components['schemas']['FoundItems'];
export type Item = components['schemas']['Item'];
export type ItemPage = components['schemas']['ItemPage'];
export type ItemSkuList = components['schemas']['ItemSkuList'];
export type Problem = components['schemas']['Problem'];
export type ReceiptSort = components['schemas']['ReceiptSort'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseBadRequestBody = components['responses']['BadRequestBody'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ParameterClientId = components['parameters']['ClientId'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderETag = components['headers']['ETag'];
export type $defs = Record<string, never>;
export interface operations {
    findItemBySku: {
        parameters: {
            query: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description The client's own identifier of the product, case-sensitive.
                 * @example MUG-BLUE-330
                 */
                sku: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer to one SKU that was asked for, whether it is known or not. */
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
                     *       "sku": "MUG-BLUE-330",
                     *       "found": true,
                     *       "name": "Ceramic mug, blue, 330 ml",
                     *       "altSku": "MUG-330",
                     *       "eanCode": "4006381333931",
                     *       "weight": 0.35,
                     *       "weightUomCode": "KG",
                     *       "height": 9.5,
                     *       "length": 12,
                     *       "width": 8.5,
                     *       "dimensionsUomCode": "CM",
                     *       "productType": "STANDARD",
                     *       "countryOfOrigin": "DE",
                     *       "imageUrl": "https://images.example.com/mug-blue-330.jpg",
                     *       "captureBatchRef": false,
                     *       "extendedAttributes": {
                     *         "WebOrderId": "77812"
                     *       },
                     *       "gtinBarcodes": [
                     *         "4006381334006"
                     *       ],
                     *       "stockUom": "EA",
                     *       "active": true,
                     *       "createdAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "warnings": [
                     *         "[GTIN] the check digit of '4006381334001' of SKU MUG-BLUE-330 is wrong"
                     *       ],
                     *       "version": 1,
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"
                     *     }
                     */
                    "application/json": components["schemas"]["FoundItem"];
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
    findItemBySkuList: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description SKUs that are asked for. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "skus": [
                 *         "MUG-BLUE-330"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ItemSkuList"];
            };
        };
        responses: {
            /** @description The answers to the SKUs that were asked for. */
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
                     *       "clientId": "DEMO",
                     *       "items": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "found": true,
                     *           "name": "Ceramic mug, blue, 330 ml",
                     *           "altSku": "MUG-330",
                     *           "eanCode": "4006381333931",
                     *           "weight": 0.35,
                     *           "weightUomCode": "KG",
                     *           "height": 9.5,
                     *           "length": 12,
                     *           "width": 8.5,
                     *           "dimensionsUomCode": "CM",
                     *           "productType": "STANDARD",
                     *           "countryOfOrigin": "DE",
                     *           "imageUrl": "https://images.example.com/mug-blue-330.jpg",
                     *           "captureBatchRef": false,
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           },
                     *           "gtinBarcodes": [
                     *             "4006381334006"
                     *           ],
                     *           "stockUom": "EA",
                     *           "active": true,
                     *           "createdAt": "2026-11-20T10:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "warnings": [
                     *             "[GTIN] the check digit of '4006381334001' of SKU MUG-BLUE-330 is wrong"
                     *           ],
                     *           "version": 1,
                     *           "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FoundItems"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Only active items, or only the others.
                 * @example true
                 */
                active?: boolean;
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
            /** @description Items, by receipt. */
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
                     *           "sku": "MUG-BLUE-330",
                     *           "name": "Ceramic mug, blue, 330 ml",
                     *           "altSku": "MUG-330",
                     *           "eanCode": "4006381333931",
                     *           "weight": 0.35,
                     *           "weightUomCode": "KG",
                     *           "height": 9.5,
                     *           "length": 12,
                     *           "width": 8.5,
                     *           "dimensionsUomCode": "CM",
                     *           "productType": "STANDARD",
                     *           "countryOfOrigin": "DE",
                     *           "imageUrl": "https://images.example.com/mug-blue-330.jpg",
                     *           "captureBatchRef": false,
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           },
                     *           "gtinBarcodes": [
                     *             "4006381334006"
                     *           ],
                     *           "stockUom": "EA",
                     *           "active": true,
                     *           "createdAt": "2026-11-20T10:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "warnings": [
                     *             "[GTIN] the check digit of '4006381334001' of SKU MUG-BLUE-330 is wrong"
                     *           ],
                     *           "version": 1,
                     *           "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["ItemPage"];
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
