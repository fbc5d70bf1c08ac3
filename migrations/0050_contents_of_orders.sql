-- no-transaction
-- Each of the six changes in the life of an order wrote its whole row again, most of it addresses, and each index of the
-- addresses (docs/decisions/0081-contents-of-orders.md). What is written once and read as a whole lies aside. 0.2.0 reads
-- it in the order's own row, so that it is written here when no process of 0.2.0 runs any more.
-- beside: 0008
-- finalize

-- citus: distributed
create table if not exists order_content (
  client_id text not null,
  order_id text not null,
  ship_to_address jsonb not null,
  bill_to_address jsonb,
  taxes jsonb,
  payments jsonb,
  extended_attributes jsonb not null,
  primary key (client_id, order_id)
);
comment on table order_content is
  'Fields of a sales order that are seldom changed. An order without a row here has them in its own row.';
comment on column sales_order.ship_to_address is
  'Empty: it is in order_content, as are bill_to_address, taxes, payments and extended_attributes.';
-- A customer rings: as the indexes of sales_order in 0038 and 0046. An order whose personal data are erased is in none.
create index if not exists order_content_name on order_content (client_id, (upper(coalesce(
    (ship_to_address ->> 'lastName') || ' ' || (ship_to_address ->> 'firstName'), ship_to_address ->> 'lastName',
    ship_to_address ->> 'companyName', ship_to_address ->> 'firstName') collate "C")))
  where ship_to_address ?| '{lastName,firstName,companyName}';
create index if not exists order_content_email on order_content (client_id, (upper(ship_to_address ->> 'email' collate "C")))
  where ship_to_address ? 'email';
create index if not exists order_content_postcode
  on order_content (client_id, (upper(replace(ship_to_address ->> 'zip', ' ', '') collate "C"))) where ship_to_address ? 'zip';
create index if not exists order_content_phone on order_content (client_id, (
    nullif(right(regexp_replace(ship_to_address ->> 'phone' collate "C", '[^0-9]', '', 'g'), 8), '')::integer))
  where ship_to_address ? 'phone';
-- The indexes of names and postcodes in sales_order had an entry for an order without address too.
create index concurrently if not exists sales_order_own_name on sales_order (client_id, (upper(coalesce(
    (ship_to_address ->> 'lastName') || ' ' || (ship_to_address ->> 'firstName'), ship_to_address ->> 'lastName',
    ship_to_address ->> 'companyName', ship_to_address ->> 'firstName') collate "C")))
  where erased_at is null and ship_to_address <> '{}';
create index concurrently if not exists sales_order_own_postcode
  on sales_order (client_id, (upper(replace(ship_to_address ->> 'zip', ' ', '') collate "C")))
  where erased_at is null and ship_to_address <> '{}';
-- harmless: 0038 made it, after the last release
drop index concurrently if exists sales_order_ship_to_name;
-- harmless: 0038 made it, after the last release
drop index concurrently if exists sales_order_ship_to_postcode;
