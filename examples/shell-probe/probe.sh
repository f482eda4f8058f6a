#!/usr/bin/env bash
# A probe in shell: fetches what is due, looks at HTTP targets with curl, hands in what it saw.
#   WATCHPOST_URL=http://127.0.0.1:8080 WATCHPOST_PROBE_TOKEN=wp_probe_… ./probe.sh
# Needs curl and jq. Other types than http and https are reported as "error": this probe cannot look at them.
set -euo pipefail

api() { curl -sS --fail-with-body -H "Authorization: Bearer $WATCHPOST_PROBE_TOKEN" "$@"; }

while :; do
  due=$(api "$WATCHPOST_URL/v1/probe/get-checks?limit=20") || { sleep 5; continue; }
  while read -r check; do
    read -r type target timeout < <(jq -r '"\(.type) \(.target) \(.timeout)"' <<<"$check")
    status=error seconds=null
    if [[ $type == http* ]]; then
      # "--" and a URL that the control plane has validated: the target can be no option.
      seconds=$(curl -sS -o /dev/null --fail --max-time "$timeout" -w '%{time_total}' -- "$target") && status=online || status=offline
    fi
    jq -n --argjson check "$check" --arg status "$status" --argjson seconds "${seconds:-null}" \
      '$check | {monitor_id, run_id, status: $status, response_time_ms: (if $status == "online" then $seconds * 1000 else null end)}' |
      api -X POST "$WATCHPOST_URL/v1/probe/check-result" -H 'Content-Type: application/json' -d @- >/dev/null || continue
  done < <(jq -c '.data[]' <<<"$due")
  sleep "$(jq -r .meta.poll_after_seconds <<<"$due")"
done
