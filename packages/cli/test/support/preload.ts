import { fileURLToPath } from 'node:url'

/** The environment of a process that loads one of the files beside this one before its program. */
export function preload(name: 'moved-clock' | 'full-disk', settings: Readonly<Record<string, string>>) {
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  return { ...settings, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${file}` }
}
