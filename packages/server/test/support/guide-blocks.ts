// The code of a guide, as a reader would copy it.

import { readFileSync } from 'node:fs'

export interface Block {
  readonly language: string
  /** What stands behind the language: `run`, `file=…`. */
  readonly marks: readonly string[]
  readonly code: string
}

const BLOCK = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm

export function readGuide(name: string): string {
  return readFileSync(new URL(`../../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
}

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(BLOCK)].map(([, language = '', marks = '', code = '']) => ({
    language,
    marks: marks.trim().split(/\s+/).filter(Boolean),
    code,
  }))
}
