/** What the buttons of the page do: each is one call of the control API, and then the page is fetched anew. */
export const PAGE_SCRIPT = `
const say = (text, bad) => {
  const box = document.getElementById('said')
  box.textContent = text
  box.className = bad ? 'bad' : 'good'
}
async function call(method, path, input) {
  const options = { method, headers: { 'Content-Type': 'application/json' } }
  if (input !== undefined) options.body = JSON.stringify(input)
  const answer = await fetch(path, options)
  const value = await answer.json()
  if (!answer.ok) throw new Error(value.message || answer.status)
  return value
}
function valuesOf(form) {
  const input = {}
  for (const field of form.elements) {
    if (!field.name || field.value === '') continue
    if (field.type === 'checkbox') input[field.name] = field.checked
    else input[field.name] = field.type === 'number' ? Number(field.value) : field.value
  }
  return input
}
function withFinding(input) {
  const { finding_code, finding_glosa, ...rest } = input
  return finding_code ? { ...rest, finding: { code: finding_code, glosa: finding_glosa || finding_code } } : rest
}
const acts = {
  clock: (form, button) => call('POST', '/control/clock', { advance_seconds: Number(button.value) }),
  script: (form) => call('POST', '/control/scripts', withFinding(valuesOf(form))),
  clear: () => call('DELETE', '/control/scripts'),
  settings: (form) => call('POST', '/control/settings', valuesOf(form)),
  taxpayer: (form) => call('POST', '/control/taxpayers', valuesOf(form)),
  reset: () => confirm('¿Borrar todo lo que tiene el simulador?') && call('POST', '/control/reset'),
  async certificate(form) {
    const input = valuesOf(form)
    const made = await call('POST', '/control/certificates', input)
    const bytes = Uint8Array.from(atob(made.pfx), (letter) => letter.charCodeAt(0))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/x-pkcs12' }))
    link.download = input.rut + '.pfx'
    link.click()
    return made
  },
}
document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  try {
    const done = await acts[form.dataset.act](form, event.submitter)
    if (!done) return
    say('Listo.')
    setTimeout(() => location.reload(), form.dataset.act === 'certificate' ? 1500 : 300)
  } catch (failure) {
    say('No se pudo: ' + failure.message, true)
  }
})
`
