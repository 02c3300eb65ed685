// Programs of the tests: processes of their own, made to be killed or to stand beside a world.

import { mkdir, rename, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Inside `dist`, where what it imports is found and nothing is kept. */
const FOLDER = new URL('../../dist/.programs/', import.meta.url)

/**
 * Compiles a program over the service as it ships and gives the file to hand to Node, which starts it without a loader,
 * in a third of the time.
 */
export async function compileProgram(source: URL): Promise<string> {
  const entry = fileURLToPath(source)
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'from-dist',
        setup({ onResolve }) {
          onResolve({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
            path: path.replace(/^.*\/src\/(.*)\.ts$/, '../$1.js'),
            external: true,
          }))
        },
      },
    ],
  })
  await mkdir(FOLDER, { recursive: true })
  const file = fileURLToPath(new URL(`${basename(entry, '.ts')}.js`, FOLDER))
  const draft = `${file}.${process.pid}` // workers compile the same program at once: none may start half a file
  await writeFile(draft, outputFiles.map(({ contents }) => contents)[0] ?? '')
  await rename(draft, file)
  return file
}
