// Generated from schemas/openapi/carrier-determination.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/carrierDeterminationService/carrier/determine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The most suitable carrier service for a shipment
         * @description By the client's own set of carrier data where it has one, else by the operator's. The decision is kept. Nobody fits: `chosen` is null, and each service says why.
         */
        post: operations["determineCarrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/carrierDeterminationService/carrier/determineForOrder/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The most suitable carrier service for an order
         * @description Of the parcels that are packed, or, as long as there are none, of one parcel with all that is not cancelled: its weight is that of its items, its length and width are the greatest of theirs, its height holds their volume. The order's carrierCode and shippingMethod are taken for what the carrier data say.
         */
        post: operations["determineCarrierForOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/carrierDeterminationService/carrier/decision/{decisionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A decision as it was answered
         * @description Decisions are kept for 400 days.
         */
        get: operations["getCarrierDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/carrierDeterminationService/carrier/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a draft of carrier data would have decided
         * @description Runs the client's decisions of a span again, each at its own moment, and compares cost, service and days. At most 100 000 decisions and 25 seconds; one at a time. Keeps nothing.
         */
        post: operations["simulateCarriers"];
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
         * CarrierChoice
         * @description A service that fits.
         */
        CarrierChoice: {
            /**
             * @description The carrier.
             * @example RM
             */
            carrierCode: string;
            /**
             * @description Its service; null: the carrier was asked for and the data does not know it.
             * @example RM48
             */
            serviceCode: string | null;
            /** @description What it costs; of all parcels. */
            price: components["schemas"]["DeterminationPrice"] | null;
            chargeableWeight: components["schemas"]["ChargeableWeight"];
            /**
             * @description Zone of the rate card.
             * @example DOMESTIC
             */
            zone: string | null;
            /**
             * Format: date
             * @description When it leaves, by the facility's calendar.
             * @example 2026-11-20
             */
            despatchDate: string | null;
            /**
             * Format: date
             * @description When it arrives; null: not known.
             * @example 2026-11-24
             */
            estimatedDelivery: string | null;
        };
        /**
         * CarrierData
         * @description The set of carrier data that they are to be run under.
         * @example {
         *       "services": [
         *         {
         *           "code": "RM48",
         *           "carrierCode": "RM",
         *           "name": "Tracked 48",
         *           "serviceLevel": "STANDARD",
         *           "countries": [
         *             "GB"
         *           ],
         *           "maxWeightKg": 20,
         *           "dimensionalDivisor": 5000,
         *           "transitDays": {
         *             "DOMESTIC": 2
         *           }
         *         }
         *       ],
         *       "rateCards": [
         *         {
         *           "serviceCode": "RM48",
         *           "currency": "GBP",
         *           "stepKg": 0.5,
         *           "zones": [
         *             {
         *               "zone": "DOMESTIC",
         *               "country": "GB"
         *             }
         *           ],
         *           "breaks": [
         *             {
         *               "zone": "DOMESTIC",
         *               "upToKg": 2,
         *               "price": 3.1
         *             },
         *             {
         *               "zone": "DOMESTIC",
         *               "upToKg": 20,
         *               "price": 5.4,
         *               "perExtraKg": 0.25
         *             }
         *           ],
         *           "surcharges": [
         *             {
         *               "code": "FUEL",
         *               "kind": "PERCENT",
         *               "value": 8.5
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        CarrierData: {
            /** @description Services of carriers. */
            services: {
                /**
                 * @description Code of the service; no code twice.
                 * @example RM48
                 */
                code: string;
                /**
                 * @description Carrier that offers it.
                 * @example RM
                 */
                carrierCode: string;
                /**
                 * @description What people call it.
                 * @example Tracked 48
                 */
                name: string;
                serviceLevel: components["schemas"]["ServiceLevel"];
                /** @description Countries that it delivers to; left out: all. */
                countries?: string[];
                /**
                 * @description Most that a parcel may weigh, in kg.
                 * @example 20
                 */
                maxWeightKg?: number;
                /**
                 * @description Longest side that a parcel may have, in cm.
                 * @example 61
                 */
                maxLongestSideCm?: number;
                /**
                 * @description Divides the volume in cm³ into the volumetric weight in kg.
                 * @example 5000
                 */
                dimensionalDivisor?: number;
                /**
                 * @description Whether it takes hazardous goods; left out: it does not.
                 * @example false
                 */
                hazmat?: boolean;
                /**
                 * @description Whether it takes bulky goods; left out: it does not.
                 * @example false
                 */
                bulky?: boolean;
                /**
                 * @description Whether it obtains a signature; left out: it does not.
                 * @example false
                 */
                signature?: boolean;
                /**
                 * @description Whether its parcels can be tracked; left out: they can.
                 * @example true
                 */
                trackable?: boolean;
                /**
                 * @description Where the carrier shows a parcel: an address with {trackingNumber} in the place of its number.
                 * @example https://track.example/{trackingNumber}
                 */
                trackingUrl?: string;
                /** @description Most that a parcel may be worth. */
                maxDeclaredValue?: {
                    /**
                     * @description Amount.
                     * @example 100
                     */
                    amount: number;
                    /**
                     * @description Currency code of ISO 4217.
                     * @example GBP
                     */
                    currency: string;
                };
                /**
                 * @description Days on the way, by zone of its rate card.
                 * @example {
                 *       "DOMESTIC": 2
                 *     }
                 */
                transitDays?: {
                    [key: string]: number;
                };
                /**
                 * @description Local time, HH:MM, until which it collects, by facility; left out: the facility's own cut-off.
                 * @example {
                 *       "DC1": "17:00"
                 *     }
                 */
                cutOff?: {
                    [key: string]: string;
                };
                /**
                 * @description Days of the week on which it collects, by facility; left out: those on which the facility works.
                 * @example {
                 *       "DC1": [
                 *         "MON",
                 *         "TUE",
                 *         "WED",
                 *         "THU",
                 *         "FRI"
                 *       ]
                 *     }
                 */
                pickUpDays?: {
                    [key: string]: components["schemas"]["Weekday"][];
                };
                /** @description Days of the week on which it delivers, which are those that count as transit days; left out: MON to SAT. */
                deliveryDays?: components["schemas"]["Weekday"][];
                /**
                 * @description First day on which it is offered.
                 * @example 2026-11-01
                 */
                activeFrom?: string;
                /**
                 * @description Last day on which it is offered.
                 * @example 2026-11-01
                 */
                activeTo?: string;
            }[];
            /** @description Price matrices. */
            rateCards: {
                /**
                 * @description The service that it prices.
                 * @example RM48
                 */
                serviceCode: string;
                /**
                 * @description Currency code of ISO 4217.
                 * @example GBP
                 */
                currency: string;
                /**
                 * @description First day of despatch that it holds for; left out: always. Of several cards that hold, the one with the latest wins.
                 * @example 2026-11-01
                 */
                validFrom?: string;
                /**
                 * @description Last day of despatch that it holds for; left out: until further notice.
                 * @example 2026-11-01
                 */
                validTo?: string;
                /**
                 * @description Chargeable weight is rounded up to a multiple of this; left out: to the gram.
                 * @example 0.5
                 */
                stepKg?: number;
                /** @description Where it delivers. */
                zones: {
                    /**
                     * @description Name of the zone; several entries may make one zone.
                     * @example REMOTE
                     */
                    zone: string;
                    /**
                     * @description Country code of ISO 3166-1, two capitals.
                     * @example GB
                     */
                    country: string;
                    /** @description Only these postcodes of the country; with ranges: either. */
                    postcodePrefixes?: string[];
                    /** @description Only these postcodes of the country; with prefixes: either. */
                    postcodeRanges?: {
                        /**
                         * @description First beginning of a postcode.
                         * @example 20000
                         */
                        from: string;
                        /**
                         * @description Last one, of the same form.
                         * @example 20999
                         */
                        to: string;
                    }[];
                    /**
                     * @description Whether the surcharge `remote` applies.
                     * @example false
                     */
                    remote?: boolean;
                }[];
                /** @description Prices by zone and weight. */
                breaks: {
                    /**
                     * @description A zone of this card.
                     * @example DOMESTIC
                     */
                    zone: string;
                    /**
                     * @description Chargeable weight up to which it holds, in kg.
                     * @example 2
                     */
                    upToKg: number;
                    /**
                     * @description Price of a parcel.
                     * @example 3.1
                     */
                    price: number;
                    /**
                     * @description Price of each started kg above the break before it.
                     * @example 0.25
                     */
                    perExtraKg?: number;
                }[];
                /** @description What is added. */
                surcharges?: {
                    /**
                     * @description Code of the surcharge; none twice in a card.
                     * @example FUEL
                     */
                    code: string;
                    /**
                     * @description PERCENT of the price so far, or a FIXED amount a parcel.
                     * @example PERCENT
                     * @enum {string}
                     */
                    kind: "PERCENT" | "FIXED";
                    /**
                     * @description Per cent, or amount.
                     * @example 8.5
                     */
                    value: number;
                    /**
                     * @description When it applies; left out: always.
                     * @example always
                     * @enum {string}
                     */
                    when?: "always" | "hazmat" | "oversize" | "remote" | "residential" | "signature" | "saturday";
                    /**
                     * @description Of `oversize`: longest side above which a parcel is.
                     * @example 100
                     */
                    longestSideCm?: number;
                }[];
            }[];
            /** @description Business rules. */
            rules?: {
                /**
                 * @description Identifier of the rule; none twice.
                 * @example no-air-hazmat
                 */
                ruleId: string;
                /**
                 * @description The lowest comes first; of equal ones, the one that is listed first.
                 * @example 10
                 */
                priority: number;
                /**
                 * @description `all`, `any`, `not` over comparisons; left out: always.
                 * @example {
                 *       "field": "shipment.isHazmat",
                 *       "op": "eq",
                 *       "value": true
                 *     }
                 */
                when?: Record<string, never>;
                /**
                 * @description exclude with a reason, requireService, requireCarrier, prefer, setServiceLevel, stop.
                 * @example {
                 *       "exclude": true,
                 *       "reason": "hazmat not by air"
                 *     }
                 */
                then: Record<string, never>;
                /**
                 * @description First day on which it holds.
                 * @example 2026-11-01
                 */
                validFrom?: string;
                /**
                 * @description Last day on which it holds.
                 * @example 2026-11-01
                 */
                validTo?: string;
            }[];
            /** @description What words of orders mean. */
            mapping?: {
                /**
                 * @description Service level or service by shippingMethod; case means nothing.
                 * @example {
                 *       "STD": "STANDARD"
                 *     }
                 */
                shippingMethods?: {
                    [key: string]: string;
                };
                /**
                 * @description carrierCode by alias; case means nothing.
                 * @example {
                 *       "ROYALMAIL": "RM"
                 *     }
                 */
                carrierCodes?: {
                    [key: string]: string;
                };
            };
            /** @description Rates of exchange. */
            rates?: {
                /**
                 * @description One unit of this currency …
                 * @example GBP
                 */
                from: string;
                /**
                 * @description … is worth `rate` of this one.
                 * @example GBP
                 */
                to: string;
                /**
                 * @description First day on which it holds, until a later one takes its place.
                 * @example 2026-11-01
                 */
                date: string;
                /**
                 * @description How many units of `to` one of `from` is.
                 * @example 0.86
                 */
                rate: number;
            }[];
            /** @description What holds where nothing else is said. */
            settings?: {
                defaultServiceLevel?: components["schemas"]["ServiceLevel"];
                /**
                 * @description Currency in which candidates are ranked; left out: that of the first rate card.
                 * @example GBP
                 */
                currency?: string;
                /**
                 * @description What a day until delivery costs in the ranking of BALANCED, in its currency; left out: 1.
                 * @example 1.5
                 */
                balancedCostPerDay?: number;
            };
            /**
             * @description Days on which no carrier collects or delivers, by country.
             * @example {
             *       "GB": [
             *         "2026-12-25"
             *       ]
             *     }
             */
            holidays?: {
                [key: string]: string[];
            };
        };
        /**
         * CarrierDecision
         * @description Which service is taken, and why no other. Nobody fits: chosen is null.
         */
        CarrierDecision: {
            /**
             * Format: uuid
             * @description The decision.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            decisionId: string;
            /**
             * @description The order that it was made for; null: none.
             * @example WEB-100045
             */
            orderId: string | null;
            /**
             * @description The parcel that it was made for, when that was packed.
             * @example 106141412345678908
             */
            olpnId: string | null;
            /**
             * Format: date-time
             * @description When it was decided: the same moment, data and request give the same decision.
             * @example 2026-11-20T10:00:00.000Z
             */
            decidedAt: string;
            /** @description A service that fits. */
            chosen: components["schemas"]["CarrierChoice"] | null;
            /** @description The others that fit, best first. */
            alternatives: components["schemas"]["CarrierChoice"][];
            /** @description The services that do not fit, by code. */
            rejected: components["schemas"]["Rejection"][];
            /** @description The rules that held for the shipment or for a service, in order. */
            rulesApplied: string[];
            /** @description What was taken for something else. */
            warnings: string[];
            /**
             * @description Version of the carrier data that it was made by; 0: there are none.
             * @example 3
             */
            dataVersion: number;
            /**
             * @description Whose carrier data that is: the client's own set, or the operator's default.
             * @example OPERATOR
             * @enum {string}
             */
            dataOwner: "CLIENT" | "OPERATOR";
        };
        /**
         * ChargeableWeight
         * @description The greater of weight and volume, by which it is priced.
         */
        ChargeableWeight: {
            /**
             * @description Sum of the parcels, each rounded up to the card's step.
             * @example 2
             */
            value: number;
            /**
             * @description Unit.
             * @example KG
             * @enum {string}
             */
            uom: "KG";
        };
        /**
         * Comparison
         * @description Of all decisions.
         */
        Comparison: {
            /**
             * @description Decisions that were run again.
             * @example 1200
             */
            decisions: number;
            /**
             * @description Of these, those with the same service; its price may be another.
             * @example 1000
             */
            unchanged: number;
            /**
             * @description Those with another service, or with one where nobody had fitted.
             * @example 190
             */
            changed: number;
            /**
             * @description Those for which nobody fits under the draft.
             * @example 10
             */
            nobodyFits: number;
            cost: components["schemas"]["CostComparison"];
            days: components["schemas"]["DaysComparison"];
        };
        /**
         * CostComparison
         * @description What it costs, in the currency of the answer.
         */
        CostComparison: {
            /**
             * @description Decisions that have a price before and under the draft, both known in the currency.
             * @example 1190
             */
            compared: number;
            /**
             * @description Sum of their prices as decided.
             * @example 7140.5
             */
            before: number;
            /**
             * @description Sum under the draft.
             * @example 6902.1
             */
            after: number;
            /**
             * @description Below zero: the draft is cheaper.
             * @example -238.4
             */
            difference: number;
        };
        /**
         * DaysComparison
         * @description How long it takes.
         */
        DaysComparison: {
            /**
             * @description Decisions that have a day of delivery before and under the draft.
             * @example 1190
             */
            compared: number;
            /**
             * @description Sum of their days from the decision to the delivery.
             * @example 2618
             */
            before: number;
            /**
             * @description Sum under the draft.
             * @example 2737
             */
            after: number;
            /**
             * @description Above zero: the draft is slower.
             * @example 119
             */
            difference: number;
        };
        /**
         * DeterminationForOrder
         * @description How the candidates are ranked.
         */
        DeterminationForOrder: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            strategy?: components["schemas"]["DeterminationStrategy"];
        };
        /**
         * DeterminationItem
         * @description Goods in a parcel.
         */
        DeterminationItem: {
            /**
             * @description Line of the order.
             * @example 1
             */
            lineNumber?: number;
            /**
             * @description What is in it.
             * @example TEE-BLACK-M
             */
            sku: string;
            /**
             * @description How much of it.
             * @example 2
             */
            qty: number;
        };
        /**
         * DeterminationParcel
         * @description A parcel.
         */
        DeterminationParcel: {
            /**
             * @description Weight with at most three decimals.
             * @example 1.2
             */
            weight: number;
            /**
             * @description KG, G, LB or OZ, or their code of UN/ECE; left out: KG.
             * @example KG
             */
            weightUomCode?: string;
            /**
             * @description Length with at most three decimals.
             * @example 40
             */
            length?: number;
            /**
             * @description Width.
             * @example 30
             */
            width?: number;
            /**
             * @description Height. Volume counts where all three are known.
             * @example 20
             */
            height?: number;
            /**
             * @description CM, MM, M, IN or FT, or their code of UN/ECE; left out: CM.
             * @example CM
             */
            dimensionsUomCode?: string;
            /** @description What it is worth. */
            declaredValue?: {
                /**
                 * @description Amount with at most four decimals.
                 * @example 59.9
                 */
                amount: number;
                /**
                 * @description Currency code of ISO 4217.
                 * @example GBP
                 */
                currency: string;
            };
            /** @description What is in it; no decision goes by it. */
            items?: components["schemas"]["DeterminationItem"][];
        };
        /**
         * DeterminationPrice
         * @description What it costs; of all parcels.
         */
        DeterminationPrice: {
            /** @description By the weight breaks of the zone. */
            base: {
                /**
                 * @description Amount, in whole minor units.
                 * @example 5.4
                 */
                amount: number;
                /**
                 * @description Currency code of ISO 4217.
                 * @example GBP
                 */
                currency: string;
            };
            /** @description In the order of the rate card. */
            surcharges: components["schemas"]["DeterminationSurcharge"][];
            /** @description Base and all surcharges. */
            total: {
                /**
                 * @description Amount, in whole minor units.
                 * @example 5.86
                 */
                amount: number;
                /**
                 * @description Currency code of ISO 4217.
                 * @example GBP
                 */
                currency: string;
            };
        };
        /**
         * DeterminationRequest
         * @description What is to be sent.
         */
        DeterminationRequest: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description The facility that sends it.
             * @example DC1
             */
            distributionCentre: string;
            shipTo: components["schemas"]["DeterminationShipTo"];
            /** @description Each is priced apart. */
            parcels: components["schemas"]["DeterminationParcel"][];
            serviceLevel?: components["schemas"]["ServiceLevel"];
            /**
             * @description Only this carrier, or what an alias of the data stands for; one that the data does not know is taken as given.
             * @example RM
             */
            requestedCarrierCode?: string;
            /**
             * @description Not before this day: a date, or a moment whose day at the facility it is.
             * @example 2026-11-23
             */
            shipDate?: string;
            /**
             * @description To be delivered until this day: a date, or a moment.
             * @example 2026-11-27
             */
            deliverBy?: string;
            /**
             * @description Whether the goods are hazardous; left out: they are not.
             * @example false
             */
            isHazmat?: boolean;
            /**
             * @description Whether the goods are bulky; left out: they are not.
             * @example false
             */
            isBulky?: boolean;
            /**
             * @description Whether a signature is to be obtained; left out: it is not.
             * @example false
             */
            signatureRequired?: boolean;
            /**
             * @description Incoterm, for the rules.
             * @example DAP
             */
            incoterm?: string;
            /** @description What the whole order is worth, for the rules. */
            orderValue?: {
                /**
                 * @description Amount with at most four decimals.
                 * @example 109.15
                 */
                amount: number;
                /**
                 * @description Currency code of ISO 4217.
                 * @example GBP
                 */
                currency: string;
            };
            /**
             * @description Attributes by name, each a text, for the rules.
             * @example {
             *       "PackingSlipLanguage": "en"
             *     }
             */
            extendedAttributes?: {
                [key: string]: string;
            };
            strategy?: components["schemas"]["DeterminationStrategy"];
        };
        /**
         * DeterminationShipTo
         * @description Where it goes.
         */
        DeterminationShipTo: {
            /**
             * @description Country code of ISO 3166-1, two letters or three.
             * @example GB
             */
            country: string;
            /**
             * @description Postcode, in a form of the country. Without it, zones of whole countries hold.
             * @example BS1 5TY
             */
            zip?: string;
            /**
             * @description State, province or county.
             * @example Bristol
             */
            state?: string;
            /**
             * @description City.
             * @example Bristol
             */
            city?: string;
            /**
             * @description Whether it is somebody's home; left out: it is not.
             * @example false
             */
            isResidential?: boolean;
        };
        /**
         * DeterminationStrategy
         * @description CHEAPEST, the default; FASTEST: by day of delivery; BALANCED: each day until delivery costs what the data says.
         * @example CHEAPEST
         * @enum {string}
         */
        DeterminationStrategy: "CHEAPEST" | "FASTEST" | "BALANCED";
        /**
         * DeterminationSurcharge
         * @description What is added.
         */
        DeterminationSurcharge: {
            /**
             * @description The surcharge.
             * @example FUEL
             */
            code: string;
            /** @description Of all parcels. */
            amount: {
                /**
                 * @description Amount, in whole minor units.
                 * @example 0.46
                 */
                amount: number;
                /**
                 * @description Currency code of ISO 4217.
                 * @example GBP
                 */
                currency: string;
            };
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
         * Rejection
         * @description A service that does not fit.
         */
        Rejection: {
            /**
             * @description The service.
             * @example RM24
             */
            serviceCode: string;
            /**
             * @description Its carrier.
             * @example RM
             */
            carrierCode: string;
            /** @description All of them. */
            reasons: components["schemas"]["RejectionReason"][];
        };
        /**
         * RejectionCode
         * @description Why.
         * @example OVER_WEIGHT
         * @enum {string}
         */
        RejectionCode: "INACTIVE" | "COUNTRY" | "OVER_WEIGHT" | "OVER_SIZE" | "OVER_VALUE" | "HAZMAT" | "BULKY" | "SIGNATURE" | "SERVICE_LEVEL" | "CARRIER" | "NO_RATE" | "CURRENCY" | "TOO_SLOW" | "RULE";
        /**
         * RejectionReason
         * @description A reason.
         */
        RejectionReason: {
            code: components["schemas"]["RejectionCode"];
            /**
             * @description The same in words, with the value and the bound.
             * @example the heaviest parcel weighs 32 kg, the most is 20 kg
             */
            text: string;
            /**
             * @description The rule that says so.
             * @example no-air-hazmat
             */
            ruleId?: string;
        };
        /**
         * ServiceLevel
         * @description How fast the service is.
         * @example STANDARD
         * @enum {string}
         */
        ServiceLevel: "ECONOMY" | "STANDARD" | "EXPRESS" | "NEXT_DAY" | "SAME_DAY";
        /**
         * ServiceMove
         * @description A change of service.
         */
        ServiceMove: {
            /**
             * @description Service as decided, or the carrier where it is of none; null: nobody fitted.
             * @example RM48
             */
            before: string | null;
            /**
             * @description Service under the draft; null: nobody fits.
             * @example RM24
             */
            after: string | null;
            /**
             * @description How many went from the one to the other.
             * @example 190
             */
            decisions: number;
        };
        /**
         * Simulation
         * @description The difference that a draft would have made.
         */
        Simulation: {
            /**
             * Format: date-time
             * @description As asked.
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description As asked.
             * @example 2026-11-21T10:00:00.000Z
             */
            to: string;
            /**
             * @description Whether all decisions of the span were run; false: there are more than fit in one answer.
             * @example true
             */
            isComplete: boolean;
            /**
             * Format: date-time
             * @description Where it is not complete: the moment of the last decision that was run. Narrow the span, or go on from there.
             * @example 2026-11-20T10:00:00.000Z
             */
            continueFrom: string | null;
            /**
             * @description Decisions that were read.
             * @example 1200
             */
            decisions: number;
            /**
             * @description Of these, those that cannot be decided any more, because their facility is gone.
             * @example 0
             */
            notRun: number;
            /**
             * @description The ranking currency of the draft, into which prices are turned by its rates.
             * @example GBP
             */
            currency: string;
            total: components["schemas"]["Comparison"];
            /** @description By name of the zone. */
            zones: components["schemas"]["ZoneComparison"][];
            /** @description Changes of service, the most frequent first; at most 500. */
            services: components["schemas"]["ServiceMove"][];
        };
        /**
         * SimulationRequest
         * @description Which decisions to run again, and under what.
         */
        SimulationRequest: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * Format: date-time
             * @description Decisions since then.
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description Decisions before then.
             * @example 2026-11-21T10:00:00.000Z
             */
            to: string;
            draft: components["schemas"]["CarrierData"];
        };
        /**
         * Weekday
         * @description Day of the week.
         * @example MON
         * @enum {string}
         */
        Weekday: "MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN";
        /**
         * ZoneComparison
         * @description Of one zone.
         */
        ZoneComparison: {
            /**
             * @description The zone as decided; where nobody had fitted, that of the draft; null: neither has one.
             * @example DOMESTIC
             */
            zone: string | null;
            /**
             * @description Decisions that were run again.
             * @example 1200
             */
            decisions: number;
            /**
             * @description Of these, those with the same service; its price may be another.
             * @example 1000
             */
            unchanged: number;
            /**
             * @description Those with another service, or with one where nobody had fitted.
             * @example 190
             */
            changed: number;
            /**
             * @description Those for which nobody fits under the draft.
             * @example 10
             */
            nobodyFits: number;
            cost: components["schemas"]["CostComparison"];
            days: components["schemas"]["DaysComparison"];
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
    };
    pathItems: never;
}
export type CarrierChoice = components['schemas']['CarrierChoice'];
export type CarrierData = components['schemas']['CarrierData'];
export type CarrierDecision = components['schemas']['CarrierDecision'];
export type ChargeableWeight = components['schemas']['ChargeableWeight'];
export type Comparison = components['schemas']['Comparison'];
export type CostComparison = components['schemas']['CostComparison'];
export type DaysComparison = components['schemas']['DaysComparison'];
export type DeterminationForOrder = components['schemas']['DeterminationForOrder'];
export type DeterminationItem = components['schemas']['DeterminationItem'];
export type DeterminationParcel = components['schemas']['DeterminationParcel'];
export type DeterminationPrice = components['schemas']['DeterminationPrice'];
export type DeterminationRequest = components['schemas']['DeterminationRequest'];
export type DeterminationShipTo = components['schemas']['DeterminationShipTo'];
export type DeterminationStrategy = components['schemas']['DeterminationStrategy'];
export type DeterminationSurcharge = components['schemas']['DeterminationSurcharge'];
export type Problem = components['schemas']['Problem'];
export type Rejection = components['schemas']['Rejection'];
export type RejectionCode = components['schemas']['RejectionCode'];
export type RejectionReason = components['schemas']['RejectionReason'];
export type ServiceLevel = components['schemas']['ServiceLevel'];
export type ServiceMove = components['schemas']['ServiceMove'];
export type Simulation = components['schemas']['Simulation'];
export type SimulationRequest = components['schemas']['SimulationRequest'];
export type Weekday = components['schemas']['Weekday'];
export type ZoneComparison = components['schemas']['ZoneComparison'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseBadRequestBody = components['responses']['BadRequestBody'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseConflictIdempotencyKey = components['responses']['ConflictIdempotencyKey'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnprocessableEntity = components['responses']['UnprocessableEntity'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ParameterClientId = components['parameters']['ClientId'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    determineCarrier: {
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
        /** @description What is to be sent. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "distributionCentre": "DC1",
                 *       "shipTo": {
                 *         "country": "GB",
                 *         "zip": "BS1 5TY",
                 *         "state": "Bristol",
                 *         "city": "Bristol",
                 *         "isResidential": false
                 *       },
                 *       "parcels": [
                 *         {
                 *           "weight": 1.2,
                 *           "weightUomCode": "KG",
                 *           "length": 40,
                 *           "width": 30,
                 *           "height": 20,
                 *           "dimensionsUomCode": "CM",
                 *           "declaredValue": {
                 *             "amount": 59.9,
                 *             "currency": "GBP"
                 *           },
                 *           "items": [
                 *             {
                 *               "lineNumber": 1,
                 *               "sku": "TEE-BLACK-M",
                 *               "qty": 2
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "serviceLevel": "STANDARD",
                 *       "requestedCarrierCode": "RM",
                 *       "shipDate": "2026-11-23",
                 *       "deliverBy": "2026-11-27",
                 *       "isHazmat": false,
                 *       "isBulky": false,
                 *       "signatureRequired": false,
                 *       "incoterm": "DAP",
                 *       "orderValue": {
                 *         "amount": 109.15,
                 *         "currency": "GBP"
                 *       },
                 *       "extendedAttributes": {
                 *         "PackingSlipLanguage": "en"
                 *       },
                 *       "strategy": "CHEAPEST"
                 *     }
                 */
                "application/json": components["schemas"]["DeterminationRequest"];
            };
        };
        responses: {
            /** @description Which service is taken, and why no other. Nobody fits: chosen is null. */
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
                     *       "decisionId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "orderId": "WEB-100045",
                     *       "olpnId": "106141412345678908",
                     *       "decidedAt": "2026-11-20T10:00:00.000Z",
                     *       "chosen": {
                     *         "carrierCode": "RM",
                     *         "serviceCode": "RM48",
                     *         "price": {
                     *           "base": {
                     *             "amount": 5.4,
                     *             "currency": "GBP"
                     *           },
                     *           "surcharges": [
                     *             {
                     *               "code": "FUEL",
                     *               "amount": {
                     *                 "amount": 0.46,
                     *                 "currency": "GBP"
                     *               }
                     *             }
                     *           ],
                     *           "total": {
                     *             "amount": 5.86,
                     *             "currency": "GBP"
                     *           }
                     *         },
                     *         "chargeableWeight": {
                     *           "value": 2,
                     *           "uom": "KG"
                     *         },
                     *         "zone": "DOMESTIC",
                     *         "despatchDate": "2026-11-20",
                     *         "estimatedDelivery": "2026-11-24"
                     *       },
                     *       "alternatives": [
                     *         {
                     *           "carrierCode": "RM",
                     *           "serviceCode": "RM48",
                     *           "price": {
                     *             "base": {
                     *               "amount": 5.4,
                     *               "currency": "GBP"
                     *             },
                     *             "surcharges": [
                     *               {
                     *                 "code": "FUEL",
                     *                 "amount": {
                     *                   "amount": 0.46,
                     *                   "currency": "GBP"
                     *                 }
                     *               }
                     *             ],
                     *             "total": {
                     *               "amount": 5.86,
                     *               "currency": "GBP"
                     *             }
                     *           },
                     *           "chargeableWeight": {
                     *             "value": 2,
                     *             "uom": "KG"
                     *           },
                     *           "zone": "DOMESTIC",
                     *           "despatchDate": "2026-11-20",
                     *           "estimatedDelivery": "2026-11-24"
                     *         }
                     *       ],
                     *       "rejected": [
                     *         {
                     *           "serviceCode": "RM24",
                     *           "carrierCode": "RM",
                     *           "reasons": [
                     *             {
                     *               "code": "OVER_WEIGHT",
                     *               "text": "the heaviest parcel weighs 32 kg, the most is 20 kg",
                     *               "ruleId": "no-air-hazmat"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "rulesApplied": [
                     *         "no-air-hazmat"
                     *       ],
                     *       "warnings": [
                     *         "shippingMethod \"OVERNIGHT\" is not mapped: STANDARD is taken for it"
                     *       ],
                     *       "dataVersion": 3,
                     *       "dataOwner": "OPERATOR"
                     *     }
                     */
                    "application/json": components["schemas"]["CarrierDecision"];
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
    determineCarrierForOrder: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: string;
            };
            cookie?: never;
        };
        /** @description How the candidates are ranked. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "strategy": "CHEAPEST"
                 *     }
                 */
                "application/json": components["schemas"]["DeterminationForOrder"];
            };
        };
        responses: {
            /** @description Which service is taken, and why no other. Nobody fits: chosen is null. */
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
                     *       "decisionId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "orderId": "WEB-100045",
                     *       "olpnId": "106141412345678908",
                     *       "decidedAt": "2026-11-20T10:00:00.000Z",
                     *       "chosen": {
                     *         "carrierCode": "RM",
                     *         "serviceCode": "RM48",
                     *         "price": {
                     *           "base": {
                     *             "amount": 5.4,
                     *             "currency": "GBP"
                     *           },
                     *           "surcharges": [
                     *             {
                     *               "code": "FUEL",
                     *               "amount": {
                     *                 "amount": 0.46,
                     *                 "currency": "GBP"
                     *               }
                     *             }
                     *           ],
                     *           "total": {
                     *             "amount": 5.86,
                     *             "currency": "GBP"
                     *           }
                     *         },
                     *         "chargeableWeight": {
                     *           "value": 2,
                     *           "uom": "KG"
                     *         },
                     *         "zone": "DOMESTIC",
                     *         "despatchDate": "2026-11-20",
                     *         "estimatedDelivery": "2026-11-24"
                     *       },
                     *       "alternatives": [
                     *         {
                     *           "carrierCode": "RM",
                     *           "serviceCode": "RM48",
                     *           "price": {
                     *             "base": {
                     *               "amount": 5.4,
                     *               "currency": "GBP"
                     *             },
                     *             "surcharges": [
                     *               {
                     *                 "code": "FUEL",
                     *                 "amount": {
                     *                   "amount": 0.46,
                     *                   "currency": "GBP"
                     *                 }
                     *               }
                     *             ],
                     *             "total": {
                     *               "amount": 5.86,
                     *               "currency": "GBP"
                     *             }
                     *           },
                     *           "chargeableWeight": {
                     *             "value": 2,
                     *             "uom": "KG"
                     *           },
                     *           "zone": "DOMESTIC",
                     *           "despatchDate": "2026-11-20",
                     *           "estimatedDelivery": "2026-11-24"
                     *         }
                     *       ],
                     *       "rejected": [
                     *         {
                     *           "serviceCode": "RM24",
                     *           "carrierCode": "RM",
                     *           "reasons": [
                     *             {
                     *               "code": "OVER_WEIGHT",
                     *               "text": "the heaviest parcel weighs 32 kg, the most is 20 kg",
                     *               "ruleId": "no-air-hazmat"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "rulesApplied": [
                     *         "no-air-hazmat"
                     *       ],
                     *       "warnings": [
                     *         "shippingMethod \"OVERNIGHT\" is not mapped: STANDARD is taken for it"
                     *       ],
                     *       "dataVersion": 3,
                     *       "dataOwner": "OPERATOR"
                     *     }
                     */
                    "application/json": components["schemas"]["CarrierDecision"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictIdempotencyKey"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCarrierDecision: {
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
                 * @description The decision.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
                 */
                decisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which service is taken, and why no other. Nobody fits: chosen is null. */
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
                     *       "decisionId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "orderId": "WEB-100045",
                     *       "olpnId": "106141412345678908",
                     *       "decidedAt": "2026-11-20T10:00:00.000Z",
                     *       "chosen": {
                     *         "carrierCode": "RM",
                     *         "serviceCode": "RM48",
                     *         "price": {
                     *           "base": {
                     *             "amount": 5.4,
                     *             "currency": "GBP"
                     *           },
                     *           "surcharges": [
                     *             {
                     *               "code": "FUEL",
                     *               "amount": {
                     *                 "amount": 0.46,
                     *                 "currency": "GBP"
                     *               }
                     *             }
                     *           ],
                     *           "total": {
                     *             "amount": 5.86,
                     *             "currency": "GBP"
                     *           }
                     *         },
                     *         "chargeableWeight": {
                     *           "value": 2,
                     *           "uom": "KG"
                     *         },
                     *         "zone": "DOMESTIC",
                     *         "despatchDate": "2026-11-20",
                     *         "estimatedDelivery": "2026-11-24"
                     *       },
                     *       "alternatives": [
                     *         {
                     *           "carrierCode": "RM",
                     *           "serviceCode": "RM48",
                     *           "price": {
                     *             "base": {
                     *               "amount": 5.4,
                     *               "currency": "GBP"
                     *             },
                     *             "surcharges": [
                     *               {
                     *                 "code": "FUEL",
                     *                 "amount": {
                     *                   "amount": 0.46,
                     *                   "currency": "GBP"
                     *                 }
                     *               }
                     *             ],
                     *             "total": {
                     *               "amount": 5.86,
                     *               "currency": "GBP"
                     *             }
                     *           },
                     *           "chargeableWeight": {
                     *             "value": 2,
                     *             "uom": "KG"
                     *           },
                     *           "zone": "DOMESTIC",
                     *           "despatchDate": "2026-11-20",
                     *           "estimatedDelivery": "2026-11-24"
                     *         }
                     *       ],
                     *       "rejected": [
                     *         {
                     *           "serviceCode": "RM24",
                     *           "carrierCode": "RM",
                     *           "reasons": [
                     *             {
                     *               "code": "OVER_WEIGHT",
                     *               "text": "the heaviest parcel weighs 32 kg, the most is 20 kg",
                     *               "ruleId": "no-air-hazmat"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "rulesApplied": [
                     *         "no-air-hazmat"
                     *       ],
                     *       "warnings": [
                     *         "shippingMethod \"OVERNIGHT\" is not mapped: STANDARD is taken for it"
                     *       ],
                     *       "dataVersion": 3,
                     *       "dataOwner": "OPERATOR"
                     *     }
                     */
                    "application/json": components["schemas"]["CarrierDecision"];
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
    simulateCarriers: {
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
        /** @description Which decisions to run again, and under what. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "from": "2026-11-20T10:00:00.000Z",
                 *       "to": "2026-11-21T10:00:00.000Z",
                 *       "draft": {
                 *         "services": [
                 *           {
                 *             "code": "RM48",
                 *             "carrierCode": "RM",
                 *             "name": "Tracked 48",
                 *             "serviceLevel": "STANDARD",
                 *             "countries": [
                 *               "GB"
                 *             ],
                 *             "maxWeightKg": 20,
                 *             "dimensionalDivisor": 5000,
                 *             "transitDays": {
                 *               "DOMESTIC": 2
                 *             }
                 *           }
                 *         ],
                 *         "rateCards": [
                 *           {
                 *             "serviceCode": "RM48",
                 *             "currency": "GBP",
                 *             "stepKg": 0.5,
                 *             "zones": [
                 *               {
                 *                 "zone": "DOMESTIC",
                 *                 "country": "GB"
                 *               }
                 *             ],
                 *             "breaks": [
                 *               {
                 *                 "zone": "DOMESTIC",
                 *                 "upToKg": 2,
                 *                 "price": 3.1
                 *               },
                 *               {
                 *                 "zone": "DOMESTIC",
                 *                 "upToKg": 20,
                 *                 "price": 5.4,
                 *                 "perExtraKg": 0.25
                 *               }
                 *             ],
                 *             "surcharges": [
                 *               {
                 *                 "code": "FUEL",
                 *                 "kind": "PERCENT",
                 *                 "value": 8.5
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SimulationRequest"];
            };
        };
        responses: {
            /** @description The difference that a draft would have made. */
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
                     *       "from": "2026-11-20T10:00:00.000Z",
                     *       "to": "2026-11-21T10:00:00.000Z",
                     *       "isComplete": true,
                     *       "continueFrom": "2026-11-20T10:00:00.000Z",
                     *       "decisions": 1200,
                     *       "notRun": 0,
                     *       "currency": "GBP",
                     *       "total": {
                     *         "decisions": 1200,
                     *         "unchanged": 1000,
                     *         "changed": 190,
                     *         "nobodyFits": 10,
                     *         "cost": {
                     *           "compared": 1190,
                     *           "before": 7140.5,
                     *           "after": 6902.1,
                     *           "difference": -238.4
                     *         },
                     *         "days": {
                     *           "compared": 1190,
                     *           "before": 2618,
                     *           "after": 2737,
                     *           "difference": 119
                     *         }
                     *       },
                     *       "zones": [
                     *         {
                     *           "zone": "DOMESTIC",
                     *           "decisions": 1200,
                     *           "unchanged": 1000,
                     *           "changed": 190,
                     *           "nobodyFits": 10,
                     *           "cost": {
                     *             "compared": 1190,
                     *             "before": 7140.5,
                     *             "after": 6902.1,
                     *             "difference": -238.4
                     *           },
                     *           "days": {
                     *             "compared": 1190,
                     *             "before": 2618,
                     *             "after": 2737,
                     *             "difference": 119
                     *           }
                     *         }
                     *       ],
                     *       "services": [
                     *         {
                     *           "before": "RM48",
                     *           "after": "RM24",
                     *           "decisions": 190
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
