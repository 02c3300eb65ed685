import { escapeText } from '../markup.ts'

/** `<NAME>value</NAME>`, one after the other. */
export function elements(...pairs: readonly (readonly [name: string, value: string | number])[]): string {
  return pairs.map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`).join('')
}

/** `SII:RESPUESTA`, the document inside most answers: header and body in the order given. */
export function respuesta(...sections: readonly (readonly ['RESP_HDR' | 'RESP_BODY', string])[]): string {
  const inside = sections.map(([name, content]) => `<SII:${name}>${content}</SII:${name}>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><SII:RESPUESTA xmlns:SII="http://www.sii.cl/XMLSchema">${inside}</SII:RESPUESTA>`
}
