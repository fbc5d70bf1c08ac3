-- What has changed in stock since a position, and what client and warehouse have agreed on.

-- citus: distributed
-- The last position at which a client's own count of a SKU was what the ledger had there: its next difference is explained
-- by what was booked behind it.
create table stock_agreement (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  position bigint not null,
  -- On hand at the position.
  qty numeric(15, 3) not null,
  agreed_at timestamptz not null,
  -- What was booked behind the position was booked at this moment or later: months before it need not be read.
  later_from timestamptz not null,
  primary key (client_id, facility_code, sku)
) with (fillfactor = 80);
