import { dayFirstStamp, isoStamp, santiago } from '../clock.ts'
import { DOORS } from '../doors/registry.ts'
import { escapeMarkup } from '../markup.ts'
import type { Simulator } from '../simulator.ts'
import type { Upload } from '../state/types.ts'
import { estadoOf } from '../uploads/stage.ts'
import { VERDICT_KINDS, WIRE_KINDS } from '../weather/scripts.ts'
import { KIND_WORDS } from './page-copy.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import type { ControlRoute } from './route.ts'
import { summary } from './state.ts'

const ROWS = 25

/** The simulator's page for a person: what it holds, and buttons for what it can be asked to do. */
export const PAGE_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/', handle: (ctx) => ({ type: 'text/html; charset=utf-8', body: page(ctx) }) },
]

function page(ctx: Simulator): string {
  const { http, https } = ctx.addresses ?? { http: '', https: '' }
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Simulador del SII</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>
<header><h1>Simulador del SII</h1><p>Aquí se simula al SII. Nada sale de este computador y nada de lo que se emite tiene
valor tributario.</p><p>HTTP <code>${http}/maullin.sii.cl/…</code> · HTTPS <code>${https ?? ''}/…</code> ·
<a href="/control/ca.pem">autoridad de prueba</a> · <a href="/control/caf-keys">claves de folios</a></p>
<p id="said" role="status"></p></header><main>
${section('Lo que tiene', totals(ctx))}
${section('Reloj', clock(ctx))}
${section('Envíos', uploads(ctx))}
${section('Contribuyentes', taxpayers(ctx))}
${section('Guiones activos', scripts(ctx))}
${section('Agregar un guion', scriptForm())}
${section('Certificado de prueba', CERTIFICATE_FORM)}
${section('Registrar o cambiar un contribuyente', TAXPAYER_FORM)}
${section('Ajustes', settings(ctx))}
${section('Correos', mails(ctx))}
${section('Últimas llamadas', calls(ctx))}
${section('Empezar de nuevo', '<form data-act="reset"><button class="danger">Borrar todo</button> Las claves y la autoridad se conservan.</form>')}
</main><script>${PAGE_SCRIPT}</script></body></html>`
}

function section(title: string, body: string): string {
  return `<section><h2>${title}</h2>${body}</section>`
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[], nothing: string): string {
  if (rows.length === 0) return `<p class="none">${nothing}</p>`
  const cells = (row: readonly (string | number)[], tag: string) =>
    row.map((cell) => `<${tag}>${escapeMarkup(String(cell))}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<div class="wide"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`
}

function totals(ctx: Simulator): string {
  const held = summary(ctx)
  const shown: readonly (readonly [string, number])[] = [
    ['Documentos', held.documents],
    ['Envíos', held.uploads],
    ['Envíos por revisar', held.pending_uploads],
    ['Rangos de folios', held.cafs],
    ['Contribuyentes', held.taxpayers],
    ['Certificados', held.certificates],
    ['Tokens', held.tokens],
    ['Sesiones', held.sessions],
    ['Correos', held.mails],
  ]
  return `<dl>${shown.map(([name, count]) => `<div><dt>${name}</dt><dd>${count}</dd></div>`).join('')}</dl>`
}

function clock(ctx: Simulator): string {
  const jumps: readonly (readonly [string, number])[] = [
    ['1 minuto', 60],
    ['1 hora', 3_600],
    ['1 día', 86_400],
    ['9 días', 9 * 86_400],
    ['1 mes', 30 * 86_400],
  ]
  const buttons = jumps.map(([name, seconds]) => `<button value="${seconds}">${name}</button>`).join(' ')
  return `<p>En el simulador son las <strong>${isoStamp(ctx.clock.now())}</strong> de Santiago.</p><form data-act="clock">Adelantar ${buttons}</form>`
}

function uploads(ctx: Simulator): string {
  const last = Array.from(ctx.state.uploads.entries('', { reverse: true, limit: 1_000 }), ([, upload]) => upload)
    .sort((a, b) => b.received_at - a.received_at)
    .slice(0, ROWS)
  const rows = last.map((upload) => [
    dayFirstStamp(upload.received_at),
    upload.ambiente,
    upload.track_id,
    upload.company_rut,
    upload.kind,
    estadoOf(upload, ctx.clock.now()),
    verdictOf(upload),
  ])
  return table(
    ['Recibido', 'Ambiente', 'Track id', 'Empresa', 'Archivo', 'Estado', 'Resultado'],
    rows,
    'Todavía no llega ninguno.',
  )
}

function verdictOf({ verdict }: Upload): string {
  if (verdict === null) return 'en revisión'
  const counts = verdict.counters.map(
    ({ tipo, aceptados, reparos, rechazados }) =>
      `${tipo}: ${aceptados} aceptados, ${reparos} con reparos, ${rechazados} rechazados`,
  )
  const findings = [...verdict.findings, ...verdict.documents.flatMap((document) => document.findings)]
  const reasons = [...new Set(findings.map(({ code, glosa }) => `${code} ${glosa}`))].slice(0, 3)
  return [...counts, ...reasons].join(' · ') || verdict.glosa
}

function taxpayers(ctx: Simulator): string {
  const rows = ctx.state.taxpayers
    .values()
    .slice(0, ROWS)
    .map(({ rut, name, tipos, users, sfg, authorised, clave, resolutions }) => [
      rut,
      name,
      authorised ? 'sí' : 'no',
      tipos === null ? 'todos' : tipos.join(', '),
      users === null ? 'cualquiera' : users.map((user) => user.rut).join(', ') || 'nadie',
      (['certificacion', 'produccion'] as const)
        .map(
          (ambiente) =>
            `${resolutions[ambiente]?.number ?? '–'} (${resolutions[ambiente]?.date ?? 'la primera que llegue'})`,
        )
        .join(' / '),
      sfg ? 'sí' : 'no',
      clave === null ? 'no' : 'sí',
    ])
  return table(
    [
      'RUT',
      'Nombre',
      'Autorizado',
      'Tipos',
      'Usuarios',
      'Resolución certificación / producción',
      'Portal gratuito',
      'Clave',
    ],
    rows,
    'Nadie está registrado: cualquier RUT válido puede emitir.',
  )
}

function scripts(ctx: Simulator): string {
  const rows = ctx.scripts
    .list()
    .map(({ door, kind, times, match, ms, status, finding }) => [
      door,
      KIND_WORDS[kind],
      times ?? 'siempre',
      match ?? '',
      [ms === null ? '' : `${ms} ms`, status ?? '', finding?.code ?? ''].filter((part) => part !== '').join(' '),
    ])
  const list = table(['Puerta', 'Qué pasa', 'Veces', 'Sólo si contiene', 'Detalle'], rows, 'Ninguno: todo anda bien.')
  return rows.length === 0 ? list : `${list}<form data-act="clear"><button>Quitar todos</button></form>`
}

function scriptForm(): string {
  const doors = ['*', ...new Set(DOORS.map(({ name }) => name))]
  const kinds = [...WIRE_KINDS, ...VERDICT_KINDS].map(
    (kind) => `<option value="${kind}">${escapeMarkup(KIND_WORDS[kind])}</option>`,
  )
  return `<form data-act="script"><label>Puerta <select name="door">${doors.map((door) => `<option value="${door}">${door === '*' ? 'todas' : door}</option>`).join('')}</select></label>
<label>Qué pasa <select name="kind">${kinds.join('')}</select></label>
<label>Veces <input name="times" type="number" min="1" value="1"></label>
<label>Milisegundos <input name="ms" type="number" min="0"></label>
<label>Estado HTTP o STATUS <input name="status" type="number"></label>
<label>Sólo si contiene <input name="match"></label>
<label>Código de rechazo <input name="finding_code" placeholder="DTE-3-505"></label>
<label>Glosa <input name="finding_glosa"></label><button>Agregar</button></form>`
}

const CERTIFICATE_FORM = `<form data-act="certificate"><label>RUT de la persona <input name="rut" required placeholder="12345678-5"></label>
<label>Nombre <input name="name" placeholder="María Soto"></label>
<label>Contraseña <input name="password" type="password" required autocomplete="new-password"></label><button>Crear y descargar .pfx</button></form>`

const TAXPAYER_FORM = `<form data-act="taxpayer"><label>RUT <input name="rut" required placeholder="76543210-3"></label>
<label>Nombre <input name="name"></label><label>Correo SII <input name="sii_mailbox" type="email"></label>
<label>Correo intercambio <input name="exchange_mailbox" type="email"></label>
<label>Clave tributaria <input name="clave" type="password" autocomplete="new-password"></label>
<label>Clave del certificado centralizado <input name="clave_centralizado" type="password" autocomplete="new-password"></label>
<label class="tick"><input name="sfg" type="checkbox"> Usa el portal gratuito</label>
<label class="tick"><input name="authorised" type="checkbox" checked> Autorizado a emitir</label><button>Guardar</button></form>`

function settings(ctx: Simulator): string {
  const { open_registration, verdict_delay_ms, session_cap, folio_cap } = ctx.settings()
  return `<form data-act="settings"><label class="tick"><input name="open_registration" type="checkbox"${open_registration ? ' checked' : ''}> Cualquier RUT válido es contribuyente</label>
<label>Demora del resultado (ms) <input name="verdict_delay_ms" type="number" min="0" value="${verdict_delay_ms}"></label>
<label>Sesiones por RUT <input name="session_cap" type="number" min="0" value="${session_cap}"></label>
<label>Máximo de folios por solicitud <input name="folio_cap" type="number" min="1" value="${folio_cap ?? ''}"></label><button>Guardar</button></form>`
}

function mails(ctx: Simulator): string {
  const last = Array.from(ctx.state.mails.entries('', { reverse: true, limit: ROWS }), ([, mail]) => mail)
  const rows = last.map(({ at, to, subject, sent_at }) => [
    dayFirstStamp(at),
    to ?? 'sin casilla',
    subject,
    sent_at === null ? 'guardado aquí' : 'entregado',
  ])
  return table(['Fecha', 'Para', 'Asunto', 'Estado'], rows, 'Ninguno todavía.')
}

function calls(ctx: Simulator): string {
  const rows = ctx.calls
    .list()
    .slice(0, ROWS)
    .map(({ at, host, door, method, path, status, ms }) => [
      santiago(Date.parse(at)).time,
      host ?? '',
      door ?? '',
      `${method} ${path}`,
      status ?? 'cortada',
      ms,
    ])
  return table(['Hora', 'Servidor', 'Puerta', 'Dirección', 'HTTP', 'ms'], rows, 'Nadie ha llamado.')
}

const STYLE = `
:root { font: 15px/1.45 system-ui, sans-serif; color: #1c2430; background: #f5f6f8 }
body { margin: 0 auto; max-width: 76rem; padding: 1rem }
h1 { margin: 0; font-size: 1.6rem } h2 { margin: 0 0 .6rem; font-size: 1.05rem }
header p { margin: .3rem 0 } code { background: #e6e9ee; padding: 0 .25rem; border-radius: 3px }
section { background: #fff; border: 1px solid #dde1e7; border-radius: 8px; padding: .9rem 1rem; margin: .8rem 0 }
dl { display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 } dl div { background: #eef2f7; border-radius: 6px; padding: .4rem .8rem }
dt { font-size: .8rem; color: #556 } dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .87rem }
th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #e6e9ee; vertical-align: top } th { color: #556; font-weight: 600 }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end } label { display: grid; gap: .15rem; font-size: .85rem }
label.tick { display: flex; align-items: center } input, select { font: inherit; padding: .3rem .4rem; border: 1px solid #b9c0cc; border-radius: 5px; max-width: 22rem }
button { font: inherit; padding: .35rem .8rem; border: 1px solid #1f4e9c; background: #1f4e9c; color: #fff; border-radius: 5px; cursor: pointer }
button.danger { background: #a32020; border-color: #a32020 } .none { color: #667; margin: 0 } .bad { color: #a32020 } .good { color: #1d6b36 }
`
