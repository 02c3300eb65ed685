import { escapeMarkup } from '../markup.ts'
import { nameOf } from '../portal/folio-pages.ts'
import { type Fields, form, hidden, input, latin1Page, portalPage, select } from '../portal/page.ts'
import { SFG_LINES, SFG_REFERENCES } from './draft.ts'

/** The pages of the free portal (`/cgi-bin/Portal001/`). */

export interface SfgCompany {
  readonly rut: string
  readonly name: string
  readonly address: string
  readonly comuna: string
  readonly giro: string
  readonly acteco: string
}

/** An empty select means that no company has registered the person. */
export function chooserPage(companies: readonly SfgCompany[], target: string, action: string): Buffer {
  const options = companies.map(({ rut, name }) => [rut, `${name}, ${rut}`] as const)
  return portalPage(
    'Seleccion de Empresa',
    form(
      'fPrmEmpPOP',
      action,
      { DESDE_DONDE_URL: target },
      `${select('RUT_EMP', options)}<input type="submit" value="Enviar">`,
    ),
  )
}

/** With one company there is nothing to choose: a page that goes on by itself. */
export function launcherPage(target: string): Buffer {
  const tipo = /OPCION=(\d+)/.exec(target)?.[1] ?? '33'
  return latin1Page(
    `<html><head><title>Portal MIPYME</title></head><body onLoad="location.replace('mipeGenFacEx.cgi?PTDC_CODIGO=${tipo}')"></body></html>\n`,
  )
}

/** The form as HTML has it. What the page's script would fill in stands only in its arrays. */
export function draftPage(tipo: number, company: SfgCompany, today: string, action: string): Buffer {
  const { rut, name, giro } = company
  const [number = '', dv = ''] = rut.split('-')
  const script = [
    `var emisorDir = [[${[company.address, company.comuna, '', '0', ' '].map(quoted).join(',')}]];`,
    `var emisorActEco = [[${[company.acteco, giro].map(quoted).join(',')}]];`,
    `var arrFecha = [${today.split('-').map(quoted).join(',')}];`,
    "// alert('Sesion de prueba');",
    "function validaFacEx() { if (document.VIEW_EFXP.EFXP_RUT_RECEP.value == '') { alert('Debe ingresar el RUT del receptor'); return false; } return true; }",
  ].join('\n')
  const given: Fields = {
    PTDC_CODIGO: tipo,
    EFXP_RUT_EMIS: number,
    EFXP_DV_EMIS: dv,
    EFXP_RZN_SOC: name,
    EFXP_GIRO_EMIS: giro,
    EFXP_ACTECO: '',
    EFXP_CDG_SII_SUCUR: '',
    EFXP_DIR_ORIGEN: company.address,
    EFXP_CMNA_ORIGEN: company.comuna,
    EFXP_CIUDAD_ORIGEN: '',
    EFXP_FCH_EMIS: '',
    ES_BORR: '',
    CANT_DET: '1',
  }
  const receptor = ['RUT', 'DV', 'RZN_SOC', 'GIRO', 'DIR', 'CMNA', 'CIUDAD'].map((field) =>
    input(`EFXP_${field}_RECEP`),
  )
  const body = [
    ...receptor,
    ...lineFields(1).map((field) => input(field)),
    select(
      'EFXP_FMA_PAGO',
      [
        ['1', 'Contado'],
        ['2', 'Credito'],
        ['3', 'Sin costo'],
      ],
      '2',
    ),
    ...TOTALS.map((field) => input(field)),
    '<input type="submit" name="Button_Update" value="Validar y visualizar">',
  ].join('\n')
  return portalPage(titleOf(tipo), form('VIEW_EFXP', action, given, body), script)
}

const TOTALS = ['EFXP_SUBTOTAL', 'EFXP_MNT_NETO', 'EFXP_MNT_EXE', 'EFXP_TASA_IVA', 'EFXP_IVA', 'EFXP_MNT_TOTAL']
const LINE = ['NMB', 'DSC_ITEM', 'QTY', 'UNMD', 'PRC', 'PCTD', 'SUBT', 'TPO_COD', 'COD', 'OTRO_IMP', 'IND_EXE']
const MORE_LINE = ['PCTR', 'MNTD', 'MNTR', 'CPCS', 'IND_AGENTE', 'BASE_FAENA']
const REFERENCE = ['TPO_DOC_REF', 'IND_GLOBAL', 'FOLIO_REF', 'FCH_REF', 'CODIGO_REF', 'RAZON_REF']

function lineFields(number: number): string[] {
  return [...LINE, ...MORE_LINE].map((field) => `EFXP_${field}_${String(number).padStart(2, '0')}`)
}

/** Everything the preview hands on to the signing: what was posted and the blanks of the whole document. */
export function previewFields(posted: Readonly<Record<string, string>>): Record<string, string> {
  const blank = [
    ...TOTALS,
    ...Array.from({ length: SFG_LINES }, (_, index) => lineFields(index + 1)).flat(),
    ...Array.from({ length: SFG_REFERENCES }, (_, index) =>
      REFERENCE.map((field) => `EFXP_${field}_00${index + 1}`),
    ).flat(),
  ]
  return { ...Object.fromEntries(blank.map((field) => [field, ''])), ...posted }
}

export function previewPage(tipo: number, fields: Fields, action: string): Buffer {
  const buttons =
    '<input type="submit" name="btnSign" value="Firmar"><input type="button" name="btnCorregir" value="Corregir">'
  return portalPage(`Vista previa ${titleOf(tipo)}`, form('PreViewDTE', action, fields, buttons), "// alert('previa');")
}

/** The form comes back with the reason in an alert, and the browser goes a page back. */
export function refusedFormPage(reason: string): Buffer {
  const text = reason.replace(/'/g, ' ')
  return latin1Page(
    `<html><head><TITLE>Redireccionando</TITLE>\n<script>\n// alert('Sesion expirada');\nfunction redirec() { alert('${text}\\n'); window.history.go(-1); }\n</script></head>\n<body onLoad="redirec()"></body></html>\n`,
  )
}

/** The text of the document stands in the textarea as it must be signed: its entities are its own. */
export function signPage(dte: string, folio: number, fields: Fields, action: string): Buffer {
  const body = [
    '<p>Firma de Documento Electronico</p>',
    `<form name="frmSign" method="post" action="${escapeMarkup(action)}">`,
    hidden({ ...fields, EFXP_FOLIO: folio }),
    `<textarea name="txtPlainText" style="display:none">${dte}</textarea>`,
    '<textarea name="txtSignText" style="display:none"></textarea>',
    '<input type="password" id="myPass"><input type="button" id="btnFirma" onclick="llamaFirma()" value="Firmar">',
    '</form>',
  ].join('\n')
  return portalPage('Firma de Documento Electronico', body, "// alert('firma');")
}

export function sentPage(tipo: number, folio: number, code: number): Buffer {
  return portalPage(
    'Documento Enviado',
    `<p>DOCUMENTO TRIBUTARIO ELECTRONICO ENVIADO EXITOSAMENTE</p>\n<p>${titleOf(tipo)} N&#176; ${folio}</p>\n` +
      `<a href="mipeDisplayPDF.cgi?DHDR_CODIGO=${code}">Ver Documento</a>`,
    "// alert('enviado');",
  )
}

export interface ListedDocument {
  readonly code: number
  readonly counterpart: string
  readonly name: string
  readonly tipo: number
  readonly folio: number
  readonly date: string
  readonly total: number
  readonly state: string
}

export const PAGE_SIZE = 10

export function listPage(title: string, manage: string, documents: readonly ListedDocument[], page: number): Buffer {
  const shown = documents.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const rows = shown.map((document) => {
    const cells = [
      `<a href="${manage}?CODIGO=${document.code}">Ver</a>`,
      document.counterpart,
      escapeMarkup(document.name),
      escapeMarkup(titleOf(document.tipo)),
      String(document.folio),
      document.date,
      String(document.total),
      document.state,
    ]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const next = documents.length > page * PAGE_SIZE ? '<a title="Pagina siguiente" href="#">Siguiente</a>' : ''
  const head = ['', 'RUT', 'Razon Social', 'Documento', 'Folio', 'Fecha', 'Monto', 'Estado']
  return portalPage(
    title,
    `<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>${next}`,
  )
}

export function titleOf(tipo: number): string {
  const name = nameOf(tipo).toLowerCase()
  return name.replace(/(^|\s)(\p{L})(?=\p{L}{2})/gu, (_, space: string, letter: string) => space + letter.toUpperCase())
}

function quoted(text: string): string {
  return `"${text.replace(/["\\\n]/g, ' ')}"`
}
