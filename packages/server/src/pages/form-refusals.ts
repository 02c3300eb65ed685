import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { sizeText } from '../kernel/json.ts'
import { messagePage } from './account.ts'
import { asPrivate } from './layout.ts'

// Read by a person whose form never reached its page: Chilean Spanish, what happened and what to do.

/** A form that a page of somebody else sent. */
export function foreignFormPage(): Answer {
  return asPrivate(
    messagePage(
      'Esto no se envió desde nuestra página',
      'Otra página envió este formulario, y para cuidarte no hicimos nada con él. Si querías hacerlo tú, abre el enlace que ' +
        'recibiste y envíalo desde ahí.',
      { status: 403 },
    ),
  )
}

const TOO_LARGE = {
  file: {
    title: 'El archivo es demasiado grande',
    text:
      `Aquí recibimos hasta ${sizeText(CEILINGS.certificate_body_bytes)}, y un certificado .pfx o .p12 pesa mucho menos. Revisa que no ` +
      'sea una foto u otro documento, vuelve atrás y elige el archivo correcto. No guardamos nada.',
  },
  text: {
    title: 'Lo que enviaste es demasiado largo',
    text: 'Vuelve atrás y escríbelo más corto. No guardamos nada.',
  },
} as const

/** A form that was refused before its page saw it. */
export function refusedFormPage(status: number, takes_file: boolean): Answer {
  if (status === 413) {
    const { title, text } = TOO_LARGE[takes_file ? 'file' : 'text']
    return asPrivate(messagePage(title, text, { status }))
  }
  const text =
    status < 500
      ? 'Lo que llegó está incompleto o no es lo que envía esta página. Vuelve atrás, recárgala y envíalo otra vez.'
      : 'Algo falló de nuestro lado. Vuelve atrás y envíalo otra vez en un momento.'
  return asPrivate(messagePage('No pudimos recibirlo', text, { status }))
}
