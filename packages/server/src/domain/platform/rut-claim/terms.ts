import { createHash } from 'node:crypto'
import { printedRut } from '@timbre/dte/values'
import type { RutClaim } from './open.ts'

const VERSION = '2026-11-16'

/** What whoever takes a RUT over is told and agrees to, in Chilean Spanish: the page shows it, the evidence keeps its digest. */
export function takeOverTerms({ rut, account_name, account_email }: RutClaim): {
  readonly told: readonly string[]
  readonly agreed: string
} {
  return {
    told: [
      'La empresa que tiene el RUT queda archivada en la otra cuenta. Nada de lo que preparó pasa a la tuya.',
      `Creamos la empresa en la cuenta que lo pide: ${account_name} (${account_email}) podrá hacer trámites con ella. Sigue solo si la ` +
        'conoces.',
      'Tu certificado queda guardado ahí, cifrado, para firmar sus documentos. La contraseña no se guarda.',
    ],
    agreed: `El RUT ${printedRut(rut)} es mío, o lo represento, y quiero que pase a la cuenta ${account_name}.`,
  }
}

/** The same as evidence names it. */
export function termsOf(claim: RutClaim): { readonly version: string; readonly sha256: string } {
  const { told, agreed } = takeOverTerms(claim)
  const sha256 = createHash('sha256')
    .update([...told, agreed].join('\n'))
    .digest('hex')
  return { version: `takeover ${VERSION}`, sha256 }
}
