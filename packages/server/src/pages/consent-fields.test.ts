import { describe, expect, it } from 'vitest'
import { ALWAYS_CONFIRMED } from '../catalog/always-confirmed.ts'
import { suggestedDraft } from '../domain/platform/agent-grant/consent-form.ts'
import { OPERATIONS } from '../operations.ts'
import { limitFields, scopeFields } from './consent-fields.ts'

const scopes = ['empresas:write', 'webhooks:write'] as const
const choices = { account_id: 'acct_x', email: 'a@b.cl', email_verified: true, empresas: [] }
const fields = { scopes, choices, draft: suggestedDraft(scopes, choices) }

describe('what a person reads before they let an agent in', () => {
  it('names every act that is asked about whatever the switch says', () => {
    const page = limitFields(fields).text
    for (const { words } of ALWAYS_CONFIRMED) expect(page).toContain(words)
  })

  it('says of empresas that they may be archived and deleted', () => {
    expect(scopeFields(fields).text).toMatch(/Ordenar tus empresas.*archivarlas y borrar las de prueba/s)
  })
})

describe('the acts that are always confirmed', () => {
  it('are acts that agents are able to and that have two steps, by fields that they take', () => {
    for (const { operation, field } of ALWAYS_CONFIRMED) {
      const found = OPERATIONS.find(({ id }) => id === operation)
      expect(found?.mcp.not === undefined && found?.mcp.irreversible, operation).toBeTruthy()
      if (field !== undefined) expect(Object.keys(found?.body?.properties ?? {})).toContain(field)
    }
  })

  it('are among them whatever deletes or archives an empresa', () => {
    const named = ALWAYS_CONFIRMED.map(({ operation }) => operation)
    const ending = OPERATIONS.filter(({ deletes_empresa, mcp }) => deletes_empresa && mcp.not === undefined)
    expect(named).toEqual(expect.arrayContaining(ending.map(({ id }) => id)))
  })
})
