import { tokensOf } from '../tokens.ts'
import { type Call, type Listed, type Played, play, type Temperament } from './client.ts'
import { heldOutTasks } from './held-out.ts'
import { type Task, tasksOf } from './tasks.ts'
import { openWorld, type World } from './world.ts'

// `npm run eval:agents`: tasks in Spanish against a sandbox, by scripted clients of two temperaments. Each must end within
// three calls and 6,000 tokens beyond the list. Those held out say how far that carries, and fail nothing. `-- naive` plays one
// client, `--paths` shows every call. A model takes the client's place by another `play` (see client.ts).

const MOST = { tasks: 40, calls: 3, tokens: 6_000 } as const
const shows_paths = process.argv.includes('--paths')

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly isError?: boolean
}

const TEMPERAMENTS: readonly Temperament[] = ['careful', 'naive']

/** How many tasks were not done as they should be, in a sandbox of their own. */
async function evaluate(temperament: Temperament): Promise<number> {
  const world = await openWorld()
  try {
    return await evaluateIn(world, temperament)
  } finally {
    await world.close()
  }
}

async function evaluateIn(world: World, temperament: Temperament): Promise<number> {
  const rpc = async (method: string, params: object) => {
    const sent = await fetch(`http://127.0.0.1:${world.port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.secret}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await sent.json()) as { result: unknown }).result
  }
  const { tools } = (await rpc('tools/list', {})) as { tools: Listed[] }
  const call: Call = async (name, args) => {
    const { content, isError = false } = (await rpc('tools/call', { name, arguments: args })) as Result
    return { text: content.find(({ type }) => type === 'text')?.text ?? '{}', refused: isError }
  }
  console.log(`\n${temperament}: a list of ${tools.length} tools, ${tokensOf(JSON.stringify(tools))} tokens`)
  const playAll = (tasks: readonly Task[]) => playTasks(tasks, (text) => play(text, tools, call, temperament))
  const open = await playAll(tasksOf(world.facts).slice(0, MOST.tasks))
  console.log(`${temperament}, held out: no description and no client was fitted to these`)
  await playAll(heldOutTasks(world.facts))
  return open
}

/** Plays tasks one after the other and prints a row of each; how many were not done as they should be. */
async function playTasks(tasks: readonly Task[], playOne: (text: string) => Promise<Played>): Promise<number> {
  console.log('  calls tokens wrong done  task')
  const played: (Played & { readonly ended: boolean })[] = []
  for (const { text, holds } of tasks) {
    const one = await playOne(text)
    const done = holds.every((fact) => one.answer.includes(fact))
    const ended = done && one.calls <= MOST.calls && one.tokens <= MOST.tokens
    played.push({ ...one, ended })
    const figures = [one.calls, one.tokens, one.wrong_turns].map((figure) => String(figure).padStart(6)).join('')
    console.log(` ${figures}   ${ended ? 'yes' : 'NO '}  ${text.slice(0, 90)}`)
    if (shows_paths || !ended)
      console.log(`        ${one.path.join(' > ')}${done ? '' : ` | ${one.answer.slice(0, 300)}`}`)
  }
  const most = (of: (one: Played) => number) => Math.max(...played.map(of))
  const sum = (of: (one: Played) => number) => played.reduce((total, one) => total + of(one), 0)
  const ended = played.filter((one) => one.ended).length
  console.log(
    `  ${ended} of ${played.length} done within ${MOST.calls} calls and ${MOST.tokens} tokens; at most ${most(({ calls }) => calls)} calls, ${most(({ tokens }) => tokens)} tokens; ${(sum(({ calls }) => calls) / played.length).toFixed(2)} calls and ${Math.round(sum(({ tokens }) => tokens) / played.length)} tokens a task; ${sum(({ wrong_turns }) => wrong_turns)} wrong turns`,
  )
  return played.length - ended
}

let open = 0
const wanted = TEMPERAMENTS.filter((one) => process.argv.includes(one))
for (const temperament of wanted.length > 0 ? wanted : TEMPERAMENTS) open += await evaluate(temperament)
process.exitCode = open === 0 ? 0 : 1
