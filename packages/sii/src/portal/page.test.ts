import { describe, expect, it } from 'vitest'
import { loneAlert, readAlerts } from './alerts.ts'
import { fold } from './fold.ts'
import { encodeForm } from './form-body.ts'
import { formTo, readPage } from './page.ts'

describe('a page of the portal', () => {
  it('gives the fields of a form that is opened inside a table and closed elsewhere, with attributes as old pages write them', () => {
    const page = readPage(
      `<HTML><TABLE><FORM NAME=f ACTION="/cvc_cgi/dte/of_confirma_folio" METHOD=POST><TR><TD><INPUT TYPE=hidden NAME=RUT_EMP VALUE=76543210>
       <input type='hidden' name='DV_EMP' value="3"><td><SELECT NAME=COD_DOCTO><OPTION VALUE=33 SELECTED>FACTURA<OPTION VALUE=61>NOTA DE CR&Eacute;DITO</SELECT>
       <input type=checkbox name=NO value=1><input type=radio name=R value=a><input type=radio name=R value=b checked>
       <!-- <input name=COMMENTED value=1> --></TABLE><input name=AFTER value="&#205;NDIGO &amp; CO"><input type=submit name=ACEPTAR value="Solicitar Numeraci&oacute;n"></FORM>
       <form action=other><textarea name=txtPlainText><a b="&amp;">x</a></textarea></form>`,
    )
    const form = formTo(page, 'of_confirma_folio')
    expect([...(form?.fields ?? [])]).toEqual([
      ['RUT_EMP', '76543210'],
      ['DV_EMP', '3'],
      ['COD_DOCTO', '33'],
      ['R', 'b'],
      ['AFTER', 'ÍNDIGO & CO'],
    ])
    expect(form?.buttons.get('ACEPTAR')).toBe('Solicitar Numeración')
    expect(form?.selects.get('COD_DOCTO')).toEqual([
      { value: '33', label: 'FACTURA' },
      { value: '61', label: 'NOTA DE CRÉDITO' },
    ])
    // What the SII will sign: reading its references would break the signature.
    expect(formTo(page, 'other')?.fields.get('txtPlainText')).toBe('<a b="&amp;">x</a>')
    expect(formTo(page, 'of_confirma')).toBeNull()
  })

  it('gives its text without scripts, styles and comments, and sentences whole though tags stand in them', () => {
    const page = readPage(
      '<title>Timbraje</title><style>p{}</style><p>NO <b>SE</b> AUTORIZA&nbsp;TIMBRAJE</p><script>var a="oculto"</script><td>dos',
    )
    expect(page.pieces).toEqual(['Timbraje', 'NO SE AUTORIZA TIMBRAJE', 'dos'])
    expect(page.folded).toContain('no se autoriza timbraje')
    expect(fold('ÁÉÍÓÚÑ ß ﬁ')).toHaveLength('ÁÉÍÓÚÑ ß ﬁ'.length)
  })

  it('is read in one pass, whatever it repeats', () => {
    for (const part of [
      '<div>',
      '<!--',
      '<a b="',
      "<a b='",
      '<script>',
      '<td',
      '<form>',
      '&amp',
      '</',
      '<a ====',
      '<form><select name=a><option>',
    ]) {
      expect(readPage(part.repeat(5_000)).forms.length).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('the alert of a page', () => {
  const alertOf = (script: string) => loneAlert(readAlerts([script]))

  it('is its reason when it is alone, its escapes read', () => {
    expect(alertOf(String.raw`alert('No existe informaci\u00f3n\n para el \'rut\' ingresado'); history.back();`)).toBe(
      "No existe información para el 'rut' ingresado",
    )
  })

  it('is none when it stands in a comment, in a text, or is put together from parts', () => {
    expect(alertOf("//alert('uno')\n/* alert('dos') */ var a = \"alert('tres')\"")).toBeNull()
    expect(alertOf("alert('Debe ingresar ' + campo)")).toBeNull()
    expect(alertOf("mialert('uno')")).toBeNull()
  })

  it('is none when there are several: they are the validations of a good page', () => {
    expect(alertOf("alert('uno'); alert('dos')")).toBeNull()
    expect(alertOf("alert('uno'); alert(otro)")).toBeNull()
    expect(alertOf("alert('uno'); if (x) alert('uno')")).toBe('uno')
  })
})

describe('the body of a form', () => {
  it('is in windows-1252, with what it has not as a reference', () => {
    expect(
      encodeForm(
        [
          ['n', 'ÑANDÚ & Cía – €'],
          ['x', '日'],
        ],
        'windows-1252',
      ),
    ).toBe('n=%D1AND%DA+%26+C%EDa+%96+%80&x=%26%2326085%3B')
    expect(encodeForm([['n', 'Í']], 'utf-8')).toBe('n=%C3%8D')
  })
})
