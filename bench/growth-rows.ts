import { copy, id, indexedAfter, iso } from './copy-rows.ts'
import { built, type Service } from './service.ts'

// Lean rows of a service that has run for years, by COPY into the tables as they are: half of the documents belong to one
// empresa, the others to as many as a thousand documents each make.

const DAY_MS = 86_400_000
const YEARS = 6
const EVENT_MONTHS = 12
const LARGE_SHARE = 2
/** Lanes of a backlog: accounts that wait, each in one line. */
const WAITING_ACCOUNTS = 100

/** The partitions of all the years that rows are loaded for. */
async function makePartitions({ db }: Service, now: number): Promise<void> {
  const today = new Date(now)
  for (let year = YEARS; year > 0; year--) {
    await built.makePartitions(db, new Date(Date.UTC(today.getUTCFullYear() - year, 0, 1)))
  }
  for (let month = EVENT_MONTHS; month > 0; month--) {
    await built.makePartitions(db, new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - month, 1)))
  }
}

export interface Grown {
  /** The folio and the external id of a document in the middle of the large empresa. */
  readonly folio: number
  readonly external_id: string
  readonly document_id: string
  /** When the document in the middle of all was created. */
  readonly middle_at: string
  /** An event from the middle of the ledger, and the last one. */
  readonly middle_event: string
  readonly last_event: string
}

/** Loads `documents` documents and what comes with so many, and has PostgreSQL count them. */
export async function grow(service: Service, documents: number): Promise<Grown> {
  const { db, account_id, empresa_id, rut } = service
  const now = built.systemNow()
  await makePartitions(service, now)
  const others = Math.max(10, Math.round(documents / LARGE_SHARE / 1_000))
  const rutOf = (n: number) => `${60_000_000 + n}-K`
  const empresaOf = (n: number) => id('empresa', now - DAY_MS, n)
  const ownerOf = (n: number) => (n % LARGE_SHARE === 0 ? empresa_id : empresaOf(Math.floor(n / LARGE_SHARE) % others))
  await copy(
    service,
    'empresa (account_id, id, mode, rut, legal_name, emission_channel, doc_types, origen, created_at)',
    others,
    (n) => [account_id, empresaOf(n), 'test', rutOf(n), 'Una de muchas SpA', 'mercado', '{33,39}', 'ninguno', iso(now)],
  )

  const span = YEARS * 365 * DAY_MS - DAY_MS
  const at = (n: number) => Math.floor(now - DAY_MS - span + (span * n) / documents)
  const receptorOf = (n: number) => (n % 10 < 2 ? `${70_000_000 + (n % 200)}-1` : '66666666-6')
  await indexedAfter(service, 'document', () =>
    copy(
      service,
      `document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total, receptor_rut,
        draft, receptor_sources, external_id, metadata, pdf_cedible, created_at, sent_at, settled_at)`,
      documents,
      (n) => {
        const tipo = n % 10 < 2 ? 33 : 39
        const draft = `{"tipo_dte":${tipo},"receptor":{"rut":"${receptorOf(n)}"},"items":[]}`
        const when = iso(at(n))
        const status = n % 40 < 2 ? 'rejected' : 'accepted'
        const external_id = n % 4 < 2 ? `order-${n}` : null
        return [
          account_id,
          ownerOf(n),
          'test',
          id('document', at(n), n),
          status,
          tipo,
          n + 1,
          when.slice(0, 10),
          1000,
          190,
          0,
          1190,
          receptorOf(n),
          draft,
          '{}',
          external_id,
          '{}',
          'f',
          when,
          when,
          when,
        ]
      },
    ),
  )

  const event_span = EVENT_MONTHS * 30 * DAY_MS - DAY_MS
  const eventAt = (n: number) => Math.floor(now - DAY_MS - event_span + (event_span * n) / documents)
  const types = ['document.created', 'document.sent', 'document.accepted']
  await indexedAfter(service, 'event', () =>
    copy(
      service,
      'event (id, account_id, mode, empresa_id, empresa_rut, type, created_at, data, position, seq)',
      documents,
      (n) => {
        const large = n % LARGE_SHARE === 0
        const data = `{"object":{"object":"document","id":"${id('document', eventAt(n), n)}"}}`
        return [
          id('event', eventAt(n), n),
          account_id,
          'test',
          ownerOf(n),
          large ? rut : rutOf(n % others),
          types[n % 3] as string,
          iso(eventAt(n)),
          data,
          Math.floor(n / 3),
          n,
        ]
      },
    ),
  )

  const tenth = Math.ceil(documents / 10)
  const finishedAt = (n: number) => iso(now - (30 * DAY_MS * (tenth - n)) / tenth)
  await copy(
    service,
    `job (id, name, type, account_id, mode, empresa_id, payload, status, due_at, run_at, max_attempts, lane, created_at,
      started_at, finished_at)`,
    tenth,
    (n) => {
      const when = finishedAt(n)
      return [
        id('job', now - DAY_MS, n),
        'document.emit',
        'emission',
        account_id,
        'test',
        ownerOf(n),
        '{}',
        'succeeded',
        when,
        when,
        5,
        `document.emit|${ownerOf(n)}:33`,
        when,
        when,
        when,
      ]
    },
  )
  await copy(
    service,
    'idempotency (account_id, mode, empresa_id, operation, key, fingerprint, status, answer, created_at)',
    Math.min(tenth, 200_000),
    (n) => [
      account_id,
      'test',
      ownerOf(n),
      'documents.create',
      `loaded-${n}`,
      '\\\\x00',
      201,
      `\\\\x${'00'.repeat(200)}`,
      iso(now - n),
    ],
  )

  // Ranges that are spent, behind the one that is drawn from, and what went each day.
  const ranges = Math.max(2, Math.round(documents / LARGE_SHARE / 1_000))
  await copy(
    service,
    `caf (account_id, empresa_id, mode, id, tipo_dte, ambiente, from_folio, to_folio, next_folio, authorised_on, key_id,
      source, sealed, created_at)`,
    ranges + others,
    (n) => {
      const own = n < ranges
      const [from, to] = own ? [n * 1_000 + 1, n * 1_000 + 1_000] : [1, 1_000_000]
      const next = own && n < ranges - 1 ? to + 1 : from
      return [
        account_id,
        own ? empresa_id : empresaOf(n - ranges),
        'test',
        id('caf', now - DAY_MS, n),
        56,
        'certificacion',
        from,
        n === ranges - 1 ? to + 1_000_000_000 : to,
        next,
        iso(now).slice(0, 10),
        300,
        'sandbox',
        '\\\\x00',
        iso(now),
      ]
    },
  )
  const days = Math.min(YEARS * 365, Math.max(10, Math.round(tenth / others / 2)))
  await copy(
    service,
    'folio_use (account_id, empresa_id, mode, tipo_dte, day, used, runway_line)',
    days * (others + 1),
    (n) => {
      const of = Math.floor(n / days)
      const day = iso(now - DAY_MS * (1 + (n % days))).slice(0, 10)
      return [account_id, of === 0 ? empresa_id : empresaOf(of - 1), 'test', 56, day, 10, 5]
    },
  )

  // Places of the ledger were given by hand, and what comes now follows them.
  await built.maintainPartitions(db)
  const client = await db.connect()
  await client.query('vacuum analyze')
  await client.query('checkpoint').catch(() => undefined)
  await client.end()
  const middle = Math.floor(documents / 2 / 20) * 20
  return {
    folio: middle + 1,
    external_id: `order-${middle}`,
    document_id: id('document', at(middle), middle),
    middle_at: iso(at(Math.floor(documents / 2))),
    middle_event: id('event', eventAt(middle), middle),
    last_event: id('event', eventAt(documents - 1), documents - 1),
  }
}

/** Queues a tenth as many jobs as there are documents, due, in a line for each of many accounts. */
export async function fallBehind(service: Service, documents: number): Promise<void> {
  const now = built.systemNow()
  const tenth = Math.ceil(documents / 10)
  await copy(
    service,
    'job (id, name, account_id, mode, payload, due_at, run_at, max_attempts, lane, created_at)',
    tenth,
    (n) => {
      const when = iso(now - DAY_MS + n)
      const account = `acct_waiting_${n % WAITING_ACCOUNTS}`
      return [
        id('job', now - 2 * DAY_MS, n),
        'document.emit',
        account,
        'test',
        '{}',
        when,
        when,
        5,
        'document.emit|one:33',
        when,
      ]
    },
  )
  await service.db.sql`analyze job`
}
