// Generated from schemas/openapi/inventory.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/inventoryService/findInventoryBySkuList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stock of up to 1000 SKUs in a facility
         * @description Every SKU asked for is answered once, in the order asked; unknown ones with found: false and zeros.
         */
        post: operations["findInventoryBySkuList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/findInventoryBySku": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stock of one SKU in a facility
         * @description An unknown SKU is answered with found: false and zeros.
         */
        get: operations["findInventoryBySku"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/findInventoryDetailsBySkuList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stock of up to 1000 SKUs in a facility, by lot
         * @description Every SKU asked for is answered once, in the order asked; unknown ones with found: false and zeros.
         */
        post: operations["findInventoryDetailsBySkuList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/inventory/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stock of a facility by SKU, or what has changed of it since a position
         * @description SKUs that have or had stock in the facility. To keep up with them: read all pages, and ask with changedSincePosition for what has changed since the position that they answered.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/movement/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Entries of the stock ledger, as a change feed
         * @description Pages by position: what was read is never followed by something earlier. There is always a nextCursor; sent later, it answers what has been booked since. Without cursor and sincePosition it begins with the first entry.
         */
        get: operations["listMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/snapshot/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Snapshots of facilities' midnights, in the order in which they were taken
         * @description Days whose snapshot was not taken are not listed; snapshot/get answers them from the ledger all the same. Snapshots that were taken on request are not listed.
         */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/snapshot/get/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stock as of the midnight that ended a day in a facility
         * @description Any day of the last 400 that has ended there. A product that is not listed had nothing. Where no snapshot was taken, the rows are worked out from the ledger, and what leaves no trace there is null.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventoryService/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold the client's counts against the ledger
         * @description Changes no stock. Where count and ledger are the same, that is kept as the last agreement about the product; where they differ, the entries since the last agreement are answered.
         */
        post: operations["reconcile"];
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
         * DetailedInventory
         * @description Stock of the SKUs asked for, by lot.
         */
        DetailedInventory: {
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * @description Position of the last ledger entry of client and facility that the quantities know of.
             * @example 4711
             */
            position: number;
            /** @description Every SKU asked for once, in the order asked. */
            items: components["schemas"]["InventoryDetails"][];
        };
        /**
         * Inventory
         * @description Stock of the SKUs asked for.
         */
        Inventory: {
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * @description Position of the last ledger entry of client and facility that the quantities know of.
             * @example 4711
             */
            position: number;
            /** @description Every SKU asked for once, in the order asked. */
            items: components["schemas"]["InventoryItem"][];
        };
        /**
         * InventoryDetails
         * @description Stock of one SKU in one facility, by lot.
         */
        InventoryDetails: {
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Whether the client has an item of this SKU. All quantities of an unknown one are 0.
             * @example true
             */
            found: boolean;
            /**
             * @description In the facility, in all conditions, until it is despatched or consumed.
             * @example 2
             */
            onHand: number;
            /**
             * @description onHand less allocated, onHold and damaged; of the stock pools only that the client setting availablePools names.
             * @example 2
             */
            available: number;
            /**
             * @description Held by orders and work orders; picked and packed units too.
             * @example 2
             */
            allocated: number;
            /**
             * @description On hold, in quarantine, or expired and not allocated.
             * @example 2
             */
            onHold: number;
            /**
             * @description Damaged.
             * @example 2
             */
            damaged: number;
            /**
             * @description Open quantity of purchase orders.
             * @example 2
             */
            expected: number;
            /**
             * @description Authorised to come back and not yet received.
             * @example 2
             */
            inReturn: number;
            /**
             * @description Waited for by order lines.
             * @example 2
             */
            backordered: number;
            /**
             * @description Stock unit, in which all quantities are; null: unknown SKU.
             * @example EA
             */
            uom: string | null;
            /** @description By name; pools with nothing on hand are left out. */
            stockPools: components["schemas"]["StockPool"][];
            /**
             * Format: date-time
             * @description When the ledger last had an entry for the SKU here, reservations included; null: never.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastMovementAt: string | null;
            /** @description Lots with something on hand, those that expire first before the others; 20000 in one answer at the most. */
            lots: components["schemas"]["InventoryLot"][];
            /**
             * @description Whether there may be more lots than are named: ask for this SKU with fewer others.
             * @example false
             */
            lotsTruncated: boolean;
        };
        /**
         * InventoryItem
         * @description Stock of one SKU in one facility.
         */
        InventoryItem: {
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Whether the client has an item of this SKU. All quantities of an unknown one are 0.
             * @example true
             */
            found: boolean;
            /**
             * @description In the facility, in all conditions, until it is despatched or consumed.
             * @example 2
             */
            onHand: number;
            /**
             * @description onHand less allocated, onHold and damaged; of the stock pools only that the client setting availablePools names.
             * @example 2
             */
            available: number;
            /**
             * @description Held by orders and work orders; picked and packed units too.
             * @example 2
             */
            allocated: number;
            /**
             * @description On hold, in quarantine, or expired and not allocated.
             * @example 2
             */
            onHold: number;
            /**
             * @description Damaged.
             * @example 2
             */
            damaged: number;
            /**
             * @description Open quantity of purchase orders.
             * @example 2
             */
            expected: number;
            /**
             * @description Authorised to come back and not yet received.
             * @example 2
             */
            inReturn: number;
            /**
             * @description Waited for by order lines.
             * @example 2
             */
            backordered: number;
            /**
             * @description Stock unit, in which all quantities are; null: unknown SKU.
             * @example EA
             */
            uom: string | null;
            /** @description By name; pools with nothing on hand are left out. */
            stockPools: components["schemas"]["StockPool"][];
            /**
             * Format: date-time
             * @description When the ledger last had an entry for the SKU here, reservations included; null: never.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastMovementAt: string | null;
        };
        /**
         * InventoryLookup
         * @description Which SKUs are looked up, and where.
         */
        InventoryLookup: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /** @description SKUs to look up. */
            products: string[];
        };
        /**
         * InventoryLot
         * @description What is on hand of a lot, in one condition.
         */
        InventoryLot: {
            /**
             * @description Batch; null for none.
             * @example B-2026-11
             */
            batchRef: string | null;
            /**
             * Format: date
             * @description Last day on which the goods are good; null for none.
             * @example 2027-03-31
             */
            expiryDate: string | null;
            /**
             * Format: date-time
             * @description Since when the lot has had stock without a break.
             * @example 2026-11-20T10:00:00.000Z
             */
            receivedAt: string;
            condition: components["schemas"]["StockCondition"];
            /**
             * @description Stock pool.
             * @example DEFAULT
             */
            stockPool: string;
            /**
             * @description On hand of the lot in this condition.
             * @example 2
             */
            qty: number;
            /**
             * @description Of that, held by orders and work orders.
             * @example 2
             */
            allocated: number;
            /** @description Serial numbers of the units, where the item captures them, by name: 1000 of a lot and 20000 in one answer at the most. */
            serials: string[];
            /**
             * @description Whether the lot may have more serial numbers than are named.
             * @example false
             */
            serialsTruncated: boolean;
        };
        /**
         * InventoryPage
         * @description Stock of a facility by SKU.
         */
        InventoryPage: {
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * @description Position of the last ledger entry that the first page knew of, on all pages: sent as changedSincePosition later, it answers what has changed since.
             * @example 4711
             */
            position: number;
            /** @description The records of this page. */
            items: components["schemas"]["InventoryItem"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * Movement
         * @description An entry of the stock ledger.
         */
        Movement: {
            /**
             * @description Place of the entry in the ledger of client and facility; counts up without gaps.
             * @example 4711
             */
            position: number;
            /**
             * Format: date-time
             * @description When it was booked; never before the entry before it.
             * @example 2026-11-20T10:00:00.000Z
             */
            at: string;
            /**
             * Format: date-time
             * @description When it happened on the floor, as the warehouse says. Information only.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt: string;
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            type: components["schemas"]["MovementType"];
            /**
             * @description Whether qty counts towards onHand. A change of condition is two entries that cancel out.
             * @example true
             */
            affectsOnHand: boolean;
            /**
             * @description Signed quantity, in stock units.
             * @example 2
             */
            qty: number;
            /** @description Condition of the goods. */
            condition: components["schemas"]["StockCondition"];
            lot: components["schemas"]["MovementLot"];
            /** @description Serial numbers of the units, where the item captures them. */
            serials: string[];
            reference: components["schemas"]["MovementReference"];
            /**
             * @description Reason code, where there is one.
             * @example DAMAGE
             */
            reason: string | null;
        };
        /**
         * MovementLot
         * @description Lot that the goods are of.
         */
        MovementLot: {
            /**
             * @description Stock pool.
             * @example DEFAULT
             */
            stockPool: string;
            /**
             * @description Batch; null for none.
             * @example B-2026-11
             */
            batchRef: string | null;
            /**
             * Format: date
             * @description Last day on which the goods are good; null for none.
             * @example 2027-03-31
             */
            expiryDate: string | null;
        };
        /**
         * MovementPage
         * @description Entries of the stock ledger behind a position.
         */
        MovementPage: {
            /** @description Entries in the order of their positions, with 20000 serial numbers in one answer or those of one entry. */
            items: components["schemas"]["Movement"][];
            /**
             * @description Sent as `cursor`, it answers what comes next; there is always one. A page may be short, and one of one type empty, before the end: everything has been read when the same nextCursor comes back.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string;
        };
        /**
         * MovementReference
         * @description What the entry was made for.
         */
        MovementReference: {
            /**
             * @description Kind of object: order, receipt, purchaseOrder, return, adjustment, count, workOrder.
             * @example receipt
             */
            type: string;
            /**
             * @description Its identifier.
             * @example R-2026-0815
             */
            id: string;
        };
        /**
         * MovementType
         * @description Kind of entry. ALLOCATION, DEALLOCATION and PICK are about reservations only.
         * @example RECEIPT
         * @enum {string}
         */
        MovementType: "RECEIPT" | "RETURN" | "DESPATCH" | "ADJUSTMENT" | "CONSUMPTION" | "PRODUCTION" | "HOLD" | "RELEASE" | "ALLOCATION" | "DEALLOCATION" | "PICK";
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
         * ReconcileAgreement
         * @description The last agreement about the product, this one included; null where there never was one.
         */
        ReconcileAgreement: {
            /**
             * @description Position at which both were the same.
             * @example 4200
             */
            position: number;
            /**
             * @description On hand at that position.
             * @example 2
             */
            qty: number;
            /**
             * Format: date-time
             * @description When it was agreed.
             * @example 2026-11-20T10:00:00.000Z
             */
            at: string;
        };
        /**
         * ReconcileCount
         * @description On hand of a product by the client's books.
         */
        ReconcileCount: {
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description What the client's books have, in stock units, with at most three decimals.
             * @example 120
             */
            qty: number;
        };
        /**
         * ReconcileRequest
         * @description What the client's books have in a facility.
         */
        ReconcileRequest: {
            /**
             * @description Client identifier. May be left out where the token is for one client.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /** @description The client's counts; no SKU twice. */
            counts: components["schemas"]["ReconcileCount"][];
        };
        /**
         * ReconciledItem
         * @description One product, as both sides have it.
         */
        ReconciledItem: {
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description As the client counted.
             * @example 2
             */
            theirs: number;
            /**
             * @description On hand in the ledger at the position.
             * @example 2
             */
            ours: number;
            /**
             * @description theirs less ours; 0 is an agreement.
             * @example 2
             */
            difference: number;
            /** @description The last agreement about the product, this one included; null where there never was one. */
            agreement: components["schemas"]["ReconcileAgreement"] | null;
            /** @description Where there is a difference: the entries that changed onHand since the last agreement, oldest first, with 20000 serial numbers in one answer at the most. The sum of all is ours less the quantity agreed on. */
            movements: components["schemas"]["Movement"][];
            /**
             * @description Null where `movements` has all of them; else the `cursor` with which movement/list, for this facility and sku, goes on behind the last one.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * Reconciliation
         * @description The client's counts beside the ledger's.
         */
        Reconciliation: {
            /**
             * @description Position of the ledger at which the counts were compared.
             * @example 4711
             */
            position: number;
            /** @description One for each count, in the order of the request. */
            items: components["schemas"]["ReconciledItem"][];
        };
        /**
         * Snapshot
         * @description Stock of a facility as of its midnight, kept for 400 days.
         */
        Snapshot: {
            /**
             * Format: date
             * @description Day of the facility that ended with the midnight.
             * @example 2026-11-20
             */
            date: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * @description Last position that was booked before the midnight.
             * @example 4711
             */
            position: number;
            /**
             * Format: date-time
             * @description When the snapshot was taken.
             * @example 2026-11-20T10:00:00.000Z
             */
            takenAt: string;
        };
        /**
         * SnapshotPage
         * @description Snapshots in the order in which they were taken.
         */
        SnapshotPage: {
            /** @description The records of this page. */
            items: components["schemas"]["Snapshot"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * SnapshotRow
         * @description What there was of a product when the day ended.
         */
        SnapshotRow: {
            /**
             * Format: date
             * @description Day of the facility that ended with the midnight.
             * @example 2026-11-20
             */
            date: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description All goods in the facility, whatever their condition.
             * @example 2
             */
            onHand: number;
            /**
             * @description What could be allocated: onHand less allocated, onHold and damaged, of the stock pools that the client's setting availablePools names.
             * @example 2
             */
            available: number;
            /**
             * @description Held by orders and work orders, until despatch or consumption.
             * @example 2
             */
            allocated: number;
            /**
             * @description On hold, in quarantine, or expired.
             * @example 2
             */
            onHold: number;
            /**
             * @description Damaged.
             * @example 2
             */
            damaged: number;
            /**
             * @description Open on purchase orders; null for a day whose snapshot was not taken, because it leaves no trace in the ledger.
             * @example 2
             */
            expected: number | null;
            /**
             * @description Authorised to come back and not yet received; null for a day whose snapshot was not taken, because it leaves no trace in the ledger.
             * @example 2
             */
            inReturn: number | null;
            /**
             * @description Ordered and waiting for stock; null for a day whose snapshot was not taken, because it leaves no trace in the ledger.
             * @example 2
             */
            backordered: number | null;
            /**
             * @description Stock unit, in which all quantities are.
             * @example EA
             */
            uom: string;
            /** @description By stock pool. */
            stockPools: components["schemas"]["SnapshotStockPool"][];
        };
        /**
         * SnapshotRowPage
         * @description Stock of a facility as of its midnight.
         */
        SnapshotRowPage: {
            /**
             * Format: date
             * @description Day of the facility that ended with the midnight.
             * @example 2026-11-20
             */
            date: string;
            /**
             * @description Facility.
             * @example DC1
             */
            distributionCentre: string;
            /**
             * Format: date-time
             * @description The facility's midnight that ended the day.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * @description Last position that was booked before it.
             * @example 4711
             */
            position: number;
            /**
             * Format: date-time
             * @description When the snapshot was taken; null where none was, and the rows are worked out from the ledger: the same in all that has a position.
             * @example 2026-11-20T10:00:00.000Z
             */
            takenAt: string | null;
            /** @description Products in the order of their SKUs: those with stock, or a movement in the 400 days before. */
            items: components["schemas"]["SnapshotRow"][];
            /**
             * @description Sent as `cursor`, it answers the next page; null at the end.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string | null;
        };
        /**
         * SnapshotStockPool
         * @description What one stock pool had.
         */
        SnapshotStockPool: {
            /**
             * @description Stock pool.
             * @example DEFAULT
             */
            stockPool: string;
            /**
             * @description All goods of the pool.
             * @example 2
             */
            onHand: number;
            /**
             * @description What could be allocated of the pool.
             * @example 2
             */
            available: number;
        };
        /**
         * StockCondition
         * @description Condition of the goods. Expired goods stay GOOD and count as on hold.
         * @example GOOD
         * @enum {string}
         */
        StockCondition: "GOOD" | "ON_HOLD" | "DAMAGED" | "QUARANTINE";
        /**
         * StockPool
         * @description A stock pool of which there is something on hand.
         */
        StockPool: {
            /**
             * @description Stock pool.
             * @example DEFAULT
             */
            stockPool: string;
            /**
             * @description On hand in the pool, in all conditions.
             * @example 2
             */
            onHand: number;
            /**
             * @description Of that, free to be allocated.
             * @example 2
             */
            available: number;
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
         * @description How many records at the most.
         * @example 50
         */
        Limit: number;
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
export type DetailedInventory = components['schemas']['DetailedInventory'];
export type Inventory = components['schemas']['Inventory'];
export type InventoryDetails = components['schemas']['InventoryDetails'];
export type InventoryItem = components['schemas']['InventoryItem'];
export type InventoryLookup = components['schemas']['InventoryLookup'];
export type InventoryLot = components['schemas']['InventoryLot'];
export type InventoryPage = components['schemas']['InventoryPage'];
export type Movement = components['schemas']['Movement'];
export type MovementLot = components['schemas']['MovementLot'];
export type MovementPage = components['schemas']['MovementPage'];
export type MovementReference = components['schemas']['MovementReference'];
export type MovementType = components['schemas']['MovementType'];
export type Problem = components['schemas']['Problem'];
export type ReceiptSort = components['schemas']['ReceiptSort'];
export type ReconcileAgreement = components['schemas']['ReconcileAgreement'];
export type ReconcileCount = components['schemas']['ReconcileCount'];
export type ReconcileRequest = components['schemas']['ReconcileRequest'];
export type ReconciledItem = components['schemas']['ReconciledItem'];
export type Reconciliation = components['schemas']['Reconciliation'];
export type Snapshot = components['schemas']['Snapshot'];
export type SnapshotPage = components['schemas']['SnapshotPage'];
export type SnapshotRow = components['schemas']['SnapshotRow'];
export type SnapshotRowPage = components['schemas']['SnapshotRowPage'];
export type SnapshotStockPool = components['schemas']['SnapshotStockPool'];
export type StockCondition = components['schemas']['StockCondition'];
export type StockPool = components['schemas']['StockPool'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseBadRequestBody = components['responses']['BadRequestBody'];
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
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterLimit = components['parameters']['Limit'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    findInventoryBySkuList: {
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
        /** @description Which SKUs are looked up, and where. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "distributionCentre": "DC1",
                 *       "products": [
                 *         "MUG-BLUE-330"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["InventoryLookup"];
            };
        };
        responses: {
            /** @description Stock of the SKUs asked for. */
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
                     *       "distributionCentre": "DC1",
                     *       "asOf": "2026-11-20T10:00:00.000Z",
                     *       "position": 4711,
                     *       "items": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "found": true,
                     *           "onHand": 2,
                     *           "available": 2,
                     *           "allocated": 2,
                     *           "onHold": 2,
                     *           "damaged": 2,
                     *           "expected": 2,
                     *           "inReturn": 2,
                     *           "backordered": 2,
                     *           "uom": "EA",
                     *           "stockPools": [
                     *             {
                     *               "stockPool": "DEFAULT",
                     *               "onHand": 2,
                     *               "available": 2
                     *             }
                     *           ],
                     *           "lastMovementAt": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    findInventoryBySku: {
        parameters: {
            query: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Facility.
                 * @example DC1
                 */
                distributionCentre: string;
                /**
                 * @description Product.
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
            /** @description Stock of the SKUs asked for. */
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
                     *       "distributionCentre": "DC1",
                     *       "asOf": "2026-11-20T10:00:00.000Z",
                     *       "position": 4711,
                     *       "items": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "found": true,
                     *           "onHand": 2,
                     *           "available": 2,
                     *           "allocated": 2,
                     *           "onHold": 2,
                     *           "damaged": 2,
                     *           "expected": 2,
                     *           "inReturn": 2,
                     *           "backordered": 2,
                     *           "uom": "EA",
                     *           "stockPools": [
                     *             {
                     *               "stockPool": "DEFAULT",
                     *               "onHand": 2,
                     *               "available": 2
                     *             }
                     *           ],
                     *           "lastMovementAt": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Inventory"];
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
    findInventoryDetailsBySkuList: {
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
        /** @description Which SKUs are looked up, and where. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "distributionCentre": "DC1",
                 *       "products": [
                 *         "MUG-BLUE-330"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["InventoryLookup"];
            };
        };
        responses: {
            /** @description Stock of the SKUs asked for, by lot. */
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
                     *       "distributionCentre": "DC1",
                     *       "asOf": "2026-11-20T10:00:00.000Z",
                     *       "position": 4711,
                     *       "items": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "found": true,
                     *           "onHand": 2,
                     *           "available": 2,
                     *           "allocated": 2,
                     *           "onHold": 2,
                     *           "damaged": 2,
                     *           "expected": 2,
                     *           "inReturn": 2,
                     *           "backordered": 2,
                     *           "uom": "EA",
                     *           "stockPools": [
                     *             {
                     *               "stockPool": "DEFAULT",
                     *               "onHand": 2,
                     *               "available": 2
                     *             }
                     *           ],
                     *           "lastMovementAt": "2026-11-20T10:00:00.000Z",
                     *           "lots": [
                     *             {
                     *               "batchRef": "B-2026-11",
                     *               "expiryDate": "2027-03-31",
                     *               "receivedAt": "2026-11-20T10:00:00.000Z",
                     *               "condition": "GOOD",
                     *               "stockPool": "DEFAULT",
                     *               "qty": 2,
                     *               "allocated": 2,
                     *               "serials": [
                     *                 "SN-000123"
                     *               ],
                     *               "serialsTruncated": false
                     *             }
                     *           ],
                     *           "lotsTruncated": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DetailedInventory"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInventory: {
        parameters: {
            query: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Facility.
                 * @example DC1
                 */
                distributionCentre: string;
                /**
                 * @description Only SKUs with a ledger entry behind this position, reservations included. What is expected, on its way back or back-ordered has no position.
                 * @example 4711
                 */
                changedSincePosition?: number;
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
            /** @description Stock of a facility by SKU. */
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
                     *       "distributionCentre": "DC1",
                     *       "asOf": "2026-11-20T10:00:00.000Z",
                     *       "position": 4711,
                     *       "items": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "found": true,
                     *           "onHand": 2,
                     *           "available": 2,
                     *           "allocated": 2,
                     *           "onHold": 2,
                     *           "damaged": 2,
                     *           "expected": 2,
                     *           "inReturn": 2,
                     *           "backordered": 2,
                     *           "uom": "EA",
                     *           "stockPools": [
                     *             {
                     *               "stockPool": "DEFAULT",
                     *               "onHand": 2,
                     *               "available": 2
                     *             }
                     *           ],
                     *           "lastMovementAt": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["InventoryPage"];
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
    listMovements: {
        parameters: {
            query: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Facility.
                 * @example DC1
                 */
                distributionCentre: string;
                /**
                 * @description Entries of this product only.
                 * @example MUG-BLUE-330
                 */
                sku?: string;
                /**
                 * @description Entries of this kind only.
                 * @example RECEIPT
                 */
                type?: components["schemas"]["MovementType"];
                /**
                 * @description Begins behind this position: of a snapshot, a look-up or a reconciliation. Of no effect with a cursor.
                 * @example 4711
                 */
                sincePosition?: number;
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
            /** @description Entries of the stock ledger behind a position. */
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
                     *           "position": 4711,
                     *           "at": "2026-11-20T10:00:00.000Z",
                     *           "occurredAt": "2026-11-20T10:00:00.000Z",
                     *           "sku": "MUG-BLUE-330",
                     *           "type": "RECEIPT",
                     *           "affectsOnHand": true,
                     *           "qty": 2,
                     *           "condition": "GOOD",
                     *           "lot": {
                     *             "stockPool": "DEFAULT",
                     *             "batchRef": "B-2026-11",
                     *             "expiryDate": "2027-03-31"
                     *           },
                     *           "serials": [
                     *             "SN-000123"
                     *           ],
                     *           "reference": {
                     *             "type": "receipt",
                     *             "id": "R-2026-0815"
                     *           },
                     *           "reason": "DAMAGE"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["MovementPage"];
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
    listSnapshots: {
        parameters: {
            query?: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Snapshots of this facility only.
                 * @example DC1
                 */
                distributionCentre?: string;
                /**
                 * @description Of this day or later ones.
                 * @example 2026-11-20
                 */
                from?: string;
                /**
                 * @description Of this day or earlier ones.
                 * @example 2026-11-20
                 */
                to?: string;
                /**
                 * @description By receipt: oldest first, or with a minus newest first.
                 * @example receivedAt
                 */
                sort?: components["schemas"]["ReceiptSort"];
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
            /** @description Snapshots in the order in which they were taken. */
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
                     *           "date": "2026-11-20",
                     *           "distributionCentre": "DC1",
                     *           "position": 4711,
                     *           "takenAt": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["SnapshotPage"];
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
    getSnapshot: {
        parameters: {
            query: {
                /**
                 * @description Client identifier. May be left out where the token is for one client.
                 * @example DEMO
                 */
                clientId?: components["parameters"]["ClientId"];
                /**
                 * @description Facility.
                 * @example DC1
                 */
                distributionCentre: string;
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
                 * @description Day of the facility, in its own time zone; its midnight is the one that ended it.
                 * @example 2026-11-20
                 */
                date: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stock of a facility as of its midnight. */
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
                     *       "date": "2026-11-20",
                     *       "distributionCentre": "DC1",
                     *       "asOf": "2026-11-20T10:00:00.000Z",
                     *       "position": 4711,
                     *       "takenAt": "2026-11-20T10:00:00.000Z",
                     *       "items": [
                     *         {
                     *           "date": "2026-11-20",
                     *           "distributionCentre": "DC1",
                     *           "sku": "MUG-BLUE-330",
                     *           "onHand": 2,
                     *           "available": 2,
                     *           "allocated": 2,
                     *           "onHold": 2,
                     *           "damaged": 2,
                     *           "expected": 2,
                     *           "inReturn": 2,
                     *           "backordered": 2,
                     *           "uom": "EA",
                     *           "stockPools": [
                     *             {
                     *               "stockPool": "DEFAULT",
                     *               "onHand": 2,
                     *               "available": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["SnapshotRowPage"];
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
    reconcile: {
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
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What the client's books have in a facility. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "distributionCentre": "DC1",
                 *       "counts": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "qty": 120
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReconcileRequest"];
            };
        };
        responses: {
            /** @description The client's counts beside the ledger's. */
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
                     *       "position": 4711,
                     *       "items": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "theirs": 2,
                     *           "ours": 2,
                     *           "difference": 2,
                     *           "agreement": {
                     *             "position": 4200,
                     *             "qty": 2,
                     *             "at": "2026-11-20T10:00:00.000Z"
                     *           },
                     *           "movements": [
                     *             {
                     *               "position": 4711,
                     *               "at": "2026-11-20T10:00:00.000Z",
                     *               "occurredAt": "2026-11-20T10:00:00.000Z",
                     *               "sku": "MUG-BLUE-330",
                     *               "type": "RECEIPT",
                     *               "affectsOnHand": true,
                     *               "qty": 2,
                     *               "condition": "GOOD",
                     *               "lot": {
                     *                 "stockPool": "DEFAULT",
                     *                 "batchRef": "B-2026-11",
                     *                 "expiryDate": "2027-03-31"
                     *               },
                     *               "serials": [
                     *                 "SN-000123"
                     *               ],
                     *               "reference": {
                     *                 "type": "receipt",
                     *                 "id": "R-2026-0815"
                     *               },
                     *               "reason": "DAMAGE"
                     *             }
                     *           ],
                     *           "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Reconciliation"];
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
}
