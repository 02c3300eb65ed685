import { tokensOf } from '../tokens.ts'
import { fill, type Shape } from './fill.ts'
import { overlap, understood } from './language.ts'
import { stems } from './stems.ts'

// A client that reads the list and the task, and nothing else. A model takes its place by answering `play` with the same
// figures: it is given the same task, the same list and the same `call`.

export interface Listed {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Shape
}

/** The careful one weighs the arguments too and calls nothing it cannot fill; the naive one follows descriptions to the letter. */
export type Temperament = 'careful' | 'naive'

export interface Played {
  readonly calls: number
  readonly tokens: number
  readonly wrong_turns: number
  readonly path: readonly string[]
  /** The last answer. */
  readonly answer: string
}

export type Call = (name: string, args: object) => Promise<{ readonly text: string; readonly refused: boolean }>

const MOST_CALLS = 6

/** How much of a task a tool speaks of; a word counts the more, the fewer tools know it. */
function scores(task: string, tools: readonly Listed[], temperament: Temperament): { tool: Listed; score: number }[] {
  const said = [...understood(task)]
  const about = tools.map((tool) => ({
    tool,
    words: new Set(stems(`${tool.name.replaceAll('_', ' ')} ${tool.title} ${tool.description}`)),
    fields: Object.entries(tool.inputSchema.properties ?? {})
      .map(([name, one]) => `${name} ${one.description}`)
      .join(' '),
  }))
  const worth = (word: string) => Math.log(1 + tools.length / (1 + about.filter(({ words }) => words.has(word)).length))
  return about
    .map(({ tool, words, fields }) => {
      const told = said.filter((word) => words.has(word)).reduce((sum, word) => sum + worth(word), 0)
      const weighed = temperament === 'careful' ? overlap(new Set(said), fields) * 0.15 : 0
      return { tool, score: told + weighed }
    })
    .sort((one, other) => other.score - one.score)
}

const refusalIn = (text: string) => (JSON.parse(text) as { error: { message: string } }).error.message

interface Answer {
  readonly confirmation_required?: true
  readonly confirmation?: { readonly token: string }
  readonly next?: string
  readonly found?: readonly { readonly operation: string }[]
  readonly operation?: string
  readonly arguments?: Shape
}

/** What the answer says to do next, where it names a tool that is listed. */
function nextTool({ next = '' }: Answer, tools: readonly Listed[]): Listed | undefined {
  const named = next.match(/`(\w+)`/g)?.map((name) => name.slice(1, -1)) ?? []
  return tools.find(({ name }) => named.includes(name))
}

/** The arguments of a call that an answer led to: what the answer holds under the same names, then what the task says. */
function fromAnswer(tool: Listed, answer: Answer, task: string): Record<string, unknown> {
  const { given } = fill(tool.inputSchema, task)
  const operation = answer.operation ?? answer.found?.[0]?.operation
  const known = answer.arguments ? fill(answer.arguments, task).given : {}
  const { properties = {} } = tool.inputSchema
  return {
    ...given,
    ...('operation' in properties && operation && { operation }),
    ...('arguments' in properties && answer.arguments && { arguments: known }),
  }
}

/** Plays one task, until an answer is neither a refusal nor a question nor a step on the way. */
export async function play(
  task: string,
  tools: readonly Listed[],
  call: Call,
  temperament: Temperament,
): Promise<Played> {
  const path: string[] = []
  let tokens = 0
  let wrong_turns = 0
  let answer = ''
  const ask = async (name: string, args: object) => {
    const { text, refused } = await call(name, args)
    path.push(refused ? `${name} (refused: ${refusalIn(text)})` : name)
    tokens += tokensOf(JSON.stringify({ name, arguments: args })) + tokensOf(text)
    if (refused) wrong_turns++
    answer = text
    return { refused, told: JSON.parse(text) as Answer }
  }
  const ranked = scores(task, tools, temperament).map(({ tool }) => tool)
  const fits = (tool: Listed) => temperament === 'naive' || fill(tool.inputSchema, task).missing.length === 0
  for (const first of ranked.filter(fits)) {
    let tool: Listed | undefined = first
    let args: Record<string, unknown> = fill(first.inputSchema, task).given
    while (tool && path.length < MOST_CALLS) {
      const { refused, told }: { refused: boolean; told: Answer } = await ask(tool.name, args)
      if (refused) break
      // The person is asked, and agrees.
      if (told.confirmation_required && told.confirmation) {
        args = { ...args, confirmation: told.confirmation.token }
        continue
      }
      const following = told.found || told.arguments ? nextTool(told, tools) : undefined
      if (!following) return { calls: path.length, tokens, wrong_turns, path, answer }
      args = fromAnswer(following, told, task)
      tool = following
    }
    if (path.length >= MOST_CALLS) break
  }
  return { calls: path.length, tokens, wrong_turns, path, answer }
}
