#!/bin/sh
# Makes the files of ./secrets that compose.yaml reads, each of which is missing; none is
# overwritten. In the folder of compose.yaml:
#   sh make-secrets.sh
# Two are not made here: secrets/consumer_key and secrets/consumer_secret come with the contract.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets

# From /dev/urandom, in letters that need no quotes.
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
# Written beside and renamed: half a secret would be kept for ever. Companions run as user 1000, so
# others may read; the folder is closed to them.
write() {
  if [ -e "secrets/$1" ]; then return; fi
  printf '%s\n' "$2" > "secrets/$1.new"
  chmod 0444 "secrets/$1.new"
  mv "secrets/$1.new" "secrets/$1"
  echo "made secrets/$1"
}

if [ ! -e secrets/database_password ] && [ -e secrets/database_url ]; then
  echo 'secrets/database_url is there without secrets/database_password: the two belong together.' >&2
  exit 1
fi
write database_password "$(random)"
write database_url "postgres://hc:$(cat secrets/database_password)@postgres:5432/hc?sslmode=disable"
write installation_secret "$(random)"
write merchant_key "mk_$(random)"
write notify_secret "whsec_$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
write ops_token "$(random)"
if [ ! -e secrets/privatekey.pem ]; then
  openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out secrets/privatekey.new
  openssl pkey -in secrets/privatekey.new -pubout -out secrets/publickey.pem
  chmod 0444 secrets/privatekey.new
  mv secrets/privatekey.new secrets/privatekey.pem
  echo 'made secrets/privatekey.pem; upload secrets/publickey.pem in the portal of the service'
fi
for given in consumer_key consumer_secret; do
  [ -e "secrets/$given" ] || echo "still missing: secrets/$given, which comes with the contract"
done
