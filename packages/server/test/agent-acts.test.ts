// What an agent can do is told to its person in words.

import { describe, expect, it } from 'vitest'
import { ACT_WORDS } from '../src/domain/platform/agent-grant/act-copy.ts'
import { isAct, LOOKING } from '../src/domain/platform/agent-grant/acts.ts'
import { OPERATIONS } from '../src/operations.ts'

const TOOLS = OPERATIONS.filter(({ mcp }) => mcp.not === undefined)

describe('the acts of agents', () => {
  it('have words, each operation that changes something and no other', () => {
    const acts = TOOLS.filter(isAct).map(({ id }) => id)
    expect(Object.keys(ACT_WORDS).sort()).toEqual([...acts].sort())
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
