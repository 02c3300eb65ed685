import { describe, expect, it } from 'vitest'
import { SCOPE_NAMES, type Scope } from '../../../catalog/scopes.ts'
import { OPERATIONS } from '../../../operations.ts'
import { AGENT_SCOPES, BUNDLE_KEYS, BUNDLES, type Bundle, bundlesOf, chosenScopes, scopesIn } from './bundles.ts'
import { type Form, fieldOf, grantFrom, submittedDraft, suggestedDraft } from './consent-form.ts'
import { SCOPE_WORDS } from './copy.ts'

const GIVEN_TO_AGENTS = AGENT_SCOPES
const isDangerous = (scope: Scope) => SCOPE_WORDS[scope].danger !== undefined
const CHOICES = { account_id: 'acct_x', email: 'a@b.cl', email_verified: true, empresas: [] }

/** What a browser sends: each bundle that is on, each scope that is ticked, and the rest as it stands. */
function sent(bundles: readonly string[], ticked: readonly Scope[]): Form {
  const on = [...bundles.map((key) => `bundle_${key}`), ...ticked.map(fieldOf.scope), 'all_test', 'tipo_33']
  return { mode: 'test', days: '7', receptores: '', ...Object.fromEntries(on.map((name) => [name, 'on'])) }
}

const granted = (requested: readonly Scope[], form: Form) =>
  grantFrom(submittedDraft(form, requested, CHOICES), CHOICES).scopes

describe('the bundles of consent', () => {
  it('hold every scope that opens a tool to an agent, each once, and no other: nothing is asked for that gives nothing', () => {
    const held = BUNDLE_KEYS.flatMap((key) => BUNDLES[key].scopes as readonly Scope[])
    const tools = OPERATIONS.filter(({ mcp, root_only }) => !('not' in mcp) && !root_only)
    const opening = new Set(tools.flatMap(({ scope }) => scope ?? []))
    expect([...held].sort()).toEqual([...opening].sort())
    expect(AGENT_SCOPES.filter((scope) => /^(keys|mandato):|:attest$/.test(scope))).toEqual([])
  })

  it('warn where a scope of theirs does, and hold either what warns or what does not', () => {
    for (const key of BUNDLE_KEYS) {
      const { scopes, danger }: Bundle = BUNDLES[key]
      expect([key, new Set(scopes.map(isDangerous))]).toEqual([key, new Set([danger !== undefined])])
    }
  })

  it('are on before anybody chose only where nothing of theirs warns, whatever was asked for', () => {
    for (const requested of [GIVEN_TO_AGENTS, ...GIVEN_TO_AGENTS.map((scope) => [scope])]) {
      expect(chosenScopes(suggestedDraft(requested, CHOICES))).toEqual(requested.filter((one) => !isDangerous(one)))
    }
  })

  it.each(BUNDLE_KEYS)('%s gives its own scopes and no other', (key) => {
    expect(granted(GIVEN_TO_AGENTS, sent([key], GIVEN_TO_AGENTS))).toEqual(scopesIn(key, GIVEN_TO_AGENTS))
  })

  it('give less where a scope was taken out of one that is on', () => {
    const ticked = GIVEN_TO_AGENTS.filter((scope) => scope !== 'empresas:read' && scope !== 'folios:write')
    expect(granted(GIVEN_TO_AGENTS, sent(['look', 'arrange'], ticked))).toEqual([
      'documents:read',
      'empresas:write',
      'webhooks:read',
    ])
  })

  it('give nothing of one that is off, although its scopes are ticked', () => {
    expect(() => granted(GIVEN_TO_AGENTS, sent([], GIVEN_TO_AGENTS))).toThrow('Activa al menos un permiso')
    expect(() => granted(GIVEN_TO_AGENTS, sent(['look', 'work'], []))).toThrow('Activa al menos un permiso')
  })

  it('give nothing that the client did not ask for, and keys to nobody, whatever the form carries', () => {
    const everything = sent(BUNDLE_KEYS, SCOPE_NAMES)
    for (const scope of GIVEN_TO_AGENTS) expect(granted([scope], everything)).toEqual([scope])
    expect(granted(GIVEN_TO_AGENTS, everything)).not.toContain('keys:write')
    expect(bundlesOf(['folios:write'])).toEqual(['arrange'])
  })
})
