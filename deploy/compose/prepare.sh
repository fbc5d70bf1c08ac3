#!/bin/sh
# Creates the files for compose.yaml that must stay secret: deploy/compose/crossdock.env and deploy/compose/secrets/.
#
#   deploy/compose/prepare.sh PUBLIC_ADDRESS GS1_COMPANY_PREFIX
#   deploy/compose/prepare.sh https://crossdock.example.com 0614141
#
# Files that exist stay as they are: a second master key could open nothing that the first one closed.
set -eu
cd "$(dirname "$0")"

address=${1:-}
prefix=${2:-}
case "$address" in
  https://*[!A-Za-z0-9.:/-]* | https:// | https://*/?*) known=no ;;
  https://*) known=yes ;;
  *) known=no ;;
esac
case "$known" in
  yes) ;;
  *)
    echo "usage: $0 https://NAME[:PORT] GS1_COMPANY_PREFIX" >&2
    echo "NAME is how brands, warehouses and browsers reach this machine; localhost does for a trial." >&2
    exit 2
    ;;
esac
case "$prefix" in
  *[!0-9]* | ? | ?? | ??? | ???? | ????? | ?????? | ???????????* | "")
    echo "$0: '$prefix' is no GS1 company prefix: 7 to 10 digits, as GS1 issued it to the warehouse's company." >&2
    echo "For a trial take 0614141, which GS1 keeps for examples." >&2
    exit 2
    ;;
esac
address=${address%/}

# 256 random bits, in letters that need no escape in an address.
random() {
  head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

# write FILE: standard input into FILE, unless it is there.
write() {
  if [ -e "$1" ]; then
    cat >/dev/null
    echo "kept  deploy/compose/$1"
  else
    cat >"$1.new"
    mv "$1.new" "$1"
    echo "made  deploy/compose/$1"
  fi
}

# The folder is closed to other users. The files within are readable, because the containers mount them as they are and
# read them as different users.
mkdir -p secrets
chmod 0700 secrets
umask 0033
random | write secrets/postgres_password
random | write secrets/database_password
random | write secrets/crossdock_secret
random | write secrets/backup_password
printf 'postgres://crossdock:%s@postgres:5432/crossdock' "$(cat secrets/database_password)" | write secrets/database_url
printf 'postgres://backup:%s@postgres:5432/postgres' "$(cat secrets/backup_password)" | write secrets/backup_url
sed -e "s|https://crossdock.example.com|$address|" -e "s|^\(CROSSDOCK_GS1_PREFIX\)=.*|\1=$prefix|" crossdock.env.example |
  write crossdock.env
