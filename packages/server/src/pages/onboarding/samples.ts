import { isTipoDte, tipo } from '@timbre/dte/values'
import type { ShownSample } from '../../domain/issuing/certification/shown-samples.ts'
import { type Html, html } from '../html.ts'

/** Where the file of a sample is, beside the page that shows it: the same slug opens both. */
export const SAMPLES_PATH = 'muestras'

const nameOf = ({ tipo_dte, folio }: ShownSample) =>
  `${isTipoDte(tipo_dte) ? tipo(tipo_dte).name : `Documento ${tipo_dte}`} N° ${folio}`

function link(path: string, sample: ShownSample): Html {
  const copy = sample.cedible ? 'Copia cedible' : 'Original'
  // Another tab: what was typed in the form below stays.
  return html`<a class="button quiet" href="${path}/${SAMPLES_PATH}/${sample.id}" target="_blank" rel="noopener noreferrer" aria-label="${copy} de ${nameOf(sample)}, PDF en otra pestaña">${copy}</a>`
}

/** The pages of one document, original first. */
function document(path: string, copies: readonly ShownSample[]): Html {
  const [first] = copies
  if (!first) return html``
  return html`<li><p><strong>${nameOf(first)}</strong>${first.case_id !== null && html`<br><span class="soft small">Caso ${first.case_id} del set de pruebas</span>`}</p>
<div class="decide">${copies.map((copy) => link(path, copy))}</div></li>`
}

function group(path: string, title: string, samples: readonly ShownSample[]): Html | false {
  if (samples.length === 0) return false
  const documents = new Map<string, ShownSample[]>()
  for (const sample of samples) {
    const key = `${sample.tipo_dte}:${sample.folio}`
    documents.set(key, [...(documents.get(key) ?? []), sample])
  }
  return html`<h3>${title}</h3><ul>${[...documents.values()].map((copies) => document(path, copies))}</ul>`
}

/** The printed samples that the titular looks at before they decide. */
export function samplesSection(path: string, samples: readonly ShownSample[]): Html {
  const of = (origin: ShownSample['origin']) => samples.filter((sample) => sample.origin === origin)
  return html`<h2>Las muestras</h2>
<p>Son ${samples.length} PDF. Así se verán los documentos que entregue la empresa. Son de prueba: no tienen valor tributario y por eso dicen
«Res. 0». Abre cada uno y mira que estén bien el nombre, el giro, la dirección y el logo, y que el timbre se vea completo.</p>
${samples.some(({ without_logo }) => without_logo) && html`<div class="note"><p>Algunas muestras van sin el logo: con él pesaban más de los 500 KB que acepta el SII. En los documentos de verdad el logo sí aparece.</p></div>`}
${group(path, 'De los casos de prueba del SII', of('set'))}
${group(path, 'De la simulación', of('simulacion'))}`
}
