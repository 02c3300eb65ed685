// Puts what the service loads at its start into one file. The bundler gives each set of modules that the same programs share a
// file of its own, and Node has to find, read and link every one of two hundred.
import { posix } from 'node:path'
import { build } from 'esbuild'

const { dirname, join, relative } = posix

/** A file, and those that are loaded with it. */
function loadedWith(outputs, file, files = new Set()) {
  if (files.has(file)) return files
  files.add(file)
  for (const { path, kind, external } of outputs[file].imports)
    if (kind === 'import-statement' && !external) loadedWith(outputs, path, files)
  return files
}

/**
 * Writes `file`, and all that is loaded with it and was not loaded before it by `after`, as one. What is loaded later finds each
 * of those under its name: a few lines that give on what is in the one.
 */
export async function inOneFile({ texts, outputs, banner }, { file, after }) {
  const before = loadedWith(outputs, after)
  const inside = [...loadedWith(outputs, file)].filter((path) => !before.has(path))
  const nameIn = (path, name) => `$${inside.indexOf(path)}_${name}`
  const given = (path) => outputs[path].exports
  const gives = (names, from) => `export { ${names.join(', ')} } from ${JSON.stringify(from)};\n`
  const contents = inside.map((path) => {
    const names = given(path).map((name) => `${name} as ${nameIn(path, name)}`)
    return gives(path === file ? [...names, ...given(path)] : names, `./${relative(dirname(file), path)}`)
  })
  const plugin = {
    name: 'inside',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, kind }) => {
        const found = join(dirname(file), path)
        return kind === 'import-statement' && inside.includes(found)
          ? { path: found, namespace: 'inside' }
          : { path, external: true }
      })
      onResolve({ filter: /^[^.]/ }, ({ path }) => ({ path, external: true }))
      onLoad({ filter: /.*/, namespace: 'inside' }, ({ path }) => ({
        contents: texts
          .get(path)
          .replace(banner, '')
          .replace(/^\/\/ (?=\S+$)/gm, '//! '),
      }))
    },
  }
  const { outputFiles } = await build({
    stdin: { contents: contents.join('') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'inline',
    logLevel: 'warning',
    banner: { js: banner },
    plugins: [plugin],
  })
  for (const path of inside) {
    const names = given(path).map((name) => `${nameIn(path, name)} as ${name}`)
    texts.set(path, gives(names, `./${relative(dirname(path), file)}`))
  }
  texts.set(file, outputFiles[0].text.replace(/^\/\/! /gm, '// '))
}
