import { randomUUID } from 'node:crypto'
import { pollUntil } from '../api/api.ts'
import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'
import { readJson } from '../read-json.ts'
import { describeDocument, isSettled, type ShownDocument } from '../show-document.ts'

const ITEM = /^(?:(\d+(?:\.\d+)?)\s*x\s+)?(.+?)\s*@\s*(\d+(?:\.\d+)?)$/

interface Item {
  readonly description: string
  readonly quantity: number
  readonly unit_price: number
}

/** `2 x Café @ 1990`. */
export function readItem(text: string): Item {
  const [, quantity = '1', description = '', price = ''] = ITEM.exec(text.trim()) ?? []
  if (!description)
    throw new CliError('usage', `"${text}" is no item.`, "Write it as 'Café @ 1990' or '2 x Café @ 1990'.")
  return { description, quantity: Number(quantity), unit_price: Number(price) }
}

async function bodyOf(ctx: Context): Promise<unknown> {
  const { options } = ctx
  const file = options.text('file')
  const items = options.list('item')
  if ((file === undefined) === (items.length === 0)) {
    throw new CliError(
      'usage',
      'Say what to issue: either --file or one --item or more.',
      'See `timbre documents create --help`.',
    )
  }
  if (file !== undefined) return readJson(ctx, `@${file}`)
  const tipo_dte = Number(options.text('tipo') ?? 39)
  if (!Number.isInteger(tipo_dte))
    throw new CliError('usage', `--tipo cannot be "${options.text('tipo')}".`, 'It is a number, such as 39.')
  return { tipo_dte, items: items.map(readItem) }
}

export async function run(ctx: Context): Promise<void> {
  const { options, out, signal } = ctx
  const body = await bodyOf(ctx)
  const api = await ctx.api()
  const idempotencyKey = options.text('idempotency-key') ?? randomUUID()
  const created = await api.call<ShownDocument>('POST', '/documents', { body, idempotencyKey })
  if (options.flag('no-wait')) return out.result(created, () => describeDocument(out, created))
  const look = () => api.call<ShownDocument>('GET', `/documents/${created.id}`)
  const document = await pollUntil(look, isSettled, { signal })
  out.result(document, () => describeDocument(out, document))
  if (!isSettled(document))
    out.note(`The SII has not answered yet. \`timbre documents get ${document.id}\` shows what comes of it.`)
}
