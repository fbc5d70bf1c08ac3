-- Live rates of label sources take part in carrier decisions.
-- beside: 0012

-- citus: distributed
create table carrier_rate (
  client_id text not null,
  facility_code text not null,
  country text not null,
  zip text not null,
  service_code text not null,
  weight integer not null check (weight > 0),
  source_code text not null,
  price jsonb not null,
  rated_at timestamptz not null,
  primary key (client_id, facility_code, country, zip, service_code, weight)
);
comment on table carrier_rate is 'The latest price that a label source gave for a parcel from a facility to a postcode.';
comment on column carrier_rate.zip is 'In the form in which zones compare postcodes; empty: none.';
comment on column carrier_rate.weight is 'Of the parcel, in grams.';
comment on column carrier_rate.price is '{amount, currency}';
create index carrier_rate_age on carrier_rate (client_id, rated_at);
