\set n random(1, 4000000000000000000)
\set s random(1, 990)
begin;
select sku, stock_uom, packs from item where client_id = 'DEMO' and sku = any(array['SKU-' || (:s)::text, 'SKU-' || (:s + 1)::text, 'SKU-' || (:s + 2)::text, 'SKU-' || (:s + 3)::text, 'SKU-' || (:s + 4)::text]);
insert into sales_order (client_id, order_id, status, external_order_reference, origin, language, order_date, shipping_method, currency, shipping_cost, subtotal, total_price, ship_to_address, bill_to_address, distribution_centre, extended_attributes, feed_token, received_at, updated_at)
  values ('DEMO', 'P-' || (:client_id)::text || '-' || (:n)::text, 'RECEIVED', 'EXT-' || (:n)::text, 'WEB', 'en', now(), 'STD', 'GBP', 4.95, 95.00, 99.95,
  '{"firstName":"Ada","lastName":"Lovelace","address1":"12 Example Street","city":"London","zip":"SW1A 1AA","country":"GB","email":"ada@example.org"}',
  '{"firstName":"Ada","lastName":"Lovelace","address1":"12 Example Street","city":"London","zip":"SW1A 1AA","country":"GB","email":"ada@example.org"}',
  'DC1', '{"WebOrderId":"1"}', gen_random_uuid(), now(), now());
insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, line_total, unit_net_price, qty_ordered, qty_open)
  values ('DEMO', 'P-' || (:client_id)::text || '-' || (:n)::text, 1, 'SKU-' || (:s)::text, 'DEFAULT', 'EA', 1, 19.00, 19.00, 1, 1),
  ('DEMO', 'P-' || (:client_id)::text || '-' || (:n)::text, 2, 'SKU-' || (:s + 1)::text, 'DEFAULT', 'EA', 1, 19.00, 19.00, 1, 1),
  ('DEMO', 'P-' || (:client_id)::text || '-' || (:n)::text, 3, 'SKU-' || (:s + 2)::text, 'DEFAULT', 'EA', 1, 19.00, 19.00, 1, 1),
  ('DEMO', 'P-' || (:client_id)::text || '-' || (:n)::text, 4, 'SKU-' || (:s + 3)::text, 'DEFAULT', 'EA', 1, 19.00, 19.00, 1, 1),
  ('DEMO', 'P-' || (:client_id)::text || '-' || (:n)::text, 5, 'SKU-' || (:s + 4)::text, 'DEFAULT', 'EA', 1, 19.00, 19.00, 1, 1);
insert into feed_document (client_id, token, feed_type, channel, state, object_id, received_at, body_sha256, body_bytes, ack)
  values ('DEMO', uuidv7(), 'NO', 'HTTP', 'ACCEPTED', 'P-' || (:client_id)::text || '-' || (:n)::text, now(), sha256(('P-' || (:client_id)::text || '-' || (:n)::text)::bytea), 4096, '<apiResponse>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
insert into feed_payload (client_id, token, content_type, encoding, payload) values ('DEMO', uuidv7(), 'application/xml', 'identity', :payload);
insert into outbox (client_id, outbox_id, topic, object_type, object_id, facility_code, occurred_at, data)
  values ('DEMO', uuidv7(), 'order' || chr(58) || 'received', 'order', 'P-' || (:client_id)::text || '-' || (:n)::text, 'DC1', now(), '{"orderId":"x","status":"RECEIVED","statusCode": 10}');
commit;
