-- What carrier determination has decided.

-- citus: distributed
-- A decision is never changed, nor made again: what was answered is kept with what was asked. Its time is that of its key.
create table carrier_decision (
  client_id text not null,
  decision_id uuid not null,
  -- Null where it was asked for a shipment that is none of an order's.
  order_id text,
  -- Null but for a parcel that was packed.
  olpn_id text,
  purpose text not null check (purpose in ('SHIPMENT', 'ORDER', 'PARCEL')),
  -- Whose set of carrier data it was made by, '' for the operator's, and which version of it.
  owner text not null,
  data_version integer not null,
  decided_at timestamptz not null,
  -- As far as decisions go by it: of the address the country and the postcode.
  request jsonb not null,
  -- Short: what is chosen and the alternatives as lists, each reason once, however many candidates have it. Read whole and
  -- never searched, so it is kept as it is written: jsonb costs the server twice as much processor time.
  decision json not null,
  primary key (client_id, decision_id)
) partition by range (decision_id);
create index carrier_decision_order on carrier_decision (client_id, order_id, decision_id) where order_id is not null;
