import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cafOf, SIGNER, sampleDraft } from '../../../test/support/signed-document.ts'
import type { SigningOrder } from '../../ports/signing.ts'
import { signDocuments } from './sign-documents.ts'
import { type SigningOptions, threadSigning } from './signing.ts'

const draft = sampleDraft(33)
const FOLIOS = 20
const caf = cafOf(draft, 1, FOLIOS)
const at = `${draft.issue_date}T12:00:00`

function order(changes: Partial<SigningOrder> = {}): SigningOrder {
  const documents = Array.from({ length: FOLIOS }, (_, i) => ({ id: `doc_${i + 1}`, draft, folio: i + 1 }))
  return { caf, signer: SIGNER, at, documents, ...changes }
}

describe('the signing threads', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: SigningOptions = {}) => {
    const signing = threadSigning({ threads: 1, ...options })
    opened.push(signing)
    return signing
  }
  const shared = threadSigning({ threads: 1 })
  afterAll(() => shared.close())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((signing) => signing.close()))
  })

  it('give what the calling thread would give, in the order asked for, whichever thread was free', async () => {
    const signing = open({ threads: 2 })
    const signed = await signing.sign(order())
    expect(signing.alive).toBe(2)
    const plain = signDocuments(order())
    expect(plain.every((one) => 'xml' in one)).toBe(true)
    const text = (one: (typeof plain)[number]) => ({
      ...one,
      xml: 'xml' in one && Buffer.from(one.xml).toString('latin1'),
    })
    expect(signed.map(text)).toEqual(plain.map(text))
  })

  it('take turns between owners: who brings one document does not wait for all of another', async () => {
    const ended: string[] = []
    const sign = (owner: string, of: SigningOrder) => shared.sign(of, owner).then(() => ended.push(owner))
    const { documents } = order()
    await Promise.all([
      sign('many', order()),
      sign('one', order({ documents: documents.slice(0, 1) })),
      sign('long', order({ documents: documents.slice(1, 2) })),
    ])
    expect(ended).toEqual(['one', 'long', 'many'])
  })

  it('leave the event loop free while they sign', async () => {
    const signing = shared
    await signing.sign(order())
    let turns = 0
    let done = false
    const signed = signing.sign(order()).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    expect(await signed).toHaveLength(FOLIOS)
    expect(turns).toBeGreaterThan(20)
  })

  it('refuse one document alone when it cannot be built', async () => {
    const documents = [
      { id: 'doc_good', draft, folio: 1 },
      { id: 'doc_outside', draft, folio: FOLIOS + 1 },
      { id: 'doc_broken', draft: { ...draft, items: null as never }, folio: 2 },
    ]
    const [good, outside, broken] = await shared.sign(order({ documents }))
    expect(good).toMatchObject({ id: 'doc_good', xml: expect.any(Uint8Array) })
    expect(outside).toMatchObject({ id: 'doc_outside', refusal: expect.stringContaining('CAF') })
    expect(broken).toMatchObject({ id: 'doc_broken', refusal: expect.any(String) })
  })

  it('give up an order that never ends, and sign the next on another thread', async () => {
    const hasty = open({ timeout_ms: 1 })
    await expect(hasty.sign(order())).rejects.toThrow(/too long/)
    expect(await shared.sign(order())).toHaveLength(FOLIOS)
  })

  it('let go of everybody who waits when the service stops', async () => {
    const signing = open()
    const waiting = Promise.allSettled([signing.sign(order()), signing.sign(order())])
    await signing.close()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(signing.sign(order())).rejects.toThrow(/ending/)
  })
})
