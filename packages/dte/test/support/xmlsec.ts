import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'vitest'

const available = isAvailable()

function isAvailable(): boolean {
  try {
    execFileSync('xmlsec1', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A suite that asks xmlsec1, an implementation that shares no line with ours, and says so when it is not installed. */
export function describeWithXmlsec(title: string, suite: () => void): void {
  if (available) {
    describe(title, suite)
    return
  }
  console.warn(`skipped "${title}": xmlsec1 is not installed`)
  describe.skip(title, () => {
    it('is skipped because xmlsec1 is not installed', () => {})
  })
}

/** Runs in a folder of its own, gone afterwards. */
function inFolder<T>(run: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'timbre-xmlsec-'))
  try {
    return run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What xmlsec1 says of the signature that is a child of the root; `body` is the element it covers. */
export function xmlsecVerifies(xml: string | Buffer, body: string): boolean {
  return inFolder((folder) => {
    const file = path.join(folder, 'signed.xml')
    writeFileSync(file, typeof xml === 'string' ? Buffer.from(xml, 'latin1') : xml)
    const ids = ['http://www.sii.cl/SiiDte:', ''].flatMap((space) => ['--id-attr:ID', `${space}${body}`])
    try {
      execFileSync('xmlsec1', ['--verify', ...ids, '--node-xpath', "/*/*[local-name()='Signature']", file], {
        stdio: 'ignore',
      })
      return true
    } catch {
      return false
    }
  })
}

/** Fills the empty signature of a template. */
export function xmlsecSigns(template: string, body: string, key_pem: string, certificate_pem: string): Buffer {
  return inFolder((folder) => {
    const at = (name: string) => path.join(folder, name)
    writeFileSync(at('template.xml'), Buffer.from(template, 'latin1'))
    writeFileSync(at('key.pem'), key_pem)
    writeFileSync(at('cert.pem'), certificate_pem)
    const key = `${at('key.pem')},${at('cert.pem')}`
    const ids = ['--id-attr:ID', `http://www.sii.cl/SiiDte:${body}`, '--id-attr:ID', body]
    execFileSync('xmlsec1', ['--sign', '--privkey-pem', key, ...ids, '--output', at('out.xml'), at('template.xml')], {
      stdio: 'ignore',
    })
    return readFileSync(at('out.xml'))
  })
}
