import type { Draft } from '../mail/compose.ts'

// The letters about an account, in Chilean Spanish. They carry nothing that the person who opened the account typed, but
// for addresses: until a letter is answered its reader may be someone else, and a name can carry an advertisement.

const NOT_YOU = 'Si no fuiste tú, no tienes que hacer nada: sin este enlace nadie puede avanzar.'

interface To {
  readonly email: string
}

export function verifyEmailLetter({ email }: To, url: string): Draft {
  return {
    to: email,
    subject: 'Confirma tu correo en Timbre',
    greeting: '¡Hola!',
    paragraphs: [
      'Qué bueno tenerte en Timbre. Tu cuenta ya funciona en modo de prueba: puedes empezar a integrar ahora mismo.',
      'Cuando quieras pasar a producción vas a necesitar tu correo confirmado. Puedes hacerlo aquí:',
    ],
    button: { label: 'Confirmar mi correo', url },
    notes: [
      'El enlace funciona por 48 horas y una sola vez.',
      'Si no creaste esta cuenta, puedes ignorar este correo.',
    ],
  }
}

export function changeEmailLetter({ email }: To, url: string): Draft {
  return {
    to: email,
    subject: 'Confirma tu nuevo correo en Timbre',
    greeting: 'Hola:',
    paragraphs: [
      'Pediste usar este correo en tu cuenta de Timbre.',
      'El cambio queda hecho cuando lo confirmes; hasta entonces sigues entrando con el correo anterior.',
    ],
    button: { label: 'Usar este correo', url },
    notes: ['El enlace funciona por 48 horas y una sola vez.', NOT_YOU],
  }
}

export function emailChangedLetter({ email }: To, new_email: string): Draft {
  return {
    to: email,
    subject: 'Cambió el correo de tu cuenta de Timbre',
    greeting: 'Hola:',
    paragraphs: [`Desde ahora tu cuenta de Timbre usa el correo ${new_email}. A esta dirección ya no te escribiremos.`],
    notes: ['Si no hiciste este cambio, escríbenos cuanto antes: alguien entró a tu cuenta.'],
  }
}

export function resetPasswordLetter({ email }: To, url: string): Draft {
  return {
    to: email,
    subject: 'Crea una contraseña nueva en Timbre',
    greeting: 'Hola:',
    paragraphs: ['Nos pediste una contraseña nueva para tu cuenta de Timbre. Puedes crearla aquí:'],
    button: { label: 'Crear contraseña nueva', url },
    notes: ['El enlace funciona por una hora y una sola vez. Si pides otro, vale solo el último.', NOT_YOU],
  }
}

export function passwordChangedLetter({ email }: To): Draft {
  return {
    to: email,
    subject: 'Cambió la contraseña de tu cuenta de Timbre',
    greeting: 'Hola:',
    paragraphs: [
      'La contraseña de tu cuenta acaba de cambiar y cerramos las demás sesiones. Tus claves de API siguen igual.',
    ],
    notes: ['Si no fuiste tú, pide una contraseña nueva ahora mismo y revisa tus claves de API.'],
  }
}

export function accountClosedLetter({ email }: To): Draft {
  return {
    to: email,
    subject: 'Cerramos tu cuenta de Timbre',
    greeting: 'Hasta pronto',
    paragraphs: [
      'Tu cuenta quedó cerrada, como nos pediste. Sus claves de API y sus sesiones dejaron de funcionar en este momento, ' +
        'y borramos sus empresas de prueba.',
      'Guardamos los documentos tributarios emitidos en producción por el tiempo que exige la ley.',
    ],
    notes: ['Si algún día quieres volver, puedes crear otra cuenta con este mismo correo. Gracias por usar Timbre.'],
  }
}

export const EMPRESA_TAKEN =
  'Ese RUT ya está en uso en otra cuenta de prueba. Tu cuenta y tu clave quedaron creadas: agrega la empresa con otro RUT.'
