import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, it } from 'vitest'
import { freePort } from '../../server/test/support/free-port.ts'
import { IN_FULL } from './support/in-full.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDE = join(ROOT, 'docs/guides/first-hour.md')
const home = mkdtempSync(join(tmpdir(), 'timbre-first-hour-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Block {
  /** `run`, `pack`, `save=boleta.mjs` or `background=listen`: what a person does with it. */
  readonly mark: string
  readonly text: string
}

function blocksOf(guide: string): readonly Block[] {
  return [...guide.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, mark = '', text = '']) => ({ mark, text }))
}

const LISTEN_LOG = '"$HOME/listen.log"'
const SECRET = `$(sed -n 's/.*signed with //p' ${LISTEN_LOG})`
const until = (condition: string) => `until ${condition}; do sleep 0.2; done\n`

/** What a person types, in its order: files are saved where they are, other terminals run beside the first. */
function typed({ mark, text }: Block): string {
  const [act = '', name = ''] = mark.split('=')
  if (act === 'save') return `cat > ${name} <<'END-OF-FILE'\n${text}END-OF-FILE\n`
  if (act === 'pack') return `(cd '${ROOT}'\n${text})\n`
  if (act !== 'background') return text
  // The secret is read off the second terminal.
  const line = text.trim().replace('whsec_…', SECRET)
  const ready =
    name === 'listen' ? until(`grep -q Listening ${LISTEN_LOG}`) : until(`grep -q receiving "$HOME/${name}.log"`)
  return `${line} > "$HOME/${name}.log" 2>&1 &\n${ready}`
}

function endGroup(id: number): void {
  try {
    process.kill(-id)
  } catch {
    // Nobody is left in it.
  }
}

function bash(script: string): Promise<{ code: number | null; said: string }> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TIMBRE_|XDG_|DBUS_|npm_)/.test(name))
  const npm = {
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
  const env = { ...Object.fromEntries(kept), ...npm, HOME: home }
  // A group of its own: what runs in the other terminals ends with it, whatever npx put in between.
  const child = spawn('bash', ['-e', '-c', script], { cwd: home, env, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      if (child.pid !== undefined) endGroup(child.pid)
      resolve({ code, said })
    }),
  )
}

const log = (name: string) => readFileSync(join(home, `${name}.log`), 'utf8')

it.runIf(IN_FULL)(
  'the first hour works to the letter: a folder with both packages issues a boleta, verifies its webhook and prints its PDF',
  {
    timeout: 600_000,
  },
  async () => {
    const port = String(await freePort())
    const guide = readFileSync(GUIDE, 'utf8').replaceAll('{{public_url}}', inject('timbreUrl')).replaceAll('4242', port)
    const blocks = blocksOf(guide)
    const acts = new Set(blocks.map(({ mark }) => mark.split('=')[0]))
    expect(acts).toEqual(new Set(['pack', 'run', 'save', 'background']))
    mkdirSync(join(home, 'timbre-packages'))
    const script = [...blocks.map(typed), until('grep -q "verified document.accepted" "$HOME/receive.log"')].join('\n')
    const { code, said } = await bash(script)
    expect({ code, said }).toMatchObject({ code: 0 })
    expect(said).toContain('accepted boleta 2 total 5180')
    expect(said).toContain('All is well.')
    expect(log('receive')).toContain('verified document.accepted')
    expect(log('listen')).toMatch(/document\.accepted +evt_\w+ {2}204/)
    expect(readFileSync(join(home, 'tienda/boleta.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    const { dependencies } = JSON.parse(readFileSync(join(home, 'tienda/package.json'), 'utf8'))
    expect(Object.keys(dependencies)).toEqual(['@timbre/cli', '@timbre/sdk'])
    expect(existsSync(join(home, 'tienda/node_modules/pdfkit'))).toBe(false)
  },
)
