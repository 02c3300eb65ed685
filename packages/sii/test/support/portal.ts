import type { ServerResponse } from 'node:http'
import type { Reply } from './scripted-sii.ts'

/** Answers of the portal, written as it writes them: ISO-8859-1 that nobody declares. */

export const COOKIE = 'f3a91c2b7d5e4a60'

export const page = (html: string, title = 'SII'): Reply => ({
  body: Buffer.from(`<html><head><title>${title}</title></head><body>${html}</body></html>`, 'latin1'),
})

export const form = (program: string, fields: Record<string, string>, more = '') =>
  `<form action="/cvc_cgi/dte/${program}" method=post>${Object.entries(fields)
    .map(([name, value]) => `<input type=hidden name=${name} value="${value}">`)
    .join('')}${more}</form>`

export const alert = (text: string) =>
  page(`<script>//alert('Plantilla que no corre');\nalert('${text}'); history.back();</script>`)

/** The login that succeeds: its cookies, and a page that proves nothing. */
export const loggedIn =
  (value = COOKIE): Reply =>
  (response: ServerResponse) => {
    response.writeHead(200, {
      'set-cookie': [
        `NETSCAPE_LIVEWIRE.rut=12345678; path=/; domain=.sii.cl`,
        `NETSCAPE_LIVEWIRE.sess=${value}; path=/; domain=.sii.cl`,
        `TOKEN=${value}; path=/; domain=.sii.cl`,
      ],
    })
    response.end('<html><body onload="location.replace(1)">ok</body></html>')
  }

/** What any page of the portal answers to whoever it does not know. */
export const bounced = page(
  '<script>location.href="https://zeusr.sii.cl/AUT2000/InicioAutenticacion/IngresoRutClave.html"</script>',
)
