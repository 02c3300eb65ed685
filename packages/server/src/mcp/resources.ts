import { ERROR_CODES } from '../catalog/errors.ts'
import type { Operation } from '../domain/operation.ts'
import { type Docs, openDocs } from '../http/page-routes/docs.ts'
import { errorPage } from '../pages/errors.ts'
import { markdownOf } from '../pages/html-to-markdown.ts'
import { REFERENCE_TABLES } from '../pages/reference-tables.ts'
import type { Addresses } from '../ports/ports.ts'

interface Text {
  readonly mimeType: string
  readonly text: string
}

interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

/** The resources an agent can read: reference data of this version, and the documentation. */
export interface ResourceCatalog {
  readonly listed: readonly Resource[]
  readonly templates: readonly object[]
  read(uri: string): Promise<Text | null>
}

const JSON_TYPE = 'application/json'
const MARKDOWN_TYPE = 'text/markdown'

const REFERENCE = 'timbre://reference/'
const ERROR = 'timbre://errors/'

function tableResources(): Resource[] {
  return REFERENCE_TABLES.map(({ name, title, about }) => ({
    uri: REFERENCE + name,
    name,
    title,
    description: about,
    mimeType: JSON_TYPE,
  }))
}

function docResources({ pages }: Docs, { public_url }: Addresses): Resource[] {
  return pages.map(({ path, title, about }) => ({
    uri: `${public_url}${path}.md`,
    name: path.slice(1),
    title,
    description: about,
    mimeType: MARKDOWN_TYPE,
  }))
}

async function readDoc(docs: Docs, path: string): Promise<string | null> {
  const page = docs.pages.find((one) => `${one.path}.md` === path)
  if (page) return markdownOf((await page.answer()).body ?? '')
  const guide = (await docs.guides()).find(({ name }) => `/docs/guides/${name}.md` === path)
  return guide?.text ?? null
}

export function openResources(operations: readonly Operation[], addresses: Addresses): ResourceCatalog {
  const docs = openDocs(operations, addresses)
  const { public_url } = addresses
  const known = (code: string) => ERROR_CODES.find((one) => one === code)
  return {
    listed: [...tableResources(), ...docResources(docs, addresses)],
    templates: [
      {
        uriTemplate: `${ERROR}{code}`,
        name: 'error',
        title: 'One error code',
        description: 'What a code means, whether a retry can help, and which operations answer it.',
        mimeType: MARKDOWN_TYPE,
      },
      {
        uriTemplate: `${public_url}/docs/guides/{name}.md`,
        name: 'guide',
        title: 'A guide',
        description: 'A guide of the documentation; the page of guides lists their names.',
        mimeType: MARKDOWN_TYPE,
      },
    ],
    async read(uri) {
      const table =
        uri.startsWith(REFERENCE) && REFERENCE_TABLES.find(({ name }) => name === uri.slice(REFERENCE.length))
      if (table) return { mimeType: JSON_TYPE, text: JSON.stringify(table.rows()) }
      const code = uri.startsWith(ERROR) ? known(uri.slice(ERROR.length)) : undefined
      if (code) return { mimeType: MARKDOWN_TYPE, text: markdownOf(errorPage(code, operations, addresses).body ?? '') }
      if (!uri.startsWith(`${public_url}/`)) return null
      const text = await readDoc(docs, uri.slice(public_url.length))
      return text === null ? null : { mimeType: MARKDOWN_TYPE, text }
    },
  }
}
