import type { Letter } from '../../../ports/mail.ts'

/** A letter as its writer thinks of it. The plain and the HTML version both come from this, so they never differ. */
export interface Draft {
  readonly to: string
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly button?: { readonly label: string; readonly url: string }
  /** Its subject at a glance: a name and a value on each line. */
  readonly facts?: readonly (readonly [string, string])[]
  /** Small print under the button: how long it works, what to do if it was not you. */
  readonly notes: readonly string[]
  /** The sender: us, unless we write for somebody else. */
  readonly voice?: Voice
}

export interface Voice {
  /** At the head of the letter. */
  readonly name: string
  readonly signature: string
  /** Why the reader gets it, below everything. */
  readonly why: string
}

const OURS: Voice = {
  name: 'Timbre',
  signature: 'El equipo de Timbre',
  why: 'Te escribimos porque este correo está asociado a una cuenta de Timbre, facturación electrónica para Chile.',
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string)

function plain({ greeting, paragraphs, facts = [], button, notes, voice = OURS }: Draft): string {
  const action = button ? [`${button.label}:\n${button.url}`] : []
  const factLines = facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []
  const { signature, why } = voice
  return `${[greeting, ...paragraphs, ...factLines, ...action, ...notes, signature, `-- \n${why}`].join('\n\n')}\n`
}

// Styles sit on each element: mail programs drop stylesheets.
const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:1.55;white-space:pre-line">${escaped(text)}</p>`
const note = (text: string) =>
  `<p style="margin:0 0 10px;font-size:14px;line-height:1.5;color:#5c5750">${escaped(text)}</p>`

function factsHtml(facts: NonNullable<Draft['facts']>): string {
  const cell = 'padding:9px 0;border-top:1px solid #ece7df;font-size:15px;line-height:1.45;vertical-align:top'
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="${cell};color:#5c5750;white-space:nowrap;padding-right:18px">${escaped(name)}</td>` +
      `<td style="${cell};text-align:right;font-weight:600">${escaped(value)}</td></tr>`,
  )
  return `<table role="presentation" width="100%" style="border-collapse:collapse;margin:8px 0 24px">${rows.join('')}</table>`
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const address = escaped(url)
  return (
    `<p style="margin:28px 0"><a href="${address}" style="display:inline-block;padding:13px 26px;border-radius:8px;` +
    `background:#b3261e;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escaped(label)}</a></p>` +
    '<p style="margin:0 0 20px;font-size:13px;line-height:1.5;color:#5c5750">Si el botón no funciona, copia esta ' +
    `dirección en tu navegador:<br><a href="${address}" style="color:#5c5750;word-break:break-all">${address}</a></p>`
  )
}

function rich(draft: Draft): string {
  const { subject, greeting, paragraphs, facts = [], button, notes, voice = OURS } = draft
  return `<!doctype html>
<html lang="es-CL">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f3ee;color:#1f1b16;${FONT}">
<div style="max-width:560px;margin:0 auto;padding:36px 32px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 28px;font-size:18px;font-weight:700;letter-spacing:.02em;color:#b3261e">${escaped(voice.name)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escaped(greeting)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts.length > 0 ? factsHtml(facts) : ''}
${button ? buttonHtml(button) : ''}
${notes.map(note).join('\n')}
<p style="margin:24px 0 0;font-size:16px">${escaped(voice.signature)}</p>
</div>
<p style="max-width:560px;margin:20px auto 0;font-size:12px;line-height:1.5;color:#7a746b;text-align:center">${escaped(voice.why)}</p>
</body>
</html>
`
}

export function composeLetter(draft: Draft): Pick<Letter, 'to' | 'subject' | 'text' | 'html'> {
  return { to: draft.to, subject: draft.subject, text: plain(draft), html: rich(draft) }
}
