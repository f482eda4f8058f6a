/** What goes into an environment so that any OpenTelemetry SDK sends here. */
export function otelEnvironment(url: string, token: string, service: string): string {
  return [
    `export OTEL_SERVICE_NAME=${service}`,
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS=X-App-Token=${token}`,
  ].join('\n')
}

/** What goes into a page so that its visits are measured; with a policy, `script-src` and `connect-src` name this server. */
export function rumScript(url: string, key: string): string {
  return `<script src="${url}/rum/v1.js" data-api-key="${key}" async></script>`
}
