import type { Agent } from './agent.ts'
import { callTool } from './call-tool.ts'
import type { ToolParts } from './operation-call.ts'

const FILE = /^timbre:\/\/(documents|received_documents)\/([\w-]{1,80})\/(pdf|xml)(?:\?empresa=([\w-]{1,40}))?$/

/** The files of documents as resources, which tools link to instead of carrying them. */
export const FILE_TEMPLATES = ['documents', 'received_documents'].map((noun) => ({
  uriTemplate: `timbre://${noun}/{id}/{file}{?empresa}`,
  name: `${noun}_file`,
  title: noun === 'documents' ? 'PDF or XML of an issued document' : 'PDF or XML of a received document',
  description: '`file` is pdf or xml; `empresa` a RUT or id, left out where you reach one.',
}))

interface File {
  readonly mimeType: string
  readonly blob: string
}

/** Reads the file that an address names, by the operation that gives it out; null where it names none, or its refusal. */
export async function readFileResource(
  parts: ToolParts,
  agent: Agent,
  uri: string,
): Promise<File | { readonly refused: string } | null> {
  const [, noun, id, file, empresa] = FILE.exec(uri) ?? []
  const tool = parts.tools.get(`${noun}.${file}`)
  if (noun === undefined || !tool) return null
  const named = { [noun === 'documents' ? 'document_id' : 'received_document_id']: id, ...(empresa && { empresa }) }
  const { blocks = [], refusal } = await callTool(parts, agent, tool, named)
  if (refusal) return { refused: `${refusal.code}: ${refusal.message}` }
  const [block] = blocks as { readonly resource: File }[]
  return block ? { mimeType: block.resource.mimeType, blob: block.resource.blob } : null
}
