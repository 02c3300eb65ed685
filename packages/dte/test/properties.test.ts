import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDocumento } from '../src/document/build.ts'
import { checkDraft } from '../src/document/check.ts'
import type { DteDraft, Totals } from '../src/document/document.ts'
import { tipo } from '../src/document/tipos.ts'
import { completeDraft, hasGrossPrices, priceDraft } from '../src/document/totals.ts'
import { readDte } from '../src/envelope/read.ts'
import { readEnvelope } from '../src/envelope/read-envelope.ts'
import { additionalTax } from '../src/tables/additional-taxes.ts'
import { parseXmlText } from '../src/xml/parse.ts'
import { latin1Bytes, XML_DECLARATION } from '../src/xml/write.ts'
import { anyDraft, anyDraftOf, anyJunk } from './support/arbitrary.ts'
import { draft } from './support/samples.ts'
import { describeWithReference } from './support/shared.ts'
import { loadSchemas, PLACEHOLDER_TED, type Schema } from './support/xsd.ts'

const build = (value: DteDraft) => {
  const ted = PLACEHOLDER_TED.replaceAll('TIPO', String(value.tipo_dte))
  return buildDocumento(completeDraft(value, 1), { ted, tmst_firma: '2026-10-05T12:00:00' })
}

/** The short form runs some hundreds of cases; npm run test:faults asks for ten times as many. */
const runs = (cases: number) => cases * Number(process.env.PROPERTY_RUNS ?? 1)
const counts: string[] = []
afterAll(() => console.info(`cases run: ${counts.join(', ')}`))

/** Runs a property over drafts that every check accepts, and notes how many there were. */
function forEveryDraft(
  name: string,
  cases: number,
  property: (value: DteDraft) => void,
  drafts: fc.Arbitrary<DteDraft> = anyDraft,
): void {
  let accepted = 0
  const numRuns = runs(cases)
  fc.assert(
    fc.property(drafts, (value) => {
      if (checkDraft(value).length > 0) return
      accepted++
      property(value)
    }),
    { numRuns },
  )
  counts.push(`${name} ${accepted} of ${numRuns}`)
  expect(accepted).toBeGreaterThan(numRuns / 4)
}

function parts({ net = 0, exempt = 0, iva = 0, taxes = [], deposit = 0, construction_credit = 0 }: Totals): number {
  const signed = taxes.map(({ code, amount }) => (additionalTax(code)?.kind === 'withheld' ? -amount : amount))
  return net + exempt + iva + signed.reduce((sum, amount) => sum + amount, 0) + deposit - construction_credit
}

describe('for every draft that is accepted', () => {
  it('the parts add up to the total and the lines to the parts, to the peso', () => {
    forEveryDraft('totals', 400, (value) => {
      const { items, discounts = [], surcharges = [], totals } = priceDraft(value)
      expect(parts(totals)).toBe(totals.total)
      expect(Number.isSafeInteger(totals.total) && totals.total >= 0).toBe(true)

      const sold = items.filter(({ billing }) => billing === undefined).reduce((sum, { amount }) => sum + amount, 0)
      const moved = (list: typeof discounts) =>
        list.filter(({ applies_to }) => applies_to !== 'non_billable').reduce((sum, { applied }) => sum + applied, 0)
      const iva = hasGrossPrices(value) ? (totals.iva ?? 0) : 0
      expect((totals.net ?? 0) + (totals.exempt ?? 0) + iva).toBe(sold - moved(discounts) + moved(surcharges))
    })
  })

  it('of a factura de compra, the IVA withheld and the IVA not withheld make the IVA', () => {
    const check = (value: DteDraft) => {
      const { taxes = [], iva = 0, iva_not_withheld = 0 } = priceDraft(value).totals
      if (taxes.length === 0) return
      expect(iva_not_withheld).toBeGreaterThanOrEqual(0)
      expect(taxes.reduce((sum, { amount }) => sum + amount, 0) + iva_not_withheld).toBe(iva)
    }
    forEveryDraft('withholding', 200, check, anyDraftOf(46))
  })

  it('what is built is canonical and reads back to the same document', () => {
    forEveryDraft('round trip', 100, (value) => {
      const documento = build(value)
      const parsed = parseXmlText(documento)
      if (!parsed.ok) throw new Error(parsed.refusal.message)
      expect(parsed.value.canonical).toBe(documento)
      const read = readDte(parsed.value.root)
      if (!read.ok) throw new Error(read.refusal.message)
      expect(read.value.warnings).toEqual([])
      const stamp = {
        ted: PLACEHOLDER_TED.replaceAll('TIPO', String(value.tipo_dte)),
        tmst_firma: '2026-10-05T12:00:00',
      }
      expect(buildDocumento(read.value.dte, stamp)).toBe(documento)
    })
  })
})

describeWithReference('for every draft that is accepted, the official schema', () => {
  let schema: Schema
  beforeAll(() => {
    schema = loadSchemas()
  })
  afterAll(() => schema.dispose())

  it('takes the document', () => {
    forEveryDraft('schema', 120, (value) => {
      expect(schema.validate(build(value), tipo(value.tipo_dte).envelope)).toBeNull()
    })
  })
})

describe('whatever comes in', () => {
  it('a check answers with refusals and never throws', () => {
    fc.assert(
      fc.property(anyJunk, (value) => {
        for (const { path, rule, message } of checkDraft(value)) {
          expect(typeof path === 'string' && rule !== '' && message !== '').toBe(true)
        }
      }),
      { numRuns: runs(1000) },
    )
    counts.push(`junk drafts ${runs(1000)}`)
  })

  it('a hole in a list is a line that is no object', () => {
    const items = [...draft(33).items]
    delete items[0]
    expect(checkDraft({ ...draft(33), items, discounts: new Array(1) })).toEqual([
      { path: 'items[0]', rule: 'type', message: 'items[0] must be an object' },
      { path: 'discounts[0]', rule: 'type', message: 'discounts[0] must be an object' },
    ])
  })

  it('a hostile draft is judged in bounded time', () => {
    const huge = 'x'.repeat(5_000_000)
    const hostile = {
      ...draft(33),
      items: Array.from({ length: 200_000 }, () => ({ description: huge, detail: huge, unit_price: huge })),
      references: Array.from({ length: 200_000 }, () => ({})),
    }
    // Read to its end it would take hours.
    expect(checkDraft(hostile).length).toBeLessThanOrEqual(110)
  })

  it('a file with bytes changed, cut or repeated is read or refused, and never throws', () => {
    const bytes = latin1Bytes(`${XML_DECLARATION}<DTE xmlns="http://www.sii.cl/SiiDte">${build(draft(33))}</DTE>`)
    const place = fc.nat(bytes.length - 1)
    let refused = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 }), place, (changes, cut) => {
        const damaged = Buffer.from(bytes)
        for (const [at, byte] of changes) damaged[at] = byte
        const half =
          changes.length % 2 === 0 ? damaged : Buffer.concat([damaged.subarray(0, cut), damaged.subarray(cut / 2)])
        if (!readEnvelope(half).ok) refused++
      }),
      { numRuns: runs(500) },
    )
    counts.push(`damaged files ${runs(500)} (${refused} refused)`)
  })

  it('a file of anything is read or refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.string().map((text) => Buffer.from(`<DTE>${text}</DTE>`)),
        ),
        (bytes) => {
          readEnvelope(bytes)
        },
      ),
      { numRuns: runs(500) },
    )
    counts.push(`random files ${runs(500)}`)
  })
})
