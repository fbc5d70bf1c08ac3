-- A purchase order may announce its cartons. A warehouse receives one by its SSCC.
-- beside: 0012
alter table purchase_order add column carrier_code text, add column tracking_number text;
comment on column purchase_order.carrier_code is 'Carrier of the delivery, as announced.';
comment on column purchase_order.tracking_number is 'Number of the delivery at the carrier.';

-- citus: distributed
create table purchase_order_carton (
  client_id text not null,
  po_number text not null,
  vendor_order_id text not null,
  sscc text not null,
  tracking_number text,
  lines jsonb not null,
  primary key (client_id, po_number, vendor_order_id, sscc)
);
comment on table purchase_order_carton is 'A carton of a purchase order, as announced.';
comment on column purchase_order_carton.lines is
  'Its content: lineNumber where it was sent, sku, qty in stock units, feedQty and qtyUom as sent, batchRef, expiryDate.';
create index purchase_order_carton_sscc on purchase_order_carton (client_id, sscc);

alter table goods_receipt add column sscc text;
comment on column goods_receipt.sscc is 'The carton that came with the receipt. It has come while corrected_by is null.';
