#!/usr/bin/env bash
# Restores what backup.sh has made. docs/backup-and-restore.md is the runbook: read it first, this only does its steps.
set -euo pipefail
umask 077
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/backup/programs.sh
. "$here/programs.sh"

usage() {
  cat <<'TEXT'
usage: restore.sh COMMAND

  moment --to MOMENT --into PGDATA [--port N] [--socket DIR] [--point NAME]
            a cluster as it was at MOMENT (2026-11-21T03:00:00Z): the base backup before it, and WAL up to it. The cluster is
            left running on this port (5432) of 127.0.0.1. Not as root: PostgreSQL refuses it. With --point the WAL up to
            this restore point, for a node of Citus; MOMENT is when it was created, or up to a base backup before
  dump STAMP
            a logical dump into the empty database of DATABASE_URL
  keys FILE --into DIR
            decrypts a file of keys/ into DIR, by BACKUP_PASSPHRASE_FILE
  cold STAMP --into DATA_DIR
            a copy of an embedded database's data directory
  check MOMENT [--without-key]
            brings the schema and the partitions of DATABASE_URL up to date, checks that the master key opens what is sealed and
            that the stock is sound, and says how to start. CROSSDOCK names the command line (npx crossdock)

The target has to be empty. 'moment' and 'dump' want the master key first: CROSSDOCK_SECRET_FILE, CROSSDOCK_SECRET, or
--without-key where it is lost. BACKUP_DIR and PG_BIN are as for backup.sh.
TEXT
}

dir=${BACKUP_DIR:-}
to='' into='' port=5432 socket='' point='' without_key='' rest=()

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --to | --into | --port | --socket | --point)
        [ $# -ge 2 ] || misuse "$1 wants a value"
        printf -v "${1#--}" '%s' "$2"
        shift
        ;;
      --without-key) without_key=yes ;;
      -*) misuse "unknown option $1" ;;
      *) rest+=("$1") ;;
    esac
    shift
  done
}

need_dir() {
  [ -d "$dir" ] || misuse "BACKUP_DIR names no folder"
}

# A database without its key is whole but for what is sealed: better to look for the key before than after.
need_key() {
  [ -z "$without_key" ] || return 0
  local key=${CROSSDOCK_SECRET:-}
  if [ -n "${CROSSDOCK_SECRET_FILE:-}" ]; then
    [ -r "$CROSSDOCK_SECRET_FILE" ] || refuse "CROSSDOCK_SECRET_FILE=$CROSSDOCK_SECRET_FILE cannot be read"
    key=$(cat "$CROSSDOCK_SECRET_FILE")
  fi
  [ ${#key} -ge 32 ] || refuse "the master key is not here: set CROSSDOCK_SECRET_FILE or CROSSDOCK_SECRET, or say --without-key"
}

# The newest base backup that ended before the moment.
base_before() {
  local folder found=''
  for folder in "$dir"/base/*Z; do
    [ -d "$folder" ] || continue
    [ "$(seconds_of "$(fact "$folder" ended)")" -gt "$1" ] || found=$folder
  done
  printf '%s' "$found"
}

moment() {
  need_dir
  [[ -n $to && -n $into ]] || misuse "moment wants --to and --into"
  [[ $to =~ (Z|[+-][0-9]{2}:?[0-9]{2})$ ]] || misuse "--to $to: say the time zone, such as 2026-11-21T03:00:00Z"
  [[ $port =~ ^[0-9]+$ ]] || misuse "--port $port is no number"
  [[ $point =~ ^[A-Za-z0-9_.-]*$ ]] || misuse "--point $point: letters, digits and . _ - are allowed"
  [ "$(id -u)" -ne 0 ] || refuse "PostgreSQL does not run as root: run this as its user, such as 'runuser -u postgres -- $0 moment …'"
  need_key
  local seconds base version control name log
  seconds=$(seconds_of "$to")
  [ -n "$seconds" ] || misuse "--to $to is no moment"
  [ "$seconds" -le "$(date +%s)" ] || refuse "--to $to is in the future"
  is_empty "$into" || refuse "$into is not empty: nothing is restored over what is there. If it is what a failed try left: rm -r $into"
  base=$(base_before "$seconds")
  [ -n "$base" ] || refuse "no base backup in $dir/base ended before $to: restore to a later moment"
  version=$(fact "$base" version)
  [ "$version" = "$(programs_version)" ] ||
    refuse "the backup is of PostgreSQL $version, the programs in $PG_BIN are of $(programs_version): set PG_BIN to those of $version"
  say "restoring ${base##*/} and its WAL up to ${point:-$to} into $into"
  pg_verifybackup --quiet "$base/data"

  mkdir -p "$into"
  cp -a "$base/data/." "$into/"
  chmod 700 "$into"
  # Where the settings lie elsewhere, as on Debian, the backup has none: what recovery needs is added below.
  [ -e "$into/postgresql.conf" ] || : >"$into/postgresql.conf"
  [ -e "$into/pg_hba.conf" ] ||
    printf '%s\n' 'local all all peer' 'host all all 127.0.0.1/32 scram-sha-256' 'host all all ::1/128 scram-sha-256' >"$into/pg_hba.conf"
  [ -e "$into/pg_ident.conf" ] || : >"$into/pg_ident.conf"
  [ -n "$socket" ] || socket=$into
  log="$into/restore.log"
  {
    # Recovery wants these no smaller than they were.
    control=$(pg_controldata "$into")
    for name in max_connections max_worker_processes max_wal_senders max_prepared_xacts max_locks_per_xact; do
      setting=${name/prepared_xacts/prepared_transactions}
      setting=${setting/locks_per_xact/locks_per_transaction}
      printf '%s = %s\n' "$setting" "$(sed -n "s/^$name setting: *//p" <<<"$control")"
    done
    # The last file may have been received in part only.
    printf "restore_command = 'cp \"%s/wal/%%f\" \"%%p\" 2>/dev/null || cp \"%s/wal/%%f.partial\" \"%%p\"'\n" "$dir" "$dir"
    # Read before the names of time zones are known: with the offset in figures.
    if [ -n "$point" ]; then
      printf "recovery_target_name = '%s'\n" "$point"
    else
      printf "recovery_target_time = '%s'\n" "$(date -u -d "$to" '+%Y-%m-%d %H:%M:%S.%6N+00')"
    fi
    echo "recovery_target_action = 'promote'"
    echo "recovery_target_timeline = 'latest'"
    # A cluster that is being tried must not write into the archive of the one that is in use.
    echo "archive_mode = off"
  } >>"$into/postgresql.auto.conf"
  : >"$into/recovery.signal"
  pg_ctl start --silent --pgdata="$into" --log="$log" --no-wait \
    --options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='$socket' -c hot_standby=off"
  local since=$SECONDS
  until pg_isready --quiet --host="$socket" --port="$port"; do
    if ! pg_ctl status --pgdata="$into" >/dev/null 2>&1 && [ $((SECONDS - since)) -gt 2 ]; then
      tail -n 5 "$log" >&2
      grep -q 'before configured recovery target was reached' "$log" &&
        refuse "the archive ends before ${point:-$to}: restore to the moment of its last commit, which $log names, or earlier. Before the next try: rm -r $into"
      refuse "the cluster did not start: see $log. Before the next try: rm -r $into"
    fi
    sleep 0.2
  done
  # A later start is not a recovery.
  sed -i -E '/^(restore_command|recovery_target_[a-z]+) = /d' "$into/postgresql.auto.conf"
  say "restored in $((SECONDS - since)) s: the cluster answers on 127.0.0.1:$port, and archives nothing (archive_mode = off)"
  say "next: CROSSDOCK_SECRET_FILE=… DATABASE_URL=… $0 check $to"
}

dump() {
  need_dir
  [ ${#rest[@]} -eq 1 ] || misuse "dump wants the STAMP of a dump"
  [ -n "${DATABASE_URL:-}" ] || misuse "DATABASE_URL is not set"
  need_key
  local from="$dir/dump/${rest[0]}" tables server
  [ -d "$from" ] || refuse "there is no dump $from"
  server=$(psql --dbname="$DATABASE_URL" --no-psqlrc --tuples-only --no-align --command="show server_version_num")
  [ $((server / 10000)) -ge "$(fact "$from" version)" ] ||
    refuse "the dump is of PostgreSQL $(fact "$from" version), the server is older: $((server / 10000))"
  tables=$(psql --dbname="$DATABASE_URL" --no-psqlrc --tuples-only --no-align \
    --command="select count(*) from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace")
  [ "$tables" -eq 0 ] || refuse "the database has $tables tables: nothing is restored over what is there"
  pg_restore --dbname="$DATABASE_URL" --jobs="${BACKUP_JOBS:-2}" --exit-on-error --no-owner --no-password "$from/data"
  say "restored ${rest[0]}, which ended $(fact "$from" ended)"
  say "next: CROSSDOCK_SECRET_FILE=… DATABASE_URL=… $0 check $(fact "$from" ended)"
}

keys() {
  [[ ${#rest[@]} -eq 1 && -n $into ]] || misuse "keys wants FILE and --into"
  local passphrase=${BACKUP_PASSPHRASE_FILE:-}
  [ -r "$passphrase" ] || misuse "BACKUP_PASSPHRASE_FILE names no file that can be read"
  is_empty "$into" || refuse "$into is not empty"
  mkdir -p "$into"
  openssl enc -d -aes-256-cbc -pbkdf2 -iter 600000 -pass "file:$passphrase" -in "${rest[0]}" |
    tar --extract --file=- --directory="$into" ||
    refuse "${rest[0]} was not decrypted: is it the right passphrase?"
  find "$into" -type f
}

cold() {
  need_dir
  [[ ${#rest[@]} -eq 1 && -n $into ]] || misuse "cold wants STAMP and --into"
  local from="$dir/cold/${rest[0]}"
  [ -d "$from" ] || refuse "there is no cold copy $from"
  is_empty "$into" || refuse "$into is not empty: nothing is restored over what is there"
  mkdir -p "$into"
  cp -a "$from/data/." "$into/"
  say "restored ${rest[0]}: start with CROSSDOCK_DATA_DIR=$into CROSSDOCK_RESTORED=$(fact "$from" ended)"
}

check() {
  [ ${#rest[@]} -eq 1 ] || misuse "check wants the MOMENT that was restored"
  [ -n "${DATABASE_URL:-}" ] || misuse "DATABASE_URL is not set"
  local crossdock
  # One program, whatever its path, or words.
  if [ -x "${CROSSDOCK:-}" ]; then crossdock=("$CROSSDOCK"); else read -ra crossdock <<<"${CROSSDOCK:-npx crossdock}"; fi
  local said
  say "schema and partitions:"
  "${crossdock[@]}" migrate
  say "master key:"
  # It fails for other reasons as well, such as ports of a server that is still to come.
  said=$("${crossdock[@]}" doctor | grep 'stored secrets' || true)
  say "$said"
  [ -n "$without_key" ] || [[ $said == "ok "* ]] ||
    refuse "the master key is not the one of this database: find it, or go on with --without-key"
  say "stock:"
  "${crossdock[@]}" stock check
  say "start every node with CROSSDOCK_RESTORED=${rest[0]}, and take it away at the next start after the release"
}

command=${1:-}
[ $# -eq 0 ] || shift
read_options "$@"
case $command in
  moment | dump)
    find_programs
    "$command"
    ;;
  keys | cold | check) "$command" ;;
  help | --help | -h) usage ;;
  *) misuse "COMMAND is missing or unknown: '$command'" ;;
esac
