import type { Command, OptionSpec } from './command.ts'
import { SHELLS } from './completion.ts'

const START = 'Start'
const WEBHOOKS = 'Events and webhooks'
const DOCUMENTS = 'Documents'
const SANDBOX = 'Sandbox'
const OFFLINE = 'Files of the SII, without a network'
const MORE = 'More'

const FORMATS = ['letter', 'ticket_80', 'ticket_58'] as const

const output: OptionSpec = { type: 'string', value: 'FILE', short: 'o', says: 'Where to write it; - is stdout.' }
const format: OptionSpec = { type: 'string', value: 'FORMAT', choices: FORMATS, says: 'The paper.' }
const document_id = { name: 'DOCUMENT_ID', says: 'The id of a document, doc_….' }
const xml_file = { name: 'FILE', says: 'A DTE, an EnvioDTE or an EnvioBOLETA.', file: true } as const
const events: OptionSpec = {
  type: 'string',
  value: 'PATTERN',
  multiple: true,
  says: 'A type, or a family such as document.*; several, or with commas between.',
}

/** Every command. Help, completion and the README derive from here. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'init',
    group: START,
    summary: 'Open an account with a sandbox key and an empresa, and keep them as a profile.',
    description: 'The password is asked for on the terminal, or read from TIMBRE_PASSWORD.',
    options: {
      email: { type: 'string', value: 'EMAIL', says: 'Whose account it is; asked for without it.' },
      rut: { type: 'string', value: 'RUT', says: 'RUT of the sandbox empresa; one is made up without it.' },
      name: { type: 'string', value: 'NAME', says: 'Its razón social.' },
    },
    examples: ['timbre init --email you@example.cl', 'TIMBRE_PASSWORD=… timbre init --email you@example.cl --json'],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'login',
    group: START,
    summary: 'Log in to an account you have; a key is made for this machine and kept.',
    description:
      'By e-mail and password on the terminal, or with --browser on a page of this program, where a password manager can ' +
      'fill them in. With TIMBRE_KEY set, that key is kept instead.',
    options: {
      email: { type: 'string', value: 'EMAIL', says: 'Whose account it is; asked for without it.' },
      browser: { type: 'boolean', says: 'Ask on a page in the browser, not on the terminal.' },
      live: { type: 'boolean', says: 'A key of live mode; without it, one of the sandbox.' },
    },
    examples: ['timbre login', 'timbre login --browser --profile work'],
    load: () => import('./commands/login.ts'),
  },
  {
    name: 'logout',
    group: START,
    summary: 'Forget the key of a profile on this machine.',
    load: () => import('./commands/logout.ts'),
  },
  {
    name: 'env',
    group: START,
    summary: 'Print address, key and empresa of a profile as variables, for programs on the SDK.',
    examples: ['eval "$(timbre env)"'],
    load: () => import('./commands/env.ts'),
  },
  {
    name: 'doctor',
    group: START,
    summary: 'Look at everything that usually goes wrong; each finding with its remedy.',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'listen',
    group: WEBHOOKS,
    summary: 'Forward every event to a URL of yours, signed, and carry on where it left off.',
    description:
      'It reads the ledger, so nothing is lost while this machine sleeps, the program is stopped or the server is away. An ' +
      'event is done once your URL answered 2xx, or after its tries. Replays of deliveries are forwarded too.',
    options: {
      'forward-to': { type: 'string', value: 'URL', says: 'Where each event is sent as a POST.' },
      events,
      from: { type: 'string', value: 'PLACE', says: 'now, start or an event id, in place of where it left off.' },
      tries: { type: 'string', value: 'N', says: 'How often an event is sent to a URL that answers otherwise; 4.' },
      checkpoint: { type: 'string', value: 'FILE', says: 'Where it keeps its place; one for each account and mode.' },
      'print-secret': {
        type: 'boolean',
        says: 'Print the secret that signs, and end; the place is kept from then on.',
      },
      until: { type: 'string', value: 'PATTERN', says: 'End after an event of this type was delivered.' },
    },
    examples: [
      'timbre listen --forward-to http://127.0.0.1:4242/webhooks',
      "timbre listen --forward-to http://127.0.0.1:4242/webhooks --events 'document.*,folios.low'",
    ],
    load: () => import('./commands/listen.ts'),
  },
  {
    name: 'trigger',
    group: WEBHOOKS,
    summary: 'Make an event happen in the sandbox, by doing what leads to it.',
    arguments: [{ name: 'EVENT', says: 'A type of the catalogue.', optional: true }],
    options: { list: { type: 'boolean', says: 'Say what leads to each, and which the sandbox cannot produce.' } },
    examples: ['timbre trigger document.rejected', 'timbre trigger --list'],
    load: () => import('./commands/trigger.ts'),
  },
  {
    name: 'events tail',
    group: WEBHOOKS,
    summary: 'Print events as they happen.',
    options: {
      events,
      last: { type: 'string', value: 'N', says: 'Begin with the newest N, up to 100; 10.' },
      once: { type: 'boolean', says: 'Print those and end.' },
    },
    load: () => import('./commands/events-tail.ts'),
  },
  {
    name: 'logs',
    group: WEBHOOKS,
    summary: 'Print what came of the deliveries to your webhook endpoints, or the audit log.',
    options: {
      failed: { type: 'boolean', says: 'Those that failed alone.' },
      audit: { type: 'boolean', says: 'Who did what to keys, grants and secrets instead; takes a root key.' },
      last: { type: 'string', value: 'N', says: 'The newest N of each endpoint, up to 100; 20.' },
    },
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'documents create',
    group: DOCUMENTS,
    summary: 'Issue a document and wait for what the SII says.',
    description:
      'From a file with the body of POST /documents, or from items on the command line. It is made once: a broken connection ' +
      'is tried again under the same idempotency key.',
    options: {
      file: { type: 'string', value: 'FILE', short: 'f', says: 'JSON of the request; - is stdin.' },
      tipo: { type: 'string', value: 'TIPO', says: 'tipo_dte, with --item: 39 without it.' },
      item: { type: 'string', value: 'ITEM', multiple: true, says: "'Café @ 1990' or '2 x Café @ 1990'." },
      'idempotency-key': { type: 'string', value: 'KEY', says: 'Yours; one is made without it.' },
      'no-wait': { type: 'boolean', says: 'End as soon as it is queued.' },
    },
    examples: ["timbre documents create --item '2 x Café @ 1990'", 'timbre documents create --file factura.json'],
    load: () => import('./commands/documents-create.ts'),
  },
  {
    name: 'documents get',
    group: DOCUMENTS,
    summary: 'Show a document.',
    arguments: [document_id],
    load: () => import('./commands/documents-get.ts'),
  },
  {
    name: 'documents pdf',
    group: DOCUMENTS,
    summary: 'Download the PDF of a document.',
    arguments: [document_id],
    options: { output, format, cedible: { type: 'boolean', says: 'The copy to cede.' } },
    load: () => import('./commands/documents-pdf.ts'),
  },
  {
    name: 'documents open',
    group: DOCUMENTS,
    summary: 'Download the PDF of a document and show it.',
    arguments: [document_id],
    options: { format },
    load: () => import('./commands/documents-open.ts'),
  },
  {
    name: 'clock advance',
    group: SANDBOX,
    summary: 'Move the test clock on; whatever falls due on the way happens.',
    arguments: [{ name: 'DURATION', says: 'ISO 8601, such as P8D or PT1H; or reset, to return to real time.' }],
    options: { account: { type: 'boolean', says: 'The clock of the whole account, not of the empresa alone.' } },
    examples: ['timbre clock advance P8D', 'timbre clock advance reset'],
    load: () => import('./commands/clock-advance.ts'),
  },
  {
    name: 'seed year',
    group: SANDBOX,
    summary: 'Fill the sandbox empresa with a believable year.',
    options: { months: { type: 'string', value: 'N', says: 'Fewer months, or up to 24; 12.' } },
    load: () => import('./commands/seed-year.ts'),
  },
  {
    name: 'dte verify',
    group: OFFLINE,
    language: 'es',
    summary: 'Revisar un DTE o un sobre: forma, firmas, timbre y totales, explicado.',
    arguments: [xml_file],
    options: {
      schemas: { type: 'string', value: 'CARPETA', says: 'Los XSD del SII, para revisar también contra ellos.' },
      sandbox: { type: 'boolean', says: 'Es un documento de prueba: que su CAF no sea del SII no es un error.' },
    },
    load: () => import('./commands/dte-verify.ts'),
  },
  {
    name: 'dte print',
    group: OFFLINE,
    language: 'es',
    summary: 'Imprimir un DTE en PDF.',
    arguments: [xml_file],
    options: {
      output,
      format,
      cedible: { type: 'boolean', says: 'La copia cedible.' },
      number: { type: 'string', value: 'N', says: 'Cuál de los documentos de un sobre; 1.' },
    },
    load: () => import('./commands/dte-print.ts'),
  },
  {
    name: 'caf show',
    group: OFFLINE,
    language: 'es',
    summary: 'Mostrar qué folios autoriza un CAF y si es verdadero.',
    arguments: [{ name: 'FILE', says: 'El archivo que entrega el SII.', file: true }],
    load: () => import('./commands/caf-show.ts'),
  },
  {
    name: 'pfx show',
    group: OFFLINE,
    language: 'es',
    summary: 'Mostrar de quién es un certificado digital y hasta cuándo sirve.',
    description: 'La clave se pide en el terminal, o se lee de TIMBRE_PASSWORD o, con --stdin, de la entrada.',
    arguments: [{ name: 'FILE', says: 'Un .pfx o .p12.', file: true }],
    options: { stdin: { type: 'boolean', says: 'Leer la clave de la entrada estándar.' } },
    load: () => import('./commands/pfx-show.ts'),
  },
  {
    name: 'set parse',
    group: OFFLINE,
    language: 'es',
    summary: 'Leer un set de pruebas del SII y mostrar qué pide.',
    arguments: [{ name: 'FILE', says: 'El texto que entrega el SII.', file: true }],
    load: () => import('./commands/set-parse.ts'),
  },
  {
    name: 'api',
    group: MORE,
    summary: 'Call any operation of the API.',
    arguments: [
      { name: 'METHOD', says: 'The method.', choices: ['GET', 'POST', 'PATCH', 'DELETE'] },
      { name: 'PATH', says: 'Such as /documents?limit=5; without /v1.' },
    ],
    options: {
      data: { type: 'string', value: 'JSON', short: 'd', says: 'The body; @FILE reads a file, @- stdin.' },
      output,
      'idempotency-key': { type: 'string', value: 'KEY', says: 'Yours; one is made without it.' },
      'no-empresa': { type: 'boolean', says: 'Send no Svc-Empresa: account operations refuse it.' },
    },
    examples: ["timbre api GET '/documents?limit=5'", 'timbre api POST /documents/previews -d @factura.json'],
    load: () => import('./commands/api.ts'),
  },
  {
    name: 'completion',
    group: MORE,
    summary: 'Print the completion of a shell.',
    arguments: [{ name: 'SHELL', says: 'Which shell.', choices: SHELLS }],
    examples: ['eval "$(timbre completion bash)"', 'timbre completion fish > ~/.config/fish/completions/timbre.fish'],
    load: () => import('./commands/completion.ts'),
  },
]
