// Generated from schemas/openapi/warehouse.json by packages/client/scripts/generate.ts; not to be edited.
export interface paths {
    "/v1/warehouseService/task/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Work that is released to the facility, as a change feed
         * @description Work that is released to the facility, as a change feed.
         */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/task/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The warehouse has taken these tasks; a first pick implies it
         * @description The warehouse has taken these tasks; a first pick implies it.
         */
        post: operations["acceptTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/item/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items of all clients of the facility, as a change feed
         * @description Items of all clients of the facility, as a change feed.
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
    "/v1/warehouseService/document/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The documents of an order or a parcel, as they were made
         * @description Takes an orderId, an olpnId, or both.
         */
        get: operations["listWarehouseDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/document/get/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document itself: its bytes
         * @description A document that was made again keeps its documentId, and has another ETag. A shipping label is kept as PDF and as ZPL: `format` or the header Accept chooses, whichever of its documentIds is asked for.
         */
        get: operations["getWarehouseDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/goodsReceipt/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Received quantities of a purchase order
         * @description Received quantities of a purchase order.
         */
        post: operations["reportGoodsReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/return/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returned quantities, graded
         * @description Returned quantities, graded.
         */
        post: operations["reportReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/workOrder/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finished goods produced, components consumed
         * @description Finished goods produced, components consumed.
         */
        post: operations["reportWorkOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/pick/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What was picked for an order, and what was short
         * @description What was picked for an order, and what was short.
         */
        post: operations["reportPick"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/pack/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Parcels (OLPNs) made; a carrier is determined where none is fixed, and their papers are produced
         * @description A carrierServiceCode of the report is taken as given, and so is a carrierCode, of whose services one is decided where one fits. The other parcels are one shipment, for which the carrier is determined by the carrier data. Where no service fits, the answer is 409 with the reasons of each, and the order has the hold CARRIER_UNAVAILABLE: pack it again when that is lifted.
         */
        post: operations["reportPack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/cancel/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer to a cancel request, line by line
         * @description Answer to a cancel request, line by line.
         */
        post: operations["reportCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/parcel/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A parcel is taken apart before it leaves; its contents are picked again
         * @description A parcel is taken apart before it leaves; its contents are picked again.
         */
        post: operations["voidParcel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/load/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Parcels loaded to a vehicle
         * @description Parcels loaded to a vehicle.
         */
        post: operations["reportLoad"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/despatch/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Parcels have left: their stock leaves
         * @description Parcels have left: their stock leaves.
         */
        post: operations["reportDespatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/load/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Parcels are taken off a load before it leaves
         * @description Parcels are taken off a load before it leaves.
         */
        post: operations["removeFromLoad"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/adjustment/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signed quantities with a reason
         * @description Signed quantities with a reason.
         */
        post: operations["reportAdjustment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/hold/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quantities that go from one condition to another
         * @description Quantities that go from one condition to another.
         */
        post: operations["reportHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/count/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A count, whose difference to the balance at occurredAt becomes an adjustment
         * @description A count, whose difference to the balance at occurredAt becomes an adjustment.
         */
        post: operations["reportCount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/warehouseService/carrierEvent/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A track-and-trace code for a parcel
         * @description A track-and-trace code for a parcel.
         */
        post: operations["reportCarrierEvent"];
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
         * AdjustmentAnswer
         * @description What the report led to.
         */
        AdjustmentAnswer: {
            /**
             * @description Name of the adjustment.
             * @example ADJ-1
             */
            adjustmentId: string;
            /**
             * @description Why.
             * @example DAMAGE
             */
            reasonCode: string;
            /** @description What was changed. */
            lines: ({
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Signed difference, or the quantity that changed its condition.
                 * @example -2
                 */
                qty: number;
                /** @description Condition until now; left out where stock came. */
                fromCondition?: components["schemas"]["StockCondition"];
                /** @description Condition from now on; left out where stock went. */
                toCondition?: components["schemas"]["StockCondition"];
                /**
                 * @description Batch.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * @description Stock pool.
                 * @example DEFAULT
                 */
                stockPool: string;
                /**
                 * @description On hand of the SKU afterwards.
                 * @example 98
                 */
                qtyOnHandAfter: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * AdjustmentReason
         * @description Why.
         * @example DAMAGE
         * @enum {string}
         */
        AdjustmentReason: "COUNT" | "DAMAGE" | "EXPIRED" | "FOUND" | "LOST" | "CONDITION" | "DISPOSAL" | "POOL_TRANSFER" | "CORRECTION" | "INITIAL" | "SHORT_PICK" | "OTHER";
        /**
         * AdjustmentReport
         * @description Stock is more or less than was known.
         */
        AdjustmentReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The warehouse's own id of the adjustment.
             * @example ADJ-1
             */
            adjustmentId: string;
            reasonCode: components["schemas"]["AdjustmentReason"];
            /** @description Lines. */
            lines: {
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Signed quantity.
                 * @example 2
                 */
                qty: number;
                condition?: components["schemas"]["StockCondition"];
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * AdjustmentReportBatch
         * @description Several reports at once.
         */
        AdjustmentReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["AdjustmentReport"][];
        };
        /**
         * BatchAnswer
         * @description What became of each report.
         */
        BatchAnswer: {
            /** @description One for each report, in the order of the batch. */
            results: {
                /**
                 * @description NOT_TRIED: an earlier report on the same object was refused.
                 * @example ACCEPTED
                 * @enum {string}
                 */
                status: "ACCEPTED" | "REJECTED" | "NOT_TRIED";
                /**
                 * @description Of an accepted report, what it led to, as a single report is answered.
                 * @example {
                 *       "orderId": "WEB-100045",
                 *       "status": "PICKING"
                 *     }
                 */
                result?: {
                    [key: string]: unknown;
                };
                /** @description Why it was refused. */
                problem?: {
                    /**
                     * @description Path of the page that explains it.
                     * @example /problems/conflict
                     */
                    type: string;
                    /**
                     * @description The kind of problem.
                     * @example The state of the object does not allow it
                     */
                    title: string;
                    /**
                     * @description As a single report would have been answered.
                     * @example 409
                     */
                    status: number;
                    /**
                     * @description What is wrong.
                     * @example Order WEB-100045 is cancelled.
                     */
                    detail: string;
                    /** @description The fields that are wrong, where the refusal is about fields. */
                    errors: {
                        /**
                         * @description JSON pointer into the body of the batch.
                         * @example #/reports/0/lines/0/serials
                         */
                        pointer: string;
                        /**
                         * @description What is wrong with the field.
                         * @example is required
                         */
                        message: string;
                    }[];
                };
                /**
                 * @description Why it was not tried.
                 * @example An earlier report …
                 */
                detail?: string;
            }[];
        };
        /**
         * CancelReport
         * @description Answer to a cancel request, line by line.
         */
        CancelReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The order.
             * @example WEB-100045
             */
            orderId: string;
            /** @description Lines. */
            lines: {
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber: number;
                /**
                 * @description Whether the line could still be cancelled.
                 * @example CANCELLED
                 * @enum {string}
                 */
                outcome: "CANCELLED" | "TOO_LATE";
                /**
                 * @description How much of it; left out: all that was asked for.
                 * @example 2
                 */
                qty?: number;
            }[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * CancelReportBatch
         * @description Several reports at once.
         */
        CancelReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["CancelReport"][];
        };
        /**
         * CarrierEventAnswer
         * @description What the event led to.
         */
        CarrierEventAnswer: {
            /**
             * @description Code of the platform; 399 for a word that it does not know.
             * @example 160
             */
            eventCode: number;
            /**
             * @description Its name.
             * @example Out for Delivery
             */
            eventName: string;
            /**
             * @description It was known: nothing was done.
             * @example false
             */
            isRepeat: boolean;
            /** @description The parcels that the number stands for. */
            olpns: ({
                /**
                 * @description The parcel.
                 * @example 006141410000000012
                 */
                olpnId: string;
                /**
                 * @description State of the parcel afterwards.
                 * @example OUT_FOR_DELIVERY
                 */
                status: string;
                /**
                 * @description Its order.
                 * @example WEB-100045
                 */
                orderId: string;
                /**
                 * @description State of the order afterwards.
                 * @example DESPATCHED
                 */
                orderStatus?: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * CarrierEventReport
         * @description What happened to a parcel on its way: the parcel by one of its numbers, the event by one of its codes.
         */
        CarrierEventReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Parcel (OLPN): an SSCC-18.
             * @example 006141410000000012
             */
            olpnId?: string;
            /**
             * @description The carrier's number of the parcel.
             * @example RM123456785GB
             */
            trackingNumber?: string;
            /**
             * @description Code of the platform, above 100.
             * @example 160
             */
            eventCode?: number;
            /**
             * @description The carrier's own word.
             * @example out_for_delivery
             */
            carrierEventCode?: string;
            /**
             * @description Where.
             * @example Bristol depot
             */
            location?: string;
            /**
             * @description What the carrier says.
             * @example With the driver
             */
            text?: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * CarrierEventReportBatch
         * @description Several reports at once.
         */
        CarrierEventReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["CarrierEventReport"][];
        };
        /**
         * CountReport
         * @description A count, whose difference becomes an adjustment.
         */
        CountReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The warehouse's own id of the count.
             * @example CNT-1
             */
            countId: string;
            /**
             * @description Picked and packed units were counted too.
             * @example false
             */
            includesStaged?: boolean;
            /** @description Lines. */
            lines: {
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Counted.
                 * @example 2
                 */
                countedQty: number;
                condition?: components["schemas"]["StockCondition"];
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * CountReportBatch
         * @description Several reports at once.
         */
        CountReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["CountReport"][];
        };
        /**
         * DespatchReport
         * @description Parcels, or all of a load, have left: one of the two is named.
         */
        DespatchReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Load: what leaves together in one vehicle.
             * @example LOAD-7
             */
            loadId?: string;
            /** @description Parcels. */
            olpnIds?: string[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * DespatchReportBatch
         * @description Several reports at once.
         */
        DespatchReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["DespatchReport"][];
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
         * GoodsReceiptAnswer
         * @description What the receipt led to.
         */
        GoodsReceiptAnswer: {
            /**
             * @description The purchase order.
             * @example PO-4711
             */
            poNumber: string;
            /**
             * @description Vendor order.
             * @example V-1
             */
            vendorOrderId: string | null;
            /**
             * @description The receipt.
             * @example RCV-1
             */
            receiptId: string;
            /**
             * @description State afterwards.
             * @example RECEIVING
             */
            status: string;
            /** @description What was received, line by line. */
            lines: ({
                /**
                 * @description Line; null where the SKU was not expected.
                 * @example 1
                 */
                lineNumber: number | null;
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Of this report.
                 * @example 2
                 */
                qtyReceived: number;
                /**
                 * @description Of all reports.
                 * @example 2
                 */
                qtyTotal: number;
                /**
                 * @description Difference to what was expected.
                 * @example NONE
                 */
                discrepancy: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * GoodsReceiptReport
         * @description Received quantities of a purchase order.
         */
        GoodsReceiptReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The purchase order.
             * @example PO-4711
             */
            poNumber: string;
            /**
             * @description Vendor order, where the purchase order has several.
             * @example V-1
             */
            vendorOrderId?: string;
            /**
             * @description The warehouse's own id of the receipt.
             * @example RCV-1
             */
            receiptId: string;
            /**
             * @description Receipt whose quantities this one takes the place of.
             * @example RCV-0
             */
            correctsReceiptId?: string;
            /** @description What was received; empty in a correction to nothing, and where the order is only closed. */
            lines: {
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber?: number;
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Received.
                 * @example 2
                 */
                qty: number;
                condition?: components["schemas"]["StockCondition"];
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * @description Nothing more is to come.
             * @example false
             */
            closeOrder?: boolean;
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * GoodsReceiptReportBatch
         * @description Several reports at once.
         */
        GoodsReceiptReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["GoodsReceiptReport"][];
        };
        /**
         * HoldReport
         * @description Stock goes from one condition to another.
         */
        HoldReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            reasonCode: components["schemas"]["AdjustmentReason"];
            /** @description Lines. */
            lines: {
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Quantity.
                 * @example 2
                 */
                qty: number;
                /** @description Condition until now. */
                fromCondition: components["schemas"]["StockCondition"];
                /** @description Condition from now on. */
                toCondition: components["schemas"]["StockCondition"];
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * HoldReportBatch
         * @description Several reports at once.
         */
        HoldReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["HoldReport"][];
        };
        /**
         * LoadRemoveReport
         * @description Parcels are taken off a load before it leaves.
         */
        LoadRemoveReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Load: what leaves together in one vehicle.
             * @example LOAD-7
             */
            loadId: string;
            /** @description Parcels. */
            olpnIds: string[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * LoadRemoveReportBatch
         * @description Several reports at once.
         */
        LoadRemoveReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["LoadRemoveReport"][];
        };
        /**
         * LoadReport
         * @description Parcels loaded to a vehicle.
         */
        LoadReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId?: string;
            /**
             * @description Load: what leaves together in one vehicle.
             * @example LOAD-7
             */
            loadId: string;
            /** @description Parcels. */
            olpnIds: string[];
            /**
             * @description Vehicle.
             * @example B-XY 123
             */
            vehicle?: string;
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * LoadReportBatch
         * @description Several reports at once.
         */
        LoadReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["LoadReport"][];
        };
        /**
         * OrderAnswer
         * @description Where the order stands afterwards.
         */
        OrderAnswer: {
            /**
             * @description The order.
             * @example WEB-100045
             */
            orderId: string;
            /**
             * @description State of the order afterwards.
             * @example PICKING
             */
            status: string;
            /** @description Where the lines stand. */
            lines: ({
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber: number;
                /**
                 * @description State of the line.
                 * @example PICKING
                 */
                status: string;
                /**
                 * @description Ordered.
                 * @example 0
                 */
                qtyOrdered: number;
                /**
                 * @description Waiting for stock to be looked for.
                 * @example 0
                 */
                qtyOpen: number;
                /**
                 * @description Waiting for stock that is not there.
                 * @example 0
                 */
                qtyBackordered: number;
                /**
                 * @description Reserved.
                 * @example 0
                 */
                qtyAllocated: number;
                /**
                 * @description Picked.
                 * @example 0
                 */
                qtyPicked: number;
                /**
                 * @description Packed.
                 * @example 0
                 */
                qtyPacked: number;
                /**
                 * @description Gone out.
                 * @example 0
                 */
                qtyDespatched: number;
                /**
                 * @description Cancelled.
                 * @example 0
                 */
                qtyCancelled: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * PackAnswer
         * @description Where the order stands, and the parcels that were made.
         */
        PackAnswer: {
            /**
             * @description The order.
             * @example WEB-100045
             */
            orderId: string;
            /**
             * @description State of the order afterwards.
             * @example PICKING
             */
            status: string;
            /** @description Where the lines stand. */
            lines: ({
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber: number;
                /**
                 * @description State of the line.
                 * @example PICKING
                 */
                status: string;
                /**
                 * @description Ordered.
                 * @example 0
                 */
                qtyOrdered: number;
                /**
                 * @description Waiting for stock to be looked for.
                 * @example 0
                 */
                qtyOpen: number;
                /**
                 * @description Waiting for stock that is not there.
                 * @example 0
                 */
                qtyBackordered: number;
                /**
                 * @description Reserved.
                 * @example 0
                 */
                qtyAllocated: number;
                /**
                 * @description Picked.
                 * @example 0
                 */
                qtyPicked: number;
                /**
                 * @description Packed.
                 * @example 0
                 */
                qtyPacked: number;
                /**
                 * @description Gone out.
                 * @example 0
                 */
                qtyDespatched: number;
                /**
                 * @description Cancelled.
                 * @example 0
                 */
                qtyCancelled: number;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The parcels that were made. */
            olpns: ({
                /**
                 * @description The parcel: an SSCC-18.
                 * @example 006141410000000012
                 */
                olpnId: string;
                /**
                 * @description Carrier.
                 * @example RM
                 */
                carrierCode: string | null;
                /**
                 * @description Service of the carrier; null where none is known.
                 * @example RM48
                 */
                carrierServiceCode: string | null;
                /**
                 * @description Number by which the parcel is tracked.
                 * @example RM123456785GB
                 */
                trackingNumber: string | null;
                /**
                 * @description The decision that chose its service; null where the report named it.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
                 */
                decisionId: string | null;
                /** @description Documents that were produced: packing slip, shipping label as PDF and ZPL, and a commercial invoice where a customs border is crossed. */
                documents: ({
                    /**
                     * @description The document, which document/get of the Order service answers.
                     * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
                     */
                    documentId: string;
                    /**
                     * @description What it is.
                     * @example SHIPPING_LABEL
                     */
                    type: string;
                    /**
                     * @description Its media type.
                     * @example application/zpl
                     */
                    contentType: string;
                    /** @description What it lacks, such as customs numbers. */
                    warnings: string[];
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[];
            /** @description What was taken for something else. */
            warnings: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * PackReport
         * @description Parcels (OLPNs) made for an order.
         */
        PackReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The order.
             * @example WEB-100045
             */
            orderId: string;
            /** @description Parcels that were made. */
            olpns: {
                /**
                 * @description Parcel (OLPN): an SSCC-18.
                 * @example 006141410000000012
                 */
                olpnId?: string;
                /**
                 * @description Weight of the parcel.
                 * @example 2
                 */
                weight: number;
                /**
                 * @description Unit of weight.
                 * @example KG
                 */
                weightUomCode: string;
                /**
                 * @description Length.
                 * @example 2
                 */
                length?: number;
                /**
                 * @description Width.
                 * @example 2
                 */
                width?: number;
                /**
                 * @description Height.
                 * @example 2
                 */
                height?: number;
                /**
                 * @description Unit of length.
                 * @example CM
                 */
                dimensionsUomCode?: string;
                /** @description What is in the parcel. */
                contents: {
                    /**
                     * @description Number of the line.
                     * @example 1
                     */
                    lineNumber: number;
                    /**
                     * @description Packed of the line.
                     * @example 2
                     */
                    qty: number;
                    /**
                     * @description Batch; required where the item captures it.
                     * @example B-2026-11
                     */
                    batchRef?: string;
                    /** @description Serial numbers, one for each unit; required where the item captures them. */
                    serials?: string[];
                }[];
                /**
                 * @description Carrier, where the warehouse has chosen it.
                 * @example RM
                 */
                carrierCode?: string;
                /**
                 * @description Service of the carrier.
                 * @example RM48
                 */
                carrierServiceCode?: string;
                /**
                 * @description The carrier's number of the parcel.
                 * @example RM123456785GB
                 */
                trackingNumber?: string;
            }[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * PackReportBatch
         * @description Several reports at once.
         */
        PackReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["PackReport"][];
        };
        /**
         * ParcelVoidReport
         * @description A parcel is taken apart before it leaves.
         */
        ParcelVoidReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Parcel (OLPN): an SSCC-18.
             * @example 006141410000000012
             */
            olpnId: string;
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * ParcelVoidReportBatch
         * @description Several reports at once.
         */
        ParcelVoidReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["ParcelVoidReport"][];
        };
        /**
         * ParcelsAnswer
         * @description Where the parcels stand afterwards.
         */
        ParcelsAnswer: {
            /** @description The parcels of the report. */
            olpns: ({
                /**
                 * @description The parcel.
                 * @example 006141410000000012
                 */
                olpnId: string;
                /**
                 * @description State of the parcel afterwards.
                 * @example LOADED
                 */
                status: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * PickReport
         * @description What was picked for an order, and what was not there.
         */
        PickReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The order.
             * @example WEB-100045
             */
            orderId: string;
            /** @description Lines. */
            lines: {
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber: number;
                /**
                 * @description Picked.
                 * @example 2
                 */
                qtyPicked: number;
                /**
                 * @description Not found where it should be.
                 * @example 2
                 */
                qtyShort?: number;
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * PickReportBatch
         * @description Several reports at once.
         */
        PickReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["PickReport"][];
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
         * ReturnAnswer
         * @description What the return led to.
         */
        ReturnAnswer: {
            /**
             * @description The return authorisation.
             * @example RMA-1
             */
            rmaNumber: string | null;
            /**
             * @description The parcel that came back.
             * @example 006141410000000012
             */
            olpnId: string | null;
            /**
             * @description The warehouse's own id of the return.
             * @example RET-1
             */
            returnId: string | null;
            /**
             * @description State afterwards.
             * @example RECEIVING
             */
            status: string;
            /** @description What was received, line by line. */
            lines: ({
                /**
                 * @description Line; null where the SKU was not expected.
                 * @example 1
                 */
                lineNumber: number | null;
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Of this report.
                 * @example 2
                 */
                qtyReceived: number;
                /**
                 * @description Of all reports.
                 * @example 2
                 */
                qtyTotal: number;
                /**
                 * @description Difference to what was expected.
                 * @example NONE
                 */
                discrepancy: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * ReturnReport
         * @description Returned quantities, graded: of an RMA, of a parcel that came back to its sender, or blind.
         */
        ReturnReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The return authorisation.
             * @example RMA-1
             */
            rmaNumber?: string;
            /**
             * @description Parcel (OLPN): an SSCC-18.
             * @example 006141410000000012
             */
            olpnId?: string;
            /**
             * @description The warehouse's own id of the return.
             * @example RET-1
             */
            returnId?: string;
            /** @description What came back; empty where the return is only closed. */
            lines: {
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber?: number;
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Came back.
                 * @example 2
                 */
                qty: number;
                /**
                 * @description Grade of the goods.
                 * @example RESELLABLE
                 * @enum {string}
                 */
                disposition: "RESELLABLE" | "DAMAGED" | "QUARANTINE" | "SCRAP";
                /**
                 * @description A remark.
                 * @example box opened
                 */
                note?: string;
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * @description Nothing more is to come.
             * @example false
             */
            close?: boolean;
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * ReturnReportBatch
         * @description Several reports at once.
         */
        ReturnReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["ReturnReport"][];
        };
        /**
         * StockCondition
         * @description Condition of the goods; GOOD where it is left out.
         * @example GOOD
         * @enum {string}
         */
        StockCondition: "GOOD" | "ON_HOLD" | "DAMAGED" | "QUARANTINE";
        /**
         * Task
         * @description Work that is released to the facility.
         */
        Task: {
            /**
             * Format: uuid
             * @description Identifier of the task.
             * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
             */
            taskId: string;
            type: components["schemas"]["TaskType"];
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Order, purchase order (with its vendor order behind a slash), return or work order.
             * @example WEB-100045
             */
            objectId: string;
            /**
             * @description Counts up with every change of the work.
             * @example 1
             */
            version: number;
            /**
             * @description 1 is first, 9 last.
             * @example 5
             */
            priority: number;
            /**
             * Format: date-time
             * @description By when.
             * @example 2026-11-20T10:00:00.000Z
             */
            dueAt: string | null;
            /**
             * Format: date-time
             * @description Since when there is this work.
             * @example 2026-11-20T10:00:00.000Z
             */
            releasedAt: string;
            /**
             * Format: date-time
             * @description Since when there is nothing (more) to be done; null while there is.
             * @example 2026-11-20T10:00:00.000Z
             */
            withdrawnAt: string | null;
            /** @description What is to be done; of a work order its components. */
            lines: {
                /**
                 * @description Number of the line.
                 * @example 1
                 */
                lineNumber: number;
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description How much, in uom.
                 * @example 2
                 */
                qty: number;
                /**
                 * @description Stock unit.
                 * @example EA
                 */
                uom: string;
                /**
                 * @description Stock pool.
                 * @example DEFAULT
                 */
                stockPool: string;
                /**
                 * @description Batch of the lot.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date of the lot.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
            }[];
            /** @description Of a work order, what is made of the lines. Other tasks have none. */
            finishedGood?: {
                /**
                 * @description The finished good; what it captures is in item/list.
                 * @example GIFT-SET-1
                 */
                sku: string;
                /**
                 * @description How much is still to be made, in uom.
                 * @example 2
                 */
                qty: number;
                /**
                 * @description Stock unit.
                 * @example EA
                 */
                uom: string;
                /**
                 * @description REPORTED: reports name the components that were consumed. BACKFLUSH: the recipe tells.
                 * @example BACKFLUSH
                 * @enum {string}
                 */
                consumption: "BACKFLUSH" | "REPORTED";
            };
            /**
             * @description Address that the goods go to, by the fields of the Order record.
             * @example {
             *       "firstName": "Zoë",
             *       "lastName": "O’Neill",
             *       "address1": "12 Harbour Road",
             *       "city": "Bristol",
             *       "country": "GB"
             *     }
             */
            shipTo: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Carrier, where it is fixed.
             * @example RM
             */
            carrierCode: string | null;
        };
        /**
         * TaskAcceptance
         * @description Tasks that the warehouse takes.
         */
        TaskAcceptance: {
            /** @description Tasks that the warehouse takes. */
            taskIds: string[];
        };
        /**
         * TaskAcceptanceAnswer
         * @description What became of each task.
         */
        TaskAcceptanceAnswer: {
            /** @description One for each task, in the order asked. */
            results: {
                /**
                 * Format: uuid
                 * @description The task.
                 * @example 019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11
                 */
                taskId: string;
                /**
                 * @description WITHDRAWN: there is nothing to be done any more. UNKNOWN: the facility has no such task.
                 * @example ACCEPTED
                 * @enum {string}
                 */
                status: "ACCEPTED" | "WITHDRAWN" | "UNKNOWN";
            }[];
        };
        /**
         * TaskFeed
         * @description Tasks in the order of their changes.
         */
        TaskFeed: {
            /** @description What has changed. */
            items: components["schemas"]["Task"][];
            /**
             * @description Sent as `cursor`, it answers what came after. Always there, on an empty page too.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string;
        };
        /**
         * TaskType
         * @description Kind of work.
         * @example PICK
         * @enum {string}
         */
        TaskType: "PURCHASE_ORDER" | "PICK" | "RETURN" | "WORK_ORDER" | "CANCEL_REQUEST" | "HOLD";
        /**
         * WarehouseItem
         * @description An item as a warehouse needs it.
         */
        WarehouseItem: {
            /**
             * @description Client.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description Product.
             * @example MUG-BLUE-330
             */
            sku: string;
            /**
             * @description Another number of the product.
             * @example 330-B
             */
            altSku: string | null;
            /**
             * @description EAN.
             * @example 4006381333931
             */
            eanCode: string | null;
            /**
             * @description Name.
             * @example Mug, blue, 330 ml
             */
            name: string;
            /**
             * @description Weight of a stock unit.
             * @example 0.35
             */
            weight: number | null;
            /**
             * @description Unit of weight.
             * @example KG
             */
            weightUomCode: string | null;
            /**
             * @description Height.
             * @example 10
             */
            height: number | null;
            /**
             * @description Length.
             * @example 12
             */
            length: number | null;
            /**
             * @description Width.
             * @example 9
             */
            width: number | null;
            /**
             * @description Unit of length.
             * @example CM
             */
            dimensionsUomCode: string | null;
            /**
             * @description Kind of product.
             * @example MUG
             */
            productType: string | null;
            /**
             * @description Country code of ISO 3166-1, two letters.
             * @example GB
             */
            countryOfOrigin: string | null;
            /**
             * @description Picture.
             * @example https://shop.example/mug.jpg
             */
            imageUrl: string | null;
            /** @description Further barcodes. */
            barcodes: string[];
            /**
             * @description Unit that all quantities of the port are in.
             * @example EA
             */
            stockUom: string;
            /**
             * @description How many stock units are in a pack, by its unit.
             * @example {
             *       "CS": 12
             *     }
             */
            packs: {
                [key: string]: number;
            };
            /**
             * @description Dangerous goods.
             * @example false
             */
            isHazmat: boolean;
            /**
             * @description Bulky goods.
             * @example false
             */
            isBulky: boolean;
            /**
             * @description Reports must name the batch.
             * @example false
             */
            captureBatchRef: boolean;
            /**
             * @description Reports must name each serial number.
             * @example false
             */
            captureSerial: boolean;
            /**
             * @description Reports must name the expiry date.
             * @example false
             */
            captureExpiry: boolean;
            /**
             * @description Days that must be left when it is picked.
             * @example 30
             */
            minShelfLifeDays: number | null;
            /**
             * @description Customs tariff number.
             * @example 691110
             */
            hsCode: string | null;
            /**
             * @description Whether it may be sold.
             * @example true
             */
            active: boolean;
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
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Counts up with every change.
             * @example 1
             */
            version: number;
        };
        /**
         * WarehouseItemFeed
         * @description Items in the order of their changes.
         */
        WarehouseItemFeed: {
            /** @description What has changed. */
            items: components["schemas"]["WarehouseItem"][];
            /**
             * @description Sent as `cursor`, it answers what came after. Always there, on an empty page too.
             * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
             */
            nextCursor: string;
        };
        /**
         * WorkOrderAnswer
         * @description What the report led to.
         */
        WorkOrderAnswer: {
            /**
             * @description The work order.
             * @example WO-1
             */
            workOrderId: string;
            /**
             * @description State afterwards.
             * @example RECEIVING
             */
            status: string;
            /**
             * @description Ordered.
             * @example 2
             */
            qtyOrdered: number;
            /**
             * @description Completed.
             * @example 2
             */
            qtyCompleted: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * WorkOrderReport
         * @description Finished goods produced, components consumed.
         */
        WorkOrderReport: {
            /**
             * @description Client that the goods belong to.
             * @example DEMO
             */
            clientId: string;
            /**
             * @description The work order.
             * @example WO-1
             */
            workOrderId: string;
            /** @description What was made. */
            finishedGood?: {
                /**
                 * @description Produced.
                 * @example 2
                 */
                qty: number;
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            };
            /** @description What was consumed. */
            components?: {
                /**
                 * @description Product.
                 * @example MUG-BLUE-330
                 */
                sku: string;
                /**
                 * @description Consumed.
                 * @example 2
                 */
                qty: number;
                /**
                 * @description Why, where it is not the making itself: SCRAP.
                 * @example SCRAP
                 */
                reason?: string;
                /**
                 * @description Stock pool; DEFAULT where it is left out.
                 * @example DEFAULT
                 */
                stockPool?: string;
                /**
                 * @description Batch; required where the item captures it.
                 * @example B-2026-11
                 */
                batchRef?: string;
                /**
                 * Format: date
                 * @description Expiry date; required where the item captures it.
                 * @example 2027-03-31
                 */
                expiryDate?: string;
                /** @description Serial numbers, one for each unit; required where the item captures them. */
                serials?: string[];
            }[];
            /**
             * @description No more is made.
             * @example false
             */
            close?: boolean;
            /**
             * Format: date-time
             * @description When it happened; left out: now.
             * @example 2026-11-20T10:00:00.000Z
             */
            occurredAt?: string;
            /**
             * @description The warehouse's own id of the report: a repeat is answered as the first was.
             * @example R-000815
             */
            reportId?: string;
        };
        /**
         * WorkOrderReportBatch
         * @description Several reports at once.
         */
        WorkOrderReportBatch: {
            /** @description Tried in this order, each for itself. */
            reports: components["schemas"]["WorkOrderReport"][];
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
        /** @description `token-kind-forbidden`: The token is for another kind of service. */
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
        /** @description `not-acceptable`: The object does not exist in this form. */
        NotAcceptable: {
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
         * @description The nextCursor of the page before, as it was answered. The example is the start of every list.
         * @example eyJ2IjoxLCJrIjoic3RhcnQifQ
         */
        Cursor: string;
        /**
         * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
         * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
         */
        IdempotencyKey: string;
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
export type AdjustmentAnswer = components['schemas']['AdjustmentAnswer'];
export type AdjustmentReason = components['schemas']['AdjustmentReason'];
export type AdjustmentReport = components['schemas']['AdjustmentReport'];
export type AdjustmentReportBatch = components['schemas']['AdjustmentReportBatch'];
export type BatchAnswer = components['schemas']['BatchAnswer'];
export type CancelReport = components['schemas']['CancelReport'];
export type CancelReportBatch = components['schemas']['CancelReportBatch'];
export type CarrierEventAnswer = components['schemas']['CarrierEventAnswer'];
export type CarrierEventReport = components['schemas']['CarrierEventReport'];
export type CarrierEventReportBatch = components['schemas']['CarrierEventReportBatch'];
export type CountReport = components['schemas']['CountReport'];
export type CountReportBatch = components['schemas']['CountReportBatch'];
export type DespatchReport = components['schemas']['DespatchReport'];
export type DespatchReportBatch = components['schemas']['DespatchReportBatch'];
export type Document = components['schemas']['Document'];
export type DocumentPage = components['schemas']['DocumentPage'];
export type GoodsReceiptAnswer = components['schemas']['GoodsReceiptAnswer'];
export type GoodsReceiptReport = components['schemas']['GoodsReceiptReport'];
export type GoodsReceiptReportBatch = components['schemas']['GoodsReceiptReportBatch'];
export type HoldReport = components['schemas']['HoldReport'];
export type HoldReportBatch = components['schemas']['HoldReportBatch'];
export type LoadRemoveReport = components['schemas']['LoadRemoveReport'];
export type LoadRemoveReportBatch = components['schemas']['LoadRemoveReportBatch'];
export type LoadReport = components['schemas']['LoadReport'];
export type LoadReportBatch = components['schemas']['LoadReportBatch'];
export type OrderAnswer = components['schemas']['OrderAnswer'];
export type PackAnswer = components['schemas']['PackAnswer'];
export type PackReport = components['schemas']['PackReport'];
export type PackReportBatch = components['schemas']['PackReportBatch'];
export type ParcelVoidReport = components['schemas']['ParcelVoidReport'];
export type ParcelVoidReportBatch = components['schemas']['ParcelVoidReportBatch'];
export type ParcelsAnswer = components['schemas']['ParcelsAnswer'];
export type PickReport = components['schemas']['PickReport'];
export type PickReportBatch = components['schemas']['PickReportBatch'];
export type Problem = components['schemas']['Problem'];
export type ReceiptSort = components['schemas']['ReceiptSort'];
export type ReturnAnswer = components['schemas']['ReturnAnswer'];
export type ReturnReport = components['schemas']['ReturnReport'];
export type ReturnReportBatch = components['schemas']['ReturnReportBatch'];
export type StockCondition = components['schemas']['StockCondition'];
export type Task = components['schemas']['Task'];
export type TaskAcceptance = components['schemas']['TaskAcceptance'];
export type TaskAcceptanceAnswer = components['schemas']['TaskAcceptanceAnswer'];
export type TaskFeed = components['schemas']['TaskFeed'];
export type TaskType = components['schemas']['TaskType'];
export type WarehouseItem = components['schemas']['WarehouseItem'];
export type WarehouseItemFeed = components['schemas']['WarehouseItemFeed'];
export type WorkOrderAnswer = components['schemas']['WorkOrderAnswer'];
export type WorkOrderReport = components['schemas']['WorkOrderReport'];
export type WorkOrderReportBatch = components['schemas']['WorkOrderReportBatch'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseBadRequestBody = components['responses']['BadRequestBody'];
export type ResponseConflictIdempotencyKey = components['responses']['ConflictIdempotencyKey'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnprocessableEntity = components['responses']['UnprocessableEntity'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterLimit = components['parameters']['Limit'];
export type HeaderXCorrelationToken = components['headers']['X-Correlation-Token'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    listTasks: {
        parameters: {
            query?: {
                /**
                 * @description Kind of work.
                 * @example PICK
                 */
                type?: components["schemas"]["TaskType"];
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
            /** @description Tasks in the order of their changes. */
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
                     *           "taskId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *           "type": "PICK",
                     *           "clientId": "DEMO",
                     *           "objectId": "WEB-100045",
                     *           "version": 1,
                     *           "priority": 5,
                     *           "dueAt": "2026-11-20T10:00:00.000Z",
                     *           "releasedAt": "2026-11-20T10:00:00.000Z",
                     *           "withdrawnAt": "2026-11-20T10:00:00.000Z",
                     *           "lines": [
                     *             {
                     *               "lineNumber": 1,
                     *               "sku": "MUG-BLUE-330",
                     *               "qty": 2,
                     *               "uom": "EA",
                     *               "stockPool": "DEFAULT",
                     *               "batchRef": "B-2026-11",
                     *               "expiryDate": "2027-03-31"
                     *             }
                     *           ],
                     *           "finishedGood": {
                     *             "sku": "GIFT-SET-1",
                     *             "qty": 2,
                     *             "uom": "EA",
                     *             "consumption": "BACKFLUSH"
                     *           },
                     *           "shipTo": {
                     *             "firstName": "Zoë",
                     *             "lastName": "O’Neill",
                     *             "address1": "12 Harbour Road",
                     *             "city": "Bristol",
                     *             "country": "GB"
                     *           },
                     *           "carrierCode": "RM"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskFeed"];
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
    acceptTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Tasks that the warehouse takes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "taskIds": [
                 *         "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                 *         "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TaskAcceptance"];
            };
        };
        responses: {
            /** @description What became of each task. */
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
                     *       "results": [
                     *         {
                     *           "taskId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *           "status": "ACCEPTED"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TaskAcceptanceAnswer"];
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
            /** @description Items in the order of their changes. */
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
                     *           "clientId": "DEMO",
                     *           "sku": "MUG-BLUE-330",
                     *           "altSku": "330-B",
                     *           "eanCode": "4006381333931",
                     *           "name": "Mug, blue, 330 ml",
                     *           "weight": 0.35,
                     *           "weightUomCode": "KG",
                     *           "height": 10,
                     *           "length": 12,
                     *           "width": 9,
                     *           "dimensionsUomCode": "CM",
                     *           "productType": "MUG",
                     *           "countryOfOrigin": "GB",
                     *           "imageUrl": "https://shop.example/mug.jpg",
                     *           "barcodes": [
                     *             "04006381333931"
                     *           ],
                     *           "stockUom": "EA",
                     *           "packs": {
                     *             "CS": 12
                     *           },
                     *           "isHazmat": false,
                     *           "isBulky": false,
                     *           "captureBatchRef": false,
                     *           "captureSerial": false,
                     *           "captureExpiry": false,
                     *           "minShelfLifeDays": 30,
                     *           "hsCode": "691110",
                     *           "active": true,
                     *           "extendedAttributes": {
                     *             "WebOrderId": "77812"
                     *           },
                     *           "updatedAt": "2026-11-20T10:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "nextCursor": "eyJ2IjoxLCJrIjoic3RhcnQifQ"
                     *     }
                     */
                    "application/json": components["schemas"]["WarehouseItemFeed"];
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
    listWarehouseDocuments: {
        parameters: {
            query?: {
                /**
                 * @description Order whose papers are asked for, with those of its parcels.
                 * @example WEB-100045
                 */
                orderId?: string;
                /**
                 * @description Parcel whose papers are asked for.
                 * @example 006141410000000012
                 */
                olpnId?: string;
                /**
                 * @description Client of the order; required where several clients of the facility have an order of this orderId.
                 * @example DEMO
                 */
                clientId?: string;
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
    getWarehouseDocument: {
        parameters: {
            query?: {
                /**
                 * @description Form of the paper where it is kept in several; takes precedence over the header Accept.
                 * @example zpl
                 */
                format?: "pdf" | "zpl" | "png";
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
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportGoodsReceipt: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "poNumber": "PO-4711",
                 *       "receiptId": "RCV-1",
                 *       "lines": [
                 *         {
                 *           "lineNumber": 1,
                 *           "sku": "MUG-BLUE-330",
                 *           "qty": 48
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GoodsReceiptReport"] | components["schemas"]["GoodsReceiptReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "poNumber": "PO-4711",
                     *       "vendorOrderId": "V-1",
                     *       "receiptId": "RCV-1",
                     *       "status": "RECEIVING",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "qtyReceived": 2,
                     *           "qtyTotal": 2,
                     *           "discrepancy": "NONE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GoodsReceiptAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportReturn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "rmaNumber": "RMA-1",
                 *       "lines": [
                 *         {
                 *           "lineNumber": 1,
                 *           "sku": "MUG-BLUE-330",
                 *           "qty": 1,
                 *           "disposition": "RESELLABLE"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReturnReport"] | components["schemas"]["ReturnReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "rmaNumber": "RMA-1",
                     *       "olpnId": "006141410000000012",
                     *       "returnId": "RET-1",
                     *       "status": "RECEIVING",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "sku": "MUG-BLUE-330",
                     *           "qtyReceived": 2,
                     *           "qtyTotal": 2,
                     *           "discrepancy": "NONE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReturnAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportWorkOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "workOrderId": "WO-1",
                 *       "finishedGood": {
                 *         "qty": 10
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkOrderReport"] | components["schemas"]["WorkOrderReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "workOrderId": "WO-1",
                     *       "status": "RECEIVING",
                     *       "qtyOrdered": 2,
                     *       "qtyCompleted": 2
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrderAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportPick: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "orderId": "WEB-100045",
                 *       "lines": [
                 *         {
                 *           "lineNumber": 1,
                 *           "qtyPicked": 2
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PickReport"] | components["schemas"]["PickReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "orderId": "WEB-100045",
                     *       "status": "PICKING",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "status": "PICKING",
                     *           "qtyOrdered": 0,
                     *           "qtyOpen": 0,
                     *           "qtyBackordered": 0,
                     *           "qtyAllocated": 0,
                     *           "qtyPicked": 0,
                     *           "qtyPacked": 0,
                     *           "qtyDespatched": 0,
                     *           "qtyCancelled": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportPack: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "orderId": "WEB-100045",
                 *       "olpns": [
                 *         {
                 *           "weight": 0.8,
                 *           "weightUomCode": "KG",
                 *           "contents": [
                 *             {
                 *               "lineNumber": 1,
                 *               "qty": 2
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PackReport"] | components["schemas"]["PackReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "orderId": "WEB-100045",
                     *       "status": "PICKING",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "status": "PICKING",
                     *           "qtyOrdered": 0,
                     *           "qtyOpen": 0,
                     *           "qtyBackordered": 0,
                     *           "qtyAllocated": 0,
                     *           "qtyPicked": 0,
                     *           "qtyPacked": 0,
                     *           "qtyDespatched": 0,
                     *           "qtyCancelled": 0
                     *         }
                     *       ],
                     *       "olpns": [
                     *         {
                     *           "olpnId": "006141410000000012",
                     *           "carrierCode": "RM",
                     *           "carrierServiceCode": "RM48",
                     *           "trackingNumber": "RM123456785GB",
                     *           "decisionId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *           "documents": [
                     *             {
                     *               "documentId": "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
                     *               "type": "SHIPPING_LABEL",
                     *               "contentType": "application/zpl",
                     *               "warnings": [
                     *                 "Line 1, SKU TEE-BLACK-M: the item has no HsCode."
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "warnings": [
                     *         "shippingMethod \"SLOW\" is not mapped: STANDARD is taken for it"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PackAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportCancel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "orderId": "WEB-100045",
                 *       "lines": [
                 *         {
                 *           "lineNumber": 1,
                 *           "outcome": "CANCELLED"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CancelReport"] | components["schemas"]["CancelReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "orderId": "WEB-100045",
                     *       "status": "PICKING",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "status": "PICKING",
                     *           "qtyOrdered": 0,
                     *           "qtyOpen": 0,
                     *           "qtyBackordered": 0,
                     *           "qtyAllocated": 0,
                     *           "qtyPicked": 0,
                     *           "qtyPacked": 0,
                     *           "qtyDespatched": 0,
                     *           "qtyCancelled": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderAnswer"] | components["schemas"]["BatchAnswer"];
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
    voidParcel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "olpnId": "006141410000000012"
                 *     }
                 */
                "application/json": components["schemas"]["ParcelVoidReport"] | components["schemas"]["ParcelVoidReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "orderId": "WEB-100045",
                     *       "status": "PICKING",
                     *       "lines": [
                     *         {
                     *           "lineNumber": 1,
                     *           "status": "PICKING",
                     *           "qtyOrdered": 0,
                     *           "qtyOpen": 0,
                     *           "qtyBackordered": 0,
                     *           "qtyAllocated": 0,
                     *           "qtyPicked": 0,
                     *           "qtyPacked": 0,
                     *           "qtyDespatched": 0,
                     *           "qtyCancelled": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportLoad: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "loadId": "LOAD-7",
                 *       "olpnIds": [
                 *         "006141410000000012"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LoadReport"] | components["schemas"]["LoadReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "olpns": [
                     *         {
                     *           "olpnId": "006141410000000012",
                     *           "status": "LOADED"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ParcelsAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportDespatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "loadId": "LOAD-7"
                 *     }
                 */
                "application/json": components["schemas"]["DespatchReport"] | components["schemas"]["DespatchReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "olpns": [
                     *         {
                     *           "olpnId": "006141410000000012",
                     *           "status": "LOADED"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ParcelsAnswer"] | components["schemas"]["BatchAnswer"];
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
    removeFromLoad: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "loadId": "LOAD-7",
                 *       "olpnIds": [
                 *         "006141410000000012"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LoadRemoveReport"] | components["schemas"]["LoadRemoveReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "olpns": [
                     *         {
                     *           "olpnId": "006141410000000012",
                     *           "status": "LOADED"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ParcelsAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportAdjustment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "adjustmentId": "ADJ-1",
                 *       "reasonCode": "DAMAGE",
                 *       "lines": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "qty": -2
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AdjustmentReport"] | components["schemas"]["AdjustmentReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "adjustmentId": "ADJ-1",
                     *       "reasonCode": "DAMAGE",
                     *       "lines": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "qty": -2,
                     *           "fromCondition": "GOOD",
                     *           "toCondition": "GOOD",
                     *           "batchRef": "B-2026-11",
                     *           "stockPool": "DEFAULT",
                     *           "qtyOnHandAfter": 98
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdjustmentAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportHold: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "reasonCode": "CONDITION",
                 *       "lines": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "qty": 2,
                 *           "fromCondition": "GOOD",
                 *           "toCondition": "ON_HOLD"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["HoldReport"] | components["schemas"]["HoldReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "adjustmentId": "ADJ-1",
                     *       "reasonCode": "DAMAGE",
                     *       "lines": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "qty": -2,
                     *           "fromCondition": "GOOD",
                     *           "toCondition": "GOOD",
                     *           "batchRef": "B-2026-11",
                     *           "stockPool": "DEFAULT",
                     *           "qtyOnHandAfter": 98
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdjustmentAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportCount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "DEMO",
                 *       "countId": "CNT-1",
                 *       "lines": [
                 *         {
                 *           "sku": "MUG-BLUE-330",
                 *           "countedQty": 98
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CountReport"] | components["schemas"]["CountReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "adjustmentId": "ADJ-1",
                     *       "reasonCode": "DAMAGE",
                     *       "lines": [
                     *         {
                     *           "sku": "MUG-BLUE-330",
                     *           "qty": -2,
                     *           "fromCondition": "GOOD",
                     *           "toCondition": "GOOD",
                     *           "batchRef": "B-2026-11",
                     *           "stockPool": "DEFAULT",
                     *           "qtyOnHandAfter": 98
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdjustmentAnswer"] | components["schemas"]["BatchAnswer"];
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
    reportCarrierEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the request: a repeat is answered as the first was. Of a batch it stands for every report by its place.
                 * @example 7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11
                 */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description One report, or several as `reports`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "olpnId": "006141410000000012",
                 *       "eventCode": 160,
                 *       "occurredAt": "2026-11-20T10:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["CarrierEventReport"] | components["schemas"]["CarrierEventReportBatch"];
            };
        };
        responses: {
            /** @description What it led to. */
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
                     *       "eventCode": 160,
                     *       "eventName": "Out for Delivery",
                     *       "isRepeat": false,
                     *       "olpns": [
                     *         {
                     *           "olpnId": "006141410000000012",
                     *           "status": "OUT_FOR_DELIVERY",
                     *           "orderId": "WEB-100045",
                     *           "orderStatus": "DESPATCHED"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CarrierEventAnswer"] | components["schemas"]["BatchAnswer"];
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
}
