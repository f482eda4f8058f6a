#!/usr/bin/env bash
# A probe in shell: fetches what is due, looks at HTTP targets with curl, hands in what it saw.
#   WATCHPOST_URL=http://127.0.0.1:8080 WATCHPOST_PROBE_TOKEN=wp_probe_… ./probe.sh
# Needs curl and jq. What it cannot judge (other types than http and https, options beside `judged`) it reports as "error",
# the probe's own trouble: such a monitor is neither online nor offline by it.
set -euo pipefail

# Options this probe heeds, and those that the control plane heeds.
judged='["expected_status", "follow_redirects", "max_redirects", "allow_downgrade",
  "confirmations", "retry_interval", "regions", "quorum", "auto_incident", "reminder_interval"]'
in_range='if type == "number" then . == $code else (split("-") | map(tonumber)) | $code >= first and $code <= last end'

api() { curl -sS --fail-with-body -H "Authorization: Bearer $WATCHPOST_PROBE_TOKEN" "$@"; }

# Sets status, seconds, kind and message by what the check $1 asks for.
look() {
  local type target timeout method verify follow hops downgrade unknown code args
  status=error seconds=null kind=probe_internal
  type=$(jq -r .type <<<"$1") unknown=$(jq -r --argjson judged "$judged" '(.options // {} | keys) - $judged | join(", ")' <<<"$1")
  [[ $type == http || $type == https ]] || { message="This probe cannot look at $type."; return; }
  [[ -z $unknown ]] || { message="This probe cannot judge the options $unknown."; return; }
  read -r target timeout method verify follow hops downgrade < <(jq -r '"\(.target) \(.timeout) \(.method) \(.ssl_verify)
    \(.options.follow_redirects != false) \(.options.max_redirects // 5) \(.options.allow_downgrade == true)" | gsub("\\s+"; " ")' <<<"$1")

  # No settings of this host's, no patterns in addresses; the answer's code, the time, and what went wrong in words.
  args=(-q -s -g -o /dev/null --noproxy '*' --max-time "$timeout" -w '%{http_code} %{time_total} %{errormsg}\n')
  if [[ $verify == false ]]; then args+=(-k); fi
  if [[ $follow == true ]]; then args+=(-L --max-redirs "$hops"); fi
  if [[ $type == https && $downgrade == false ]]; then args+=(--proto-redir =https); else args+=(--proto-redir =http,https); fi
  # With -X a POST would be repeated after a redirect.
  case $method in get) ;; post) args+=(--data '' -H Content-Type:) ;; *) args+=(-X "${method^^}") ;; esac

  # "--" and a URL that the control plane has validated: the target can be no option.
  local ended=0 answer
  answer=$(curl "${args[@]}" -- "$target") || ended=$?
  read -r code seconds message <<<"$answer" || true
  case $ended in
    0) ;;
    # curl could not start, ran out of memory, or lacks something: nothing is known of the target.
    2 | 4 | 27 | 41 | 43 | 48 | 77) return ;;
    28) status=offline kind=timeout; return ;;
    47) status=offline kind=http_too_many_redirects; return ;;
    *) status=offline kind=; return ;;
  esac
  if jq -e --argjson code "$code" "(.options.expected_status // [\"200-299\"]) | any(.[]; $in_range)" <<<"$1" >/dev/null; then
    status=online kind= message=
  else
    status=offline kind=http_status message="Answered $code."
  fi
}

while :; do
  due=$(api "$WATCHPOST_URL/v1/probe/get-checks?limit=20") || { sleep 5; continue; }
  while read -r check; do
    look "$check"
    jq -n --argjson check "$check" --arg status "$status" --argjson seconds "$seconds" --arg kind "$kind" --arg message "$message" \
      '$check | {monitor_id, run_id, status: $status, response_time_ms: (if $status == "online" then $seconds * 1000 else null end)}
        + if $kind == "" then {} else {error_kind: $kind} end + if $message == "" then {} else {error_message: $message} end' |
      api -X POST "$WATCHPOST_URL/v1/probe/check-result" -H 'Content-Type: application/json' -d @- >/dev/null || continue
  done < <(jq -c '.data[]' <<<"$due")
  sleep "$(jq -r .meta.poll_after_seconds <<<"$due")"
done
