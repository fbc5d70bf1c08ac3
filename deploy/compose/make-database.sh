#!/bin/sh
# Runs once, in a new database folder: a role for Crossdock, which owns its database and is not a superuser, and one that may
# do nothing but copy.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres <<'SQL'
\set password `cat /run/secrets/database_password`
\set backup_password `cat /run/secrets/backup_password`
CREATE ROLE crossdock LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE crossdock OWNER crossdock TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE crossdock FROM PUBLIC;
CREATE ROLE backup LOGIN REPLICATION PASSWORD :'backup_password';
SQL
# Connections that `all` in this file does not cover.
echo 'host replication backup all scram-sha-256' >>"$PGDATA/pg_hba.conf"
