import { isIP } from 'node:net'

/** Whether a host is this machine: nothing sent to it leaves. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
