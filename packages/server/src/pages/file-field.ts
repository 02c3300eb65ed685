import { type Html, html } from './html.ts'

/**
 * The field for a certificate. The button of a file field speaks the language of the browser, so it is not shown: the whole
 * box opens the dialog, says in Spanish what it is for, and shows the name of the file once there is one. No script is needed.
 */
export function certificateFile(attributes: Html | false): Html {
  return html`<span class="pick"><span class="choose" aria-hidden="true">Elegir archivo</span><input type="file" name="file" accept=".pfx,.p12,application/x-pkcs12" required${attributes}><span class="none" aria-hidden="true">Todavía no hay archivo</span></span>`
}
