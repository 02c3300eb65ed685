import { request } from 'node:http'
import type { Service } from './service.ts'

export interface Called {
  readonly ms: number
  readonly text: string
}

/** Calls a service as its key, for its empresa; what it costs itself is next to nothing. */
export function callerOf({ port, secret, rut }: Pick<Service, 'port' | 'secret' | 'rut'>) {
  const own = { authorization: `Bearer ${secret}`, 'svc-empresa': rut, 'content-type': 'application/json' }
  return (method: string, path: string, body?: object, headers: Record<string, string> = own): Promise<Called> => {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ ms: performance.now() - started, text }))
      })
      asked.on('error', reject)
      asked.end(body && JSON.stringify(body))
    })
  }
}
