/** What goes into an environment so that any OpenTelemetry SDK sends here. */
export function otelEnvironment(url: string, token: string, service: string): string {
  return [
    `export OTEL_SERVICE_NAME=${service}`,
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS=X-App-Token=${token}`,
  ].join('\n')
}

/** One event by hand: does it arrive? */
export function rumExample(url: string, key: string): string {
  return [
    `fetch('${url}/v1/ingest?api_key=${key}', {`,
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    "  body: JSON.stringify({ type: 'page_view', url: location.href, session_id: crypto.randomUUID() }),",
    '})',
  ].join('\n')
}
