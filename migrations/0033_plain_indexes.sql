-- no-transaction
-- Indexes without a condition that is always true. It kept statements that were planned on empty tables from taking them; the
-- planner knows by now that one client may own a whole table, and goes by the whole key (docs/decisions/0036-statistics.md).
-- A statement that repeats the condition, as those of the release before do, takes the new one as well.
-- beside: 0030

create index concurrently if not exists purchase_order_line_of_sku on purchase_order_line (client_id, sku);
create index concurrently if not exists return_authorisation_line_of_sku on return_authorisation_line (client_id, sku);
create index concurrently if not exists work_order_component_of_sku on work_order_component (client_id, sku);
create index concurrently if not exists stock_snapshot_of_facility on stock_snapshot (client_id, facility_code, snapshot_id);
create index concurrently if not exists goods_receipt_of_order on goods_receipt (client_id, po_number, vendor_order_id);
create index concurrently if not exists operator_exception_of_object on operator_exception (client_id, object_id);
create index concurrently if not exists exception_mark_by_age on exception_mark (client_id, updated_at);
create index concurrently if not exists warehouse_report_by_age on warehouse_report (client_id, accepted_at);
-- harmless: the new one does its work.
drop index concurrently if exists purchase_order_line_sku;
-- harmless: the new one does its work.
drop index concurrently if exists return_authorisation_line_sku;
-- harmless: the new one does its work.
drop index concurrently if exists work_order_component_sku;
-- harmless: the new one does its work.
drop index concurrently if exists stock_snapshot_facility;
-- harmless: the new one does its work.
drop index concurrently if exists goods_receipt_order;
-- harmless: the new one does its work.
drop index concurrently if exists operator_exception_about;
-- harmless: the new one does its work.
drop index concurrently if exists exception_mark_age;
-- harmless: the new one does its work.
drop index concurrently if exists warehouse_report_age;
