import type { Context } from '../command.ts'
import { describeDocument, type ShownDocument } from '../show-document.ts'

export async function run({ api, args, out }: Context): Promise<void> {
  const document = await (await api()).call<ShownDocument>('GET', `/documents/${encodeURIComponent(args[0] ?? '')}`)
  out.result(document, () => describeDocument(out, document))
}
