// What the pages of the documentation do beyond being read: search, copying, a choice of colours and of a language for the
// examples, and calls tried out in the sandbox. Every page can be read without it. It asks nobody but its own address, and
// no API key ever enters it: whoever tries a call logs in, and the session ends with the tab.

const all = (selector, root = document) => [...root.querySelectorAll(selector)]

/** An element with its properties and children. Text is text: nothing here is ever parsed as HTML. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** The words of this script, in the language of the page. */
const say = (english, spanish) => (document.documentElement.lang.startsWith('es') ? spanish : english)

/** The anchor that the address ends with. One that was cut in the middle of a sign leads nowhere, and breaks nothing. */
function anchored() {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

function remembered(name) {
  try {
    return localStorage.getItem(`timbre.${name}`)
  } catch {
    return null
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`timbre.${name}`, value)
  } catch {
    // A browser that keeps nothing forgets the choice with the page.
  }
}

// Colours

function offerColours() {
  const root = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches)
  for (const button of all('[data-theme-switch]')) {
    const offer = () => {
      button.textContent = isDark() ? say('Light', 'Claro') : say('Dark', 'Oscuro')
    }
    button.hidden = false
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark'
      remember('theme', root.dataset.theme)
      offer()
    })
    dark.addEventListener('change', offer)
    offer()
  }
}

// Copying

function offerCopies() {
  for (const pre of all('main pre')) {
    if (pre.closest('.code') || pre.closest('dialog')) continue
    const held = make('div', { className: 'held' })
    pre.replaceWith(held)
    const button = make('button', { type: 'button', className: 'copy', textContent: say('Copy', 'Copiar') })
    button.dataset.copy = ''
    held.append(pre, button)
  }
  for (const button of all('[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const box = button.closest('.code, .held')
      const shown = all('pre', box).find((pre) => pre.offsetParent !== null)
      try {
        await navigator.clipboard.writeText(shown.textContent)
        button.textContent = say('Copied', 'Copiado')
      } catch {
        getSelection().selectAllChildren(shown)
        button.textContent = say('Selected', 'Marcado')
      }
      setTimeout(() => {
        button.textContent = say('Copy', 'Copiar')
      }, 1500)
    })
  }
}

// The language of the examples

function rememberTongue() {
  const chosen = document.getElementById(`in-${remembered('tongue')}`)
  if (chosen) chosen.checked = true
  for (const radio of all('input[name=tongue]')) radio.addEventListener('change', () => remember('tongue', radio.value))
}

// Where an address leads

/**
 * The one page that the reference used to be had an anchor for each operation: its index still has, and knows the page. What
 * moved from one page to another is found by way of it.
 */
function followOldAnchor() {
  const id = anchored()
  if (!id.includes('.')) return
  if (location.pathname.startsWith('/docs/reference/') && !document.getElementById(id)) location.replace(`/docs#${id}`)
  if (location.pathname !== '/docs') return
  const link = document.getElementById(id)?.querySelector('a[href*="#"]')
  if (link) location.replace(link.href)
}

/** What is folded away is opened where the address leads into it. */
function unfoldTarget() {
  const target = document.getElementById(anchored())
  let folded = target?.closest('details:not([open])')
  if (!folded) return
  while (folded) {
    folded.open = true
    folded = folded.parentElement?.closest('details:not([open])')
  }
  target.scrollIntoView()
}

/** On a narrow screen the list of pages is folded: the text comes first. */
function foldSide() {
  const side = document.querySelector('.side > details')
  if (side) side.open = matchMedia('(min-width: 64rem)').matches
  document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
}

// Search

const MOST = 30
let index = null

async function loadIndex() {
  index ??= fetch('/docs/assets/search.json').then((answer) => answer.json())
  return index
}

const plain = (text) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

/** What one most likely means: where to read, then what to call. A name such as `total` is that of a hundred fields. */
const WEIGHTS = { page: 3, guide: 2, guía: 2, operation: 2, field: -5 }
const weighed = (kind, score) => (score > 0 ? Math.max(0.1, score + (WEIGHTS[kind] ?? 0)) : 0)

/**
 * How well a row answers: its name before what people also call it, that before its words; its beginning before its middle.
 * Zero is not at all.
 */
function score(words, name, more, also = '') {
  const [title, rest, called] = [plain(name), plain(more), plain(also).split(' ')]
  let sum = 0
  for (const word of words) {
    const at = title.indexOf(word)
    if (at === 0) sum += title === word ? 12 : 8
    else if (called.includes(word)) sum += 7
    else if (at > 0) sum += /[^a-z0-9]/.test(title[at - 1]) ? 6 : 4
    else if (rest.includes(word)) sum += 2
    else return 0
  }
  return sum - title.length / 100
}

function findings({ rows, fields }, asked) {
  const words = plain(asked).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = rows.map(([kind, name, address, more, also]) => ({
    kind,
    name,
    address,
    more,
    score: weighed(kind, score(words, name, more, also)),
  }))
  for (const [owner, address, paths] of fields) {
    for (const path of paths.split(' ')) {
      const leaf = path.slice(path.lastIndexOf('.') + 1)
      const own = score(words, leaf, `${path} ${owner}`)
      if (own <= 2) continue
      found.push({
        kind: 'field',
        name: path,
        address: `${address}.${path}`,
        more: owner,
        score: weighed('field', own),
      })
    }
  }
  return found
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
}

const SEARCH_WHAT = say(
  'Search operations, fields, errors, events, guides',
  'Busca guías, operaciones, campos, errores, eventos',
)
const SEARCH_HOW = say('Type a name, a code or a word.', 'Escribe un nombre, un código o una palabra.')

function openSearch() {
  const input = make('input', { type: 'search', placeholder: SEARCH_WHAT })
  input.setAttribute('aria-label', say('Search the documentation', 'Buscar en la documentación'))
  input.autocomplete = 'off'
  const list = make('ul')
  const state = make('p', { className: 'soft small', textContent: SEARCH_HOW })
  state.setAttribute('role', 'status')
  const dialog = make('dialog', { className: 'find' }, input, list, state)
  dialog.setAttribute('aria-label', say('Search', 'Buscar'))
  document.body.append(dialog)
  const row = ({ kind, name, address, more }) => {
    const text = make('span', {}, name)
    const link = make('a', { href: address }, make('span', { className: 'soft' }, kind), text)
    link.append(make('span', { className: 'soft' }, more.length > 90 ? `${more.slice(0, 90)}…` : more))
    // A finding on this very page would leave the window of the search open.
    link.addEventListener('click', () => dialog.close())
    return make('li', {}, link)
  }
  const look = async () => {
    const known = await loadIndex().catch(() => null)
    if (!known) {
      state.textContent = say(
        'The search could not be loaded. Reload the page to try again.',
        'No pudimos cargar la búsqueda. Recarga la página para probar otra vez.',
      )
      return
    }
    const found = findings(known, input.value)
    list.replaceChildren(...found.map(row))
    state.textContent =
      found.length > 0
        ? `${found.length} ${say('found', 'encontrados')}`
        : input.value.trim()
          ? say('Nothing found.', 'No encontramos nada.')
          : SEARCH_HOW
  }
  input.addEventListener('input', look)
  dialog.addEventListener('keydown', (event) => {
    const links = all('a', list)
    const at = links.indexOf(document.activeElement)
    if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input).focus()
    else if (event.key === 'Enter' && at < 0) links[0]?.click()
    // A field for searching would only be emptied by it.
    else if (event.key === 'Escape') dialog.close()
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  const show = () => {
    loadIndex().catch(() => null)
    dialog.showModal()
    input.select()
  }
  for (const button of all('[data-find]')) {
    button.hidden = false
    button.addEventListener('click', show)
  }
  document.addEventListener('keydown', (event) => {
    const writes = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog')
    const asks = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey))
    if (!asks || writes) return
    event.preventDefault()
    show()
  })
}

// Trying a call in the sandbox

const SESSION = 'timbre.session'
const session = () => sessionStorage.getItem(SESSION)

/** Asks our own server; what it refuses is an answer too. */
async function ask(method, path, { body, headers = {} } = {}) {
  const token = session()
  const answer = await fetch(path, {
    method,
    credentials: 'omit',
    headers: {
      ...(token && { Authorization: `Bearer ${token}`, 'Svc-Mode': 'test' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  let json = null
  try {
    json = JSON.parse(text)
  } catch {
    json = null
  }
  return { status: answer.status, request: answer.headers.get('svc-request-id'), text, json }
}

function field(label, control) {
  return make('label', {}, label, control)
}

function loginForm(then) {
  const email = make('input', { type: 'email', required: true, autocomplete: 'username' })
  const password = make('input', { type: 'password', required: true, autocomplete: 'current-password' })
  const wrong = make('p', { className: 'wrong', hidden: true })
  wrong.setAttribute('role', 'alert')
  const form = make(
    'form',
    {},
    make('p', {
      className: 'soft',
      textContent:
        'Log in with your account. Calls go to the sandbox of it, never to the SII; the session is forgotten with this tab.',
    }),
    field('E-mail', email),
    field('Password', password),
    wrong,
    make('button', {}, 'Log in'),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const body = JSON.stringify({ email: email.value, password: password.value })
    const { json } = await ask('POST', '/account/login', { body }).catch(() => ({ json: null }))
    password.value = ''
    if (json?.data?.token) {
      sessionStorage.setItem(SESSION, json.data.token)
      then()
      return
    }
    wrong.textContent = json?.message ?? 'The server could not be reached.'
    wrong.hidden = false
  })
  return form
}

/** The empresas of the account in test mode, to choose the one a call is about. */
async function empresaChoice() {
  const { json } = await ask('GET', '/dashboard/empresas?limit=100')
  const options = (json?.data ?? []).map(({ rut, legal_name }) =>
    make('option', { value: rut }, `${rut}  ${legal_name}`),
  )
  return options.length > 0
    ? make('select', {}, ...options)
    : make('input', { required: true, placeholder: '76192083-9' })
}

const namesIn = (path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

/** The id of the empresa in a path is that of the one chosen: nobody knows it by heart. */
async function callForm(call, again) {
  const inputs = namesIn(call.path).map((name) => [name, make('input', { required: true, name })])
  const query = make('input', { value: new URLSearchParams(call.query).toString(), placeholder: 'limit=10' })
  const body = call.body && make('textarea', { value: JSON.stringify(call.body, null, 2), spellcheck: false })
  const empresa = call.empresa ? await empresaChoice() : null
  const out = make('div')
  out.setAttribute('aria-live', 'polite')
  const quit = make('button', { type: 'button', className: 'quiet', textContent: 'Log out' })
  quit.addEventListener('click', async () => {
    await ask('POST', '/account/logout').catch(() => null)
    sessionStorage.removeItem(SESSION)
    again()
  })
  const form = make(
    'form',
    {},
    ...(empresa ? [field('Empresa (Svc-Empresa)', empresa)] : []),
    ...inputs.map(([name, input]) => field(name, input)),
    ...(call.method === 'GET' ? [field('Query', query)] : []),
    ...(body ? [field('Body', body)] : []),
    make('div', { className: 'decide' }, make('button', {}, 'Send'), quit),
    out,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const path = inputs.reduce(
      (text, [name, input]) => text.replace(`{${name}}`, encodeURIComponent(input.value)),
      call.path,
    )
    const asked = call.method === 'GET' && query.value ? `?${query.value}` : ''
    const headers = {
      ...(empresa && { 'Svc-Empresa': empresa.value }),
      ...(call.idempotent && { 'Idempotency-Key': crypto.randomUUID() }),
    }
    const sent = { headers, ...(body && { body: body.value }) }
    const answer = await ask(call.method, path + asked, sent).catch(() => null)
    if (answer?.status === 401) {
      sessionStorage.removeItem(SESSION)
      again()
      return
    }
    out.replaceChildren(...shownAnswer(answer))
  })
  return form
}

function shownAnswer(answer) {
  if (!answer) return [make('p', { className: 'wrong', textContent: 'The server could not be reached.' })]
  const { status, request, json, text } = answer
  const line = make(
    'p',
    {},
    make('span', { className: `status s${Math.floor(status / 100)}` }, String(status)),
    ` ${request ?? ''}`,
  )
  const pre = make('pre', { tabIndex: 0 }, json ? JSON.stringify(json, null, 2) : text)
  const known = json?.error?.doc_url
  const help = known
    ? [make('p', {}, make('a', { href: new URL(known).pathname }, `What ${json.error.code} means`))]
    : []
  return [line, ...(text ? [pre] : []), ...help]
}

function openTrials() {
  const buttons = all('[data-try]')
  if (buttons.length === 0) return
  const inside = make('div', { className: 'attempt' })
  const dialog = make('dialog', {}, inside)
  dialog.setAttribute('aria-label', 'Try it in the sandbox')
  document.body.append(dialog)
  const show = async (call) => {
    const close = make('button', { type: 'button', className: 'quiet close', textContent: 'Close' })
    close.addEventListener('click', () => dialog.close())
    const head = [
      close,
      make('h2', { textContent: call.title }),
      make(
        'p',
        { className: 'call' },
        make('span', { className: `verb ${call.method}` }, call.method),
        ` ${call.path}`,
      ),
    ]
    const again = () => show(call)
    inside.replaceChildren(...head)
    if (!dialog.open) dialog.showModal()
    inside.append(session() ? await callForm(call, again) : loginForm(again))
    inside.querySelector('input, textarea, select')?.focus()
  }
  for (const button of buttons) {
    button.hidden = false
    button.addEventListener('click', () => show(JSON.parse(button.dataset.try)))
  }
}

followOldAnchor()
offerColours()
rememberTongue()
offerCopies()
foldSide()
unfoldTarget()
addEventListener('hashchange', () => {
  followOldAnchor()
  unfoldTarget()
})
openSearch()
openTrials()
