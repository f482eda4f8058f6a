// Builds what visitors' browsers load: one file, as small as it gets.
import { readFile } from 'node:fs/promises'
import { type BuildOptions, build, type Plugin } from 'esbuild'

/**
 * web-vitals without what `reportSoftNavs` and `reportAllChanges` would do, which nobody asks it for here: a fifth of it.
 * What is cut out is dead code by its own conditions.
 */
const lean: Plugin = {
  name: 'lean-web-vitals',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^web-vitals$/ }, () => ({
      path: new URL('../node_modules/web-vitals/dist/modules/index.js', import.meta.url).pathname,
      sideEffects: false,
    }))
    onLoad({ filter: /web-vitals\/dist\/modules\/.*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replace(/const softNavsEnabled = .*;/g, '')
        .replace(/\bcheckSoftNavsEnabled\(opts\)|\bsoftNavsEnabled\b|opts\.reportAllChanges/g, 'false')
        .replace(/entry\.entryType === '(soft-navigation|interaction-contentful-paint)'/g, 'false')
        // How good a value is the server says.
        .replace(/metric\.rating = .*;/, '')
        // Which navigation it was of we tell by its address.
        .replace(
          /, metric\.navigationId, metric\.navigationInteractionId, metric\.navigationURL, getBFCacheRestoreTime\(\)/g,
          '',
        )
        .replace(/, navigationId(?: = 0)?, navigationInteractionId, navigationURL, navigationStartTime/g, '')
        .replace(/^ *(?:const hardNavId|navigation(?:Id|InteractionId|StartTime):|metric\.navigationId =).*\n/gm, '')
        .replace('navigationURL || hardNavEntry', 'hardNavEntry')
        // Nor does anybody look at what a value came from, or how it changed.
        .replace(
          /^ *(?:metric\.(?:entries|delta) =|metric\.entries\.push|delta: 0|entries,|rating:|const entries = \[\]).*\n/gm,
          '',
        )
        .replace(/, \w+Thresholds, false/g, '')
        // An interaction that waits to be looked at when the page is put away counts, too.
        .replace('if (forceReport) {', 'if (document.hidden) {')
        .replace('forceReport || reportAllChanges', 'forceReport')
        .replace(/const handleSoftNav\w+ = \(entry\) => \{\n[\s\S]*?\n {8}\};\n/g, ''),
    }))
  },
}

const common: BuildOptions = {
  bundle: true,
  minify: true,
  mangleProps: /^_/,
  target: 'es2022',
  legalComments: 'none',
  plugins: [lean],
  logLevel: 'warning',
}

/** For a script tag, and for `import`. */
export async function buildRum(directory: string): Promise<void> {
  const source = (name: string) => [`packages/rum/src/${name}.ts`]
  await Promise.all([
    build({ ...common, entryPoints: source('script'), outfile: `${directory}/rum.js`, format: 'iife' }),
    build({ ...common, entryPoints: source('index'), outfile: `${directory}/rum.mjs`, format: 'esm' }),
  ])
}
