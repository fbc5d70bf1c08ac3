-- Citus's functions with their names, arguments and documented refusals, for a PostgreSQL without it: they note what they
-- are asked for and move nothing. They stand in a schema of their own, so that the project's tables are among themselves.
create schema citus;
set search_path = citus, public;

create table pg_dist_stand_in (table_name regclass primary key, citus_table_type text not null,
  distribution_column text not null, colocation_id integer not null);
create table worker_command (ordinal integer generated always as identity, command text not null);
create type citus.distribution_type as enum ('hash', 'range', 'append');
create view citus_tables as select table_name, citus_table_type, distribution_column, colocation_id from pg_dist_stand_in;

create function refuse_unfit(table_name regclass, column_name text) returns void language plpgsql as $$
declare found text;
begin
  if exists (select from pg_class where oid = table_name and (relispartition or relkind not in ('r', 'p'))) then
    raise exception 'cannot distribute relation %', table_name using detail = 'It is a partition, or no table.';
  end if;
  if exists (select from pg_dist_stand_in d where d.table_name = refuse_unfit.table_name) then
    raise exception 'table "%" is already distributed', table_name;
  end if;
  select tgname into found from pg_trigger where tgrelid = table_name and not tgisinternal;
  if found is not null then raise exception 'cannot distribute relation "%": it has triggers', table_name; end if;
  if column_name is null then return; end if;
  select a.attname into found from pg_attribute a where a.attrelid = table_name and a.attname = column_name and a.attgenerated = '';
  if found is null then raise exception 'column "%" of relation "%" does not exist', column_name, table_name; end if;
  select i.indexrelid::regclass::text into found from pg_index i
    where i.indrelid = table_name and (i.indisunique or i.indisexclusion) and not exists (
      select from unnest(i.indkey::int2[]) with ordinality k(num, place) join pg_attribute a on a.attrelid = table_name and a.attnum = k.num
        left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'x'
      where a.attname = column_name and (c.oid is null
        or (select oprname from pg_operator o where o.oid = c.conexclop[k.place]) = '='));
  if found is not null then
    raise exception 'cannot create constraint on "%"', table_name using detail = format(
      'Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column (with an equality operator if EXCLUDE): %s', found);
  end if;
end $$;

create function create_distributed_table(table_name regclass, distribution_column text,
  distribution_type citus.distribution_type default 'hash', colocate_with text default 'default', shard_count integer default null)
returns void language plpgsql as $$
declare
  own record; group_id integer; key record;
begin
  perform refuse_unfit(table_name, distribution_column);
  if colocate_with = 'none' then
    select coalesce(max(colocation_id), 0) + 1 into group_id from pg_dist_stand_in;
  elsif colocate_with = 'default' then
    select coalesce((select d.colocation_id from pg_dist_stand_in d where d.citus_table_type = 'distributed' order by 1 limit 1), 1)
      into group_id;
  else
    select d.*, a.atttypid into own from pg_dist_stand_in d
      join pg_attribute a on a.attrelid = d.table_name and a.attname = d.distribution_column
      where d.table_name = colocate_with::regclass and d.citus_table_type = 'distributed';
    if own.table_name is null then raise exception 'relation % is not distributed', colocate_with; end if;
    if own.atttypid <> (select a.atttypid from pg_attribute a where a.attrelid = create_distributed_table.table_name
        and a.attname = create_distributed_table.distribution_column) then
      raise exception 'cannot colocate tables % and %', colocate_with, table_name;
    end if;
    group_id := own.colocation_id;
  end if;
  for key in select c.conname, c.confrelid, d.citus_table_type, d.colocation_id, exists (
      select from unnest(c.conkey, c.confkey) p(own, other)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = p.own and a.attname = create_distributed_table.distribution_column
        join pg_attribute b on b.attrelid = c.confrelid and b.attnum = p.other and b.attname = d.distribution_column) as is_along
    from pg_constraint c left join pg_dist_stand_in d on d.table_name = c.confrelid
    where c.contype = 'f' and c.conrelid = create_distributed_table.table_name
  loop
    if key.citus_table_type is null or (key.citus_table_type = 'distributed' and (key.colocation_id <> group_id or not key.is_along)) then
      raise exception 'cannot create foreign key constraint % since relations are not colocated or not referencing a reference table', key.conname;
    end if;
  end loop;
  insert into pg_dist_stand_in values (table_name, 'distributed', distribution_column, group_id);
end $$;

create function create_reference_table(table_name regclass) returns void language plpgsql as $$
declare key text;
begin
  perform refuse_unfit(table_name, null);
  select c.conname into key from pg_constraint c left join pg_dist_stand_in d on d.table_name = c.confrelid
    where c.contype = 'f' and c.conrelid = create_reference_table.table_name and d.citus_table_type is distinct from 'reference';
  if key is not null then raise exception 'cannot create foreign key constraint %', key; end if;
  insert into pg_dist_stand_in values (table_name, 'reference', '<none>', 0);
end $$;

create function truncate_local_data_after_distributing_table(function_name regclass) returns void language plpgsql as $$
begin
  if not exists (select from pg_dist_stand_in where table_name = function_name) then
    raise exception 'supplied parameter is not a distributed relation';
  end if;
  if exists (select from pg_constraint c where c.confrelid = function_name and c.contype = 'f'
      and not exists (select from pg_dist_stand_in d where d.table_name = c.conrelid)) then
    raise exception 'cannot truncate a table referenced in a foreign key constraint by a local table';
  end if;
  execute format('truncate %s cascade', function_name);
end $$;

-- Those that foreign keys connect go with it where that is asked for, and are refused where it is not.
create function undistribute_table(table_name regclass, cascade_via_foreign_keys boolean default false) returns text language plpgsql as $$
declare connected regclass[] := array[table_name]; size integer := 0;
begin
  if not exists (select from pg_dist_stand_in d where d.table_name = undistribute_table.table_name) then
    raise exception 'cannot undistribute table % because the table is not distributed', table_name;
  end if;
  while size < cardinality(connected) loop
    size := cardinality(connected);
    connected := array(select distinct unnest(connected || array(
      select case when c.conrelid = any(connected) then c.confrelid else c.conrelid end::regclass from pg_constraint c
      where c.contype = 'f' and (c.conrelid = any(connected) or c.confrelid = any(connected)))));
  end loop;
  if size > 1 and not cascade_via_foreign_keys then
    raise exception 'cannot undistribute table % because it has a foreign key', table_name;
  end if;
  delete from pg_dist_stand_in d where d.table_name = any(connected);
  return '';
end $$;

create function run_command_on_workers(command text, parallel boolean default true)
returns table (nodename text, nodeport integer, success boolean, result text) language sql as $$
  insert into worker_command (command) values (command);
  select 'stand-in', 5432, true, 'OK';
$$;

reset search_path;
