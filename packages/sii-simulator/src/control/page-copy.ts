import type { ScriptKind } from '../weather/scripts.ts'

/** Each kind of script, in the words of the page. */
export const KIND_WORDS: Readonly<Record<ScriptKind, string>> = {
  slow: 'Responde lento',
  down: 'Caído: corta sin hacer nada',
  html: 'Responde una página HTML',
  error_500_text: 'Responde el texto "Error 500"',
  http_status: 'Responde otro estado HTTP',
  reset_before_answer: 'Hace lo pedido y corta sin responder',
  lose_upload: 'Recibe, olvida y corta',
  truncate: 'Corta a media respuesta',
  expire_tokens: 'Vencen todos los tokens',
  answer_then_lose: 'Da un track id y pierde el envío',
  vof: 'El envío termina en VOF',
  stuck_crt: 'El envío se queda en CRT',
  reparo: 'Documentos con reparo',
  refuse: 'Documentos rechazados',
  verdict_delay: 'El resultado demora',
  upload_status: 'La recepción responde otro STATUS',
  session_cap: 'Máximo de sesiones alcanzado',
  too_fast: 'Demasiadas consultas (429)',
  no_folios: 'No autoriza folios',
  step_refuse: 'El próximo acto de una certificación no se hace, y la página dice por qué',
  review_refuse: 'La revisión rechaza el set',
  review_delay: 'La revisión demora',
}
