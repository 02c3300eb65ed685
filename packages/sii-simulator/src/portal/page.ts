import { escapeMarkup } from '../markup.ts'

/** Fields of a form, in the order in which the page has them. */
export type Fields = Readonly<Record<string, string | number>>

/**
 * A page of the portal. The bytes are ISO-8859-1 and nothing declares it, as on the old CGIs. Every page carries the
 * validation script of its template: alerts that are commented out, or that sit in functions which nobody has called.
 */
export function portalPage(title: string, body: string, script = TEMPLATE_SCRIPT): Buffer {
  return latin1Page(
    `<html><head><title>${escapeMarkup(title)}</title>\n<script language="JavaScript">\n${script}\n</script></head>\n` +
      `<body bgcolor="#FFFFFF">\n${body}\n</body></html>\n`,
  )
}

const TEMPLATE_SCRIPT = `// alert('Debe ingresar el RUT');
/* alert('Formulario en construccion'); */
function validaRut(f) { if (f.RUT_EMP.value == '') { alert('Debe ingresar el RUT de la empresa'); return false; } return true; }
function validaCantidad(f) { if (f.CANT_DOCTOS.value == '') { alert('Debe ingresar la cantidad de documentos'); return false; } return true; }`

/** A refusal: HTTP 200, no form, and the reason in the one alert that runs. */
export function refusalPage(reason: string): Buffer {
  const script = `// alert('Debe ingresar el RUT');\n/* alert('Folios autorizados'); */\nalert('${reason.replace(/'/g, ' ')}');`
  return portalPage('Servicio de Impuestos Internos', `<p><b>${escapeMarkup(reason)}</b></p>`, script)
}

/** A page that says something in its text alone. */
export function messagePage(title: string, message: string): Buffer {
  return portalPage(title, `<h2>${escapeMarkup(title)}</h2>\n<p>${escapeMarkup(message)}</p>`)
}

/** Where a person without a session ends up: the page that bounces to the login. */
export function loginBounce(target: string): Buffer {
  const login = `https://zeusr.sii.cl/AUT2000/InicioAutenticacion/IngresoRutClave.html?${target}`
  return latin1Page(
    `<html><head><title>Autenticación</title>\n<META HTTP-EQUIV="refresh" CONTENT="0;URL=${escapeMarkup(login)}">\n` +
      `</head><body onLoad="location.replace('${login.replace(/'/g, '%27')}')"></body></html>\n`,
  )
}

export function latin1Page(text: string): Buffer {
  return Buffer.from(text.replace(/[^\n\u0020-\u00ff]/g, '?'), 'latin1')
}

export function form(name: string, action: string, fields: Fields, content: string): string {
  return `<form name="${name}" method="post" action="${escapeMarkup(action)}">\n${hidden(fields)}\n${content}\n</form>`
}

export function hidden(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(String(value))}">`)
    .join('\n')
}

export function input(name: string, value: string | number = ''): string {
  return `<input type="text" name="${name}" value="${escapeMarkup(String(value))}">`
}

export function submit(label: string): string {
  return `<input type="submit" name="ACEPTAR" value="${escapeMarkup(label)}">`
}

export function select(name: string, options: readonly (readonly [string, string])[], chosen = ''): string {
  const written = options.map(
    ([value, label]) =>
      `<option value="${escapeMarkup(value)}"${value === chosen ? ' selected' : ''}>${escapeMarkup(label)}</option>`,
  )
  return `<select name="${name}">\n${written.join('\n')}\n</select>`
}

/** A table as the old pages write it: each cell in a `font`. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((cell) => `<td><font face="Arial">${cell}</font></td>`).join('')
  return `<table border="1">\n${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}\n</table>`
}
