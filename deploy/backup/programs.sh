# shellcheck shell=bash
# Shared by backup.sh and restore.sh: how they speak, and where PostgreSQL's programs are.

say() {
  printf '%s\n' "$*"
}

refuse() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

misuse() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  usage >&2
  exit 2
}

# The programs of the newest PostgreSQL here, or those of PG_BIN.
find_programs() {
  if [ -n "${PG_BIN:-}" ]; then
    [ -x "$PG_BIN/pg_ctl" ] || [ -x "$PG_BIN/pg_dump" ] || refuse "PG_BIN=$PG_BIN has no PostgreSQL programs"
  else
    PG_BIN=$(find /usr/lib/postgresql /usr/pgsql-* -maxdepth 2 -type d -name bin 2>/dev/null | sort -V | tail -n 1 || true)
    if [ -z "$PG_BIN" ]; then
      PG_BIN=$(command -v pg_dump || true)
      [ -n "$PG_BIN" ] || refuse "no PostgreSQL programs are here: install postgresql and postgresql-client, or set PG_BIN"
      PG_BIN=$(dirname "$PG_BIN")
    fi
  fi
  PATH="$PG_BIN:$PATH"
  export PATH PG_BIN
}

# The major version of the programs: 15.
programs_version() {
  pg_dump --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/'
}

# A moment as seconds since 1970, or nothing where it is none.
seconds_of() {
  date -u -d "$1" +%s 2>/dev/null || true
}

# A fact that a base backup or a dump states: fact FOLDER NAME
fact() {
  sed -n "s/^$2=//p" "$1/about"
}

is_empty() {
  [ ! -e "$1" ] || { [ -d "$1" ] && [ -z "$(ls -A "$1")" ]; }
}
