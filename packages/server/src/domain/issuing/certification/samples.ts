import { createHash } from 'node:crypto'
import type { Sample } from '@timbre/certification'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { letterheadOf } from '../branding/lookup.ts'
import type { SampleFacts } from './file.ts'

/** SII, Manual de Muestras Impresas: 500 KB a file. Counted in thousands of bytes, the stricter of both readings. */
export const MOST_BYTES = 500_000

export interface PrintedSample {
  readonly file_name: string
  readonly pdf: Uint8Array
  readonly facts: SampleFacts
}

type Letterhead = Awaited<ReturnType<typeof letterheadOf>>
type PrintContext = { readonly ports: Pick<Ports, 'printer'>; readonly now: () => Date }

function factsOf({ origin, case_id, dte, cedible }: Sample, pdf: Uint8Array, without_logo: boolean): SampleFacts {
  const { tipo_dte, folio } = dte
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  return { origin, case_id, tipo_dte, folio, cedible, without_logo, bytes: pdf.length, sha256 }
}

/**
 * One page as the empresa will hand it out: its letterhead, the resolución of the envelope, and no watermark, though it has no
 * tax effect. The SII judges the page that a customer gets, and reads the stamp by a machine: words across it would be no part
 * of either. That it is a test the page says itself, with resolución 0.
 */
async function printOne(
  { ports, now }: PrintContext,
  { account_id }: Pick<EmpresaScope, 'account_id'>,
  sample: Sample,
  { logo, footer_text }: Letterhead,
): Promise<PrintedSample> {
  const { dte, xml, cedible, resolucion, file_name } = sample
  const order = {
    draft: dte,
    folio: dte.folio,
    as_written: true,
    xml,
    format: 'letter',
    cedible,
    watermark: null,
    footer: footer_text,
    resolucion,
    created_at: now(),
  } as const
  const pdf = await ports.printer.print({ ...order, logo }, account_id)
  if (logo === null || pdf.length <= MOST_BYTES) return { file_name, pdf, facts: factsOf(sample, pdf, false) }
  const bare = await ports.printer.print({ ...order, logo: null }, account_id)
  return { file_name, pdf: bare, facts: factsOf(sample, bare, true) }
}

/** Prints samples, one after the other: others print too. */
export async function printSamples(
  ctx: PrintContext,
  scope: Pick<EmpresaScope, 'account_id'>,
  samples: readonly Sample[],
  letterhead: Letterhead,
): Promise<PrintedSample[]> {
  const printed: PrintedSample[] = []
  for (const sample of samples) printed.push(await printOne(ctx, scope, sample, letterhead))
  return printed
}

/** What the SII would not take of what was printed, in words for the customer. */
export function flawsOf(printed: readonly PrintedSample[]): string[] {
  return printed
    .filter(({ facts }) => facts.bytes > MOST_BYTES)
    .map(({ file_name, facts }) => `${file_name} pesa ${Math.ceil(facts.bytes / 1000)} KB y el SII acepta hasta 500.`)
}

/** The digest over all samples: that of a list of theirs, as `sha256sum` writes it. Other bytes of any of them are another. */
export function digestOf(samples: readonly { readonly file_name: string; readonly sha256: string }[]): string {
  const list = samples.map(({ file_name, sha256 }) => `${sha256}  ${file_name}\n`).join('')
  return createHash('sha256').update(list, 'utf8').digest('hex')
}
