// What opens something for whoever has it, in what agents are answered.

import { describe, expect, it } from 'vitest'
import { carriesSecret } from '../kernel/schema.ts'
import { OPERATIONS } from '../operations.ts'

const TOOLS = OPERATIONS.filter(({ mcp }) => mcp.not === undefined)

/** Secrets of what the agent makes in that very call, each with what ends it. No tool tells the secret of anything else. */
const OF_ITS_OWN: Readonly<Record<string, string>> = {
  'webhook_endpoints.create': 'the endpoint ends with the grant',
  'documents.public_links.create': 'the link ends with the grant',
  'tax.f29.proposals.public_links.create': 'the link ends with the grant',
  'connections.create': 'the page ends with the grant, and once it was used',
  'connections.reconnect': 'the page ends with the grant, and once it was used',
}

type Properties = readonly (readonly [name: string, schema: object])[]

/** Every property of an answer, however deep. */
function propertiesOf(schema: unknown): Properties {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.entries(schema.properties as Record<string, object>) : []
  return [...own, ...Object.values(schema).flatMap(propertiesOf)]
}

describe('what a tool answers', () => {
  it('holds a secret only of what the agent makes in that call, and what ends with its grant', () => {
    const telling = TOOLS.filter(({ returns }) => carriesSecret(returns)).map(({ id }) => id)
    expect(telling.sort()).toEqual(Object.keys(OF_ITS_OWN).sort())
  })

  it('names nothing a secret, a password or a token that is not marked as one', () => {
    const unmarked = TOOLS.flatMap(({ id, returns }) =>
      propertiesOf(returns)
        .filter(
          ([name, schema]) => /(^|_)(secret|password|clave|token|private_key)$/.test(name) && !('x-secret' in schema),
        )
        .map(([name]) => `${id} ${name}`),
    )
    expect(unmarked).toEqual([])
  })

  it('is judged by schemas that are read to their depth', () => {
    const marked = OPERATIONS.filter(({ returns }) => propertiesOf(returns).some(([, schema]) => 'x-secret' in schema))
    expect(marked.map(({ id }) => id)).toEqual(
      OPERATIONS.filter(({ returns }) => carriesSecret(returns)).map(({ id }) => id),
    )
    expect(marked.length).toBeGreaterThan(Object.keys(OF_ITS_OWN).length)
  })
})
