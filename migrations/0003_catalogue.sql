-- Items, as the CAT feed describes them.

-- citus: distributed
create table item (
  client_id text not null,
  sku text not null,
  alt_sku text,
  ean_code text,
  name text not null,
  weight numeric(18, 6),
  weight_uom_code text,
  height numeric(18, 6),
  length numeric(18, 6),
  width numeric(18, 6),
  dimensions_uom_code text,
  product_type text,
  country_of_origin text,
  image_url text,
  capture_batch_ref boolean not null default false,
  extended_attributes jsonb not null default '{}',
  barcodes text[] not null default '{}',
  stock_uom text not null default 'EA',
  packs jsonb,
  is_active boolean not null default true,
  dated_at timestamptz not null,
  feed_token uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, sku),
  -- Judged at commit: one document may move an EAN from one SKU to another, whatever the order of its rows. An exclusion
  -- rather than a unique constraint, because it can leave out what has no EAN.
  constraint item_ean_code exclude using btree (client_id with =, ean_code with =) where (ean_code is not null)
    deferrable initially deferred
);
create index item_barcodes on item using gin (barcodes) where barcodes <> '{}';
