#!/usr/bin/env bash
# Backups of Crossdock's PostgreSQL and of its keys. docs/backup-and-restore.md is the runbook.
set -euo pipefail
umask 077
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/backup/programs.sh
. "$here/programs.sh"

usage() {
  cat <<'TEXT'
usage: backup.sh COMMAND

  base               a base backup of the whole cluster, verified: with the archived WAL it can be restored to any moment
                     behind its end. DATABASE_URL: a role with REPLICATION
  archive PATH NAME  puts one WAL file into the archive; for archive_command = '…/backup.sh archive "%p" "%f"'
  receive            streams WAL into the archive as it is written, until it is stopped. DATABASE_URL as for base
  dump               a logical dump, for a move to another server or version. DATABASE_URL: the database's owner
  keys FILE…         encrypts master key files and others under BACKUP_PASSPHRASE_FILE
  cold DATA_DIR      copies the data directory of an embedded database, which is stopped
  verify [STAMP]     checks a base backup against its manifest; without STAMP the newest
  prune              keeps the newest BACKUP_KEEP base backups (7), and drops the WAL that only older ones need
  list               what there is

BACKUP_DIR names the folder: base/, wal/, dump/, keys/ and cold/ are below it. PG_BIN names PostgreSQL's programs.
TEXT
}

dir=${BACKUP_DIR:-}
stamp=$(date -u +%Y%m%dT%H%M%SZ)

need_dir() {
  [ -n "$dir" ] || misuse "BACKUP_DIR is not set"
  mkdir -p "$dir/base" "$dir/wal" "$dir/dump" "$dir/keys" "$dir/cold"
}

need_url() {
  [ -n "${DATABASE_URL:-}" ] || misuse "DATABASE_URL is not set"
}

# An unfinished backup has another name: what is listed and restored is whole.
finish() {
  sync -f "$1"
  mv "$1" "$2"
}

newest() {
  find "$dir/base" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*Z' -printf '%f\n' | sort | tail -n 1
}

base() {
  need_dir
  need_url
  local making="$dir/base/.$stamp" started
  mkdir "$making"
  started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  pg_basebackup --dbname="$DATABASE_URL" --pgdata="$making/data" --format=plain --wal-method=stream --checkpoint=fast \
    --manifest-checksums=SHA256 --no-password --label="crossdock $stamp"
  pg_verifybackup --quiet "$making/data"
  # A second later: every commit that the backup has was made before it.
  sleep 1
  {
    echo "kind=base"
    echo "started=$started"
    echo "ended=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "version=$(cat "$making/data/PG_VERSION")"
    echo "system=$(pg_controldata "$making/data" | sed -n 's/^Database system identifier: *//p')"
    echo "wal=$(sed -n 's/^START WAL LOCATION:.*(file \([0-9A-F]*\))$/\1/p' "$making/data/backup_label")"
  } >"$making/about"
  finish "$making" "$dir/base/$stamp"
  say "base backup $dir/base/$stamp: $(du -sh "$dir/base/$stamp" | cut -f 1)"
}

# PostgreSQL asks again until this ends with 0, and keeps the file as long. The same file twice is not a fault; another one
# under its name is: two clusters would be using one archive.
archive() {
  [ $# -eq 2 ] || misuse "archive takes PATH and NAME"
  [ -n "$dir" ] || misuse "BACKUP_DIR is not set"
  local to="$dir/wal/$2" making="$dir/wal/.$2.$$"
  mkdir -p "$dir/wal"
  if [ -e "$to" ]; then
    cmp -s "$1" "$to" || refuse "$to is there with other content: does another cluster archive to this folder?"
    exit 0
  fi
  cp "$1" "$making"
  sync "$making"
  mv "$making" "$to"
  sync "$dir/wal"
}

receive() {
  need_dir
  need_url
  local slot=${BACKUP_SLOT:-crossdock_backup}
  # It makes the slot and ends; the second time it streams.
  pg_receivewal --dbname="$DATABASE_URL" --slot="$slot" --create-slot --if-not-exists --no-password
  exec pg_receivewal --dbname="$DATABASE_URL" --slot="$slot" --directory="$dir/wal" --synchronous --no-password
}

dump() {
  need_dir
  need_url
  local making="$dir/dump/.$stamp"
  mkdir "$making"
  pg_dump --dbname="$DATABASE_URL" --format=directory --jobs="${BACKUP_JOBS:-2}" --file="$making/data" --no-password
  pg_restore --list "$making/data" >/dev/null
  {
    echo "kind=dump"
    echo "ended=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "version=$(programs_version)"
  } >"$making/about"
  finish "$making" "$dir/dump/$stamp"
  say "dump $dir/dump/$stamp: $(du -sh "$dir/dump/$stamp" | cut -f 1)"
}

keys() {
  need_dir
  [ $# -gt 0 ] || misuse "keys takes the files: the one of the master key, .env, certificates"
  local passphrase=${BACKUP_PASSPHRASE_FILE:-} file making="$dir/keys/.$stamp"
  [ -r "$passphrase" ] || misuse "BACKUP_PASSPHRASE_FILE names no file that can be read"
  for file in "$@"; do [ -r "$file" ] || refuse "$file cannot be read"; done
  tar --create --absolute-names --transform='s,^/*,,' --file=- -- "$@" |
    openssl enc -aes-256-cbc -pbkdf2 -iter 600000 -salt -pass "file:$passphrase" -out "$making"
  finish "$making" "$dir/keys/$stamp.tar.enc"
  say "keys $dir/keys/$stamp.tar.enc: keep the passphrase elsewhere"
}

cold() {
  need_dir
  [ $# -eq 1 ] || misuse "cold takes the data directory"
  local from=$1 making="$dir/cold/.$stamp" pid place
  [ -d "$from" ] || refuse "$from is no folder"
  place="$from/postgres"
  [ -d "$place" ] || refuse "$from has no folder postgres: its database is elsewhere, or not an embedded one"
  if [ -e "$place/postmaster.pid" ]; then
    pid=$(head -n 1 "$place/postmaster.pid")
    ! kill -0 "$pid" 2>/dev/null || refuse "the database of $from runs (process $pid): stop Crossdock first"
  fi
  mkdir "$making"
  cp -a "$from" "$making/data"
  {
    echo "kind=cold"
    echo "ended=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "version=$(cat "$place/PG_VERSION")"
  } >"$making/about"
  finish "$making" "$dir/cold/$stamp"
  say "cold copy $dir/cold/$stamp: $(du -sh "$dir/cold/$stamp" | cut -f 1); it holds the master key, if that was in the data directory"
}

verify() {
  need_dir
  local which=${1:-$(newest)}
  [ -n "$which" ] || refuse "there is no base backup in $dir/base"
  [ -d "$dir/base/$which" ] || refuse "there is no base backup $which in $dir/base"
  pg_verifybackup --quiet "$dir/base/$which/data"
  say "base backup $which is as its manifest says"
}

prune() {
  need_dir
  local keep=${BACKUP_KEEP:-7} old oldest
  [[ $keep =~ ^[1-9][0-9]*$ ]] || misuse "BACKUP_KEEP=$keep: a number from 1 up is wanted"
  find "$dir/base" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*Z' -printf '%f\n' | sort | head -n "-$keep" |
    while read -r old; do
      rm -rf "$dir/base/${old:?}"
      say "dropped base backup $old"
    done
  oldest=$(find "$dir/base" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*Z' -printf '%f\n' | sort | head -n 1)
  [ -n "$oldest" ] || return 0
  pg_archivecleanup "$dir/wal" "$(fact "$dir/base/$oldest" wal)"
  say "kept: from base backup $oldest on, $(find "$dir/wal" -type f | wc -l) WAL files"
}

list() {
  need_dir
  local folder
  for folder in "$dir"/base/*Z "$dir"/dump/*Z "$dir"/cold/*Z; do
    [ -d "$folder" ] || continue
    say "$(fact "$folder" kind) ${folder##*/} PostgreSQL $(fact "$folder" version) ended $(fact "$folder" ended) $(du -sh "$folder" | cut -f 1)"
  done
  for folder in "$dir"/keys/*.tar.enc; do
    [ ! -e "$folder" ] || say "keys ${folder##*/}"
  done
  say "wal: $(find "$dir/wal" -type f ! -name '.*' | wc -l) files, $(du -sh "$dir/wal" | cut -f 1)"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  base | receive | dump | verify | prune)
    find_programs
    "$command" "$@"
    ;;
  archive | keys | cold | list) "$command" "$@" ;;
  help | --help | -h) usage ;;
  *) misuse "COMMAND is missing or unknown: '$command'" ;;
esac
