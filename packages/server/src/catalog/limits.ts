import { BOLETA_ITEMS, DOCUMENT_ITEMS, SFG_LIMITS } from '@timbre/dte/values'
import { DAY_SECONDS } from './time.ts'

interface Bucket {
  readonly max: number
  readonly window_seconds: number
  readonly counted_by:
    | 'credential'
    | 'credential_and_empresa'
    | 'account'
    | 'ip'
    | 'email_and_network'
    | 'email_elsewhere'
    | 'link'
}

/** Exact sliding windows, no burst allowance. A call is counted in `general` and in its own bucket. */
export const BUCKETS = {
  general: { max: 300, window_seconds: 60, counted_by: 'credential' },
  'documents.create': { max: 10, window_seconds: 1, counted_by: 'credential' },
  'documents.send': { max: 20, window_seconds: 60, counted_by: 'credential' },
  'tax.f29.file': { max: 10, window_seconds: 60, counted_by: 'credential_and_empresa' },
  'tax.sync': { max: 10, window_seconds: 60, counted_by: 'credential_and_empresa' },
  artifacts: { max: 60, window_seconds: 60, counted_by: 'credential' },
  public_link: { max: 60, window_seconds: 60, counted_by: 'link' },
  // Tries to prove a RUT, over all the pages an account asked for: wrong passwords, wrong persons.
  rut_claim: { max: 20, window_seconds: 3600, counted_by: 'account' },
  'account.ip': { max: 10, window_seconds: 60, counted_by: 'ip' },
  'account.email': { max: 5, window_seconds: 60, counted_by: 'email_and_network' },
  // Whoever guesses at one password from many networks at once. A login that succeeds is given back.
  'account.guesses': { max: 30, window_seconds: 3600, counted_by: 'email_elsewhere' },
  // A door that mails whatever address is typed into it is counted by the hour, or it becomes a mail cannon.
  'account.mail_ip': { max: 20, window_seconds: 3600, counted_by: 'ip' },
  'account.mail_email': { max: 5, window_seconds: 3600, counted_by: 'email_and_network' },
  'account.mail_elsewhere': { max: 10, window_seconds: 3600, counted_by: 'email_elsewhere' },
  'account.mail': { max: 5, window_seconds: 3600, counted_by: 'account' },
  // A stolen session must not become a way to guess the password.
  'account.password': { max: 5, window_seconds: 60, counted_by: 'account' },
  // Guesses at the operator's secret, on its page. One that is right counts too.
  'operator.sign_in': { max: 10, window_seconds: 600, counted_by: 'ip' },
  // Strangers may register a client (RFC 7591), and a hosted one does for each of its users, from a few addresses.
  'oauth.register': { max: 60, window_seconds: 60, counted_by: 'ip' },
  'oauth.authorize': { max: 60, window_seconds: 60, counted_by: 'ip' },
  // A hosted client refreshes the tokens of all its users from a few addresses.
  'oauth.token': { max: 600, window_seconds: 60, counted_by: 'ip' },
  'deliveries.retry': { max: 20, window_seconds: 60, counted_by: 'account' },
  contribuyentes: { max: 120, window_seconds: 60, counted_by: 'account' },
} as const satisfies Record<string, Bucket>

export type BucketName = keyof typeof BUCKETS

interface EmailBuckets {
  /** Of the e-mail and the network together: what strangers do elsewhere does not count in it. */
  readonly own: BucketName
  /** Of the e-mail over all networks but those that are usual for its account. */
  readonly elsewhere?: BucketName
  /** Whether what succeeds is given back to `elsewhere`. */
  readonly failures_only?: true
}

/** By operation, the buckets of the e-mail in the body, beside the one that the operation names. */
export const EMAIL_BUCKETS: Readonly<Record<string, EmailBuckets>> = {
  'account.register': { own: 'account.email' },
  'account.login': { own: 'account.email', elsewhere: 'account.guesses', failures_only: true },
  'account.forgot_password': { own: 'account.mail_email', elsewhere: 'account.mail_elsewhere' },
  'account.change_email': { own: 'account.mail_email', elsewhere: 'account.mail_elsewhere' },
}

const KIB = 1024
const MIB = 1024 * KIB

/** Ceilings on what one request or one account may hold. */
export const CEILINGS = {
  // What an operation takes unless it says otherwise.
  json_body_bytes: 64 * KIB,
  // A boleta of a thousand lines, each with its description.
  document_body_bytes: 1 * MIB,
  upload_body_bytes: 10 * MIB,
  // A CAF of the SII has 3 kB; one of 64 KiB, in base64, is still told what is wrong with it.
  caf_body_bytes: 128 * KIB,
  // A .pfx has 3 to 10 kB; one of 256 KiB, in base64, is still told what is wrong with it.
  certificate_body_bytes: 512 * KIB,
  form_body_bytes: 16 * KIB,
  // Of a form that is refused for its length: read and forgotten, so that its sender can read why.
  ignored_body_bytes: 32 * MIB,
  agent_message_bytes: 1 * MIB,
  json_values: 32_768,
  // Of one side of the register in a period: a reading holds a key of each.
  rcv_entries: 500_000,
  json_depth: 32,
  error_answer_bytes: 16 * KIB,
  // Faults of one input in `details.errors`: who sends more has something else wrong.
  errors_told: 50,
  list_default: 20,
  list_max: 100,
  idempotency_key_chars: 255,
  id_chars: 500,
  /** Of what a program calls itself, in the evidence of what was done with it. */
  user_agent_chars: 512,
  // Of an account, in each mode: keys that work, empresas, public links that live.
  api_keys: 200,
  empresas: 2_000,
  public_links: 100_000,
  webhook_endpoints: 16,
  /** Networks remembered of an account as those it is used from. */
  usual_networks: 20,
  /** Live empresas of an account of which nothing shows yet that their RUT is its to use. */
  unproven_empresas: 5,
  /** RUTs of others, over all accounts, that the certificate of one person proves by having signed their mandato. */
  ruts_signed_for: 5,
  delivery_attempts: 20,
  characterize_entries: 500,
  rcv_range_months: 10,
  document_items: DOCUMENT_ITEMS,
  boleta_items: BOLETA_ITEMS,
  document_references: 40,
  document_global_discounts: 20,
  // What the form of the SII's free portal has room for.
  portal_items: SFG_LIMITS.lines,
  portal_references: SFG_LIMITS.references,
  portal_item_letters: SFG_LIMITS.item_name,
  metadata_pairs: 20,
  send_recipients: 10,
  send_message_chars: 2_000,
  // Pesos per UF below which no boleta counts as large. The UF only grows, so a figure of the past asks a little early
  // for the buyer's name, never too late (Ley 21.713; value of 1 January 2026, rounded down).
  uf_pesos: 39_700,
  unit_price_decimals: 4,
  legal_name: 100,
  giro: 40,
  street: 70,
  comuna: 20,
  city: 20,
  logo_bytes: 256 * 1024,
  contacts_per_counterparty: 50,
  clock_advance_months: 13,
  usage_empresas: 1_000,
  folios_per_request: 100_000,
} as const

/**
 * Bodies in the memory of one process, from before they are read until they were answered. Test and live are counted
 * apart, and so are callers of whom only the address is known: none of them stands in the way of another.
 */
export const BODIES = {
  /** The bodies of an account, and of all accounts in its mode: short ones and long ones apart. */
  accounts: { owner_bytes: 64 * MIB, pool_bytes: 192 * MIB, shared: true },
  /** Those of an address, and of all addresses: short ones and long ones apart. */
  strangers: { owner_bytes: 8 * MIB, pool_bytes: 64 * MIB, shared: true },
  small_bytes: 16 * KIB,
  /** One of which nothing more comes for so long is cut off. */
  stalled_seconds: 10,
  /** So is one that takes longer, beyond that, than at this rate. */
  bytes_per_second: 64 * KIB,
  retry_after_seconds: 5,
} as const

/**
 * Calls that one process executes at a time. An account has its share of the places, as many accounts as are calling,
 * and the least in any case; beyond that its calls wait in a line of its own, and are refused where that is full.
 */
export const CALLS = { places: 20, least: 4, waiting: 100, retry_after_seconds: 1 } as const

/** Bounds of a cartola. A file of 10 MiB in base64 holds about 7.5 MiB; a spreadsheet is unpacked as it streams by. */
export const STATEMENTS = {
  rows: 250_000,
  /** Beside as many as there are movements. */
  rows_without_movement: 10_000,
  columns: 100,
  sheets: 10,
  unzipped_bytes: 192 * MIB,
  strings_chars: 32 * MIB,
  /** Of all cells together: a text that many of them share counts in each. */
  cells_chars: 64 * MIB,
  /** What Excel lets a cell hold. */
  cell_chars: 32_767,
  /** With the blank ones: what a sheet of Excel has. */
  sheet_rows: 1_048_576,
  zip_ratio: 200,
  /** A file smaller than this may be packed as tightly as it likes. */
  small_bytes: 1 * MIB,
  zip_entries: 500,
  /** The largest takes a few seconds, and several times that on a busy machine. */
  deadline_ms: 60_000,
  memory_mb: 512,
  threads: 2,
  waiting: 32,
  waiting_per_account: 8,
} as const

/**
 * The exchange mailbox: anybody in the world may write to it, and reading costs us more than sending. What the worst
 * mail of ten megabytes takes is bounded by its lines and parts, and whatever else it is by the deadline.
 */
export const MAIL = {
  connections: 100,
  connections_per_address: 10,
  /** Of a /24, or of an IPv6 /48. */
  connections_per_site: 30,
  connections_a_minute: { address: 240, site: 600 },
  /** A sender keeps its place while its mail comes at this rate at least, and never pauses for longer. */
  bytes_per_second: 8 * KIB,
  pause_ms: 10_000,
  /** Mails that are being received: what a site and what everybody may have in memory. */
  in_hand: { owner_bytes: 64 * MIB, pool_bytes: 256 * MIB },
  /** Mails that a process writes to the database at a time; megabytes each, and a core for as long as that takes. */
  stored_at_once: 4,
  /** Mails up to this size are read on a thread of their own: none of them waits behind the largest. */
  usual_bytes: 256 * KIB,
  /** A whole conversation: one that drips must not hold its place for ever. */
  connection_ms: 600_000,
  idle_ms: 60_000,
  recipients: 5,
  /** What a conversation may say without a mail that is kept: some ten commands make one. */
  commands_without_mail: 50,
  /** An XML of ten megabytes has some 350,000 lines; each costs microseconds to read, however short it is. */
  lines: 400_000,
  /** Lines that may divide one part from the next: those that begin with two dashes. */
  dividing_lines: 5_000,
  /** What a mail may come in: packets, and lines that begin with a dot, which are doubled on the way (RFC 5321, 4.5.2). */
  pieces: 25_000,
  nesting: 32,
  /** A mail in a mail, as forwarding makes them. */
  forwarded: 3,
  headers_bytes: 256 * 1024,
  /** A thread is ended that takes longer for a mail, or for a file. */
  deadline_ms: 60_000,
} as const

/**
 * What one source of mail may have us do: by its address (of an IPv6 one the first 64 bits), by whom it says it is, and
 * by whom it writes to. Wasted is the reading of mails in which something was nobody's document, and whatever a good one
 * took beyond `free_ms`.
 */
export const MAIL_SOURCES = {
  address: { mails_per_minute: 120, waiting: 200, wasted_ms: 60_000, wasted_bytes: 256 * MIB },
  sender: { mails_per_minute: 120, waiting: 200, wasted_ms: 60_000, wasted_bytes: 256 * MIB },
  mailbox: { mails_per_minute: 300, waiting: 400, wasted_ms: 300_000, wasted_bytes: 1024 * MIB },
} as const

/** Over what time the waste of a source counts, and what reading a good mail may take before it does. */
export const MAIL_WASTE = { window_seconds: 3_600, free_ms: 2_000 } as const

/**
 * The reading of an uploaded .pfx, whose sender says how often its password is hashed: the engine takes two million rounds,
 * some seconds of a busy machine.
 */
export const CERTIFICATES = {
  deadline_ms: 15_000,
  memory_mb: 128,
  threads: 1,
  waiting: 16,
  waiting_per_account: 2,
  expiring_days: [30, 7, 1],
} as const

/** When a stock of folios is low, how much the sandbox grants at a time, and when an unused range is warned about. */
export const FOLIOS = {
  low_percent_of_last_range: 10,
  low_at_least: 5,
  granted_on_demand: 1_000,
  requested_by_default: 100,
  expiring_days: [30, 7, 1],
  /** The pace is that of so many business days; a stock that lasts shorter than `low_business_days` at it is low. */
  pace_business_days: 20,
  low_business_days: 5,
  /** What the service itself asks for lasts so many business days. */
  requested_business_days: 20,
  /** A forecast looks no further. */
  forecast_business_days: 250,
  /** Hours until the service asks again by itself after refusal n; the last one repeats. */
  ask_again_hours: [4, 12, 24, 48, 96, 168],
} as const

/** How many folios to ask the sandbox for to be refused, or never answered. */
export const MAGIC_QUANTITIES = { refused: 99_999, unanswered: 99_998, not_annulled: 97 } as const

/** Time limits of a delivery, and when an endpoint that takes none is given up. */
export const WEBHOOKS = {
  connect_ms: 5_000,
  answer_ms: 15_000,
  excerpt_bytes: 1024,
  /** The longest Retry-After that is believed. */
  retry_after_max_seconds: DAY_SECONDS,
  give_up_after_days: 5,
  give_up_after_failures: 10,
  /** The event tells of every endpoint given up; a letter only of so many a day. */
  letters_a_day: 5,
} as const

/**
 * Letters of onboardings in a day to mailboxes that nobody confirmed to us: to one of them over all accounts, and from one account to
 * all of them. What exceeds it waits for the next day.
 */
export const ONBOARDING_LETTERS = { to_one_mailbox: 5, to_others_of_one_account: 30 } as const

/** Seconds between automatic webhook attempts, the first at once. Ten of the twenty attempts are left for replays. */
export const WEBHOOK_SCHEDULE_SECONDS = {
  live: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, DAY_SECONDS],
  test: [0, 5, 60, 300],
} as const

/** Seconds to the next useful look at a document, while it is young and afterwards; with a slow SII up to `most`. */
export const DOCUMENT_POLL_SECONDS = {
  test: { young: 1, old: 1, most: 1, follows_weather: false },
  live: { young: 10, old: 60, most: 900, follows_weather: true },
} as const

/** Seconds to confirm an act that cannot be undone, and the largest file an agent may send. */
export const AGENTS = { confirmation_seconds: 600, file_bytes: 4 * MIB } as const

/** How long a preview can be read. */
export const PREVIEW_SECONDS = DAY_SECONDS

/** Floor of the poll cadence of a job: how often the queue is looked at in live mode. */
export const JOB_POLL_SECONDS = { test: 1, live: 10 } as const

/** Rows of an export that are read at a time: so many are in memory, however long the file is. */
export const EXPORT_PAGE_ROWS = 200
/** Rows of an export that are written before other calls have their turn. */
export const EXPORT_ROWS_A_TURN = 50

/** Files that are written while they are sent, of one process: each holds rows, and the loop while it writes them. */
export const DOWNLOADS = {
  per_account: 2,
  /** Test and live are counted apart: an account that costs nothing stands in nobody's way who issues for real. */
  per_mode: 8,
  /** A reader who takes nothing for so long loses its place to whoever asks for one. */
  idle_ms: 5_000,
  stalled_ms: 60_000,
  longest_ms: 600_000,
} as const
