import { describe, expect, it } from 'vitest'
import { cookieHeader, isAuthenticated, NO_COOKIES, receiveCookies } from './cookies.ts'

const NOW = new Date('2026-10-05T12:00:00Z')

describe('the jar of a session', () => {
  it('sends the cookies of the login to every host, and those of another host only back to it', () => {
    const logged = receiveCookies(NO_COOKIES, 'login_certificate', ['NETSCAPE_LIVEWIRE.rut=12345678; Path=/'], NOW)
    const jar = receiveCookies(logged, 'portal', ['BIGip=abc', 'CSESSION=x; Domain=.sii.cl'], NOW)
    expect(isAuthenticated(logged)).toBe(true)
    expect(cookieHeader(jar, 'portal')).toBe('NETSCAPE_LIVEWIRE.rut=12345678; CSESSION=x; BIGip=abc')
    expect(cookieHeader(jar, 'dte')).toBe('NETSCAPE_LIVEWIRE.rut=12345678; CSESSION=x')
  })

  it('forgets a cookie that the SII takes back, and is no session without NETSCAPE_LIVEWIRE', () => {
    const jar = receiveCookies(NO_COOKIES, 'login_clave', ['NETSCAPE_LIVEWIRE.rut=1', 'TOKEN=abc'], NOW)
    const gone = ['NETSCAPE_LIVEWIRE.rut=; expires=Thu, 01 Jan 1970 00:00:00 GMT']
    expect(isAuthenticated(receiveCookies(jar, 'login_clave', gone, NOW))).toBe(false)
  })

  it('takes nothing that could end the header it would stand in', () => {
    const jar = receiveCookies(NO_COOKIES, 'login_clave', ['a=b\r\nX: y', 'bad name=1', '=x', 'ok=1'], NOW)
    expect(cookieHeader(jar, 'dte')).toBe('ok=1')
  })
})
