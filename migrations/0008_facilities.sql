-- What a facility is, what it can do and when it works, and by when orders are to leave it.

alter table facility
  -- By the names of the fields; the country stands in its own column.
  add column address jsonb not null default '{}',
  -- HH:MM by its own clock; null: orders are due at no certain time.
  add column cut_off_time text,
  add column operating_days text[] not null default '{MON,TUE,WED,THU,FRI}',
  -- [{"date": "2026-12-25", "name": "Christmas Day"}], in order of their dates; a name may be null.
  add column holidays jsonb not null default '[]',
  add column capabilities text[] not null default '{}',
  add column status text not null default 'ACTIVE' check (status in ('ACTIVE', 'CLOSED')),
  add column version integer not null default 1;

alter table sales_order
  add column despatch_by timestamptz,
  -- When it is to be told that the order is at risk; null when that was told, or is not to be told any more.
  add column at_risk_at timestamptz;
create index sales_order_at_risk on sales_order (client_id, at_risk_at) where at_risk_at is not null;

-- What its last catalogue said of the item without refusing it: [{"code": "GTIN", "text": "…"}].
alter table item add column warnings jsonb not null default '[]';
-- Lists go by receipt, also of what has changed since a moment. All items of one catalogue have the same moment, so the SKU
-- follows. Whether an item is active stands behind: where few are, or few are not, the index tells the others apart.
create index item_receipt on item (client_id, created_at, sku, is_active) where created_at >= '-infinity';
create index item_change on item (client_id, updated_at, created_at, sku, is_active) where updated_at >= '-infinity';
