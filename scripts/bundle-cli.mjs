import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './ensure-installed.mjs'

/** pdfkit loads the widths of its fonts by a `require` of its own making, which esbuild does not see. */
const fontsOfPdfkit = {
  name: 'fonts-of-pdfkit',
  setup({ onLoad }) {
    onLoad({ filter: /pdfkit\.node\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      const contents = source.replaceAll('require$1(', 'require(')
      if (contents === source) throw new Error('pdfkit loads its fonts otherwise now: look at scripts/bundle-cli.mjs')
      return { contents, loader: 'js' }
    })
  },
}

/**
 * What is loaded at every start is one file, not one for each set of commands that share a part of it: esbuild puts together
 * what the same entry points import, so whatever is loaded later imports `main` too.
 */
const startInOneFile = (main) => ({
  name: 'start-in-one-file',
  setup({ onResolve, onLoad }) {
    const later = new Set()
    onResolve({ filter: /^\.\.?\// }, async ({ path, kind, resolveDir }) => {
      if (kind === 'dynamic-import' && resolveDir.startsWith(dirname(main))) later.add(join(resolveDir, path))
      return null
    })
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!later.has(path)) return null
      return { contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(main)}\n`, loader: 'ts' }
    })
  },
})

/**
 * Puts `timbre` and everything that it imports into packages/cli/bundle, a file for each command and for what commands share:
 * whoever installs the package installs nothing else, and a start reads little. Runs when the package is packed.
 */
export async function bundleCli() {
  ensureInstalled({ development: true })
  const { build } = await import('esbuild')
  const folder = join(root, 'packages/cli')
  rmSync(join(folder, 'bundle'), { recursive: true, force: true })
  await build({
    entryPoints: [join(folder, 'src/main.ts')],
    outdir: join(folder, 'bundle'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    // The second is that of the published package: nobody else's tools may look for sources that it does not hold.
    conditions: ['source', '@timbre/source'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
    plugins: [fontsOfPdfkit, startInOneFile(join(folder, 'src/main.ts'))],
    // Packages that were written for CommonJS call for it.
    banner: { js: "import{createRequire as $r}from'node:module';const require=$r(import.meta.url);" },
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await bundleCli()
