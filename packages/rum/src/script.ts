/// <reference lib="dom" />
import { init } from './index.ts'

/** By script tag: `<script src="…/rum/v1.js" data-api-key="wp_rum_…" data-clicks async>`, or `WatchpostRum.init({ … })`. */
const script = document.currentScript as HTMLScriptElement | null
const { apiKey, endpoint, app, sampleRate, ...switches } = script?.dataset ?? {}
const origin = script?.src ? new URL(script.src).origin : undefined

const api = { init: (options: Parameters<typeof init>[0]) => init({ endpoint: origin, ...options }) }
;(window as { WatchpostRum?: object }).WatchpostRum = apiKey
  ? {
      ...api,
      ...api.init({
        apiKey,
        endpoint: endpoint ?? origin,
        app,
        sampleRate: sampleRate === undefined ? 1 : +sampleRate,
        ...Object.fromEntries(Object.entries(switches).map(([name, value]) => [name, value !== 'false'])),
      }),
    }
  : api
