interface AccountErrorEntry {
  readonly status: number
  /** Read by the person who is signing up: Chilean Spanish. */
  readonly message: string
  readonly retry_after_seconds?: number
}

/** Every code of /account, whose envelope is its own: `{status, message, data, errors[]}`. */
export const ACCOUNT_ERRORS = {
  invalid_field: { status: 400, message: 'Revisa los datos: hay un campo que no es válido.' },
  invalid_json: { status: 400, message: 'No pudimos leer la solicitud: el contenido no es JSON válido.' },
  invalid_url: { status: 400, message: 'No pudimos leer la dirección de la solicitud.' },
  invalid_bootstrap: { status: 400, message: 'El bloque bootstrap no es válido: revisa los permisos y la empresa.' },
  weak_password: {
    status: 400,
    message:
      'La contraseña debe tener entre 10 y 200 caracteres y no ser fácil de adivinar. Evita claves comunes, secuencias, tu ' +
      'nombre y tu correo: una frase corta que solo tú conozcas funciona muy bien.',
  },
  invalid_link: { status: 400, message: 'Este enlace no es válido, ya se usó o venció. Pide uno nuevo.' },
  invalid_credentials: { status: 401, message: 'El correo o la contraseña no son correctos.' },
  invalid_session: { status: 401, message: 'Tu sesión venció o no es válida. Inicia sesión nuevamente.' },
  route_not_found: { status: 404, message: 'No hay nada en esta dirección.' },
  method_not_allowed: { status: 405, message: 'Esta dirección no acepta ese método.' },
  email_taken: {
    status: 409,
    message: 'Ya existe una cuenta con este correo. Inicia sesión o recupera tu contraseña.',
  },
  email_already_verified: { status: 409, message: 'Tu correo ya está confirmado.' },
  account_has_live_empresas: {
    status: 409,
    message: 'La cuenta tiene empresas activas en producción. Archívalas antes de cerrarla.',
  },
  email_changed_recently: {
    status: 409,
    message:
      'El correo de la cuenta cambió hace menos de 72 horas. Podrás cerrarla cuando pase ese plazo: hasta entonces el ' +
      'correo anterior puede deshacer el cambio.',
  },
  request_timeout: { status: 408, message: 'La solicitud no alcanzó a llegar completa. Inténtalo otra vez.' },
  payload_too_large: { status: 413, message: 'La solicitud es demasiado grande.' },
  unsupported_media_type: { status: 415, message: 'Envía el contenido como application/json.' },
  auth_throttled: {
    status: 429,
    message: 'Demasiados intentos. Espera un momento y vuelve a intentarlo.',
    retry_after_seconds: 60,
  },
  internal_error: {
    status: 500,
    message: 'Algo falló de nuestro lado. Inténtalo otra vez en unos segundos.',
    retry_after_seconds: 5,
  },
  service_unavailable: {
    status: 503,
    message: 'El servicio no está disponible. Inténtalo en unos segundos.',
    retry_after_seconds: 2,
  },
} as const satisfies Record<string, AccountErrorEntry>

export type AccountErrorCode = keyof typeof ACCOUNT_ERRORS

export function accountErrorEntry(code: AccountErrorCode): AccountErrorEntry {
  return ACCOUNT_ERRORS[code]
}
