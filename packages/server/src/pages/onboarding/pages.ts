import { longDate, santiagoDate } from '@timbre/dte/values'
import { certificateGap } from '../../domain/platform/empresa/custody.ts'
import { currentTerms } from '../../domain/platform/mandato/terms.ts'
import { APPROVALS } from '../../domain/platform/onboarding/copy.ts'
import { declarationOf } from '../../domain/platform/onboarding/declarations.ts'
import { isStepKey, stepOf } from '../../domain/platform/onboarding/lanes.ts'
import type { Onboarding, PendingAction } from '../../domain/platform/onboarding/schema.ts'
import { REVOCATION } from '../../domain/platform/onboarding-link/schema.ts'
import type { Answer } from '../../kernel/answer.ts'
import { certificateFile } from '../file-field.ts'
import { type Html, html } from '../html.ts'
import { endedPage } from './ends.ts'
import { bring, list, marks, type OnboardingView, ordered, person, shell, wrong } from './frame.ts'
import { samplesSection } from './samples.ts'

// Read by a representante legal, or by the titular of an account, who was sent a link: one act a page, a phone first.

function signPage(view: OnboardingView): Answer {
  const terms = currentTerms()
  return shell(
    view,
    'Firma del mandato',
    html`<p class="lead">Con este mandato la empresa nos autoriza a actuar por ella ante el SII. Léelo completo antes de firmar. Se
puede revocar cuando quieras: el punto «Cómo se revoca» lo explica.</p>
<section aria-labelledby="texto">
<h2 id="texto">${terms.title}</h2>
<p class="soft small">Versión ${terms.version}, publicada el ${longDate(santiagoDate(new Date(terms.published_at)))}.</p>
${terms.clauses.map((clause, place) => html`<h3>${place + 1}. ${clause.title}</h3><p>${clause.text}</p>`)}
</section>
<h2>Firma</h2>
<form method="post" action="${view.path}">
<input type="hidden" name="version" value="${terms.version}">
${person(view)}
<label class="tick"><input type="checkbox" name="representante" value="si" required${marks(view, 'representante')}> <span>Soy representante
legal de ${view.facts.row.legal_name}, o la propia persona contribuyente.</span></label>${wrong(view, 'representante')}
<button>Firmar el mandato</button>
</form>
<p class="soft small">Al firmar guardamos tu nombre, tu RUT, la hora, la dirección de internet y el texto que leíste, como
constancia.</p>`,
  )
}

function revokePage(view: OnboardingView): Answer {
  const { mandato } = view.facts
  const signed =
    mandato.signer &&
    mandato.signed_at &&
    html`<p>Lo firmó ${mandato.signer.name} el ${longDate(santiagoDate(new Date(mandato.signed_at)))}.</p>`
  return shell(
    view,
    'Revocar el mandato',
    html`<p class="lead">Si lo revocas, desde ese momento no haremos nada más por la empresa ante el SII.</p>${signed}
<h2>Qué pasa al revocarlo</h2>
${list([
  'La empresa no podrá emitir documentos por Timbre.',
  'Lo que está en espera y no se ha enviado al SII no se envía.',
  'Los documentos ya emitidos siguen siendo válidos y se pueden leer.',
  'Se puede firmar otra vez, y la empresa sigue donde estaba.',
])}
<form method="post" action="${view.path}">
${person(view)}
<label class="tick"><input type="checkbox" name="representante" value="si" required${marks(view, 'representante')}> <span>Soy representante
legal de ${view.facts.row.legal_name} y quiero revocar el mandato.</span></label>${wrong(view, 'representante')}
<button>Revocar el mandato</button>
</form>`,
  )
}

const certificateForm = (
  view: OnboardingView,
) => html`<form method="post" action="${view.path}" enctype="multipart/form-data">
<input type="hidden" name="act" value="certificate">
<label>Archivo del certificado <span class="soft small">Termina en .pfx o .p12</span>${certificateFile(marks(view, 'certificate'))}</label>${wrong(view, 'certificate')}
<label>Clave del archivo <input type="password" name="password" autocomplete="off" maxlength="200"${marks(view, 'certificate_password')}></label>${wrong(view, 'certificate_password')}
<button>Guardar el certificado</button>
</form>
<p class="soft small">Lo abrimos en el momento para ver si sirve. Guardamos cifrado lo que firma; el archivo y su clave no se
guardan.</p>`

function certificatePage(view: OnboardingView, action: PendingAction): Answer {
  return shell(
    view,
    action.title,
    html`<p class="lead">${action.what}</p>${bring(action)}<h2>El certificado</h2>${certificateForm(view)}`,
  )
}

function credentialPage(view: OnboardingView, action: PendingAction): Answer {
  const { row } = view.facts
  const lacks_certificate = certificateGap(row, view.now) !== null
  const stored = row.has_sfg_credential && row.sfg_refused_at === null
  return shell(
    view,
    action.title,
    html`<p class="lead">${action.what}</p>
${row.sfg_refused_at && html`<div class="note"><p>El SII no aceptó la clave que estaba guardada. Escríbela de nuevo.</p></div>`}
${bring(action)}
${
  lacks_certificate
    ? html`<h2>El certificado digital</h2><p>Falta para abrir la sesión en el SII. Se guarda con su propio botón, antes o después de la clave.</p>${certificateForm(view)}`
    : html`<p class="state good" role="status">El certificado ya está guardado</p>`
}
${
  stored
    ? html`<p class="state good" role="status">La clave ya está guardada</p>`
    : html`<h2>La clave</h2>
<form method="post" action="${view.path}">
<input type="hidden" name="act" value="credential">
${person(view)}
<label>Clave del certificado centralizado <span class="soft small">No es la Clave Tributaria</span><input type="password" name="password" autocomplete="off" maxlength="200" required${marks(view, 'password')}></label>${wrong(view, 'password')}
<button>Guardar la clave</button>
</form>
<p class="soft small">Nombre y RUT son los de la persona que firma. La clave se guarda cifrada y nadie puede leerla.</p>`
}`,
  )
}

const BUTTONS = {
  go_live: ['Empezar a emitir', 'Todavía no'],
  muestras_revision: ['Aprobar', 'No aprobar'],
} as const

function decidePage(
  view: OnboardingView,
  action: PendingAction,
  approval: NonNullable<PendingAction['approval']>,
): Answer {
  const { row, onboarding } = view.facts
  const { act } = approval
  const { material = null, samples = [] } = view
  const declared = declarationOf(act, row, material)
  const [yes, no] =
    act === 'go_live' || act === 'muestras_revision' ? BUTTONS[act] : (['Autorizar', 'No autorizar'] as const)
  const refused = onboarding.steps.find(({ key }) => key === action.step)?.blocked_reason
  return shell(
    view,
    action.title,
    html`<p class="lead">${APPROVALS[act].what}</p>
${refused?.code === 'approval_declined' && html`<p class="state wait">La última vez no se autorizó.</p>`}
${
  act === 'muestras_revision' &&
  (samples.length > 0
    ? samplesSection(view.path, samples)
    : html`<h2>Las muestras</h2><p>Los PDF te los envía nuestro equipo: míralos antes de decidir. Si todavía no los tienes, cierra esta página y
vuelve con el mismo enlace cuando lleguen.</p>`)
}
${bring(action, 'Antes de decidir')}
<h2>Qué se declara</h2>
<section class="paper" aria-label="Qué se declara">${declared.paragraphs.map((text) => html`<p>${text}</p>`)}</section>
<form method="post" action="${view.path}">
<input type="hidden" name="sha256" value="${declared.sha256}">
${person(view)}
<label class="tick"><input type="checkbox" name="reviewed" value="si" required${marks(view, 'reviewed')}> <span>${
      approval.role === 'representante_legal'
        ? 'Soy representante legal de la empresa y leí lo que se declara.'
        : 'Soy titular de la cuenta y leí lo que se declara.'
    }</span></label>${wrong(view, 'reviewed')}
<label>Si no estás de acuerdo, cuéntanos por qué <span class="soft small">Opcional</span><textarea name="reason" rows="3" maxlength="500"${marks(view, 'reason')}>${view.typed?.reason ?? ''}</textarea></label>${wrong(view, 'reason')}
<div class="decide"><button name="decision" value="approve">${yes}</button><button class="quiet" name="decision" value="decline">${no}</button></div>
</form>`,
  )
}

/** Whether nobody but the person can say that it is done: the SII cannot be asked, or told nothing. */
export function asksForWord(action: PendingAction, { steps }: Onboarding): boolean {
  const { attestable, probe } = isStepKey(action.step) ? stepOf(action.step) : {}
  const told = steps.find(({ key }) => key === action.step)?.blocked_reason?.details.told
  return attestable === true && (!probe || told === 'nothing')
}

/** The words of the SII, where it gave any. */
function saidBy({ details }: NonNullable<Onboarding['steps'][number]['blocked_reason']>): Html | false {
  return typeof details.sentence === 'string' && html`<p>El SII respondió: «${details.sentence}»</p>`
}

/** What was declared, and who can correct it: nothing of it is done on this page. */
function claimedResolucion({ facts, link }: OnboardingView): Html {
  const { resolucion_numero, resolucion_fecha } = facts.row
  return html`<h2>Lo que se declaró</h2>
<dl class="facts"><dt>Número</dt><dd>${resolucion_numero}</dd><dt>Fecha</dt><dd>${resolucion_fecha && longDate(resolucion_fecha)}</dd></dl>
<h2>Qué hacer ahora</h2>
<p>Cuando tengas el número y la fecha correctos, dáselos a ${link.asked_by}, que administra la cuenta: los corrige en los datos de la
empresa y los volvemos a verificar. En esta página no hay nada que llenar.</p>`
}

function elsewherePage(view: OnboardingView, action: PendingAction): Answer {
  const { onboarding } = view.facts
  const blocked = onboarding.steps.find(({ key }) => key === action.step)?.blocked_reason
  const word = asksForWord(action, onboarding)
  return shell(
    view,
    action.title,
    html`<p class="lead">${action.what}</p>
${blocked && html`<div class="note"><p>${blocked.message} ${blocked.hint}</p>${saidBy(blocked)}</div>`}
<h2>Dónde</h2><p>${action.where}</p>
${action.action_url && html`<p><a class="button quiet" href="${action.action_url}" rel="noreferrer">Ir al SII</a></p>`}
<h2>Cómo se hace</h2>${ordered(action.instructions)}
${bring(action)}
${action.step === 'sii_postulacion' && claimedResolucion(view)}
${
  action.verification &&
  html`<h2>¿Ya está?</h2><p>${action.how_we_know}</p>
<form method="post" action="${view.path}">
<input type="hidden" name="act" value="${word ? 'attest' : 'recheck'}">
${word && person(view)}
<button>Ya está hecho</button>
</form>
${word && html`<p class="soft small">Nombre y RUT son los de quien lo hizo en el SII.</p>`}`
}`,
  )
}

/** The page of a link that works; what it asks for follows from the step. */
export function onboardingPage(view: OnboardingView): Answer {
  const { page } = view.link
  if (page === REVOCATION) return revokePage(view)
  if (page === 'mandato') return signPage(view)
  const action = view.facts.onboarding.pending_action
  if (!action) return endedPage('moved')
  if (page === 'certificate') return certificatePage(view, action)
  if (page === 'credential') return credentialPage(view, action)
  if (action.approval) return decidePage(view, action, action.approval)
  return elsewherePage(view, action)
}
