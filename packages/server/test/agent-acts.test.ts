// What an agent can do is told to its person in words.

import { describe, expect, it } from 'vitest'
import { ERRORS } from '../src/catalog/errors.ts'
import { codesOf } from '../src/domain/operation-codes.ts'
import { ACT_WORDS, FORMER_ACT_WORDS } from '../src/domain/platform/agent-grant/act-copy.ts'
import { isAct, isTriedAct, LOOKING } from '../src/domain/platform/agent-grant/acts.ts'
import { REFUSAL_WORDS, refusalWords } from '../src/domain/platform/agent-grant/refusal-copy.ts'
import { OPERATIONS } from '../src/operations.ts'

const TOOLS = OPERATIONS.filter(({ mcp }) => mcp.not === undefined)

describe('the acts of agents', () => {
  it('have words, each operation that changes something and no other', () => {
    const acts = TOOLS.filter(isAct).map(({ id }) => id)
    expect(Object.keys(ACT_WORDS).sort()).toEqual([...acts].sort())
    // What is no tool any more keeps its words until its rows are gone.
    expect(Object.keys(FORMER_ACT_WORDS).filter((id) => acts.includes(id))).toEqual([])
  })

  it('leave out only what changes nothing, although it is no GET', () => {
    const looks = TOOLS.filter((operation) => operation.method !== 'GET' && !isAct(operation))
    expect(new Set(looks.map(({ id }) => id))).toEqual(LOOKING)
    for (const { audited, leaves, mcp } of looks) {
      expect([audited ?? false, leaves, mcp.not === undefined && mcp.irreversible]).toEqual([
        false,
        undefined,
        undefined,
      ])
    }
  })
})

describe('the refusals of agents', () => {
  /** An agent has neither a key nor a session. */
  const OF_OTHERS = ['invalid_api_key', 'invalid_session']
  /** What no operation declares: it is raised for agents alone. */
  const OF_AGENTS = Object.keys(ERRORS).filter((code) =>
    /^(agent_limit|confirmation_(?!required))|^invalid_access/.test(code),
  )

  const codes = new Set(
    TOOLS.filter(isAct).flatMap((operation) => codesOf(operation).filter((code) => isTriedAct(operation, code))),
  )

  it('have Spanish words, every code that an act can end with and no other', () => {
    const raised = [...codes, ...OF_AGENTS].filter((code) => !OF_OTHERS.includes(code))
    expect(Object.keys(REFUSAL_WORDS).sort()).toEqual([...new Set(raised)].sort())
  })

  it('are told in words that end no sentence and hold no code', () => {
    for (const [code, words] of Object.entries(REFUSAL_WORDS)) {
      expect(words, code).toMatch(/^[a-záéíóúñ].*[^.]$/)
      expect(words, code).not.toMatch(/_/)
    }
    expect(refusalWords({ code: 'a_code_of_tomorrow', exceeded: null })).not.toContain('tomorrow')
    expect(refusalWords({ code: 'agent_limit_exceeded', exceeded: 'tipos' })).toContain('tipo de documento')
  })
})
