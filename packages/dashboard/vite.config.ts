import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Once, when it is built, so that no server has to compress what never changes. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  // After the last plugin has had its hand in what is written.
  writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets')
    for (const name of readdirSync(assets)) {
      if (!/\.(js|css|svg)$/.test(name)) continue
      const file = join(assets, name)
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  base: '/app/',
  plugins: [react(), compressed],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // Its policy forbids what is written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `vite packages/dashboard` beside a server, for whoever works on the pages.
  server: { proxy: { '^/(api|v1|status|openapi)': 'http://127.0.0.1:8080' } },
})
