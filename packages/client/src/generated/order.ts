// Generated from schemas/openapi/order.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/orderService/order/get/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One order with its lines
         * @description One order with its lines.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/order/status/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where an order and its parcels are
         * @description Where an order and its parcels are.
         */
        get: operations["getOrderStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/order/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Orders by receipt, oldest first unless sorted the other way
         * @description Orders by receipt, oldest first unless sorted the other way.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/order/cancel/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order, or what has not left of it
         * @description What the warehouse has not taken is cancelled at once, and its stock is free. What it has becomes a request, which it answers line by line. What has left can only come back: send an RMA.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/order/update/{orderId}": {
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
         * Change addresses, carrier, priority or attributes of an order, or hold it back
         * @description Until something of the order is packed; doNotShip until it has left. A field that the patch names and does not change is never refused for the state. Addresses are merged field by field, extendedAttributes by name. A patch that changes nothing makes no new version.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/v1/orderService/order/hold/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep an order from leaving
         * @description Sets the hold CLIENT_REQUEST; the order keeps what is allocated to it. What the warehouse has not taken is withdrawn from it; what it has it is told to keep back, and can neither pick, pack, load nor despatch. An order that has this hold already stays as it is, with its first reason.
         */
        post: operations["holdOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/order/release/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the hold that the client has set
         * @description Lifts CLIENT_REQUEST. DO_NOT_SHIP is lifted by `doNotShip: false` (updateOrder), every other hold by the operator; while any is left the order stays held. An order that has left or is cancelled is not released any more.
         */
        post: operations["releaseOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/orderLine/cancel/{orderId}/{lineNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a line of an order, or a part of it
         * @description By the same rules as a whole order: at once, or as a request to the warehouse that has it. While a request is open the same quantity again is the same request, and a greater one takes its place.
         */
        post: operations["cancelOrderLine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/orderLine/update/{orderId}/{lineNumber}": {
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
         * Change the quantity of a line until the warehouse has the order
         * @description More is looked for in stock; less is given back, of what waits for stock first. qty counts what was cancelled of the line before, and must be more than that.
         */
        patch: operations["updateOrderLine"];
        trace?: never;
    };
    "/v1/orderService/rma/get/{rmaNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One return with its lines and what was made of the goods
         * @description One return with its lines and what was made of the goods.
         */
        get: operations["getRma"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/rma/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns by receipt, oldest first unless sorted the other way
         * @description Returns by receipt, oldest first unless sorted the other way.
         */
        get: operations["listRmas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/rma/cancel/{rmaNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a return of which nothing has come
         * @description While it is AUTHORISED. One of which goods have come is closed by the warehouse, and refused with 409.
         */
        post: operations["cancelRma"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/document/list/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The documents of an order and its parcels, as they were made
         * @description The documents of an order and its parcels, as they were made.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/document/get/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document itself: its bytes
         * @description A document that was made again keeps its documentId, and has another ETag.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/olpn/list/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The parcels of an order as they were packed, voided ones too
         * @description The parcels of an order as they were packed, voided ones too.
         */
        get: operations["listOlpns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/olpn/get/{olpnId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One parcel with what is in it and what has happened to it
         * @description One parcel with what is in it and what has happened to it.
         */
        get: operations["getOlpn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderService/carrierServiceCode/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The services of carriers that are offered today, by code
         * @description Those of the client's own set of carrier data where it has one, else of the operator's. Days are those of UTC.
         */
        get: operations["listCarrierServiceCodes"];
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
         * Address
         * @description Address that the invoice goes to.
         */
        Address: {
            /**
             * @description Identifier of the address.
             * @example S-3302
             */
            addressId: string | null;
            /**
             * @description Title of the person.
             * @example Ms
             */
            title: string | null;
            /**
             * @description Company.
             * @example Muster UK Ltd
             */
            companyName: string | null;
            /**
             * @description Department.
             * @example Goods in
             */
            department: string | null;
            /**
             * @description First name.
             * @example Zoë
             */
            firstName: string | null;
            /**
             * @description Last name.
             * @example O’Neill
             */
            lastName: string | null;
            /**
             * @description Street and number.
             * @example 12 Harbour Road
             */
            address1: string | null;
            /**
             * @description Second line.
             * @example Unit 4
             */
            address2: string | null;
            /**
             * @description City.
             * @example Bristol
             */
            city: string | null;
            /**
             * @description Postcode.
             * @example BS1 5TY
             */
            zip: string | null;
            /**
             * @description State, province or county.
             * @example Avon
             */
            state: string | null;
            /**
             * @description Country code of ISO 3166-1, two letters.
             * @example GB
             */
            country: string | null;
            /**
             * @description Telephone number.
             * @example +44 117 4960100
             */
            phone: string | null;
            /**
             * @description Mobile number.
             * @example +44 7700 900100
             */
            mobile: string | null;
            /**
             * @description Mail address.
             * @example zoe.oneill@example.com
             */
            email: string | null;
        };
        /**
         * AddressPatch
         * @description What is to be another in the address: what is left out stays, null takes away. address1, city and country cannot be taken away.
         */
        AddressPatch: {
            /**
             * @description Identifier of the address.
             * @example S-3302
             */
            addressId?: string | null;
            /**
             * @description Title of the person.
             * @example Ms
             */
            title?: string | null;
            /**
             * @description Company.
             * @example Muster UK Ltd
             */
            companyName?: string | null;
            /**
             * @description Department.
             * @example Goods in
             */
            department?: string | null;
            /**
             * @description First name.
             * @example Zoë
             */
            firstName?: string | null;
            /**
             * @description Last name.
             * @example O’Neill
             */
            lastName?: string | null;
            /**
             * @description Street and number.
             * @example 12 Harbour Road
             */
            address1?: string;
            /**
             * @description Second line.
             * @example Unit 4
             */
            address2?: string | null;
            /**
             * @description City.
             * @example Bristol
             */
            city?: string;
            /**
             * @description Postcode, in a format of the country.
             * @example BS1 5TY
             */
            zip?: string | null;
            /**
             * @description State, province or county.
             * @example Avon
             */
            state?: string | null;
            /**
             * @description Country code of ISO 3166-1, two or three letters; kept as two.
             * @example GB
             */
            country?: string;
            /**
             * @description Telephone number.
             * @example +44 117 4960100
             */
            phone?: string | null;
            /**
             * @description Mobile number.
             * @example +44 7700 900100
             */
            mobile?: string | null;
            /**
             * @description Mail address.
             * @example zoe.oneill@example.com
             */
            email?: string | null;
        };
        /**
         * CarrierServiceCode
         * @description A service of a carrier.
         */
        CarrierServiceCode: {
            /**
             * @description Code of the service: the carrierServiceCode of parcels.
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
            /**
             * @description Whether its parcels can be tracked.
             * @example true
             */
            trackable: boolean;
            /** @description Countries that it delivers to; null: all. */
            countries: string[] | null;
            /**
             * @description Most that a parcel may weigh, in kg; null: no bound is known.
             * @example 20
             */
            maxWeightKg: number | null;
        };
        /**
         * CarrierServiceCodePage
         * @description Services of carriers, by code.
         */
        CarrierServiceCodePage: {
            /** @description The records of this page. */
            items: components["schemas"]["CarrierServiceCode"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * Document
         * @description A paper of an order.
         */
        Document: {
            /**
             * Format: uuid
             * @description Identifier of the document.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            documentId: string;
            /**
             * @description Its order.
             * @example WEB-100045
             */
            orderId: string;
            /**
             * @description Its parcel; null where it is the whole order's.
             * @example 006141410000000012
             */
            olpnId: string | null;
            /**
             * @description Kind of the document.
             * @example PACKING_SLIP
             * @enum {string}
             */
            type: "PACKING_SLIP" | "SHIPPING_LABEL" | "COMMERCIAL_INVOICE";
            /**
             * @description Media type in which document/get answers it.
             * @example application/pdf
             * @enum {string}
             */
            contentType: "application/pdf" | "application/zpl" | "image/png";
            /**
             * @description Language of its text.
             * @example en-GB
             */
            language: string | null;
            /**
             * Format: date-time
             * @description When it was made; made again, it keeps its documentId.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * @description Bytes.
             * @example 48213
             */
            size: number;
            /**
             * @description SHA-256 of its bytes in hexadecimal digits; also in the ETag.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
        };
        /**
         * DocumentPage
         * @description Documents of an order, as they were made.
         */
        DocumentPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Document"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * Hold
         * @description What keeps the order from leaving.
         */
        Hold: {
            type: components["schemas"]["HoldType"];
            /**
             * @description Why.
             * @example doNotShip of the order
             */
            reason: string;
            /**
             * Format: date-time
             * @description Since when.
             * @example 2026-11-20T10:00:00.000Z
             */
            since: string;
            /**
             * @description Who set it.
             * @example feed
             */
            by: string;
        };
        /**
         * HoldType
         * @description Kind of the hold.
         * @example DO_NOT_SHIP
         * @enum {string}
         */
        HoldType: "DO_NOT_SHIP" | "CLIENT_REQUEST" | "ADDRESS_INVALID" | "HAZMAT_REVIEW" | "CARRIER_UNAVAILABLE" | "OTHER";
        /**
         * Milestone
         * @description A step in the order's life.
         */
        Milestone: {
            /**
             * @description Event code.
             * @example 10
             */
            code: number;
            /**
             * @description Its name.
             * @example Order Received
             */
            name: string;
            /**
             * Format: date-time
             * @description When.
             * @example 2026-11-20T10:00:00.000Z
             */
            at: string;
        };
        /**
         * Money
         * @description Cost of shipping.
         */
        Money: {
            /**
             * @description Amount with at most four decimals.
             * @example 109.15
             */
            amount: number;
            /**
             * @description Currency code of ISO 4217.
             * @example EUR
             */
            currency: string | null;
        };
        /**
         * Olpn
         * @description A parcel (outbound licence plate number).
         */
        Olpn: {
            /**
             * @description Identifier of the parcel: an SSCC-18.
             * @example 006141410000000012
             */
            olpnId: string;
            /**
             * @description Its order.
             * @example WEB-100045
             */
            orderId: string;
            status: components["schemas"]["OlpnStatus"];
            /**
             * @description Carrier.
             * @example RM
             */
            carrierCode: string | null;
            /**
             * @description Service of the carrier.
             * @example RM48
             */
            carrierServiceCode: string | null;
            /**
             * @description Number by which the parcel is tracked.
             * @example RM123456785GB
             */
            trackingNumber: string | null;
            /**
             * @description Where the carrier shows the parcel.
             * @example https://carrier.example/RM123456785GB
             */
            trackingUrl: string | null;
            weight: components["schemas"]["OlpnWeight"];
            /** @description Sides of the parcel. */
            dimensions: components["schemas"]["OlpnDimensions"] | null;
            /** @description What is in the parcel, by lot. */
            contents: components["schemas"]["OlpnContent"][];
            /** @description What has happened to the parcel, as it happened. */
            events: components["schemas"]["OlpnEvent"][];
            /**
             * Format: uuid
             * @description The decision that chose its service; null where the warehouse named it.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            decisionId: string | null;
        };
        /**
         * OlpnContent
         * @description A quantity of one lot.
         */
        OlpnContent: {
            /**
             * @description Line of the order.
             * @example 1
             */
            lineNumber: number;
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Quantity in the stock unit.
             * @example 2
             */
            qty: number;
            /**
             * @description Batch.
             * @example B-2026-11
             */
            batchRef: string | null;
            /** @description Serial numbers, where the item has them. */
            serials: string[];
        };
        /**
         * OlpnDimensions
         * @description Sides of the parcel.
         */
        OlpnDimensions: {
            /**
             * @description Length.
             * @example 30
             */
            length: number | null;
            /**
             * @description Width.
             * @example 30
             */
            width: number | null;
            /**
             * @description Height.
             * @example 30
             */
            height: number | null;
            /**
             * @description Their unit.
             * @example CM
             */
            uom: string;
        };
        /**
         * OlpnEvent
         * @description Something that happened to the parcel.
         */
        OlpnEvent: {
            /**
             * @description Event code.
             * @example 120
             */
            code: number;
            /**
             * @description Its name.
             * @example In Transit
             */
            name: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T10:00:00.000Z
             */
            at: string;
            /**
             * Format: date-time
             * @description When it was reported.
             * @example 2026-11-20T10:00:00.000Z
             */
            receivedAt: string;
            /**
             * @description Where.
             * @example Bristol depot
             */
            location: string | null;
            /**
             * @description What the carrier said.
             * @example With the driver
             */
            text: string | null;
        };
        /**
         * OlpnPage
         * @description Parcels of an order, as they were packed.
         */
        OlpnPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Olpn"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * OlpnStatus
         * @description State of the parcel.
         * @example IN_TRANSIT
         * @enum {string}
         */
        OlpnStatus: "PACKED" | "LOADED" | "DESPATCHED" | "IN_TRANSIT" | "OUT_FOR_DELIVERY" | "AVAILABLE_FOR_COLLECTION" | "DELIVERED" | "EXCEPTION" | "LOST" | "RETURNING" | "RETURNED_TO_SENDER" | "VOIDED";
        /**
         * OlpnWeight
         * @description Weight of the parcel.
         */
        OlpnWeight: {
            /**
             * @description Weight.
             * @example 1.25
             */
            value: number;
            /**
             * @description Its unit.
             * @example KG
             */
            uom: string;
        };
        /**
         * Order
         * @description A sales order.
         */
        Order: {
            /**
             * @description Identifier of the order, the client's own.
             * @example WEB-100045
             */
            orderId: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Why it is in this state, where that needs saying.
             * @example cancelled by the client's feed
             */
            statusReason: string | null;
            /**
             * @description Reference in another system of the client.
             * @example SHOP-2026-77812
             */
            externalOrderReference: string | null;
            /**
             * @description Catalogue that the order refers to.
             * @example AUTUMN-2026
             */
            catalogId: string | null;
            /**
             * @description Whether the client asked for the order to be kept back.
             * @example false
             */
            doNotShip: boolean;
            /**
             * @description Where the order came from.
             * @example WEBSHOP
             */
            origin: string | null;
            /**
             * @description Language of documents.
             * @example en-GB
             */
            language: string | null;
            /**
             * Format: date-time
             * @description When the order was placed.
             * @example 2026-11-20T10:00:00.000Z
             */
            orderDate: string;
            /**
             * @description Shipping method.
             * @example STANDARD
             */
            shippingMethod: string | null;
            /** @description Cost of shipping. */
            shippingCost: components["schemas"]["Money"] | null;
            /** @description Sum of the lines. */
            subtotal: components["schemas"]["Money"] | null;
            /** @description What the customer pays. */
            totalPrice: components["schemas"]["Money"] | null;
            /** @description Taxes, as the feed gave them. */
            taxes: components["schemas"]["Taxes"] | null;
            /** @description Address that the invoice goes to. */
            billToAddress: components["schemas"]["Address"] | null;
            /** @description Address that the goods go to. */
            shipToAddress: components["schemas"]["Address"] | null;
            /** @description How it was paid. */
            payments: components["schemas"]["Payment"][];
            /**
             * @description Facility that fulfils the order, as routed.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * @description Carrier that the client chose.
             * @example RM
             */
            carrierCode: string | null;
            /**
             * @description Attributes by name, each a text.
             * @example {
             *       "WebOrderId": "77812"
             *     }
             */
            extendedAttributes: {
                [key: string]: string;
            };
            /**
             * @description 1 is served first, 9 last.
             * @example 5
             */
            priority: number;
            /**
             * @description Whether the order may leave in parts.
             * @example false
             */
            shipPartial: boolean;
            /** @description What keeps the order from leaving. */
            holds: components["schemas"]["Hold"][];
            /** @description By lineNumber. */
            lines: components["schemas"]["OrderLine"][];
            /** @description What has happened, in order. */
            milestones: components["schemas"]["Milestone"][];
            /** @description Parcels of the order. */
            olpns: string[];
            /**
             * Format: date-time
             * @description By when it is to leave; null where the facility has no cut-off time.
             * @example 2026-11-20T10:00:00.000Z
             */
            despatchBy: string | null;
            /**
             * Format: uuid
             * @description Token of the feed document that made the order.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            feedToken: string;
            /**
             * Format: date-time
             * @description When it was received.
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
             * Format: date-time
             * @description When names, addresses and payloads were blanked; of the addresses the country alone is left then.
             * @example 2026-11-20T10:00:00.000Z
             */
            personalDataErasedAt: string | null;
            /**
             * @description Counts up with every change; also in the ETag.
             * @example 1
             */
            version: number;
        };
        /**
         * OrderCancel
         * @description Cancels an order, or what has not left of it.
         */
        OrderCancel: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Why: kept in the audit log, and the statusReason of an order of which nothing is left.
             * @example Ordered twice
             */
            reason: string;
        };
        /**
         * OrderCancellation
         * @description What became of a cancellation, and the order as it is now.
         */
        OrderCancellation: {
            /**
             * @description CANCELLED: it is done. REQUESTED: the warehouse has all or a part of it, and answers line by line; events and the order tell how.
             * @example CANCELLED
             * @enum {string}
             */
            outcome: "CANCELLED" | "REQUESTED";
            order: components["schemas"]["Order"];
        };
        /**
         * OrderHold
         * @description Holds an order. May be left out.
         */
        OrderHold: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Why: the reason of the hold.
             * @example Address is being asked for
             */
            reason?: string;
        };
        /**
         * OrderLine
         * @description A line of an order.
         */
        OrderLine: {
            /**
             * @description Number of the line within the order.
             * @example 1
             */
            lineNumber: number;
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /** @description State of the line. */
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Quantity as the feed gave it, in qtyUom; or, after orderLine/update, as that gave it.
             * @example 2
             */
            qty: number;
            /**
             * @description Unit of qty as the feed gave it; null: the stock unit.
             * @example EA
             */
            qtyUom: string | null;
            /**
             * @description Stock unit of the product, in which all the following quantities are.
             * @example EA
             */
            uom: string;
            /**
             * @description Ordered. The sum of open, backordered, allocated, picked, packed, despatched and cancelled.
             * @example 2
             */
            qtyOrdered: number;
            /**
             * @description Waiting for stock to be looked for.
             * @example 2
             */
            qtyOpen: number;
            /**
             * @description Waiting for stock that is not there.
             * @example 2
             */
            qtyBackordered: number;
            /**
             * @description Reserved in the warehouse.
             * @example 2
             */
            qtyAllocated: number;
            /**
             * @description Picked.
             * @example 2
             */
            qtyPicked: number;
            /**
             * @description Packed into parcels.
             * @example 2
             */
            qtyPacked: number;
            /**
             * @description Gone out.
             * @example 2
             */
            qtyDespatched: number;
            /**
             * @description Cancelled.
             * @example 2
             */
            qtyCancelled: number;
            /**
             * @description Of what has gone out, delivered.
             * @example 2
             */
            qtyDelivered: number;
            /**
             * @description Of what has gone out, come back.
             * @example 2
             */
            qtyReturned: number;
            /**
             * @description Stock pool that the goods are taken from first.
             * @example DEFAULT
             */
            stockPool: string;
            /** @description Total of the line. */
            lineTotal: components["schemas"]["Money"] | null;
            /** @description Price of one unit without tax. */
            unitNetPrice: components["schemas"]["Money"] | null;
            /** @description Price of the whole quantity without tax. */
            extendedUnitNetPrice: components["schemas"]["Money"] | null;
            /** @description Price of one unit with tax. */
            unitGrossPrice: components["schemas"]["Money"] | null;
            /** @description Taxes, as the feed gave them. */
            taxes: components["schemas"]["Taxes"] | null;
            /**
             * @description Attributes by name, each a text.
             * @example {
             *       "WebOrderId": "77812"
             *     }
             */
            extendedAttributes: {
                [key: string]: string;
            };
        };
        /**
         * OrderLineCancel
         * @description Cancels a line, or a part of it.
         */
        OrderLineCancel: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description How much of the line, in its stock unit; left out: all that has not left. At most three decimals; whole where the stock unit is EA.
             * @example 1
             */
            qty?: number;
            /**
             * @description Why: kept in the audit log, and the statusReason of an order of which nothing is left.
             * @example Ordered twice
             */
            reason: string;
        };
        /**
         * OrderLinePatch
         * @description JSON merge patch (RFC 7396) of a line of an order.
         */
        OrderLinePatch: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Quantity that is wanted of the line now, in its stock unit. At most three decimals; whole where the stock unit is EA.
             * @example 1
             */
            qty: number;
        };
        /**
         * OrderPage
         * @description Orders, by receipt.
         */
        OrderPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Order"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * OrderPatch
         * @description JSON merge patch (RFC 7396) of an order.
         */
        OrderPatch: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            shipToAddress?: components["schemas"]["AddressPatch"];
            /** @description What is to be another in the address: what is left out stays, null takes away. address1, city and country cannot be taken away. */
            billToAddress?: components["schemas"]["AddressPatch"] | null;
            /**
             * @description Shipping method.
             * @example EXPRESS
             */
            shippingMethod?: string | null;
            /**
             * @description Carrier that the client chooses; null lets one be determined.
             * @example RM
             */
            carrierCode?: string | null;
            /**
             * @description true holds the order (DO_NOT_SHIP), false or null lifts that hold.
             * @example false
             */
            doNotShip?: boolean | null;
            /**
             * @description 1 is served first, 9 last; null is 5.
             * @example 3
             */
            priority?: number | null;
            /**
             * @description Attributes by name: what is not named stays, null takes away. Priority is the field priority; ShipPartial and Revision are the feed's.
             * @example {
             *       "GiftMessage": "Happy birthday",
             *       "WebOrderId": null
             *     }
             */
            extendedAttributes?: {
                [key: string]: string | null;
            } | null;
        };
        /**
         * OrderRelease
         * @description Releases an order. May be left out.
         */
        OrderRelease: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
        };
        /**
         * OrderStatus
         * @description State of the order.
         * @example RECEIVED
         * @enum {string}
         */
        OrderStatus: "RECEIVED" | "ON_HOLD" | "BACKORDERED" | "PARTIALLY_ALLOCATED" | "ALLOCATED" | "PICKING" | "PACKED" | "PARTIALLY_DESPATCHED" | "DESPATCHED" | "DELIVERED" | "RETURNED_TO_SENDER" | "CANCELLED";
        /**
         * OrderStatusRecord
         * @description Where an order stands.
         */
        OrderStatusRecord: {
            /**
             * @description Identifier of the order, the client's own.
             * @example WEB-100045
             */
            orderId: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Why it is in this state, where that needs saying.
             * @example cancelled by the client's feed
             */
            statusReason: string | null;
            /** @description What has happened, in order. */
            milestones: components["schemas"]["Milestone"][];
            /** @description Its parcels as they were packed; voided ones are left out. */
            parcels: components["schemas"]["ParcelStatusRecord"][];
            /**
             * Format: date-time
             * @description When the order last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Of the order: counts up with every change; also in the ETag.
             * @example 1
             */
            version: number;
        };
        /**
         * ParcelStatus
         * @description State of the parcel.
         * @example IN_TRANSIT
         * @enum {string}
         */
        ParcelStatus: "PACKED" | "LOADED" | "DESPATCHED" | "IN_TRANSIT" | "OUT_FOR_DELIVERY" | "AVAILABLE_FOR_COLLECTION" | "DELIVERED" | "EXCEPTION" | "LOST" | "RETURNING" | "RETURNED_TO_SENDER";
        /**
         * ParcelStatusRecord
         * @description Where a parcel is.
         */
        ParcelStatusRecord: {
            /**
             * @description Identifier of the parcel: an SSCC-18.
             * @example 006141410000000012
             */
            olpnId: string;
            status: components["schemas"]["ParcelStatus"];
            /**
             * Format: date-time
             * @description When that happened which gave the state; null while no carrier has reported.
             * @example 2026-11-20T10:00:00.000Z
             */
            statusAt: string | null;
            /**
             * @description Carrier.
             * @example RM
             */
            carrierCode: string | null;
            /**
             * @description Service of the carrier.
             * @example RM48
             */
            carrierServiceCode: string | null;
            /**
             * @description Number by which the parcel is tracked.
             * @example RM123456785GB
             */
            trackingNumber: string | null;
            /**
             * @description Where the carrier shows the parcel.
             * @example https://carrier.example/RM123456785GB
             */
            trackingUrl: string | null;
            /**
             * Format: date-time
             * @description When it was packed.
             * @example 2026-11-20T10:00:00.000Z
             */
            packedAt: string;
            /**
             * Format: date-time
             * @description When it left the warehouse; null while it has not.
             * @example 2026-11-20T10:00:00.000Z
             */
            despatchedAt: string | null;
        };
        /**
         * Payment
         * @description A payment.
         */
        Payment: {
            /**
             * @description Kind of payment.
             * @example CARD
             */
            type: string | null;
            /**
             * @description Means of payment.
             * @example VISA
             */
            tender: string | null;
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
         * Rma
         * @description An authorised return.
         */
        Rma: {
            /**
             * @description Number of the return, the client's own.
             * @example RMA-5001
             */
            rmaNumber: string;
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            status: components["schemas"]["RmaStatus"];
            /**
             * @description Facility that receives the return.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * @description The order that the goods came from, as the feed named it.
             * @example SHOP-2026-77812
             */
            orderReference: string | null;
            /**
             * @description Identifier of that order.
             * @example WEB-100045
             */
            orderId: string | null;
            /**
             * Format: date-time
             * @description When the client authorised it.
             * @example 2026-11-20T10:00:00.000Z
             */
            creationTimeStamp: string | null;
            /** @description By line number; SKUs that were not authorised come last. */
            lines: components["schemas"]["RmaLine"][];
            /**
             * Format: uuid
             * @description Token of the feed document that made the return.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            feedToken: string;
            /**
             * Format: date-time
             * @description When the authorisation was received.
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
             * Format: date-time
             * @description When the warehouse closed it.
             * @example 2026-11-20T10:00:00.000Z
             */
            closedAt: string | null;
            /**
             * @description Counts up with every change; also in the ETag.
             * @example 1
             */
            version: number;
        };
        /**
         * RmaCancel
         * @description May be left out.
         */
        RmaCancel: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Why; kept in the audit log.
             * @example The customer keeps it
             */
            reason?: string;
        };
        /**
         * RmaDisposition
         * @description What was made of goods that came back.
         */
        RmaDisposition: {
            /**
             * @description RESELLABLE is sold again, DAMAGED and QUARANTINE are kept apart, SCRAP has left.
             * @example RESELLABLE
             * @enum {string}
             */
            disposition: "RESELLABLE" | "DAMAGED" | "QUARANTINE" | "SCRAP";
            /**
             * @description Quantity in the stock unit.
             * @example 2
             */
            qty: number;
            /**
             * @description Remark of the warehouse.
             * @example Box torn
             */
            note: string | null;
        };
        /**
         * RmaLine
         * @description A line of a return.
         */
        RmaLine: {
            /**
             * @description Number of the line; null for a SKU that came back and was not authorised.
             * @example 1
             */
            lineNumber: number | null;
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Code of the reason why it comes back.
             * @example DAMAGED
             */
            returnReasonCode: string | null;
            /**
             * @description Unit of quantityReturned as the feed gave it; null: the stock unit.
             * @example EA
             */
            qtyUom: string | null;
            /**
             * @description Quantity that may come back as the feed gave it, in qtyUom.
             * @example 2
             */
            quantityReturned: number | null;
            /**
             * @description Free text of the client.
             * @example Handle broken
             */
            attributeOne: string | null;
            /**
             * @description Free text of the client.
             * @example Photo sent on 8 November
             */
            attributeThree: string | null;
            /**
             * @description Quantity that may come back, in the stock unit.
             * @example 2
             */
            qtyExpected: number;
            /**
             * @description All that came back, in the stock unit; also what is more than expected.
             * @example 2
             */
            qtyReceived: number;
            /**
             * @description OVER and UNPLANNED as soon as it shows, SHORT when the return is closed.
             * @example NONE
             * @enum {string}
             */
            discrepancy: "NONE" | "SHORT" | "OVER" | "UNPLANNED";
            /** @description What was made of the goods, by grade and remark. */
            dispositions: components["schemas"]["RmaDisposition"][];
        };
        /**
         * RmaPage
         * @description Returns, by receipt.
         */
        RmaPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Rma"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * RmaStatus
         * @description State of the return.
         * @example RECEIVING
         * @enum {string}
         */
        RmaStatus: "AUTHORISED" | "RECEIVING" | "RECEIVED" | "CLOSED" | "CANCELLED" | "EXPIRED";
        /**
         * ServiceLevel
         * @description How fast the service is.
         * @example STANDARD
         * @enum {string}
         */
        ServiceLevel: "ECONOMY" | "STANDARD" | "EXPRESS" | "NEXT_DAY" | "SAME_DAY";
        /**
         * Tax
         * @description A tax.
         */
        Tax: {
            /**
             * @description Kind of the tax.
             * @example VAT
             */
            type: string | null;
            /**
             * @description Amount of this tax.
             * @example 17.36
             */
            amount: number | null;
        };
        /**
         * Taxes
         * @description Taxes, as the feed gave them.
         */
        Taxes: {
            /**
             * @description Sum of the taxes.
             * @example 18.19
             */
            amount: number | null;
            /**
             * @description Currency code of ISO 4217.
             * @example EUR
             */
            currency: string | null;
            /** @description Each tax. */
            tax: components["schemas"]["Tax"][];
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
         * @description The line of it.
         * @example 1
         */
        PathLineNumber: number;
        /**
         * @description The order.
         * @example WEB-100045
         */
        PathOrderId: string;
        /**
         * @description The return.
         * @example RMA-5001
         */
        PathRmaNumber: string;
        /**
         * @description Received at this moment or later.
         * @example 2026-11-20T10:00:00.000Z
         */
        ReceivedFrom: string;
        /**
         * @description Received before this moment.
         * @example 2026-11-20T10:00:00.000Z
         */
        ReceivedTo: string;
        /**
         * @description By receipt: oldest first, or with a minus newest first.
         * @example receivedAt
         */
        Sort: components["schemas"]["ReceiptSort"];
        /**
         * @description Changed at this moment or later; may repeat what was answered before.
         * @example 2026-11-20T10:00:00.000Z
         */
        UpdatedSince: string;
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
export type Address = components['schemas']['Address'];
export type AddressPatch = components['schemas']['AddressPatch'];
export type CarrierServiceCode = components['schemas']['CarrierServiceCode'];
export type CarrierServiceCodePage = components['schemas']['CarrierServiceCodePage'];
export type Document = components['schemas']['Document'];
export type DocumentPage = components['schemas']['DocumentPage'];
export type Hold = components['schemas']['Hold'];
export type HoldType = components['schemas']['HoldType'];
export type Milestone = components['schemas']['Milestone'];
export type Money = components['schemas']['Money'];
export type Olpn = components['schemas']['Olpn'];
export type OlpnContent = components['schemas']['OlpnContent'];
export type OlpnDimensions = components['schemas']['OlpnDimensions'];
export type OlpnEvent = components['schemas']['OlpnEvent'];
export type OlpnPage = components['schemas']['OlpnPage'];
export type OlpnStatus = components['schemas']['OlpnStatus'];
export type OlpnWeight = components['schemas']['OlpnWeight'];
export type Order = components['schemas']['Order'];
export type OrderCancel = components['schemas']['OrderCancel'];
export type OrderCancellation = components['schemas']['OrderCancellation'];
export type OrderHold = components['schemas']['OrderHold'];
export type OrderLine = components['schemas']['OrderLine'];
export type OrderLineCancel = components['schemas']['OrderLineCancel'];
export type OrderLinePatch = components['schemas']['OrderLinePatch'];
export type OrderPage = components['schemas']['OrderPage'];
export type OrderPatch = components['schemas']['OrderPatch'];
export type OrderRelease = components['schemas']['OrderRelease'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderStatusRecord = components['schemas']['OrderStatusRecord'];
export type ParcelStatus = components['schemas']['ParcelStatus'];
export type ParcelStatusRecord = components['schemas']['ParcelStatusRecord'];
export type Payment = components['schemas']['Payment'];
export type Problem = components['schemas']['Problem'];
export type ReceiptSort = components['schemas']['ReceiptSort'];
export type Rma = components['schemas']['Rma'];
export type RmaCancel = components['schemas']['RmaCancel'];
export type RmaDisposition = components['schemas']['RmaDisposition'];
export type RmaLine = components['schemas']['RmaLine'];
export type RmaPage = components['schemas']['RmaPage'];
export type RmaStatus = components['schemas']['RmaStatus'];
export type ServiceLevel = components['schemas']['ServiceLevel'];
export type Tax = components['schemas']['Tax'];
export type Taxes = components['schemas']['Taxes'];
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
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterPathLineNumber = components['parameters']['PathLineNumber'];
export type ParameterPathOrderId = components['parameters']['PathOrderId'];
export type ParameterPathRmaNumber = components['parameters']['PathRmaNumber'];
export type ParameterReceivedFrom = components['parameters']['ReceivedFrom'];
export type ParameterReceivedTo = components['parameters']['ReceivedTo'];
export type ParameterSort = components['parameters']['Sort'];
export type ParameterUpdatedSince = components['parameters']['UpdatedSince'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderETag = components['headers']['ETag'];
export type $defs = Record<string, never>;
export interface operations {
    getOrder: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A sales order. */
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
                     *       "orderId": "WEB-100045",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVED",
                     *       "statusReason": "cancelled by the client's feed",
                     *       "externalOrderReference": "SHOP-2026-77812",
                     *       "catalogId": "AUTUMN-2026",
                     *       "doNotShip": false,
                     *       "origin": "WEBSHOP",
                     *       "language": "en-GB",
                     *       "orderDate": "2026-11-20T10:00:00.000Z",
                     *       "shippingMethod": "STANDARD",
                     *       "shippingCost": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "totalPrice": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "taxes": {
                     *         "amount": 18.19,
                     *         "currency": "EUR",
                     *         "tax": [
                     *           {
                     *             "type": "VAT",
                     *             "amount": 17.36
                     *           }
                     *         ]
                     *       },
                     *       "billToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "shipToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "payments": [
                     *         {
                     *           "type": "CARD",
                     *           "tender": "VISA"
                     *         }
                     *       ],
                     *       "distributionCentre": "DC1",
                     *       "carrierCode": "RM",
                     *       "extendedAttributes": {
                     *         "WebOrderId": "77812"
                     *       },
                     *       "priority": 5,
                     *       "shipPartial": false,
                     *       "holds": [
                     *         {
                     *           "type": "DO_NOT_SHIP",
                     *           "reason": "doNotShip of the order",
                     *           "since": "2026-11-20T10:00:00.000Z",
                     *           "by": "feed"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "status": "RECEIVED",
                     *           "qty": 2,
                     *           "qtyUom": "EA",
                     *           "uom": "EA",
                     *           "qtyOrdered": 2,
                     *           "qtyOpen": 2,
                     *           "qtyBackordered": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyPicked": 2,
                     *           "qtyPacked": 2,
                     *           "qtyDespatched": 2,
                     *           "qtyCancelled": 2,
                     *           "qtyDelivered": 2,
                     *           "qtyReturned": 2,
                     *           "stockPool": "DEFAULT",
                     *           "lineTotal": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "extendedUnitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitGrossPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": {
                     *             "amount": 18.19,
                     *             "currency": "EUR",
                     *             "tax": [
                     *               {
                     *                 "type": "VAT",
                     *                 "amount": 17.36
                     *               }
                     *             ]
                     *           },
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           }
                     *         }
                     *       ],
                     *       "milestones": [
                     *         {
                     *           "code": 10,
                     *           "name": "Order Received",
                     *           "at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "olpns": [
                     *         "006141410000000012"
                     *       ],
                     *       "despatchBy": "2026-11-20T10:00:00.000Z",
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
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
    getOrderStatus: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where an order stands. */
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
                     *       "orderId": "WEB-100045",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVED",
                     *       "statusReason": "cancelled by the client's feed",
                     *       "milestones": [
                     *         {
                     *           "code": 10,
                     *           "name": "Order Received",
                     *           "at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "parcels": [
                     *         {
                     *           "olpnId": "006141410000000012",
                     *           "status": "IN_TRANSIT",
                     *           "statusAt": "2026-11-20T10:00:00.000Z",
                     *           "carrierCode": "RM",
                     *           "carrierServiceCode": "RM48",
                     *           "trackingNumber": "RM123456785GB",
                     *           "trackingUrl": "https://carrier.example/RM123456785GB",
                     *           "packedAt": "2026-11-20T10:00:00.000Z",
                     *           "despatchedAt": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["OrderStatusRecord"];
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
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description State of the order.
                 * @example RECEIVED
                 */
                status?: components["schemas"]["OrderStatus"];
                /**
                 * @description Orders of this facility.
                 * @example DC1
                 */
                distributionCentre?: string;
                /**
                 * @description Orders with this reference.
                 * @example SHOP-2026-77812
                 */
                externalOrderReference?: string;
                /**
                 * @description Received at this moment or later.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                receivedFrom?: components["parameters"]["ReceivedFrom"];
                /**
                 * @description Received before this moment.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                receivedTo?: components["parameters"]["ReceivedTo"];
                /**
                 * @description Changed at this moment or later; may repeat what was answered before.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedSince?: components["parameters"]["UpdatedSince"];
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
            /** @description Orders, by receipt. */
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
                     *           "orderId": "WEB-100045",
                     *           "clientId": "DEMO",
                     *           "status": "RECEIVED",
                     *           "statusReason": "cancelled by the client's feed",
                     *           "externalOrderReference": "SHOP-2026-77812",
                     *           "catalogId": "AUTUMN-2026",
                     *           "doNotShip": false,
                     *           "origin": "WEBSHOP",
                     *           "language": "en-GB",
                     *           "orderDate": "2026-11-20T10:00:00.000Z",
                     *           "shippingMethod": "STANDARD",
                     *           "shippingCost": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "subtotal": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "totalPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": {
                     *             "amount": 18.19,
                     *             "currency": "EUR",
                     *             "tax": [
                     *               {
                     *                 "type": "VAT",
                     *                 "amount": 17.36
                     *               }
                     *             ]
                     *           },
                     *           "billToAddress": {
                     *             "addressId": "S-3302",
                     *             "title": "Ms",
                     *             "companyName": "Muster UK Ltd",
                     *             "department": "Goods in",
                     *             "firstName": "Zoë",
                     *             "lastName": "O’Neill",
                     *             "address1": "12 Harbour Road",
                     *             "address2": "Unit 4",
                     *             "city": "Bristol",
                     *             "zip": "BS1 5TY",
                     *             "state": "Avon",
                     *             "country": "GB",
                     *             "phone": "+44 117 4960100",
                     *             "mobile": "+44 7700 900100",
                     *             "email": "zoe.oneill@example.com"
                     *           },
                     *           "shipToAddress": {
                     *             "addressId": "S-3302",
                     *             "title": "Ms",
                     *             "companyName": "Muster UK Ltd",
                     *             "department": "Goods in",
                     *             "firstName": "Zoë",
                     *             "lastName": "O’Neill",
                     *             "address1": "12 Harbour Road",
                     *             "address2": "Unit 4",
                     *             "city": "Bristol",
                     *             "zip": "BS1 5TY",
                     *             "state": "Avon",
                     *             "country": "GB",
                     *             "phone": "+44 117 4960100",
                     *             "mobile": "+44 7700 900100",
                     *             "email": "zoe.oneill@example.com"
                     *           },
                     *           "payments": [
                     *             {
                     *               "type": "CARD",
                     *               "tender": "VISA"
                     *             }
                     *           ],
                     *           "distributionCentre": "DC1",
                     *           "carrierCode": "RM",
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           },
                     *           "priority": 5,
                     *           "shipPartial": false,
                     *           "holds": [
                     *             {
                     *               "type": "DO_NOT_SHIP",
                     *               "reason": "doNotShip of the order",
                     *               "since": "2026-11-20T10:00:00.000Z",
                     *               "by": "feed"
                     *             }
                     *           ],
                     *           "lines": [
                     *             {
                     *               "lineNumber": 1,
                     *               "sku": "MUG-BLUE-330",
                     *               "status": "RECEIVED",
                     *               "qty": 2,
                     *               "qtyUom": "EA",
                     *               "uom": "EA",
                     *               "qtyOrdered": 2,
                     *               "qtyOpen": 2,
                     *               "qtyBackordered": 2,
                     *               "qtyAllocated": 2,
                     *               "qtyPicked": 2,
                     *               "qtyPacked": 2,
                     *               "qtyDespatched": 2,
                     *               "qtyCancelled": 2,
                     *               "qtyDelivered": 2,
                     *               "qtyReturned": 2,
                     *               "stockPool": "DEFAULT",
                     *               "lineTotal": {
                     *                 "amount": 109.15,
                     *                 "currency": "EUR"
                     *               },
                     *               "unitNetPrice": {
                     *                 "amount": 109.15,
                     *                 "currency": "EUR"
                     *               },
                     *               "extendedUnitNetPrice": {
                     *                 "amount": 109.15,
                     *                 "currency": "EUR"
                     *               },
                     *               "unitGrossPrice": {
                     *                 "amount": 109.15,
                     *                 "currency": "EUR"
                     *               },
                     *               "taxes": {
                     *                 "amount": 18.19,
                     *                 "currency": "EUR",
                     *                 "tax": [
                     *                   {
                     *                     "type": "VAT",
                     *                     "amount": 17.36
                     *                   }
                     *                 ]
                     *               },
                     *               "extendedAttributes": {
                     *                 "WebOrderId": "77812"
                     *               }
                     *             }
                     *           ],
                     *           "milestones": [
                     *             {
                     *               "code": 10,
                     *               "name": "Order Received",
                     *               "at": "2026-11-20T10:00:00.000Z"
                     *             }
                     *           ],
                     *           "olpns": [
                     *             "006141410000000012"
                     *           ],
                     *           "despatchBy": "2026-11-20T10:00:00.000Z",
                     *           "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *           "receivedAt": "2026-11-20T10:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPage"];
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
    cancelOrder: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        /** @description Cancels an order, or what has not left of it. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "reason": "Ordered twice"
                 *     }
                 */
                "application/json": components["schemas"]["OrderCancel"];
            };
        };
        responses: {
            /** @description What became of a cancellation, and the order as it is now. */
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
                     *       "outcome": "CANCELLED",
                     *       "order": {
                     *         "orderId": "WEB-100045",
                     *         "clientId": "DEMO",
                     *         "status": "RECEIVED",
                     *         "statusReason": "cancelled by the client's feed",
                     *         "externalOrderReference": "SHOP-2026-77812",
                     *         "catalogId": "AUTUMN-2026",
                     *         "doNotShip": false,
                     *         "origin": "WEBSHOP",
                     *         "language": "en-GB",
                     *         "orderDate": "2026-11-20T10:00:00.000Z",
                     *         "shippingMethod": "STANDARD",
                     *         "shippingCost": {
                     *           "amount": 109.15,
                     *           "currency": "EUR"
                     *         },
                     *         "subtotal": {
                     *           "amount": 109.15,
                     *           "currency": "EUR"
                     *         },
                     *         "totalPrice": {
                     *           "amount": 109.15,
                     *           "currency": "EUR"
                     *         },
                     *         "taxes": {
                     *           "amount": 18.19,
                     *           "currency": "EUR",
                     *           "tax": [
                     *             {
                     *               "type": "VAT",
                     *               "amount": 17.36
                     *             }
                     *           ]
                     *         },
                     *         "billToAddress": {
                     *           "addressId": "S-3302",
                     *           "title": "Ms",
                     *           "companyName": "Muster UK Ltd",
                     *           "department": "Goods in",
                     *           "firstName": "Zoë",
                     *           "lastName": "O’Neill",
                     *           "address1": "12 Harbour Road",
                     *           "address2": "Unit 4",
                     *           "city": "Bristol",
                     *           "zip": "BS1 5TY",
                     *           "state": "Avon",
                     *           "country": "GB",
                     *           "phone": "+44 117 4960100",
                     *           "mobile": "+44 7700 900100",
                     *           "email": "zoe.oneill@example.com"
                     *         },
                     *         "shipToAddress": {
                     *           "addressId": "S-3302",
                     *           "title": "Ms",
                     *           "companyName": "Muster UK Ltd",
                     *           "department": "Goods in",
                     *           "firstName": "Zoë",
                     *           "lastName": "O’Neill",
                     *           "address1": "12 Harbour Road",
                     *           "address2": "Unit 4",
                     *           "city": "Bristol",
                     *           "zip": "BS1 5TY",
                     *           "state": "Avon",
                     *           "country": "GB",
                     *           "phone": "+44 117 4960100",
                     *           "mobile": "+44 7700 900100",
                     *           "email": "zoe.oneill@example.com"
                     *         },
                     *         "payments": [
                     *           {
                     *             "type": "CARD",
                     *             "tender": "VISA"
                     *           }
                     *         ],
                     *         "distributionCentre": "DC1",
                     *         "carrierCode": "RM",
                     *         "extendedAttributes": {
                     *           "WebOrderId": "77812"
                     *         },
                     *         "priority": 5,
                     *         "shipPartial": false,
                     *         "holds": [
                     *           {
                     *             "type": "DO_NOT_SHIP",
                     *             "reason": "doNotShip of the order",
                     *             "since": "2026-11-20T10:00:00.000Z",
                     *             "by": "feed"
                     *           }
                     *         ],
                     *         "lines": [
                     *           {
                     *             "lineNumber": 1,
                     *             "sku": "MUG-BLUE-330",
                     *             "status": "RECEIVED",
                     *             "qty": 2,
                     *             "qtyUom": "EA",
                     *             "uom": "EA",
                     *             "qtyOrdered": 2,
                     *             "qtyOpen": 2,
                     *             "qtyBackordered": 2,
                     *             "qtyAllocated": 2,
                     *             "qtyPicked": 2,
                     *             "qtyPacked": 2,
                     *             "qtyDespatched": 2,
                     *             "qtyCancelled": 2,
                     *             "qtyDelivered": 2,
                     *             "qtyReturned": 2,
                     *             "stockPool": "DEFAULT",
                     *             "lineTotal": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "unitNetPrice": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "extendedUnitNetPrice": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "unitGrossPrice": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "taxes": {
                     *               "amount": 18.19,
                     *               "currency": "EUR",
                     *               "tax": [
                     *                 {
                     *                   "type": "VAT",
                     *                   "amount": 17.36
                     *                 }
                     *               ]
                     *             },
                     *             "extendedAttributes": {
                     *               "WebOrderId": "77812"
                     *             }
                     *           }
                     *         ],
                     *         "milestones": [
                     *           {
                     *             "code": 10,
                     *             "name": "Order Received",
                     *             "at": "2026-11-20T10:00:00.000Z"
                     *           }
                     *         ],
                     *         "olpns": [
                     *           "006141410000000012"
                     *         ],
                     *         "despatchBy": "2026-11-20T10:00:00.000Z",
                     *         "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *         "receivedAt": "2026-11-20T10:00:00.000Z",
                     *         "updatedAt": "2026-11-20T10:00:00.000Z",
                     *         "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderCancellation"];
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
    updateOrder: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        /** @description JSON merge patch (RFC 7396) of an order. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "shipToAddress": {
                 *         "addressId": "S-3302",
                 *         "title": "Ms",
                 *         "companyName": "Muster UK Ltd",
                 *         "department": "Goods in",
                 *         "firstName": "Zoë",
                 *         "lastName": "O’Neill",
                 *         "address1": "12 Harbour Road",
                 *         "address2": "Unit 4",
                 *         "city": "Bristol",
                 *         "zip": "BS1 5TY",
                 *         "state": "Avon",
                 *         "country": "GB",
                 *         "phone": "+44 117 4960100",
                 *         "mobile": "+44 7700 900100",
                 *         "email": "zoe.oneill@example.com"
                 *       },
                 *       "billToAddress": {
                 *         "addressId": "S-3302",
                 *         "title": "Ms",
                 *         "companyName": "Muster UK Ltd",
                 *         "department": "Goods in",
                 *         "firstName": "Zoë",
                 *         "lastName": "O’Neill",
                 *         "address1": "12 Harbour Road",
                 *         "address2": "Unit 4",
                 *         "city": "Bristol",
                 *         "zip": "BS1 5TY",
                 *         "state": "Avon",
                 *         "country": "GB",
                 *         "phone": "+44 117 4960100",
                 *         "mobile": "+44 7700 900100",
                 *         "email": "zoe.oneill@example.com"
                 *       },
                 *       "shippingMethod": "EXPRESS",
                 *       "carrierCode": "RM",
                 *       "doNotShip": false,
                 *       "priority": 3,
                 *       "extendedAttributes": {
                 *         "GiftMessage": "Happy birthday",
                 *         "WebOrderId": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderPatch"];
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "shipToAddress": {
                 *         "addressId": "S-3302",
                 *         "title": "Ms",
                 *         "companyName": "Muster UK Ltd",
                 *         "department": "Goods in",
                 *         "firstName": "Zoë",
                 *         "lastName": "O’Neill",
                 *         "address1": "12 Harbour Road",
                 *         "address2": "Unit 4",
                 *         "city": "Bristol",
                 *         "zip": "BS1 5TY",
                 *         "state": "Avon",
                 *         "country": "GB",
                 *         "phone": "+44 117 4960100",
                 *         "mobile": "+44 7700 900100",
                 *         "email": "zoe.oneill@example.com"
                 *       },
                 *       "billToAddress": {
                 *         "addressId": "S-3302",
                 *         "title": "Ms",
                 *         "companyName": "Muster UK Ltd",
                 *         "department": "Goods in",
                 *         "firstName": "Zoë",
                 *         "lastName": "O’Neill",
                 *         "address1": "12 Harbour Road",
                 *         "address2": "Unit 4",
                 *         "city": "Bristol",
                 *         "zip": "BS1 5TY",
                 *         "state": "Avon",
                 *         "country": "GB",
                 *         "phone": "+44 117 4960100",
                 *         "mobile": "+44 7700 900100",
                 *         "email": "zoe.oneill@example.com"
                 *       },
                 *       "shippingMethod": "EXPRESS",
                 *       "carrierCode": "RM",
                 *       "doNotShip": false,
                 *       "priority": 3,
                 *       "extendedAttributes": {
                 *         "GiftMessage": "Happy birthday",
                 *         "WebOrderId": null
                 *       }
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["OrderPatch"];
            };
        };
        responses: {
            /** @description A sales order. */
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
                     *       "orderId": "WEB-100045",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVED",
                     *       "statusReason": "cancelled by the client's feed",
                     *       "externalOrderReference": "SHOP-2026-77812",
                     *       "catalogId": "AUTUMN-2026",
                     *       "doNotShip": false,
                     *       "origin": "WEBSHOP",
                     *       "language": "en-GB",
                     *       "orderDate": "2026-11-20T10:00:00.000Z",
                     *       "shippingMethod": "STANDARD",
                     *       "shippingCost": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "totalPrice": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "taxes": {
                     *         "amount": 18.19,
                     *         "currency": "EUR",
                     *         "tax": [
                     *           {
                     *             "type": "VAT",
                     *             "amount": 17.36
                     *           }
                     *         ]
                     *       },
                     *       "billToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "shipToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "payments": [
                     *         {
                     *           "type": "CARD",
                     *           "tender": "VISA"
                     *         }
                     *       ],
                     *       "distributionCentre": "DC1",
                     *       "carrierCode": "RM",
                     *       "extendedAttributes": {
                     *         "WebOrderId": "77812"
                     *       },
                     *       "priority": 5,
                     *       "shipPartial": false,
                     *       "holds": [
                     *         {
                     *           "type": "DO_NOT_SHIP",
                     *           "reason": "doNotShip of the order",
                     *           "since": "2026-11-20T10:00:00.000Z",
                     *           "by": "feed"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "status": "RECEIVED",
                     *           "qty": 2,
                     *           "qtyUom": "EA",
                     *           "uom": "EA",
                     *           "qtyOrdered": 2,
                     *           "qtyOpen": 2,
                     *           "qtyBackordered": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyPicked": 2,
                     *           "qtyPacked": 2,
                     *           "qtyDespatched": 2,
                     *           "qtyCancelled": 2,
                     *           "qtyDelivered": 2,
                     *           "qtyReturned": 2,
                     *           "stockPool": "DEFAULT",
                     *           "lineTotal": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "extendedUnitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitGrossPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": {
                     *             "amount": 18.19,
                     *             "currency": "EUR",
                     *             "tax": [
                     *               {
                     *                 "type": "VAT",
                     *                 "amount": 17.36
                     *               }
                     *             ]
                     *           },
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           }
                     *         }
                     *       ],
                     *       "milestones": [
                     *         {
                     *           "code": 10,
                     *           "name": "Order Received",
                     *           "at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "olpns": [
                     *         "006141410000000012"
                     *       ],
                     *       "despatchBy": "2026-11-20T10:00:00.000Z",
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
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
    holdOrder: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        /** @description Holds an order. May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "reason": "Address is being asked for"
                 *     }
                 */
                "application/json": components["schemas"]["OrderHold"];
            };
        };
        responses: {
            /** @description A sales order. */
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
                     *       "orderId": "WEB-100045",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVED",
                     *       "statusReason": "cancelled by the client's feed",
                     *       "externalOrderReference": "SHOP-2026-77812",
                     *       "catalogId": "AUTUMN-2026",
                     *       "doNotShip": false,
                     *       "origin": "WEBSHOP",
                     *       "language": "en-GB",
                     *       "orderDate": "2026-11-20T10:00:00.000Z",
                     *       "shippingMethod": "STANDARD",
                     *       "shippingCost": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "totalPrice": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "taxes": {
                     *         "amount": 18.19,
                     *         "currency": "EUR",
                     *         "tax": [
                     *           {
                     *             "type": "VAT",
                     *             "amount": 17.36
                     *           }
                     *         ]
                     *       },
                     *       "billToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "shipToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "payments": [
                     *         {
                     *           "type": "CARD",
                     *           "tender": "VISA"
                     *         }
                     *       ],
                     *       "distributionCentre": "DC1",
                     *       "carrierCode": "RM",
                     *       "extendedAttributes": {
                     *         "WebOrderId": "77812"
                     *       },
                     *       "priority": 5,
                     *       "shipPartial": false,
                     *       "holds": [
                     *         {
                     *           "type": "DO_NOT_SHIP",
                     *           "reason": "doNotShip of the order",
                     *           "since": "2026-11-20T10:00:00.000Z",
                     *           "by": "feed"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "status": "RECEIVED",
                     *           "qty": 2,
                     *           "qtyUom": "EA",
                     *           "uom": "EA",
                     *           "qtyOrdered": 2,
                     *           "qtyOpen": 2,
                     *           "qtyBackordered": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyPicked": 2,
                     *           "qtyPacked": 2,
                     *           "qtyDespatched": 2,
                     *           "qtyCancelled": 2,
                     *           "qtyDelivered": 2,
                     *           "qtyReturned": 2,
                     *           "stockPool": "DEFAULT",
                     *           "lineTotal": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "extendedUnitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitGrossPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": {
                     *             "amount": 18.19,
                     *             "currency": "EUR",
                     *             "tax": [
                     *               {
                     *                 "type": "VAT",
                     *                 "amount": 17.36
                     *               }
                     *             ]
                     *           },
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           }
                     *         }
                     *       ],
                     *       "milestones": [
                     *         {
                     *           "code": 10,
                     *           "name": "Order Received",
                     *           "at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "olpns": [
                     *         "006141410000000012"
                     *       ],
                     *       "despatchBy": "2026-11-20T10:00:00.000Z",
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
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
    releaseOrder: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        /** @description Releases an order. May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO"
                 *     }
                 */
                "application/json": components["schemas"]["OrderRelease"];
            };
        };
        responses: {
            /** @description A sales order. */
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
                     *       "orderId": "WEB-100045",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVED",
                     *       "statusReason": "cancelled by the client's feed",
                     *       "externalOrderReference": "SHOP-2026-77812",
                     *       "catalogId": "AUTUMN-2026",
                     *       "doNotShip": false,
                     *       "origin": "WEBSHOP",
                     *       "language": "en-GB",
                     *       "orderDate": "2026-11-20T10:00:00.000Z",
                     *       "shippingMethod": "STANDARD",
                     *       "shippingCost": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "totalPrice": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "taxes": {
                     *         "amount": 18.19,
                     *         "currency": "EUR",
                     *         "tax": [
                     *           {
                     *             "type": "VAT",
                     *             "amount": 17.36
                     *           }
                     *         ]
                     *       },
                     *       "billToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "shipToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "payments": [
                     *         {
                     *           "type": "CARD",
                     *           "tender": "VISA"
                     *         }
                     *       ],
                     *       "distributionCentre": "DC1",
                     *       "carrierCode": "RM",
                     *       "extendedAttributes": {
                     *         "WebOrderId": "77812"
                     *       },
                     *       "priority": 5,
                     *       "shipPartial": false,
                     *       "holds": [
                     *         {
                     *           "type": "DO_NOT_SHIP",
                     *           "reason": "doNotShip of the order",
                     *           "since": "2026-11-20T10:00:00.000Z",
                     *           "by": "feed"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "status": "RECEIVED",
                     *           "qty": 2,
                     *           "qtyUom": "EA",
                     *           "uom": "EA",
                     *           "qtyOrdered": 2,
                     *           "qtyOpen": 2,
                     *           "qtyBackordered": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyPicked": 2,
                     *           "qtyPacked": 2,
                     *           "qtyDespatched": 2,
                     *           "qtyCancelled": 2,
                     *           "qtyDelivered": 2,
                     *           "qtyReturned": 2,
                     *           "stockPool": "DEFAULT",
                     *           "lineTotal": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "extendedUnitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitGrossPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": {
                     *             "amount": 18.19,
                     *             "currency": "EUR",
                     *             "tax": [
                     *               {
                     *                 "type": "VAT",
                     *                 "amount": 17.36
                     *               }
                     *             ]
                     *           },
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           }
                     *         }
                     *       ],
                     *       "milestones": [
                     *         {
                     *           "code": 10,
                     *           "name": "Order Received",
                     *           "at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "olpns": [
                     *         "006141410000000012"
                     *       ],
                     *       "despatchBy": "2026-11-20T10:00:00.000Z",
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
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
    cancelOrderLine: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
                /**
                 * @description The line of it.
                 * @example 1
                 */
                lineNumber: components["parameters"]["PathLineNumber"];
            };
            cookie?: never;
        };
        /** @description Cancels a line, or a part of it. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "qty": 1,
                 *       "reason": "Ordered twice"
                 *     }
                 */
                "application/json": components["schemas"]["OrderLineCancel"];
            };
        };
        responses: {
            /** @description What became of a cancellation, and the order as it is now. */
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
                     *       "outcome": "CANCELLED",
                     *       "order": {
                     *         "orderId": "WEB-100045",
                     *         "clientId": "DEMO",
                     *         "status": "RECEIVED",
                     *         "statusReason": "cancelled by the client's feed",
                     *         "externalOrderReference": "SHOP-2026-77812",
                     *         "catalogId": "AUTUMN-2026",
                     *         "doNotShip": false,
                     *         "origin": "WEBSHOP",
                     *         "language": "en-GB",
                     *         "orderDate": "2026-11-20T10:00:00.000Z",
                     *         "shippingMethod": "STANDARD",
                     *         "shippingCost": {
                     *           "amount": 109.15,
                     *           "currency": "EUR"
                     *         },
                     *         "subtotal": {
                     *           "amount": 109.15,
                     *           "currency": "EUR"
                     *         },
                     *         "totalPrice": {
                     *           "amount": 109.15,
                     *           "currency": "EUR"
                     *         },
                     *         "taxes": {
                     *           "amount": 18.19,
                     *           "currency": "EUR",
                     *           "tax": [
                     *             {
                     *               "type": "VAT",
                     *               "amount": 17.36
                     *             }
                     *           ]
                     *         },
                     *         "billToAddress": {
                     *           "addressId": "S-3302",
                     *           "title": "Ms",
                     *           "companyName": "Muster UK Ltd",
                     *           "department": "Goods in",
                     *           "firstName": "Zoë",
                     *           "lastName": "O’Neill",
                     *           "address1": "12 Harbour Road",
                     *           "address2": "Unit 4",
                     *           "city": "Bristol",
                     *           "zip": "BS1 5TY",
                     *           "state": "Avon",
                     *           "country": "GB",
                     *           "phone": "+44 117 4960100",
                     *           "mobile": "+44 7700 900100",
                     *           "email": "zoe.oneill@example.com"
                     *         },
                     *         "shipToAddress": {
                     *           "addressId": "S-3302",
                     *           "title": "Ms",
                     *           "companyName": "Muster UK Ltd",
                     *           "department": "Goods in",
                     *           "firstName": "Zoë",
                     *           "lastName": "O’Neill",
                     *           "address1": "12 Harbour Road",
                     *           "address2": "Unit 4",
                     *           "city": "Bristol",
                     *           "zip": "BS1 5TY",
                     *           "state": "Avon",
                     *           "country": "GB",
                     *           "phone": "+44 117 4960100",
                     *           "mobile": "+44 7700 900100",
                     *           "email": "zoe.oneill@example.com"
                     *         },
                     *         "payments": [
                     *           {
                     *             "type": "CARD",
                     *             "tender": "VISA"
                     *           }
                     *         ],
                     *         "distributionCentre": "DC1",
                     *         "carrierCode": "RM",
                     *         "extendedAttributes": {
                     *           "WebOrderId": "77812"
                     *         },
                     *         "priority": 5,
                     *         "shipPartial": false,
                     *         "holds": [
                     *           {
                     *             "type": "DO_NOT_SHIP",
                     *             "reason": "doNotShip of the order",
                     *             "since": "2026-11-20T10:00:00.000Z",
                     *             "by": "feed"
                     *           }
                     *         ],
                     *         "lines": [
                     *           {
                     *             "lineNumber": 1,
                     *             "sku": "MUG-BLUE-330",
                     *             "status": "RECEIVED",
                     *             "qty": 2,
                     *             "qtyUom": "EA",
                     *             "uom": "EA",
                     *             "qtyOrdered": 2,
                     *             "qtyOpen": 2,
                     *             "qtyBackordered": 2,
                     *             "qtyAllocated": 2,
                     *             "qtyPicked": 2,
                     *             "qtyPacked": 2,
                     *             "qtyDespatched": 2,
                     *             "qtyCancelled": 2,
                     *             "qtyDelivered": 2,
                     *             "qtyReturned": 2,
                     *             "stockPool": "DEFAULT",
                     *             "lineTotal": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "unitNetPrice": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "extendedUnitNetPrice": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "unitGrossPrice": {
                     *               "amount": 109.15,
                     *               "currency": "EUR"
                     *             },
                     *             "taxes": {
                     *               "amount": 18.19,
                     *               "currency": "EUR",
                     *               "tax": [
                     *                 {
                     *                   "type": "VAT",
                     *                   "amount": 17.36
                     *                 }
                     *               ]
                     *             },
                     *             "extendedAttributes": {
                     *               "WebOrderId": "77812"
                     *             }
                     *           }
                     *         ],
                     *         "milestones": [
                     *           {
                     *             "code": 10,
                     *             "name": "Order Received",
                     *             "at": "2026-11-20T10:00:00.000Z"
                     *           }
                     *         ],
                     *         "olpns": [
                     *           "006141410000000012"
                     *         ],
                     *         "despatchBy": "2026-11-20T10:00:00.000Z",
                     *         "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *         "receivedAt": "2026-11-20T10:00:00.000Z",
                     *         "updatedAt": "2026-11-20T10:00:00.000Z",
                     *         "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderCancellation"];
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
    updateOrderLine: {
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
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
                /**
                 * @description The line of it.
                 * @example 1
                 */
                lineNumber: components["parameters"]["PathLineNumber"];
            };
            cookie?: never;
        };
        /** @description JSON merge patch (RFC 7396) of a line of an order. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "qty": 1
                 *     }
                 */
                "application/json": components["schemas"]["OrderLinePatch"];
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "qty": 1
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["OrderLinePatch"];
            };
        };
        responses: {
            /** @description A sales order. */
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
                     *       "orderId": "WEB-100045",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVED",
                     *       "statusReason": "cancelled by the client's feed",
                     *       "externalOrderReference": "SHOP-2026-77812",
                     *       "catalogId": "AUTUMN-2026",
                     *       "doNotShip": false,
                     *       "origin": "WEBSHOP",
                     *       "language": "en-GB",
                     *       "orderDate": "2026-11-20T10:00:00.000Z",
                     *       "shippingMethod": "STANDARD",
                     *       "shippingCost": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "subtotal": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "totalPrice": {
                     *         "amount": 109.15,
                     *         "currency": "EUR"
                     *       },
                     *       "taxes": {
                     *         "amount": 18.19,
                     *         "currency": "EUR",
                     *         "tax": [
                     *           {
                     *             "type": "VAT",
                     *             "amount": 17.36
                     *           }
                     *         ]
                     *       },
                     *       "billToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "shipToAddress": {
                     *         "addressId": "S-3302",
                     *         "title": "Ms",
                     *         "companyName": "Muster UK Ltd",
                     *         "department": "Goods in",
                     *         "firstName": "Zoë",
                     *         "lastName": "O’Neill",
                     *         "address1": "12 Harbour Road",
                     *         "address2": "Unit 4",
                     *         "city": "Bristol",
                     *         "zip": "BS1 5TY",
                     *         "state": "Avon",
                     *         "country": "GB",
                     *         "phone": "+44 117 4960100",
                     *         "mobile": "+44 7700 900100",
                     *         "email": "zoe.oneill@example.com"
                     *       },
                     *       "payments": [
                     *         {
                     *           "type": "CARD",
                     *           "tender": "VISA"
                     *         }
                     *       ],
                     *       "distributionCentre": "DC1",
                     *       "carrierCode": "RM",
                     *       "extendedAttributes": {
                     *         "WebOrderId": "77812"
                     *       },
                     *       "priority": 5,
                     *       "shipPartial": false,
                     *       "holds": [
                     *         {
                     *           "type": "DO_NOT_SHIP",
                     *           "reason": "doNotShip of the order",
                     *           "since": "2026-11-20T10:00:00.000Z",
                     *           "by": "feed"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "status": "RECEIVED",
                     *           "qty": 2,
                     *           "qtyUom": "EA",
                     *           "uom": "EA",
                     *           "qtyOrdered": 2,
                     *           "qtyOpen": 2,
                     *           "qtyBackordered": 2,
                     *           "qtyAllocated": 2,
                     *           "qtyPicked": 2,
                     *           "qtyPacked": 2,
                     *           "qtyDespatched": 2,
                     *           "qtyCancelled": 2,
                     *           "qtyDelivered": 2,
                     *           "qtyReturned": 2,
                     *           "stockPool": "DEFAULT",
                     *           "lineTotal": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "extendedUnitNetPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "unitGrossPrice": {
                     *             "amount": 109.15,
                     *             "currency": "EUR"
                     *           },
                     *           "taxes": {
                     *             "amount": 18.19,
                     *             "currency": "EUR",
                     *             "tax": [
                     *               {
                     *                 "type": "VAT",
                     *                 "amount": 17.36
                     *               }
                     *             ]
                     *           },
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           }
                     *         }
                     *       ],
                     *       "milestones": [
                     *         {
                     *           "code": 10,
                     *           "name": "Order Received",
                     *           "at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "olpns": [
                     *         "006141410000000012"
                     *       ],
                     *       "despatchBy": "2026-11-20T10:00:00.000Z",
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "personalDataErasedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
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
    getRma: {
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
                 * @description The return.
                 * @example RMA-5001
                 */
                rmaNumber: components["parameters"]["PathRmaNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An authorised return. */
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
                     *       "rmaNumber": "RMA-5001",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVING",
                     *       "distributionCentre": "DC1",
                     *       "orderReference": "SHOP-2026-77812",
                     *       "orderId": "WEB-100045",
                     *       "creationTimeStamp": "2026-11-20T10:00:00.000Z",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "returnReasonCode": "DAMAGED",
                     *           "qtyUom": "EA",
                     *           "quantityReturned": 2,
                     *           "attributeOne": "Handle broken",
                     *           "attributeThree": "Photo sent on 8 November",
                     *           "qtyExpected": 2,
                     *           "qtyReceived": 2,
                     *           "discrepancy": "NONE",
                     *           "dispositions": [
                     *             {
                     *               "disposition": "RESELLABLE",
                     *               "qty": 2,
                     *               "note": "Box torn"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "closedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Rma"];
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
    listRmas: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description State of the return.
                 * @example RECEIVING
                 */
                status?: components["schemas"]["RmaStatus"];
                /**
                 * @description Returns to this facility.
                 * @example DC1
                 */
                distributionCentre?: string;
                /**
                 * @description Returns of this order, by its orderId or its externalOrderReference.
                 * @example WEB-100045
                 */
                orderReference?: string;
                /**
                 * @description Received at this moment or later.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                receivedFrom?: components["parameters"]["ReceivedFrom"];
                /**
                 * @description Received before this moment.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                receivedTo?: components["parameters"]["ReceivedTo"];
                /**
                 * @description Changed at this moment or later; may repeat what was answered before.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedSince?: components["parameters"]["UpdatedSince"];
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
            /** @description Returns, by receipt. */
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
                     *           "rmaNumber": "RMA-5001",
                     *           "clientId": "DEMO",
                     *           "status": "RECEIVING",
                     *           "distributionCentre": "DC1",
                     *           "orderReference": "SHOP-2026-77812",
                     *           "orderId": "WEB-100045",
                     *           "creationTimeStamp": "2026-11-20T10:00:00.000Z",
                     *           "lines": [
                     *             {
                     *               "lineNumber": 1,
                     *               "sku": "MUG-BLUE-330",
                     *               "returnReasonCode": "DAMAGED",
                     *               "qtyUom": "EA",
                     *               "quantityReturned": 2,
                     *               "attributeOne": "Handle broken",
                     *               "attributeThree": "Photo sent on 8 November",
                     *               "qtyExpected": 2,
                     *               "qtyReceived": 2,
                     *               "discrepancy": "NONE",
                     *               "dispositions": [
                     *                 {
                     *                   "disposition": "RESELLABLE",
                     *                   "qty": 2,
                     *                   "note": "Box torn"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *           "receivedAt": "2026-11-20T10:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "closedAt": "2026-11-20T10:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["RmaPage"];
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
    cancelRma: {
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
                 * @description The return.
                 * @example RMA-5001
                 */
                rmaNumber: components["parameters"]["PathRmaNumber"];
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "reason": "The customer keeps it"
                 *     }
                 */
                "application/json": components["schemas"]["RmaCancel"];
            };
        };
        responses: {
            /** @description An authorised return. */
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
                     *       "rmaNumber": "RMA-5001",
                     *       "clientId": "DEMO",
                     *       "status": "RECEIVING",
                     *       "distributionCentre": "DC1",
                     *       "orderReference": "SHOP-2026-77812",
                     *       "orderId": "WEB-100045",
                     *       "creationTimeStamp": "2026-11-20T10:00:00.000Z",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "returnReasonCode": "DAMAGED",
                     *           "qtyUom": "EA",
                     *           "quantityReturned": 2,
                     *           "attributeOne": "Handle broken",
                     *           "attributeThree": "Photo sent on 8 November",
                     *           "qtyExpected": 2,
                     *           "qtyReceived": 2,
                     *           "discrepancy": "NONE",
                     *           "dispositions": [
                     *             {
                     *               "disposition": "RESELLABLE",
                     *               "qty": 2,
                     *               "note": "Box torn"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "feedToken": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *       "receivedAt": "2026-11-20T10:00:00.000Z",
                     *       "updatedAt": "2026-11-20T10:00:00.000Z",
                     *       "closedAt": "2026-11-20T10:00:00.000Z",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Rma"];
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
    listDocuments: {
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
            path: {
                /**
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Documents of an order, as they were made. */
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
                     *           "documentId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *           "orderId": "WEB-100045",
                     *           "olpnId": "006141410000000012",
                     *           "type": "PACKING_SLIP",
                     *           "contentType": "application/pdf",
                     *           "language": "en-GB",
                     *           "createdAt": "2026-11-20T10:00:00.000Z",
                     *           "size": 48213,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentPage"];
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
    getDocument: {
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
                 * @description ETag of a copy that is still at hand: the answer is 304 where it is what is kept.
                 * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description The document.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the document. */
            200: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the bytes. */
                    ETag?: string;
                    /** @description A name for its file. */
                    "Content-Disposition"?: string;
                    /** @description SHA-256 of the bytes (RFC 9530). */
                    "Content-Digest"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/zpl": string;
                    "image/png": string;
                };
            };
            /** @description The copy that If-None-Match names is what is kept. */
            304: {
                headers: {
                    "X-Correlation-Token": components["headers"]["X-Correlation-Token"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the bytes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
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
    listOlpns: {
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
            path: {
                /**
                 * @description The order.
                 * @example WEB-100045
                 */
                orderId: components["parameters"]["PathOrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Parcels of an order, as they were packed. */
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
                     *           "olpnId": "006141410000000012",
                     *           "orderId": "WEB-100045",
                     *           "status": "IN_TRANSIT",
                     *           "carrierCode": "RM",
                     *           "carrierServiceCode": "RM48",
                     *           "trackingNumber": "RM123456785GB",
                     *           "trackingUrl": "https://carrier.example/RM123456785GB",
                     *           "weight": {
                     *             "value": 1.25,
                     *             "uom": "KG"
                     *           },
                     *           "dimensions": {
                     *             "length": 30,
                     *             "width": 30,
                     *             "height": 30,
                     *             "uom": "CM"
                     *           },
                     *           "contents": [
                     *             {
                     *               "lineNumber": 1,
                     *               "sku": "MUG-BLUE-330",
                     *               "qty": 2,
                     *               "batchRef": "B-2026-11",
                     *               "serials": [
                     *                 "SN-000123"
                     *               ]
                     *             }
                     *           ],
                     *           "events": [
                     *             {
                     *               "code": 120,
                     *               "name": "In Transit",
                     *               "at": "2026-11-20T10:00:00.000Z",
                     *               "receivedAt": "2026-11-20T10:00:00.000Z",
                     *               "location": "Bristol depot",
                     *               "text": "With the driver"
                     *             }
                     *           ],
                     *           "decisionId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["OlpnPage"];
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
    getOlpn: {
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
                 * @description The parcel.
                 * @example 006141410000000012
                 */
                olpnId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A parcel (outbound licence plate number). */
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
                     *       "olpnId": "006141410000000012",
                     *       "orderId": "WEB-100045",
                     *       "status": "IN_TRANSIT",
                     *       "carrierCode": "RM",
                     *       "carrierServiceCode": "RM48",
                     *       "trackingNumber": "RM123456785GB",
                     *       "trackingUrl": "https://carrier.example/RM123456785GB",
                     *       "weight": {
                     *         "value": 1.25,
                     *         "uom": "KG"
                     *       },
                     *       "dimensions": {
                     *         "length": 30,
                     *         "width": 30,
                     *         "height": 30,
                     *         "uom": "CM"
                     *       },
                     *       "contents": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "qty": 2,
                     *           "batchRef": "B-2026-11",
                     *           "serials": [
                     *             "SN-000123"
                     *           ]
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "code": 120,
                     *           "name": "In Transit",
                     *           "at": "2026-11-20T10:00:00.000Z",
                     *           "receivedAt": "2026-11-20T10:00:00.000Z",
                     *           "location": "Bristol depot",
                     *           "text": "With the driver"
                     *         }
                     *       ],
                     *       "decisionId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"
                     *     }
                     */
                    "application/json": components["schemas"]["Olpn"];
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
    listCarrierServiceCodes: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Services of this carrier.
                 * @example RM
                 */
                carrierCode?: string;
                /**
                 * @description Services that deliver to this country: its code of ISO 3166-1, two capitals.
                 * @example GB
                 */
                country?: string;
                /**
                 * @description How fast the service is.
                 * @example STANDARD
                 */
                serviceLevel?: components["schemas"]["ServiceLevel"];
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
            /** @description Services of carriers, by code. */
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
                     *           "code": "RM48",
                     *           "carrierCode": "RM",
                     *           "name": "Tracked 48",
                     *           "serviceLevel": "STANDARD",
                     *           "trackable": true,
                     *           "countries": [
                     *             "GB"
                     *           ],
                     *           "maxWeightKg": 20
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["CarrierServiceCodePage"];
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
