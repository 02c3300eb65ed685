// Generated from the operation table: `npm run generate` writes it anew.

export interface Account {
  object: 'account'
  id: string
  name: string
  email: string
  /** `starter` or `house`; more may come. */
  plan: string
  /** The credential in use; null on a session. */
  key: ApiKey | null
  /** Empresas of this mode that the credential reaches and that can emit. */
  empresas_ready: number
  /** Empresas of this mode that the credential reaches. */
  empresas_total: number
  limits: {
    requests_per_minute: number
    emissions_per_second: number
    /** Keys that work, in each mode. */
    api_keys: number
    /** Empresas, in each mode. */
    empresas: number
    /** Webhook endpoints, in each mode. */
    webhook_endpoints: number
    /** Public links that live, in each mode. */
    public_links: number
  }
}

export interface AccountChangeEmail {
  /** @example "ana@example.cl" */
  email: string
  password: string
}

export interface AccountChangePassword {
  current_password: string
  /** 10 to 200 characters that few guesses would find: no common password, sequence, e-mail or name, however dressed up. Anything else is `weak_password`. */
  password: string
}

export interface AccountClose {
  password: string
}

export interface AccountDisown {
  /** What the link in the letter carries. */
  token: string
}

export interface AccountForgotPassword {
  /** @example "ana@example.cl" */
  email: string
}

export interface AccountLogin {
  /** @example "ana@example.cl" */
  email: string
  password: string
}

export interface AccountPlan {
  object: 'account_plan'
  /** The id of the account: it has exactly one plan. */
  id: string
  plan: 'house' | 'starter'
}

export interface AccountPlanRecord {
  /** `house` needs no subscription for any of its empresas; `starter` does. */
  plan: 'house' | 'starter'
}

export interface AccountRegister {
  /** @example "ana@example.cl" */
  email: string
  /** 10 to 200 characters that few guesses would find: no common password, sequence, e-mail or name, however dressed up. Anything else is `weak_password`. */
  password: string
  /** Account name. Default: what stands before the @ of the e-mail. */
  name?: string | undefined
  /** Asks for a sandbox key, and for an empresa if one is named. Anything wrong is `invalid_bootstrap`. */
  bootstrap?: {
    sandbox_key?: {
      name?: string | undefined
      /** Default: documents:read, documents:write, empresas:read, empresas:write, webhooks:read, webhooks:write. `keys:write` and the go-live scopes are refused. */
      scopes?: readonly ('documents:read' | 'documents:write' | 'empresas:read' | 'empresas:write' | 'webhooks:read' | 'webhooks:write' | 'folios:write')[] | undefined
    } | undefined
    empresa?: {
      /** @example "76192083-9" */
      rut: string
      legal_name: string
    } | undefined
  } | undefined
}

export interface AccountResetPassword {
  /** What the link in the letter carries. */
  token: string
  /** 10 to 200 characters that few guesses would find: no common password, sequence, e-mail or name, however dressed up. Anything else is `weak_password`. */
  password: string
}

export interface AccountRestoreEmail {
  /** What the link in the letter carries. */
  token: string
}

export interface AccountVerifyEmail {
  /** What the link in the letter carries. */
  token: string
}

export interface AgentGrant {
  object: 'agent_grant'
  id: string
  status: 'active' | 'revoked' | 'expired'
  mode: 'test' | 'live'
  client: {
    id: string
    /** As the client calls itself; nobody checked it. */
    name: string
    /** Where the person was sent back to. */
    host: string
  }
  scopes: ('documents:read' | 'documents:write' | 'empresas:read' | 'empresas:write' | 'webhooks:read' | 'webhooks:write' | 'keys:write' | 'mandato:write' | 'mandato:attest' | 'onboarding:write' | 'onboarding:attest' | 'folios:write')[]
  /** RUTs the agent reaches, or `*` for all. */
  empresas: string[]
  /** Whether what cannot be undone is shown first and then confirmed. */
  two_steps: boolean
  limits: AgentGrantLimits
  /** Pesos issued today, by the calendar of Santiago. */
  spent_today: number
  /** What the agent left: made, pointed elsewhere, changed or deleted; also once the grant ended. */
  made: {
    total: number
    /** At most 20, newest first. */
    newest: AgentMaking[]
  }
  created_at: string
  expires_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export interface AgentGrantLimits {
  max_clp_per_document: number | null
  max_clp_per_day: number | null
  /** The tipos it may issue; null for all. */
  tipos: number[] | null
  /** RUTs it may issue to; null for anybody. */
  receptores: string[] | null
}

export interface AgentGrantListQuery {
  status?: 'active' | 'revoked' | 'expired' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface AgentMaking {
  /** `public_link`, `empresa`, `onboarding`, `mandato`, `certificate`, `sfg_credential`, `caf`, `connection`, `counterparty`, `counterparty_contact`, `branding`, `automation_settings`, `webhook_endpoint`, `api_key`, `agent_grant`. */
  object: string
  /** Of a counterparty its RUT; of what an empresa has one of, the id of the empresa. */
  id: string
  /** What a person knows it by: a host, a folio, an address, a name. */
  label: string
  /** What the agent last did to it. */
  act: 'created' | 'changed' | 'deleted'
  /** The fields that it sent, where it set up or changed something. */
  fields: string[]
  /** Whether it stops when the grant ends. What is of an empresa stays, and so does a bank that a person linked. */
  ends_with_grant: boolean
  created_at: string
}

export interface ApiKey {
  object: 'api_key'
  id: string
  name: string
  mode: 'test' | 'live'
  root: boolean
  /** Last four characters of the secret. */
  last4: string
  scopes: ('documents:read' | 'documents:write' | 'empresas:read' | 'empresas:write' | 'webhooks:read' | 'webhooks:write' | 'keys:write' | 'mandato:write' | 'mandato:attest' | 'onboarding:write' | 'onboarding:attest' | 'folios:write')[]
  /** RUTs the key reaches, or `*` for all. */
  empresas: string[]
  created_at: string
  last_used_at: string | null
}

export interface ApiKeyCreate {
  name: string
  scopes: readonly ('documents:read' | 'documents:write' | 'empresas:read' | 'empresas:write' | 'webhooks:read' | 'webhooks:write' | 'keys:write' | 'mandato:write' | 'mandato:attest' | 'onboarding:write' | 'onboarding:attest' | 'folios:write')[]
  /** Inherited from the minter; another one is refused. */
  mode?: 'test' | 'live' | undefined
  /** RUTs the key will reach; a single one makes an empresa token. Default: what the minter reaches. */
  empresas?: readonly string[] | undefined
}

export interface ApiKeyListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ApiKeyWithSecret {
  object: 'api_key'
  id: string
  name: string
  mode: 'test' | 'live'
  root: boolean
  /** Last four characters of the secret. */
  last4: string
  scopes: ('documents:read' | 'documents:write' | 'empresas:read' | 'empresas:write' | 'webhooks:read' | 'webhooks:write' | 'keys:write' | 'mandato:write' | 'mandato:attest' | 'onboarding:write' | 'onboarding:attest' | 'folios:write')[]
  /** RUTs the key reaches, or `*` for all. */
  empresas: string[]
  created_at: string
  last_used_at: string | null
  /** Shown this once and never readable again. */
  secret: string
}

export interface AuditEntry {
  object: 'audit_entry'
  id: string
  created_at: string
  /** The id of the operation; there will be more of them. */
  action: string
  outcome: 'succeeded' | 'refused'
  /** Why it was refused. */
  code: string | null
  /** Null for an act on the account itself, such as a login. */
  mode: 'test' | 'live' | null
  empresa: {
    id: string
    rut: string
  } | null
  actor: {
    kind: 'key' | 'session' | 'agent' | 'operator' | 'link' | 'anonymous' | 'service'
    /** The id of the key, session or grant. Never a secret. */
    id: string | null
    ip: string | null
  }
  /** The id of what was acted upon. */
  subject: string | null
  request_id: string | null
}

export interface AuditLogListQuery {
  action?: 'account.register' | 'account.login' | 'account.logout' | 'account.verify_email' | 'account.forgot_password' | 'account.reset_password' | 'account.change_password' | 'account.change_email' | 'account.restore_email' | 'account.disown' | 'account.close' | 'account.plan.record' | 'agent_grants.create' | 'agent_grants.revoke' | 'api_keys.create' | 'api_keys.revoke' | 'api_keys.roll' | 'automation_settings.update' | 'branding.update' | 'cafs.upload' | 'cafs.annul' | 'cafs.deactivate' | 'certificate.upload' | 'certificate.delete' | 'connections.create' | 'connections.delete' | 'connections.exchange' | 'connections.reconnect' | 'counterparties.update' | 'counterparties.contacts.create' | 'counterparties.contacts.update' | 'counterparties.contacts.delete' | 'empresas.create' | 'empresas.update' | 'empresas.delete' | 'indicators.load' | 'received_documents.quarantine.discard' | 'received_documents.quarantine.release' | 'mandato.record' | 'mandato.revoke' | 'mandato.revocation_link' | 'onboarding.go_live' | 'onboarding.links.create' | 'onboarding.links.revoke' | 'onboarding.certification.set_file' | 'onboarding.certification.inputs' | 'onboarding.steps.attest' | 'onboarding.steps.approve' | 'onboarding.steps.take' | 'onboarding.steps.automatic' | 'onboarding.steps.look' | 'onboarding.steps.restart' | 'onboarding.steps.done' | 'onboarding.steps.refuse' | 'onboarding.switches.turn' | 'operator.sign_in' | 'operator.sign_out' | 'resolucion.verify' | 'sfg_credential.store' | 'sfg_credential.delete' | 'subscription.record' | 'tax.f29.filings.outcome' | 'test_helpers.clock.set' | 'webhook_endpoints.create' | 'webhook_endpoints.update' | 'webhook_endpoints.delete' | 'webhook_endpoints.rotate_secret' | undefined
  /** The id of a key, a session or a grant. */
  actor_id?: string | undefined
  outcome?: 'succeeded' | 'refused' | undefined
  'created_at[gte]'?: string | undefined
  'created_at[lte]'?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface AutomationSettings {
  object: 'automation_settings'
  /** The id of the empresa: it has exactly one. */
  id: string
  /** Mail each document to the receptor's contacts as soon as the SII accepts it. Default: false. */
  email_documents_on_acceptance: boolean
  /** Send each document to the receptor's exchange mailbox, as the SII lists it, as soon as the SII accepts it. Default: true. */
  exchange_documents_on_acceptance: boolean
  /** Ask the SII for more folios of a tipo before the last ones are used: for four weeks at the pace of the last ones, and not after a refusal that only a person can mend. Default: true. */
  request_folios_when_low: boolean
  /** Read the last three months of the RCV every day. Default: true. */
  sync_rcv_daily: boolean
  /** Characterize purchase entries as suggested without waiting for a person. Default: false. */
  apply_characterization_suggestions: boolean
  /** Match a movement to the document it surely paid without waiting for a person, those that are here already too. Default: false. */
  apply_movement_matches: boolean
  /** Null while nobody changed a default. */
  updated_at: string | null
}

export interface AutomationSettingsUpdate {
  /** Mail each document to the receptor's contacts as soon as the SII accepts it. Default: false. */
  email_documents_on_acceptance?: boolean | undefined
  /** Send each document to the receptor's exchange mailbox, as the SII lists it, as soon as the SII accepts it. Default: true. */
  exchange_documents_on_acceptance?: boolean | undefined
  /** Ask the SII for more folios of a tipo before the last ones are used: for four weeks at the pace of the last ones, and not after a refusal that only a person can mend. Default: true. */
  request_folios_when_low?: boolean | undefined
  /** Read the last three months of the RCV every day. Default: true. */
  sync_rcv_daily?: boolean | undefined
  /** Characterize purchase entries as suggested without waiting for a person. Default: false. */
  apply_characterization_suggestions?: boolean | undefined
  /** Match a movement to the document it surely paid without waiting for a person, those that are here already too. Default: false. */
  apply_movement_matches?: boolean | undefined
}

export interface Branding {
  object: 'branding'
  /** The id of the empresa: it has exactly one. */
  id: string
  logo: {
    /** The file in base64: a PNG or a JPEG of at most 256 KiB. */
    content: string
    media_type: 'image/png' | 'image/jpeg'
    /** In pixels. */
    width: number
    /** In pixels. */
    height: number
    /** In bytes. */
    size: number
  } | null
  /** How documents are printed unless they say otherwise. */
  print_format: 'letter' | 'ticket_80' | 'ticket_58'
  /** Printed at the foot of every document. */
  footer_text: string | null
  /** Null while nothing was ever set. */
  updated_at: string | null
}

export interface BrandingUpdate {
  /** Null removes it. */
  logo?: {
    /** The file in base64: a PNG or a JPEG of at most 256 KiB. */
    content: string | Uint8Array
  } | null | undefined
  /** How documents are printed unless they say otherwise. */
  print_format?: 'letter' | 'ticket_80' | 'ticket_58' | undefined
  /** Printed at the foot of every document. */
  footer_text?: string | null | undefined
}

export interface Caf {
  object: 'caf'
  id: string
  mode: 'test' | 'live'
  /** Where its folios count: those of the two ambientes are apart and may have the same numbers. */
  ambiente: 'certificacion' | 'produccion'
  tipo_dte: number
  from: number
  to: number
  /** Null when every folio of it was used. */
  next_folio: number | null
  remaining: number
  status: 'active' | 'inactive'
  /** `upload` by POST /cafs, `request` by POST /folios/requests, `resolucion` by the verification of one, `sandbox` granted by itself in test mode. */
  source: 'upload' | 'request' | 'sandbox' | 'resolucion'
  authorised_on: string
  /** Last day it may be used: six months after `authorised_on` for tipos 33, 46, 56 and 61; null otherwise. */
  expires_on: string | null
  expired: boolean
  created_at: string
  deactivated_at: string | null
  /** Of the folios it still held; null when none was requested. */
  annulment: {
    status: 'queued' | 'annulled' | 'failed'
    from: number
    to: number
    /** Why it is `failed`; POST …/annul tries again. */
    failure: {
      code: string
      message: string
      /** Why the SII refused, where it did. */
      reason?: 'not_authorised' | 'no_activity_verification' | 'company_not_authorised' | 'user_not_authorised' | 'no_permission' | 'visit_required' | 'max_exceeded' | 'tipo_not_enabled' | 'already_authorised' | 'range_not_offered' | 'stamped_by_another' | 'range_annulled' | 'folio_received' | 'other'
    } | null
    requested_at: string
    settled_at: string | null
  } | null
}

export interface CafListQuery {
  tipo_dte?: 33 | 34 | 39 | 41 | 46 | 52 | 56 | 61 | undefined
  status?: 'active' | 'inactive' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface CafUpload {
  /** The XML file of the SII (AUTORIZACION) as it was downloaded, in base64. */
  caf: string | Uint8Array
}

export interface Cedibility {
  object: 'cedibility'
  document: string
  cedible: boolean
  /** All that stands in the way; empty when it can be ceded now. */
  reasons: {
    /** Stable: program against it. */
    code: 'tipo_not_cedible' | 'not_the_creditor' | 'channel_without_cesion' | 'not_accepted' | 'annulled' | 'annulment_in_progress' | 'nothing_left' | 'paid' | 'already_ceded' | 'receptor_may_claim' | 'claimed_by_receptor' | 'unknown_to_sii'
    message: string
  }[]
  /** The most that can be ceded: the total less what was credited. */
  amount: number
  due_date: string
  /** Eight days after the SII received it. From then on the silence of the receptor is consent. */
  receptor_answers_until: string | null
  /** What the SII says of it, in its own words; null when it was not asked, for want of need. */
  sii: {
    code: string
    glosa: string
  } | null
}

export interface Certificate {
  object: 'certificate'
  id: string
  mode: 'test' | 'live'
  /** `expiring` within 30 days of `not_after`, by the clock of the empresa. */
  status: 'active' | 'expiring' | 'expired'
  /** The person, as the certificate says: the one who signs and sends. */
  holder: {
    rut: string
    name: string
  }
  /** The taxpayer that the holder signs for here. */
  empresa_rut: string
  /** Who signed the mandato of the empresa, to be held against the holder; null while none stands. */
  mandato_signer: {
    rut: string
    name: string
  } | null
  /** Whether the SII lets the holder act for the empresa: `unproven` until it took or refused something of theirs. */
  authority: 'unproven' | 'proven' | 'refused'
  /** Where the SII does not let the holder send: documents of that road wait, and no folio is drawn, until it takes one again, which the service tries ever less often, or another certificate is uploaded. */
  refusals: {
    /** `boleta` for tipos 39 and 41, `dte` for the others. */
    road: 'dte' | 'boleta'
    reason: 'no_permission' | 'certificate_not_taken' | 'empresa_not_authorised'
    /** What the SII said, where it said anything. */
    sentence: string | null
    /** Who has to do what. */
    advice: string
    refused_at: string
  }[]
  /** Who vouches for it: `accredited` for a chain to a root that the operator trusts. Where documents have tax effect, a `self_signed` one is refused, and so is an `unknown` one if the operator has loaded roots. */
  chain: 'accredited' | 'self_signed' | 'unknown'
  issuer: string
  /** In hexadecimal. */
  serial: string
  not_before: string
  not_after: string
  /** Of the whole certificate (DER), in hexadecimal. */
  fingerprint_sha256: string
  /** The empresas of the account that it serves, within the reach of the credential; in an event, the one it is about. */
  empresas: {
    id: string
    rut: string
  }[]
  uploaded_at: string
  /** For this empresa, to the hour. */
  last_used_at: string | null
}

export interface CertificateUpload {
  /** The .pfx (PKCS#12) of a person, in base64; up to 256 KiB. */
  file?: string | Uint8Array | undefined
  /** It opens the file, once. It is not kept. */
  password?: string | undefined
  /** Instead of both: the id of a certificate that another empresa of the account has. */
  reuse?: string | undefined
}

export interface Certification {
  object: 'certification'
  empresa: {
    id: string
    rut: string
  }
  /** Declared tipos that the SII still has to authorise. Boletas have a step of their own, `habilitacion`. */
  tipos: number[]
  /** The steps of the onboarding that certify, as they stand there. */
  steps: OnboardingStep[]
  /** The sets de pruebas in use, as they were understood. */
  sets: {
    id: string
    kind: 'facturas' | 'boletas' | 'boletas_exentas'
    source: 'sii' | 'file'
    downloaded_on: string
    /** The SII voids it after this day; another is asked for then. */
    expires_on: string
    sections: {
      /** basico, guias, exenta, compra, libro_ventas and so on; `exportacion` is not built. */
      kind: string
      title: string
      /** NUMERO DE ATENCION. */
      attention: string | null
      /** Line of the set, from 1. */
      line: number
      cases: number
      /** Advice of the SII about the section, as it came. */
      instructions: string[]
      /** Nothing of a set is sent while this is not empty. */
      not_understood: {
        /** Line of the set, from 1. */
        line: number
        text: string
        why: string
      }[]
    }[]
  }[]
  /** Every case, with the document that is built for it. Until it is, `totals` tell what it will come to. */
  cases: {
    case_id: string
    set: 'facturas' | 'boletas' | 'boletas_exentas'
    section: string
    /** Line of the set, from 1. */
    line: number
    tipo_dte: number
    /** Of certification: it counts nowhere else. Null until it is built. */
    folio: number | null
    /** What the document of the case comes to; null where it cannot be built. */
    totals: {
      net: number
      exempt: number
      iva: number
      total: number
    } | null
    state: 'not_built' | 'planned' | 'signed' | 'printed' | 'sent' | 'taken' | 'in_review' | 'approved' | 'refused' | 'received'
    /** The SII's own words, untranslated. */
    words: string | null
  }[]
  /** The last attempt at each file that goes to the SII. */
  files: {
    id: string
    /** The step of the onboarding that it belongs to. */
    step: string
    kind: 'basico' | 'guias' | 'exenta' | 'compra' | 'libro_ventas' | 'libro_compras' | 'libro_guias' | 'boletas' | 'boletas_exentas' | 'simulacion' | 'exchange_received' | 'exchange_reception' | 'exchange_receipts' | 'exchange_results' | 'sample'
    state: 'planned' | 'signed' | 'printed' | 'sent' | 'taken' | 'in_review' | 'approved' | 'refused' | 'received'
    /** How often it was made, with other folios each time. */
    attempt: number
    file_name: string
    documents: number
    /** Of a simulación, where its documents come from: documents that the empresa issued, products that its people named, or items of its set. */
    sources: {
      business: number
      inputs: number
      set: number
    } | null
    track_id: string | null
    sent_at: string | null
    /** The SII's own words, untranslated. */
    words: string | null
    /** What the SII found, in its own words. */
    findings: string[]
  }[]
  /** The printed samples that the titular approves and the SII reviews, as they stand now. */
  samples: {
    /** Over all of them, as `sha256sum` lists them: the approval is for these bytes. */
    sha256: string | null
    data: {
      id: string
      file_name: string
      origin: 'set' | 'simulacion'
      case_id: string | null
      tipo_dte: number
      folio: number
      /** The copy to cede; the original has a page of its own. */
      cedible: boolean
      /** With the logo it was bigger than the 500 KB that the SII takes. */
      without_logo: boolean
      bytes: number
      sha256: string
    }[]
  }
  /** What the representante legal approves to be declared, in the SII's words; empty until it is read. */
  statements: string[]
  /** What the SII would refuse, found before anything was sent. While there is any, nothing is. */
  findings: {
    rule: string
    section: string | null
    case_id: string | null
    line: number | null
    message: string
  }[]
  /** What only the taxpayer knows. */
  inputs: {
    key: 'common_use_factor' | 'invoiced_guia' | 'products'
    /** For the person, in Spanish. */
    label: string
    format: string
    /** Nothing goes on without it. */
    required: boolean
    value: string | null
  }[]
  /** What the SII said last. */
  sii: {
    /** The SII's own words, untranslated. */
    words: string | null
    said_at: string | null
  }
}

export interface CertificationUnderWay {
  object: 'certification_under_way'
  account: {
    id: string
    name: string
  }
  empresa: {
    id: string
    rut: string
    legal_name: string
  }
  /** What the empresa declares today. */
  doc_types: number[]
  /** The one that is open. */
  step: string
  status: 'pending' | 'in_progress' | 'action_required' | 'completed' | 'failed' | 'skipped'
  since: string
  /** A person of the operator, something that only the taxpayer knows, the decision of a person of the taxpayer, ourselves, or the SII. */
  waits_for: 'operator' | 'input' | 'customer' | 'service' | 'sii'
  /** Whose decision it waits for. */
  role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta' | null
  execution: 'automatic' | 'operator'
  taken_by: string | null
  taken_at: string | null
  /** Why a person has it in the place of the job. */
  why: string | null
  blocked_reason: {
    /** One of `sii_unreachable`, `sii_propagation`, `requirement_unmet`, `resolucion_claim`, `approval_declined`, `operator_refused`, `sii_review`, `sii_refused`, `preflight_failed`; more may come. */
    code: string
    /** For the person, in Spanish. */
    message: string
    /** What the person can do, in Spanish. */
    hint: string | null
    /** `key` of the requirement that is not met; `sentence`, the words of the SII. */
    details: Record<string, unknown>
    since: string
  } | null
  /** The last words of the SII. */
  words: string | null
  said_at: string | null
  next_look_at: string | null
  /** How often the files of the step were made; 0 before any was. */
  attempt: number
  /** What the SII found, or would find. */
  findings: string[]
  /** Folios of certification in use. */
  folios: {
    tipo_dte: number
    first: number
    last: number
  }[]
  /** The last attempt at each file of the step; `GET …/files/{file_id}` has its bytes. */
  files: {
    id: string
    kind: 'basico' | 'guias' | 'exenta' | 'compra' | 'libro_ventas' | 'libro_compras' | 'libro_guias' | 'boletas' | 'boletas_exentas' | 'simulacion' | 'exchange_received' | 'exchange_reception' | 'exchange_receipts' | 'exchange_results' | 'sample'
    attempt: number
    file_name: string
    /** 0 until it is signed. */
    bytes: number
    state: 'planned' | 'signed' | 'printed' | 'sent' | 'taken' | 'in_review' | 'approved' | 'refused' | 'received'
    track_id: string | null
    sent_at: string | null
    words: string | null
    findings: string[]
  }[]
  /** What can be done about it now: the last word of `POST …/onboarding/steps/{step}/…`. */
  acts: ('look' | 'take' | 'done' | 'refuse' | 'automatic' | 'restart')[]
  /** Send it as `seen` with an act: what changed since is not acted upon. */
  version: string
}

export interface Connection {
  object: 'connection'
  /** @example "con_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  /** `pending_link`: a person has to link the bank. `active`: read every day. `refreshing`: the bank is being asked. `needs_reconnect`: the bank wants the person again, and nothing is asked of it until somebody reconnects. */
  status: 'pending_link' | 'active' | 'refreshing' | 'needs_reconnect' | 'deleted'
  /** @example "fintoc" */
  provider: string
  name: string | null
  holder_type: 'individual' | 'business'
  /** As it was asked for. */
  requested_institution: string | null
  /** The bank that was linked. */
  institution: {
    id: string
    name: string
  } | null
  /** Whose account it is, as the bank says. */
  holder_rut: string | null
  accounts: {
    /** The account at the provider. */
    id: string
    name: string
    /**
     * Its last four digits; the others are not kept.
     *
     * @example "••••4321"
     */
    number: string
    /** @example "checking_account" */
    type: string
    /** @example "CLP" */
    currency: string
    /** In the smallest unit of the currency: whole pesos, or cents. */
    balance: {
      available: number | null
      current: number | null
    }
    /** When the provider last read it at the bank. */
    refreshed_at: string | null
    /** Of the latest movement that is known. */
    last_post_date: string | null
    /** Why its movements are left alone. Currencies that are read: CLP, USD, EUR. */
    not_read: 'unsupported_currency' | null
  }[]
  last_synced_at: string | null
  /** POST …/sync is refused until then. */
  next_refresh_allowed_at: string | null
  /** Readings that went wrong since the last that did not. */
  failures: number
  /** Why the last one did. */
  failure: {
    code: 'bank_unreachable' | 'bank_unreadable' | 'bank_refused' | 'bank_refresh_failed' | 'bank_rejected' | 'bank_link_gone'
    at: string
  } | null
  created_at: string
}

export interface ConnectionCreate {
  /**
   * Whose portal of the bank it is: a person’s or a company’s.
   *
   * @default "business"
   */
  holder_type?: 'individual' | 'business' | undefined
  /** The bank the person is expected to choose. */
  institution?: string | undefined
  /** What you call it. */
  name?: string | undefined
}

export interface ConnectionExchange {
  /** What the widget gave when the person was done. In test mode `sandbox_` and a bank of the sandbox. */
  exchange_token: string
}

export interface ConnectionListQuery {
  status?: 'pending_link' | 'active' | 'refreshing' | 'needs_reconnect' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ConnectionWithLink {
  object: 'connection'
  /** @example "con_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  /** `pending_link`: a person has to link the bank. `active`: read every day. `refreshing`: the bank is being asked. `needs_reconnect`: the bank wants the person again, and nothing is asked of it until somebody reconnects. */
  status: 'pending_link' | 'active' | 'refreshing' | 'needs_reconnect' | 'deleted'
  /** @example "fintoc" */
  provider: string
  name: string | null
  holder_type: 'individual' | 'business'
  /** As it was asked for. */
  requested_institution: string | null
  /** The bank that was linked. */
  institution: {
    id: string
    name: string
  } | null
  /** Whose account it is, as the bank says. */
  holder_rut: string | null
  accounts: {
    /** The account at the provider. */
    id: string
    name: string
    /**
     * Its last four digits; the others are not kept.
     *
     * @example "••••4321"
     */
    number: string
    /** @example "checking_account" */
    type: string
    /** @example "CLP" */
    currency: string
    /** In the smallest unit of the currency: whole pesos, or cents. */
    balance: {
      available: number | null
      current: number | null
    }
    /** When the provider last read it at the bank. */
    refreshed_at: string | null
    /** Of the latest movement that is known. */
    last_post_date: string | null
    /** Why its movements are left alone. Currencies that are read: CLP, USD, EUR. */
    not_read: 'unsupported_currency' | null
  }[]
  last_synced_at: string | null
  /** POST …/sync is refused until then. */
  next_refresh_allowed_at: string | null
  /** Readings that went wrong since the last that did not. */
  failures: number
  /** Why the last one did. */
  failure: {
    code: 'bank_unreachable' | 'bank_unreadable' | 'bank_refused' | 'bank_refresh_failed' | 'bank_rejected' | 'bank_link_gone'
    at: string
  } | null
  created_at: string
  /** Only in this answer: it is not shown again. */
  link: {
    /** For the widget of the provider, where it runs on a page of yours. */
    widget_token: string
    public_key: string
    expires_at: string
    /** A page of ours where the person links the bank. It works once. */
    url: string
  }
}

export interface Contribuyente {
  object: 'contribuyente'
  /** The RUT. */
  id: string
  /** @example "76192083-9" */
  rut: string
  /** Razón social. */
  legal_name: string
  /** Inicio de actividades. */
  started_on: string | null
  /** Término de giro; null while it is active. */
  ended_on: string | null
  /** Those subject to IVA first, then the oldest. */
  activities: {
    /** ACTECO code, six digits. Text: many start with 0. */
    code: string
    description: string | null
    started_on: string | null
    affects_iva: boolean | null
    /** Categoría tributaria: 1 or 2. */
    category: string | null
  }[]
  /** Fits the giro of a document. Null without activities. */
  suggested_giro: string | null
  /** Where `suggested_giro` comes from: our wording for the activity, or the description of the SII. */
  basis: 'curated' | 'sii_description' | null
  /** The domicilio in force as the contribuyente declared it, unchecked: it may be longer than a document takes. Null where none is published or loaded. */
  address: {
    street: string | null
    comuna: string | null
    city: string | null
    region: string | null
  } | null
  /** The nómina of the SII this was read from. */
  source: {
    published_at: string
  }
}

export interface Counterparty {
  object: 'counterparty'
  /** The RUT: within an empresa it names the counterparty. */
  id: string
  /** @example "76192083-9" */
  rut: string
  legal_name: string | null
  giro: string | null
  address: {
    street: string | null
    comuna: string | null
    city: string | null
  } | null
  /** `api`: recorded by the caller, in whole or in part. `document`: inferred from an earlier document. Null: nothing recorded. */
  source: 'api' | 'document' | null
  created_at: string
  updated_at: string
  /** Newest first. */
  contacts: CounterpartyContact[]
}

export interface CounterpartyContact {
  object: 'counterparty_contact'
  id: string
  name: string | null
  email: string
  phone: string | null
  /** Exactly one contact of a counterparty is. */
  primary: boolean
  /** Since when this person wants no mail from the empresa. */
  opted_out_at: string | null
  created_at: string
}

export interface CounterpartyContactCreate {
  email: string
  name?: string | null | undefined
  phone?: string | null | undefined
  /** True promotes it and demotes the one that was. The first contact is primary in any case; the primary one cannot step down by itself: promote another. */
  primary?: boolean | undefined
  /** True records that this person wants no mail; false takes that back. */
  opted_out?: boolean | undefined
}

export interface CounterpartyContactListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface CounterpartyContactUpdate {
  email?: string | undefined
  name?: string | null | undefined
  phone?: string | null | undefined
  /** True promotes it and demotes the one that was. The first contact is primary in any case; the primary one cannot step down by itself: promote another. */
  primary?: boolean | undefined
  /** True records that this person wants no mail; false takes that back. */
  opted_out?: boolean | undefined
}

export interface CounterpartyListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface CounterpartyUpdate {
  legal_name?: string | null | undefined
  giro?: string | null | undefined
  /** Partial as well: a field left out stays, null clears it. Null for the whole clears all three. */
  address?: {
    street?: string | null | undefined
    comuna?: string | null | undefined
    city?: string | null | undefined
  } | null | undefined
}

export interface Disowned {
  email: string
  /** All that whoever opened the account held or made. */
  ended: {
    sessions: number
    /** Links of letters that nobody had followed yet. */
    links: number
    api_keys: number
    agent_grants: number
    webhook_endpoints: number
    /** Those that were made before, and whose URL or secret was changed then. */
    webhook_endpoints_disabled: number
    /** Certificates put into custody then. They are taken out of it: upload yours again. */
    certificates: number
    /** SFG credentials stored then: store yours again. */
    sfg_credentials: number
    /** Bank connections made then. */
    connections: number
    /** Those that were made before, and whose bank was linked anew then: `needs_reconnect`. */
    connections_disabled: number
    public_links: number
    /** Pages where a person would have linked a bank. */
    bank_pages: number
    /** Pages where a person would have signed, uploaded or decided something of an onboarding. */
    onboarding_pages: number
    /** The newest 50 of each kind. */
    items: RecoveredItem[]
  }
}

export interface Document {
  object: 'document'
  id: string
  mode: 'test' | 'live'
  status: 'queued' | 'sent' | 'accepted' | 'reparo' | 'rejected' | 'annulled' | 'failed'
  tipo_dte: number
  /** Null until it is drawn, shortly after creation. */
  folio: number | null
  issue_date: string
  totals: {
    net: number
    iva: number
    exempt: number
    /** Additional taxes less the withheld ones; `taxes` of the document lists them. */
    taxes: number
    /** Deposits of containers. */
    deposit: number
    /** Special credit of building firms; it is taken off. */
    construction_credit: number
    /** net + iva + exempt + taxes + deposit - construction_credit. */
    total: number
  }
  /** Additional taxes (they add) and withheld ones (they subtract), each amount positive. */
  taxes: {
    /** SII code of the additional or withheld tax. */
    code: number
    /** In percent; null where the amount is stated or has no rate. */
    rate: number | null
    amount: number
  }[]
  receptor: {
    rut: string
    legal_name: string | null
    giro: string | null
    address: {
      street: string | null
      comuna: string | null
      city: string | null
    }
    email: string | null
    phone: string | null
    contact: string | null
    code: string | null
    /** Who it is abroad; null for a receptor of Chile. */
    foreign: {
      id: string | null
      nationality: string | null
    } | null
    /** Where each field came from, by its dotted name. */
    sources: Record<string, 'request' | 'empresa' | 'counterparty' | 'earlier_document'>
  }
  /** As it says; at once in cash, and thirty days after its date otherwise (Ley 19.983, art. 2). */
  due_date: string | null
  /** Whether payments settled it. False where nobody owes it, as a boleta. */
  paid: boolean
  /** When nothing was left to pay, as it became known here. */
  paid_at: string | null
  /** What is left to pay in pesos: its total less notas de crédito, payments and what was ceded. Nothing where it is rejected or annulled. */
  pending_amount: number
  items?: {
    description: string
    detail: string | null
    /** Your own code of the product. */
    code: {
      type: string
      value: string
    } | null
    quantity: number | null
    unit: string | null
    unit_price: number | null
    exempt: boolean
    billing: 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative' | null
    /** As it was written: `percent` or `amount`. */
    discount: {
      percent: number | null
      amount: number | null
    } | null
    /** As it was written: `percent` or `amount`. */
    surcharge: {
      percent: number | null
      amount: number | null
    } | null
    additional_tax: number | null
    /** The bases of its tax, where they are not the line itself. */
    retention_agent: {
      slaughter_base: number | null
      margin: number | null
      consumer_price: number | null
    } | null
    discount_amount: number
    surcharge_amount: number
    /** What the line comes to, in pesos. */
    amount: number
  }[]
  discounts?: {
    percent: number | null
    amount: number | null
    applies_to: 'taxed' | 'exempt' | 'non_billable'
    reason: string | null
    /** The pesos that it moved. */
    applied: number
  }[]
  surcharges?: {
    percent: number | null
    amount: number | null
    applies_to: 'taxed' | 'exempt' | 'non_billable'
    reason: string | null
    /** The pesos that it moved. */
    applied: number
  }[]
  references?: {
    tipo_dte: number | null
    document_type: string | null
    /** Text: that of a purchase order may have letters. */
    folio: string | null
    date: string | null
    code: number | null
    reason: string | null
    global: boolean
    emisor_rut: string | null
  }[]
  /** Null when the document says nothing of it. */
  payment?: {
    form: 'cash' | 'credit' | 'free' | null
    method: 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other' | null
    paid_on: string | null
    due_date: string | null
    terms: string | null
    instalments: {
      date: string
      amount: number
      note: string | null
    }[]
  } | null
  /** Null when the document says nothing of it. */
  dispatch?: {
    dispatch_type: number | null
    transfer_type: number | null
    carrier_rut: string | null
    /** Who drives. */
    driver: {
      rut: string
      name: string
    } | null
    plate: string | null
    trailer_plate: string | null
    /** Printed only: the XML has no place for it. */
    origin: {
      street: string | null
      comuna: string | null
      city: string | null
    } | null
    /** Where the goods go. */
    destination: {
      street: string | null
      comuna: string | null
      city: string | null
    } | null
    departure_at: string | null
    estimated_delivery_at: string | null
  } | null
  /** What a periodic service covers. */
  period?: {
    from: string | null
    to: string | null
  } | null
  service_type?: number | null
  sale_type?: number | null
  purchase_type?: number | null
  gross_prices?: boolean | null
  no_debit_reduction?: boolean
  external_id: string | null
  metadata: Record<string, string>
  pdf_url: string
  xml_url: string
  sii: {
    environment: 'certificacion' | 'produccion'
    track_id: string | null
    /** The code of the SII, such as DOK or RCH. */
    estado: string | null
    /** Its own words, untranslated. */
    glosa: string | null
    /** Present when the SII observed or refused it, or does not find what was sent. */
    explanation: {
      /** Stable: program against it. */
      code: string
      /** Your own field at fault, where the SII points at one. */
      field: string | null
      /** Chilean Spanish, for a person. */
      message: string
      /** What to change, in Chilean Spanish. */
      fix: string
    } | null
  }
  /** Why it is `failed`; POST …/retry tries again. */
  failure: {
    code: string
    message: string
  } | null
  /** The document that this note annuls. */
  annuls: string | null
  exchange: {
    /** `no_address`: the SII lists no mailbox of the receptor. Neither changes the document. */
    status: 'sent' | 'failed' | 'no_address' | null
    /** The mailbox, as the SII lists it. */
    to: string | null
    /** Why it is `failed`: `refused`, `undeliverable`, `opted_out` or `build_refused`. */
    reason: string | null
    sent_at: string | null
  }
  receptor_response: {
    /** `accepted_tacitly`: its eight days ended without a claim (Ley 19.983). */
    status: 'accepted' | 'accepted_tacitly' | 'claimed' | null
    /** What the status rests on: the register of the SII, or a mail and how far its signer is known. */
    basis: 'sii' | 'verified' | 'unproven' | null
    answered_at: string | null
    /** When it acknowledged the goods or services. */
    receipt_acknowledged_at: string | null
    /** When its system answered that the file arrived. */
    delivered_at: string | null
    /** Oldest first. */
    answers: {
      /** `sii`: its register of acceptance and claims, which has the force of law. `mail`: a signed exchange file. */
      source: 'mail' | 'sii'
      action: 'delivered' | 'not_delivered' | 'accepted' | 'accepted_tacitly' | 'receipt_acknowledged' | 'claimed'
      /** Of the register: ACD, ERM, RCD, RFP or RFT. Null by mail or by silence. */
      code: string | null
      /** In the words of whoever answered. */
      reason: string | null
      /** By mail: whether an accredited CA vouches for whoever signed. A false signature never gets here. */
      signature: 'verified' | 'unproven' | null
      /** Who signed the file, or acted in the register. */
      signer_rut: string | null
      at: string
    }[]
  }
  cesion: {
    /** Whether its kind can be ceded, and it was neither rejected nor annulled; POST …/cesion tells whether it can be now. */
    cedible: boolean
    /** Where the last cesión stands; null when there is none. */
    status: 'queued' | 'submitted' | 'confirmed' | 'failed' | null
    id: string | null
    /** Who holds the credit once the cesión is `confirmed`. */
    cesionario: {
      rut: string
      legal_name: string
    } | null
    amount: number | null
    due_date: string | null
    track_id: string | null
    /** The code of the register of the SII, such as EOK or RCS. */
    estado: string | null
    /** Its own words, untranslated. */
    glosa: string | null
    /** Present when the SII observed or refused it, or does not find what was sent. */
    explanation: {
      /** Stable: program against it. */
      code: string
      /** Your own field at fault, where the SII points at one. */
      field: string | null
      /** Chilean Spanish, for a person. */
      message: string
      /** What to change, in Chilean Spanish. */
      fix: string
    } | null
    /** Why it is `failed`; POST …/cede tries again. */
    failure: {
      code: string
      message: string
    } | null
    submitted_at: string | null
    settled_at: string | null
  }
  created_at: string
  sent_at: string | null
  settled_at: string | null
}

export interface DocumentCede {
  cesionario: {
    /** @example "76192083-9" */
    rut: string
    legal_name: string
    address: {
      street: string
      comuna?: string | undefined
      city?: string | undefined
    }
    email: string
  }
  /** By default all that can be ceded. */
  amount?: number | undefined
  /** The last due date. By default that of the document; without one, 30 days after it was issued. */
  due_date?: string | undefined
  /** Other conditions, as the AEC carries them. */
  conditions?: string | undefined
  debtor_email?: string | undefined
  /** Of the cedente. Its `email` stands for `contact_email` of the empresa. */
  contact?: {
    name?: string | undefined
    phone?: string | undefined
    email?: string | undefined
  } | undefined
}

export interface DocumentCreate {
  tipo_dte: TipoDte
  /** Every tipo but a boleta (39, 41) needs `rut`, `legal_name`, `giro`, `address.street` and `address.comuna`. What is left out is taken from the empresa itself where it is its own receptor, then from the address book, then from its last document to this RUT; what none of them has is `400 receptor_incomplete`, which names every field that lacks. A boleta may go without receptor, and prints of it what is sent alone. */
  receptor?: {
    /** @example "76192083-9" */
    rut: string
    legal_name?: string | undefined
    giro?: string | undefined
    address?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
    email?: string | undefined
    phone?: string | undefined
    contact?: string | undefined
    /** Your own code of the receptor (CdgIntRecep). */
    code?: string | undefined
    /** Who it is abroad. Not in boletas. */
    foreign?: {
      /** Its number of taxpayer or passport abroad (NumId). */
      id?: string | undefined
      /** Customs code of the country (Nacionalidad). */
      nationality?: string | undefined
    } | undefined
  } | undefined
  items: readonly {
    description: string
    detail?: string | undefined
    /** Up to 6 decimals. Left out: 1. */
    quantity?: number | undefined
    unit?: string | undefined
    /** Up to 4 decimals. Boletas carry gross prices, the rest net ones. Left out only in a guía and in a nota that corrects text. */
    unit_price?: number | undefined
    /** This line carries no IVA. */
    exempt?: boolean | undefined
    /** What the line is when it is not a plain sale. */
    billing?: 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative' | undefined
    /** `percent` or `amount`. */
    discount?: {
      percent?: number | undefined
      amount?: number | undefined
    } | undefined
    /** `percent` or `amount`. */
    surcharge?: {
      percent?: number | undefined
      amount?: number | undefined
    } | undefined
    code?: {
      type: string
      value: string
    } | undefined
    /** SII code of an additional or withheld tax. Left out in a tipo 46: 15, all the IVA is withheld. */
    additional_tax?: number | undefined
    retention_agent?: {
      slaughter_base?: number | undefined
      margin?: number | undefined
      consumer_price?: number | undefined
    } | undefined
  }[]
  issue_date?: string | undefined
  discounts?: readonly {
    percent?: number | undefined
    amount?: number | undefined
    applies_to?: 'taxed' | 'exempt' | 'non_billable' | undefined
    reason?: string | undefined
  }[] | undefined
  surcharges?: readonly {
    percent?: number | undefined
    amount?: number | undefined
    applies_to?: 'taxed' | 'exempt' | 'non_billable' | undefined
    reason?: string | undefined
  }[] | undefined
  references?: readonly {
    /** A document of ours; stands for `tipo_dte`, `folio` and `date`. */
    document_id?: string | undefined
    tipo_dte?: number | undefined
    /** Any other kind by its code, such as 801 or SET. */
    document_type?: string | undefined
    folio?: string | number | undefined
    date?: string | undefined
    /** 1 annuls, 2 corrects text, 3 corrects amounts. */
    code?: 1 | 2 | 3 | undefined
    reason?: string | undefined
    global?: boolean | undefined
    /** @example "76192083-9" */
    emisor_rut?: string | undefined
  }[] | undefined
  dispatch?: {
    dispatch_type?: number | undefined
    /** Left out: 5 (internal) when the receptor is the empresa itself, 1 (a sale) when the lines have prices. */
    transfer_type?: number | undefined
    driver?: {
      /** @example "76192083-9" */
      rut: string
      name: string
    } | undefined
    /** @example "76192083-9" */
    carrier_rut?: string | undefined
    plate?: string | undefined
    trailer_plate?: string | undefined
    origin?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
    destination?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
    departure_at?: string | undefined
    estimated_delivery_at?: string | undefined
  } | undefined
  payment?: {
    form?: 'cash' | 'credit' | 'free' | undefined
    paid_on?: string | undefined
    due_date?: string | undefined
    method?: 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other' | undefined
    terms?: string | undefined
    instalments?: readonly {
      date: string
      amount: number
      note?: string | undefined
    }[] | undefined
  } | undefined
  period?: {
    from?: string | undefined
    to?: string | undefined
  } | undefined
  service_type?: number | undefined
  /** Whether `unit_price` includes IVA, where the tipo lets you choose. */
  gross_prices?: boolean | undefined
  /** 1 of the giro, 2 fixed assets, 3 real estate; 4 in a nota de crédito alone. Not in boletas. */
  sale_type?: number | undefined
  /** A hint for the register of the receptor. Not in boletas. */
  purchase_type?: number | undefined
  no_debit_reduction?: boolean | undefined
  stated_taxes?: readonly {
    code: number
    amount: number
  }[] | undefined
  construction_credit?: number | undefined
  previous_balance?: number | undefined
  /** Your own id; unique per empresa and mode. */
  external_id?: string | undefined
  /** Up to 20 pairs of text of your own. We keep them and give them back. */
  metadata?: Record<string, string> | undefined
  pdf?: {
    /** Prints the cedible copy in place of the plain one, for the tipos that have it. */
    cedible?: boolean | undefined
    format?: 'letter' | 'ticket_80' | 'ticket_58' | undefined
  } | undefined
}

export interface DocumentCreditNote {
  /** 1 annuls the whole original, 2 corrects text, 3 corrects amounts. Left out: 3 when `items` are sent, else 1. */
  code?: 1 | 2 | 3 | undefined
  /** Printed on the nota. Needed with code 2: "Donde dice … debe decir …". */
  reason?: string | undefined
  /** What to credit, with code 3; priced as the original is (gross for a boleta, net for the rest). */
  items?: readonly {
    description: string
    detail?: string | undefined
    /** Up to 6 decimals. Left out: 1. */
    quantity?: number | undefined
    unit?: string | undefined
    /** Up to 4 decimals. Boletas carry gross prices, the rest net ones. Left out only in a guía and in a nota that corrects text. */
    unit_price?: number | undefined
    /** This line carries no IVA. */
    exempt?: boolean | undefined
    /** What the line is when it is not a plain sale. */
    billing?: 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative' | undefined
    /** `percent` or `amount`. */
    discount?: {
      percent?: number | undefined
      amount?: number | undefined
    } | undefined
    /** `percent` or `amount`. */
    surcharge?: {
      percent?: number | undefined
      amount?: number | undefined
    } | undefined
    code?: {
      type: string
      value: string
    } | undefined
    /** SII code of an additional or withheld tax. Left out in a tipo 46: 15, all the IVA is withheld. */
    additional_tax?: number | undefined
    retention_agent?: {
      slaughter_base?: number | undefined
      margin?: number | undefined
      consumer_price?: number | undefined
    } | undefined
  }[] | undefined
  /** Your own id; unique per empresa and mode. */
  external_id?: string | undefined
  /** Up to 20 pairs of text of your own. We keep them and give them back. */
  metadata?: Record<string, string> | undefined
}

export interface DocumentEventsQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface DocumentExportQuery {
  status?: 'queued' | 'sent' | 'accepted' | 'reparo' | 'rejected' | 'annulled' | 'failed' | undefined
  tipo_dte?: TipoDte | undefined
  folio?: number | undefined
  /** @example "76192083-9" */
  receptor_rut?: string | undefined
  /** Guías of a sale that the SII took: `false` those that no factura invoices yet, `true` those that one does. */
  invoiced?: boolean | undefined
  external_id?: string | undefined
  'issue_date[gte]'?: string | undefined
  'issue_date[lte]'?: string | undefined
  'created_at[gte]'?: string | undefined
  'created_at[lte]'?: string | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface DocumentInvoiceGuias {
  /** Guías of a sale to one receptor, in the order in which their lines shall stand. */
  guia_ids: readonly string[]
  issue_date?: string | undefined
  payment?: {
    form?: 'cash' | 'credit' | 'free' | undefined
    paid_on?: string | undefined
    due_date?: string | undefined
    method?: 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other' | undefined
    terms?: string | undefined
    instalments?: readonly {
      date: string
      amount: number
      note?: string | undefined
    }[] | undefined
  } | undefined
  /** Beside those to the guías, which are made: a purchase order, for one. */
  references?: readonly {
    /** A document of ours; stands for `tipo_dte`, `folio` and `date`. */
    document_id?: string | undefined
    tipo_dte?: number | undefined
    /** Any other kind by its code, such as 801 or SET. */
    document_type?: string | undefined
    folio?: string | number | undefined
    date?: string | undefined
    /** 1 annuls, 2 corrects text, 3 corrects amounts. */
    code?: 1 | 2 | 3 | undefined
    reason?: string | undefined
    global?: boolean | undefined
    /** @example "76192083-9" */
    emisor_rut?: string | undefined
  }[] | undefined
  /** Your own id; unique per empresa and mode. */
  external_id?: string | undefined
  /** Up to 20 pairs of text of your own. We keep them and give them back. */
  metadata?: Record<string, string> | undefined
  pdf?: {
    /** Prints the cedible copy in place of the plain one, for the tipos that have it. */
    cedible?: boolean | undefined
    format?: 'letter' | 'ticket_80' | 'ticket_58' | undefined
  } | undefined
}

export interface DocumentJournalEntry {
  /** Finer than the status: `document.folio_allocated`, `document.signed`, … */
  type: string
  at: string
  detail: Record<string, unknown>
}

export interface DocumentListQuery {
  /** `items`: each document with its lines, references and terms. */
  expand?: 'items' | undefined
  status?: 'queued' | 'sent' | 'accepted' | 'reparo' | 'rejected' | 'annulled' | 'failed' | undefined
  tipo_dte?: TipoDte | undefined
  folio?: number | undefined
  /** @example "76192083-9" */
  receptor_rut?: string | undefined
  /** Guías of a sale that the SII took: `false` those that no factura invoices yet, `true` those that one does. */
  invoiced?: boolean | undefined
  external_id?: string | undefined
  'issue_date[gte]'?: string | undefined
  'issue_date[lte]'?: string | undefined
  'created_at[gte]'?: string | undefined
  'created_at[lte]'?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface DocumentPaymentCreate {
  /** In pesos. Left out: all that is pending. */
  amount?: number | undefined
  /** Not after today in Santiago, by the clock of the empresa. Left out: today. */
  paid_on?: string | undefined
  /** `offset`: set off against something that we owe, or are owed. */
  method?: 'cash' | 'cheque' | 'card' | 'transfer' | 'offset' | 'other' | undefined
  note?: string | undefined
}

export interface DocumentPaymentListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface DocumentPdfQuery {
  /** Paper. Left out: what the document asked for, then the `print_format` of the branding where the SII lets the tipo be printed so, then `letter`. Only boletas may be printed on 58 mm. */
  format?: 'letter' | 'ticket_80' | 'ticket_58' | undefined
  /** The cedible copy. Left out: what the document asked for with `pdf.cedible`. */
  cedible?: boolean | undefined
}

export interface DocumentPreview {
  object: 'document_preview'
  id: string
  mode: 'test' | 'live'
  tipo_dte: number
  /** Always null: a preview spends no folio. */
  folio: null
  issue_date: string
  totals: {
    net: number
    iva: number
    exempt: number
    /** Additional taxes less the withheld ones; `taxes` of the document lists them. */
    taxes: number
    /** Deposits of containers. */
    deposit: number
    /** Special credit of building firms; it is taken off. */
    construction_credit: number
    /** net + iva + exempt + taxes + deposit - construction_credit. */
    total: number
  }
  /** Additional taxes (they add) and withheld ones (they subtract). */
  taxes: {
    /** SII code of the additional or withheld tax. */
    code: number
    /** In percent; null where the amount is stated or has no rate. */
    rate: number | null
    amount: number
  }[]
  receptor: {
    rut: string
    legal_name: string | null
    giro: string | null
    address: {
      street: string | null
      comuna: string | null
      city: string | null
    }
    email: string | null
    phone: string | null
    contact: string | null
    code: string | null
    /** Who it is abroad; null for a receptor of Chile. */
    foreign: {
      id: string | null
      nationality: string | null
    } | null
    /** Where each field came from, by its dotted name. */
    sources: Record<string, 'request' | 'empresa' | 'counterparty' | 'earlier_document'>
  }
  items: {
    description: string
    detail: string | null
    /** Your own code of the product. */
    code: {
      type: string
      value: string
    } | null
    quantity: number | null
    unit: string | null
    unit_price: number | null
    exempt: boolean
    billing: 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative' | null
    /** As it was written: `percent` or `amount`. */
    discount: {
      percent: number | null
      amount: number | null
    } | null
    /** As it was written: `percent` or `amount`. */
    surcharge: {
      percent: number | null
      amount: number | null
    } | null
    additional_tax: number | null
    /** The bases of its tax, where they are not the line itself. */
    retention_agent: {
      slaughter_base: number | null
      margin: number | null
      consumer_price: number | null
    } | null
    discount_amount: number
    surcharge_amount: number
    /** What the line comes to, in pesos. */
    amount: number
  }[]
  discounts: {
    percent: number | null
    amount: number | null
    applies_to: 'taxed' | 'exempt' | 'non_billable'
    reason: string | null
    /** The pesos that it moved. */
    applied: number
  }[]
  surcharges: {
    percent: number | null
    amount: number | null
    applies_to: 'taxed' | 'exempt' | 'non_billable'
    reason: string | null
    /** The pesos that it moved. */
    applied: number
  }[]
  references: {
    tipo_dte: number | null
    document_type: string | null
    /** Text: that of a purchase order may have letters. */
    folio: string | null
    date: string | null
    code: number | null
    reason: string | null
    global: boolean
    emisor_rut: string | null
  }[]
  /** Null when the document says nothing of it. */
  payment: {
    form: 'cash' | 'credit' | 'free' | null
    method: 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other' | null
    paid_on: string | null
    due_date: string | null
    terms: string | null
    instalments: {
      date: string
      amount: number
      note: string | null
    }[]
  } | null
  /** Null when the document says nothing of it. */
  dispatch: {
    dispatch_type: number | null
    transfer_type: number | null
    carrier_rut: string | null
    /** Who drives. */
    driver: {
      rut: string
      name: string
    } | null
    plate: string | null
    trailer_plate: string | null
    /** Printed only: the XML has no place for it. */
    origin: {
      street: string | null
      comuna: string | null
      city: string | null
    } | null
    /** Where the goods go. */
    destination: {
      street: string | null
      comuna: string | null
      city: string | null
    } | null
    departure_at: string | null
    estimated_delivery_at: string | null
  } | null
  /** What a periodic service covers. */
  period: {
    from: string | null
    to: string | null
  } | null
  service_type: number | null
  sale_type: number | null
  purchase_type: number | null
  gross_prices: boolean | null
  no_debit_reduction: boolean
  external_id: string | null
  created_at: string
  expires_at: string
}

export interface DocumentPreviewCreate {
  tipo_dte: TipoDte
  /** Every tipo but a boleta (39, 41) needs `rut`, `legal_name`, `giro`, `address.street` and `address.comuna`. What is left out is taken from the empresa itself where it is its own receptor, then from the address book, then from its last document to this RUT; what none of them has is `400 receptor_incomplete`, which names every field that lacks. A boleta may go without receptor, and prints of it what is sent alone. */
  receptor?: {
    /** @example "76192083-9" */
    rut: string
    legal_name?: string | undefined
    giro?: string | undefined
    address?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
    email?: string | undefined
    phone?: string | undefined
    contact?: string | undefined
    /** Your own code of the receptor (CdgIntRecep). */
    code?: string | undefined
    /** Who it is abroad. Not in boletas. */
    foreign?: {
      /** Its number of taxpayer or passport abroad (NumId). */
      id?: string | undefined
      /** Customs code of the country (Nacionalidad). */
      nationality?: string | undefined
    } | undefined
  } | undefined
  items: readonly {
    description: string
    detail?: string | undefined
    /** Up to 6 decimals. Left out: 1. */
    quantity?: number | undefined
    unit?: string | undefined
    /** Up to 4 decimals. Boletas carry gross prices, the rest net ones. Left out only in a guía and in a nota that corrects text. */
    unit_price?: number | undefined
    /** This line carries no IVA. */
    exempt?: boolean | undefined
    /** What the line is when it is not a plain sale. */
    billing?: 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative' | undefined
    /** `percent` or `amount`. */
    discount?: {
      percent?: number | undefined
      amount?: number | undefined
    } | undefined
    /** `percent` or `amount`. */
    surcharge?: {
      percent?: number | undefined
      amount?: number | undefined
    } | undefined
    code?: {
      type: string
      value: string
    } | undefined
    /** SII code of an additional or withheld tax. Left out in a tipo 46: 15, all the IVA is withheld. */
    additional_tax?: number | undefined
    retention_agent?: {
      slaughter_base?: number | undefined
      margin?: number | undefined
      consumer_price?: number | undefined
    } | undefined
  }[]
  issue_date?: string | undefined
  discounts?: readonly {
    percent?: number | undefined
    amount?: number | undefined
    applies_to?: 'taxed' | 'exempt' | 'non_billable' | undefined
    reason?: string | undefined
  }[] | undefined
  surcharges?: readonly {
    percent?: number | undefined
    amount?: number | undefined
    applies_to?: 'taxed' | 'exempt' | 'non_billable' | undefined
    reason?: string | undefined
  }[] | undefined
  references?: readonly {
    /** A document of ours; stands for `tipo_dte`, `folio` and `date`. */
    document_id?: string | undefined
    tipo_dte?: number | undefined
    /** Any other kind by its code, such as 801 or SET. */
    document_type?: string | undefined
    folio?: string | number | undefined
    date?: string | undefined
    /** 1 annuls, 2 corrects text, 3 corrects amounts. */
    code?: 1 | 2 | 3 | undefined
    reason?: string | undefined
    global?: boolean | undefined
    /** @example "76192083-9" */
    emisor_rut?: string | undefined
  }[] | undefined
  dispatch?: {
    dispatch_type?: number | undefined
    /** Left out: 5 (internal) when the receptor is the empresa itself, 1 (a sale) when the lines have prices. */
    transfer_type?: number | undefined
    driver?: {
      /** @example "76192083-9" */
      rut: string
      name: string
    } | undefined
    /** @example "76192083-9" */
    carrier_rut?: string | undefined
    plate?: string | undefined
    trailer_plate?: string | undefined
    origin?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
    destination?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
    departure_at?: string | undefined
    estimated_delivery_at?: string | undefined
  } | undefined
  payment?: {
    form?: 'cash' | 'credit' | 'free' | undefined
    paid_on?: string | undefined
    due_date?: string | undefined
    method?: 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other' | undefined
    terms?: string | undefined
    instalments?: readonly {
      date: string
      amount: number
      note?: string | undefined
    }[] | undefined
  } | undefined
  period?: {
    from?: string | undefined
    to?: string | undefined
  } | undefined
  service_type?: number | undefined
  /** Whether `unit_price` includes IVA, where the tipo lets you choose. */
  gross_prices?: boolean | undefined
  /** 1 of the giro, 2 fixed assets, 3 real estate; 4 in a nota de crédito alone. Not in boletas. */
  sale_type?: number | undefined
  /** A hint for the register of the receptor. Not in boletas. */
  purchase_type?: number | undefined
  no_debit_reduction?: boolean | undefined
  stated_taxes?: readonly {
    code: number
    amount: number
  }[] | undefined
  construction_credit?: number | undefined
  previous_balance?: number | undefined
  /** Your own id; unique per empresa and mode. */
  external_id?: string | undefined
  /** Up to 20 pairs of text of your own. We keep them and give them back. */
  metadata?: Record<string, string> | undefined
  pdf?: {
    /** Prints the cedible copy in place of the plain one, for the tipos that have it. */
    cedible?: boolean | undefined
    format?: 'letter' | 'ticket_80' | 'ticket_58' | undefined
  } | undefined
}

export interface DocumentPublicLinkCreate {
  /** Leads to the cedible copy, for the tipos that have one. */
  cedible?: boolean | undefined
  /** When it stops working. Left out: never. */
  expires_at?: string | undefined
}

export interface DocumentPublicLinkListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface DocumentSend {
  /** One address or up to ten. Left out: the e-mail on the document, or else the contacts of its receptor that have not opted out. */
  to?: string | readonly string[] | undefined
  /** Words of your own for the reader, in the language of the letter. */
  message?: string | undefined
}

export interface Empresa {
  object: 'empresa'
  id: string
  mode: 'test' | 'live'
  rut: string
  legal_name: string
  giro: string | null
  acteco: number[]
  address: {
    street: string | null
    comuna: string | null
    city: string | null
  }
  codigo_sucursal: string | null
  contact_email: string | null
  /** Derived: `produccion` once a live empresa emits. */
  ambiente: 'certificacion' | 'produccion'
  emission_channel: 'mercado' | 'sfg'
  certification_track: 'mercado' | 'sfg' | null
  doc_types: number[]
  origen: 'gratuito' | 'mercado' | 'ninguno'
  /** Where suppliers send their documents; live empresas only. */
  reception_email: string | null
  status: 'active' | 'archived' | 'suspended'
  iva_shape: string | null
  onboarding: {
    /** Derived from the steps: `mandato_pending` at birth in live mode; `emitting` when it can emit. */
    status: 'mandato_pending' | 'certificate_pending' | 'credential_pending' | 'certifying' | 'waiting_sii' | 'action_required' | 'go_live_pending' | 'emitting' | 'suspended' | 'blocked'
    /** From 0 to 1. */
    progress: number
    /** Key of the step that is open; null when all are closed. */
    blocked_on: string | null
    /** Page of the SII where a person does the next step, where it is done there. */
    next_action_url: string | null
    /** The onboarding resource. */
    url: string
  }
  capabilities: {
    can_emit: boolean
    /** Tipos it can issue right now. */
    tipos: number[]
    /** Why nothing can be issued: `archived`, `suspended` or the key of an onboarding step; `certificate` also when it expired, `certificate_refused` while the SII does not let its holder send (GET /empresas/{empresa_id}/certificate says what it said), `documents_refused` while documents are held because the SII refused several in a row for the data of the empresa (POST /documents says which). */
    blocked_by: string | null
    next: {
      who: 'customer' | 'facturia' | 'sii'
      /** Call that moves it on, where there is one. */
      api: string | null
      /** Page that moves it on, where there is one. */
      url: string | null
    } | null
  }
  resolucion: {
    numero: number
    fecha: string
    verified: boolean
    verified_at: string | null
    verification_status: 'pending_verification' | 'verified' | 'refused'
    /** The folio range asked of the SII to verify it. */
    verification_request: {
      tipo: number
      quantity: number
      ambiente: 'certificacion' | 'produccion'
    } | null
    /** The words of the SII when it refused. */
    refusal: string | null
  } | null
  resolucion_boletas: {
    fecha: string
  } | null
  boleta_emission_enabled_at: string | null
  created_at: string
}

export interface EmpresaCreate {
  /** @example "76192083-9" */
  rut: string
  legal_name: string
  giro?: string | null | undefined
  /** Economic activity codes of the SII, at most the four a DTE carries. */
  acteco?: readonly number[] | undefined
  address?: {
    street?: string | null | undefined
    comuna?: string | null | undefined
    city?: string | null | undefined
  } | null | undefined
  /** Branch code given by the SII: up to nine digits. */
  codigo_sucursal?: string | null | undefined
  contact_email?: string | null | undefined
  /** Tipos the empresa declares. Default: all of them in test mode; 33, 56 and 61 in live mode. */
  doc_types?: readonly (33 | 34 | 39 | 41 | 46 | 52 | 56 | 61)[] | undefined
  /** How it emits today. Default: `sfg` when `origen` is gratuito, otherwise `mercado`. */
  emission_channel?: 'mercado' | 'sfg' | undefined
  /** What it certifies for; null: what `emission_channel` asks for. */
  certification_track?: 'mercado' | 'sfg' | null | undefined
  /** How the titular says it emits today. Required on a live key; `ninguno` by default in test mode. */
  origen?: 'gratuito' | 'mercado' | 'ninguno' | undefined
  resolucion?: {
    /** Number of the resolución exenta. */
    numero: number
    fecha: string
  } | undefined
  /** Habilitación for boletas: it has no number. */
  resolucion_boletas?: {
    fecha: string
  } | null | undefined
}

export interface EmpresaListQuery {
  status?: 'active' | 'archived' | 'suspended' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface EmpresaUpdate {
  legal_name?: string | undefined
  giro?: string | null | undefined
  /** Economic activity codes of the SII, at most the four a DTE carries. */
  acteco?: readonly number[] | undefined
  address?: {
    street?: string | null | undefined
    comuna?: string | null | undefined
    city?: string | null | undefined
  } | null | undefined
  /** Branch code given by the SII: up to nine digits. */
  codigo_sucursal?: string | null | undefined
  contact_email?: string | null | undefined
  /** Tipos the empresa declares. Default: all of them in test mode; 33, 56 and 61 in live mode. */
  doc_types?: readonly (33 | 34 | 39 | 41 | 46 | 52 | 56 | 61)[] | undefined
  /** How it emits today. Default: `sfg` when `origen` is gratuito, otherwise `mercado`. */
  emission_channel?: 'mercado' | 'sfg' | undefined
  /** What it certifies for; null: what `emission_channel` asks for. */
  certification_track?: 'mercado' | 'sfg' | null | undefined
  /** How the titular says it emits today. Required on a live key; `ninguno` by default in test mode. */
  origen?: 'gratuito' | 'mercado' | 'ninguno' | undefined
  resolucion?: {
    /** Number of the resolución exenta. */
    numero: number
    fecha: string
  } | undefined
  /** Habilitación for boletas: it has no number. */
  resolucion_boletas?: {
    fecha: string
  } | null | undefined
  /** `archived` stops emission and billing for good; history is kept. */
  status?: 'active' | 'archived' | undefined
  /** Derived: sending it is refused with field_not_writable. */
  ambiente?: unknown | undefined
}

export interface ErrorCode {
  object: 'error_code'
  code: string
  type: string
  status: number
  message: string
  hint: string
  retriable: boolean
  doc_url: string
}

export interface EventListQuery {
  /** Read forward, oldest first, strictly newer than this event id or forward cursor. */
  after?: string | undefined
  /**
   * A type, or a family of them such as `document.*`.
   *
   * @example "document.accepted"
   */
  type?: string | undefined
  /** @example "76192083-9" */
  empresa_rut?: string | undefined
  'created_at[gte]'?: string | undefined
  'created_at[lte]'?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface Evidence {
  object: 'evidence'
  id: string
  /** The key of a step of the onboarding; null where it belongs to none. */
  step: string | null
  /** What was done; there will be more. `mandato_signed`: The mandato was signed; `document` is the text. `mandato_revoked`: The mandato was revoked; `document` is the text that had been signed. `certificate_uploaded`: A certificate entered the custody of the empresa; `document` is its id and fingerprint. `credential_stored`: The password of the certificate that the SII keeps entered custody. `step_attested`: Somebody stated that a step was done, which nothing can probe. `step_approved`: A step of the service was authorised. `step_declined`: A step of the service was not authorised. `muestras_revision`: The printed samples were reviewed; `document` is what was shown. `go_live_requested`: The titular was asked to let the empresa go live. `go_live_approved`: The titular let the empresa go live. `go_live_declined`: The titular did not let the empresa go live. `operator_took`: A person of the operator took a step to carry it out. `operator_gave_back`: A person of the operator gave a step back to the service, which carries it out by itself. `operator_restarted`: A person of the operator had a step begin again. `operator_done`: A person of the operator carried a step out. `operator_refused`: A person of the operator could not carry a step out. `sii_confirmed`: The SII itself showed that a step is done. `rut_taken_over`: Whoever proved to be the taxpayer took its RUT over from another account. `link_minted`: A hosted page was opened for a person. `link_revoked`: A hosted page was closed before it was used. */
  act: string
  /** Who did it, as far as it was told; null where a credential acted and named nobody. */
  actor: {
    /** Null of a person of the operator. */
    rut: string | null
    name: string
    /** Null of a person of the operator. */
    role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta' | null
  } | null
  at: string
  ip: string | null
  /** As the program of the caller called itself. */
  user_agent: string | null
  /** What the person was shown or handed over: the version of a text, or the id of a certificate, and its digest. */
  document: {
    version: string
    /** In hexadecimal. */
    sha256: string
  } | null
  /** How it reached us. `api` is what a credential told: it says whom the caller named and proves nothing about them. On a `hosted_page` whoever had its link acted. */
  via: 'api' | 'hosted_page' | 'operator' | 'sii'
}

export interface Expense {
  object: 'expense'
  /** @example "exp_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  /** `movement`: an outgoing movement of a bank or card, with which it changes and goes. */
  source: 'manual' | 'movement'
  movement_id: string | null
  date: string
  description: string
  provider: {
    name: string
    rut: string | null
    country: string | null
  }
  /** In the smallest unit of its currency: whole pesos, cents of a dollar. */
  amount: number
  currency: string
  category: string | null
  created_at: string
  changed_at: string
}

export interface ExpenseCreate {
  /** Not after today in Santiago, by the clock of the empresa. */
  date: string
  description: string
  provider: {
    name: string
    /** @example "76192083-9" */
    rut?: string | undefined
    /** ISO 3166-1, two letters. */
    country?: string | undefined
  }
  /** In the smallest unit of its currency: whole pesos, cents of a dollar. */
  amount: number
  /** @default "CLP" */
  currency?: 'CLP' | 'USD' | 'EUR' | undefined
  category?: string | undefined
}

export interface ExpenseListQuery {
  /** First day, inclusive. */
  from?: string | undefined
  /** Last day, inclusive. */
  to?: string | undefined
  /** The RUT of the provider, or its name as it is written, in any case. */
  provider?: string | undefined
  source?: 'manual' | 'movement' | undefined
  currency?: 'CLP' | 'USD' | 'EUR' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ExpenseUpdate {
  /** Not after today in Santiago, by the clock of the empresa. */
  date?: string | undefined
  description?: string | undefined
  provider?: {
    name: string
    /** @example "76192083-9" */
    rut?: string | undefined
    /** ISO 3166-1, two letters. */
    country?: string | undefined
  } | undefined
  /** In the smallest unit of its currency: whole pesos, cents of a dollar. */
  amount?: number | undefined
  currency?: 'CLP' | 'USD' | 'EUR' | undefined
  category?: string | null | undefined
}

export interface F29Code {
  code: number
  /** The line of the form. */
  line: number
  section: 'ventas' | 'compras' | 'iva' | 'retenciones' | 'ppm' | 'impuestos_adicionales' | 'cambio_sujeto' | 'totales'
  /** What the form calls it, in Spanish. */
  label: string
  kind: 'count' | 'amount' | 'rate' | 'total'
  /** How its line counts. Null: it only informs. */
  sign: '+' | '-' | '=' | null
  /** Never negative. Null for the rate of the PPM alone. */
  amount: number | null
  rate: number | null
  /** What it is made of. */
  formula: string | null
  source: 'entries' | 'codes' | 'input' | 'override' | 'none'
  /** What it would be without overrides. */
  computed_amount: number | null
  /** How many entries of the registers are behind it. */
  entries: number
  override_reason: string | null
}

export interface F29Filing {
  object: 'f29_filing'
  id: string
  mode: 'test' | 'live'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** `awaiting_operator`: the SII has no door for programs, so a person files it and says what came of it. */
  status: 'queued' | 'submitted' | 'awaiting_operator' | 'accepted' | 'failed'
  proposal_version: number
  /** The filing that it corrects. */
  rectifies: string | null
  /** The figures as they were filed. */
  codes: {
    code: number
    amount: number | null
    rate: number | null
  }[]
  /** What it corrects, code by code. Empty for an original. */
  corrections: {
    code: number
    /** What the corrected declaration says. */
    before: number | null
    after: number | null
  }[]
  /** Code 91: what is paid in term. */
  total: number
  /** What is paid: code 94 past its day, code 91 in term. */
  total_due: number
  due_date: string
  /** The number that the SII gave the declaration. */
  folio: string | null
  /** What the SII found wrong, in its own words. */
  errors: {
    code: string
    message: string
  }[]
  failure: {
    code: string
    message: string
  } | null
  created_at: string
  submitted_at: string | null
  settled_at: string | null
}

export interface F29FilingCreate {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** The total to pay that somebody agreed to (`total_due`). When the proposal says another one, nothing is filed. */
  confirm_total?: number | undefined
  /** The filing of the same period that this one corrects: the last one, accepted by the SII. One that lowers what was paid, or raises a remanente, is decided by an office of the SII. */
  rectifies?: string | undefined
  /** The version of the proposal that somebody looked at. When it is another one by now, whatever code changed, nothing is filed. */
  version?: number | undefined
}

export interface F29FilingListQuery {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period?: string | undefined
  status?: 'queued' | 'submitted' | 'awaiting_operator' | 'accepted' | 'failed' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface F29FilingOutcome {
  /** Must be true. */
  confirm?: boolean | undefined
  outcome: 'accepted' | 'failed'
  /** What the SII gave. With `accepted` alone, and then needed. */
  folio?: string | undefined
  /** Why it failed. With `failed` alone, and then needed. */
  message?: string | undefined
}

export interface F29Proposal {
  object: 'f29_proposal'
  id: string
  mode: 'test' | 'live'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  status: 'open' | 'filing' | 'filed'
  /** Grows when a compute changes a figure, an input or an override. File with it what you looked at. */
  version: number
  /** Whether what it is made of changed since it was computed: it is computed anew soon, or by recompute. */
  stale: boolean
  due_date: string
  /** Code 91: what is paid in term. */
  total: number
  /** What is paid: code 94 past its day, code 91 in term. */
  total_due: number
  /** Code 77: what is left for the next period. */
  remanente: number
  codes: F29Code[]
  /** What this version changed. */
  diff: {
    code: number
    before: number | null
    after: number | null
  }[]
  /** When the SII was last asked what it proposes. */
  sii_read_at: string | null
  /** Codes that the SII proposes otherwise. */
  differences: {
    code: number
    ours: number
    sii: number
  }[]
  warnings: {
    code: 'never_synced' | 'period_open' | 'utm_missing' | 'indicators_invented' | 'pending_entries' | 'unreadable_lines' | 'unknown_tipos' | 'taxes_left_out' | 'tax_credit_without_sales' | 'ppm_rate_missing' | 'late' | 'surcharge_unknown' | 'previous_remanente_unknown' | 'common_use_factor_missing' | 'sii_proposal_not_shown' | 'negative_code'
    message: string
    blocks_filing: boolean
    /** How many entries, lines or documents it is about. */
    count: number | null
    /** How many pesos it is about. */
    amount: number | null
    /** The codes, tipos or months it is about. */
    concerns: string[]
  }[]
  inputs: {
    /** Percentage, up to three decimals: code 115. */
    ppm_rate: number | null
    /** Impuesto único withheld from employees: code 48. */
    payroll_tax: number | null
    /** Withheld from honorarios: code 151. */
    honorarios_withheld: number | null
    /** Code 77 of the period before, as it was filed. Left out: as it was proposed here. */
    previous_remanente: number | null
    /** The share of common-use IVA that gives credit, up to four decimals. */
    common_use_factor: number | null
  }
  overrides: {
    code: number
    /** Whole pesos, positive: the sign belongs to the line of the form. */
    amount: number
    reason: string
  }[]
  /** The last filing of the period that has not failed. */
  filing: {
    id: string
    status: string
  } | null
  /** Codes that say otherwise than what was filed: a rectificatoria (`rectifies` of a filing) corrects them. */
  changes_since_filing: {
    code: number
    before: number | null
    after: number | null
  }[]
  created_at: string
  computed_at: string
}

export interface F29ProposalEntriesExportQuery {
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface F29ProposalEntriesQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface F29ProposalListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface F29ProposalPublicLinkCreate {
  /** When it stops working. Left out: never. */
  expires_at?: string | undefined
}

export interface F29ProposalRecompute {
  /** In place of those there were; an empty array removes them. */
  overrides?: readonly {
    code: number
    /** Whole pesos, positive: the sign belongs to the line of the form. */
    amount: number
    reason: string
  }[] | undefined
  /** Opens a period whose declaration the SII accepted: its entries may be decided about anew until it is filed again. */
  rectify?: boolean | undefined
  /** Percentage, up to three decimals: code 115. */
  ppm_rate?: number | null | undefined
  /** Impuesto único withheld from employees: code 48. */
  payroll_tax?: number | null | undefined
  /** Withheld from honorarios: code 151. */
  honorarios_withheld?: number | null | undefined
  /** Code 77 of the period before, as it was filed. Left out: as it was proposed here. */
  previous_remanente?: number | null | undefined
  /** The share of common-use IVA that gives credit, up to four decimals. */
  common_use_factor?: number | null | undefined
}

export interface F29PublicLink {
  object: 'public_link'
  id: string
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  created_at: string
  expires_at: string | null
  /** Whoever has it reads the proposal. It is told this once. */
  url: string
}

export interface F29SandboxProposal {
  object: 'f29_sandbox_proposal'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  codes: {
    code: number
    amount: number
  }[]
}

export interface F29SandboxValidations {
  object: 'f29_sandbox_validations'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  errors: {
    code: string
    message: string
  }[]
}

export interface FolioAvailability {
  object: 'folio_availability'
  tipo_dte: number
  /** Folios that can be used now, over the whole chain. */
  available: number
  /** The next document gets it. In test mode it is told before a range exists: 1 at first. */
  next_folio: number | null
  /** `low` below 10 % of the last range, and always below 5, and when they last less than 5 business days; `exhausted` when none is left; `sfg_managed` when the SII gives each document its folio. A sandbox is never short of folios for long: when none is left it is granted more with the next document. */
  status: 'available' | 'low' | 'exhausted' | 'sfg_managed'
  /** The CAFs behind the chain. */
  ranges: {
    caf_id: string
    from: number
    to: number
    next_folio: number
    remaining: number
    authorised_on: string
    /** Last day it may be used: six months after `authorised_on` for tipos 33, 46, 56 and 61; null otherwise. */
    expires_on: string | null
    expired: boolean
    /** `upload` by POST /cafs, `request` by POST /folios/requests, `resolucion` by the verification of one, `sandbox` granted by itself in test mode. */
    source: 'upload' | 'request' | 'sandbox' | 'resolucion'
  }[]
  stock: {
    /** The ranges with unused folios in the order they are used; expired ones are passed over. */
    chain: {
      from: number
      to: number
      remaining: number
      expired: boolean
    }[]
    /** The unused folios that are left have all expired: nothing can be stamped until another range is here. The SII wants the expired ones annulled. */
    stops_at_expired_range: boolean
  }
  /** At the pace of the last 20 business days of Chile before today, or since the first folio was used; null while there is none. */
  forecast: {
    /** Folios used a business day; those of weekends count, their days do not. */
    per_business_day: number
    /** Whole business days that the chain lasts, today among them; what expires before its turn is not counted. 250 is that many or more. */
    business_days_left: number
    /** The last of those days; null where there is none, or too many to tell. */
    lasts_until: string | null
  } | null
}

export interface FolioListQuery {
  tipo_dte?: 33 | 34 | 39 | 41 | 46 | 52 | 56 | 61 | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface FolioRequest {
  tipo_dte: 33 | 34 | 39 | 41 | 46 | 52 | 56 | 61
  /** Left out: as many as the last range has, or 100 where there is none. */
  quantity?: number | undefined
}

export interface IndicatorLoad {
  object: 'indicator_load'
  /** How many figures this call brought. */
  loaded: number
  indicators: {
    indicator: 'utm' | 'uf' | 'ipc' | 'interest'
    /** How many of it were loaded in all. */
    count: number
    last_period: string
  }[]
}

export interface IndicatorLoadRequest {
  indicators: readonly {
    indicator: 'utm' | 'uf' | 'ipc' | 'interest'
    /**
     * `YYYY-MM`; of `uf` the day `YYYY-MM-DD`; of `interest` the first month of its half year.
     *
     * @example "2026-03"
     */
    period: string
    /**
     * Digits, with a dot before decimals. `utm`: whole pesos. `uf`: pesos. `ipc`: the index of the INE, of one base for every month. `interest`: percent for each day of delay, as the SII fixes it for a half year.
     *
     * @example "69611"
     */
    value: string
  }[]
}

export interface Job {
  object: 'job'
  id: string
  type: string
  mode: 'test' | 'live'
  /** RUT of the empresa it works for. */
  empresa: string | null
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  attempts: number
  result: Record<string, unknown> | null
  /** What went wrong last; on a failed job, why it was given up. */
  error: {
    code: string
    message: string
    /** Facts for a program. Of `folios_refused` and `folios_not_annulled`: `reason`, one of `not_authorised`, `no_activity_verification`, `company_not_authorised`, `user_not_authorised`, `no_permission`, `visit_required`, `max_exceeded`, `tipo_not_enabled`, `already_authorised`, `range_not_offered`, `stamped_by_another`, `range_annulled`, `folio_received`, `other`. */
    details?: Record<string, unknown>
  } | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

export interface LoggedIn {
  /** Session token, a JWT valid for one hour. */
  token: string
}

export interface Mandato {
  object: 'mandato'
  mode: 'test' | 'live'
  /** `none` until somebody is asked for it, `pending` until they sign; `revoked` until it is signed again. */
  status: 'none' | 'pending' | 'signed' | 'revoked'
  /** The text that was signed last. */
  terms_version: string | null
  /** Who signed last. */
  signer: {
    rut: string
    name: string
    role: 'representante_legal'
  } | null
  /** On a `hosted_page` by whoever had its link, or recorded over the `api`, which proves nothing about the signer. */
  via: 'api' | 'hosted_page' | null
  signed_at: string | null
  /** Null again once it is signed anew; the evidence tells all of it. */
  revoked_at: string | null
}

export interface MandatoRecord {
  /** `version` of GET /mandato_terms, as it was signed. */
  terms_version?: string | undefined
  signer?: {
    /** @example "76192083-9" */
    rut: string
    name: string
    role: 'representante_legal'
  } | undefined
}

export interface MandatoRevocationLink {
  /**
   * How long the page can be opened.
   *
   * @default 72
   */
  expires_in_hours?: number | undefined
}

export interface MandatoTermGetQuery {
  /** An older one; today’s by default. */
  version?: string | undefined
}

export interface MandatoTerms {
  object: 'mandato_terms'
  /** What a signature names as `terms_version`. */
  version: string
  published_at: string
  title: string
  /** The whole text in Chilean Spanish, to be shown to whoever signs as it is. */
  text: string
  clauses: {
    title: string
    text: string
  }[]
  /** Of `text` in UTF-8, in hexadecimal: what the evidence of a signature names. */
  sha256: string
}

export interface Movement {
  object: 'movement'
  /** @example "mov_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  source: {
    type: 'statement' | 'connection'
    id: string
  }
  bank_account: string
  post_date: string
  direction: 'in' | 'out'
  /** In the smallest unit of its currency; negative when money went out. */
  amount: number
  currency: string
  description: string
  counterparty: {
    rut: string | null
    name: string | null
  }
  /** What it paid, or was paid for; null while nobody knows. */
  match: {
    /** From 0 to 100. */
    confidence: number
    reasons: {
      code: 'amount' | 'sum' | 'rut' | 'other_rut' | 'folio' | 'name' | 'part_of_name' | 'soon_after' | 'later' | 'said' | 'issued_for_it'
      message: string
    }[]
    /** `caller`: asked for. `review`: by itself. `confirmation`: the document was issued for it. */
    matched_by: 'caller' | 'review' | 'confirmation'
    matched_at: string
    targets: {
      /** A document of ours. */
      document_id: string | null
      /** A document of a supplier. */
      received_document_id: string | null
      /** A purchase that only the register tells of. */
      entry_id: string | null
      tipo: number
      folio: number | null
      date: string
      counterparty_rut: string | null
      counterparty_name: string | null
      /** In pesos, positive on notas de crédito too. */
      total: number
      /** Where it stands now: its `status`, or its `estado_contable` in the register (or `withdrawn_at_sii`). */
      status: string
      /** How much of it the movement pays, in pesos; negative for a nota de crédito that was taken off. */
      amount: number
    }[]
  } | null
  /** Set where another source of the same bank account tells it too, or may. */
  duplicate: {
    /** The movement that stays. */
    movement_id: string
    /** True: this one is left out of lists and expenses. False: it counts, and somebody should say by merge or unmerge. */
    certain: boolean
    reason: 'same_words' | 'same_day_and_amount' | 'counts_differ' | 'account_unknown' | 'other_day' | 'both_matched' | 'changed' | 'said'
    message: string
  } | null
  created_at: string
  /** When its bank took it back, its cartola was undone, or it was found to be a `duplicate`. */
  removed_at: string | null
}

export interface MovementListQuery {
  /** First day of `post_date`. */
  from?: string | undefined
  /** Last day of `post_date`. */
  to?: string | undefined
  direction?: 'in' | 'out' | undefined
  matched?: boolean | undefined
  /** Whether it may be a duplicate, and nobody said yet. */
  suspected?: boolean | undefined
  source?: 'statement' | 'connection' | undefined
  /** @example "CLP" */
  currency?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface MovementMatch {
  document_id?: string | undefined
  received_document_id?: string | undefined
  entry_id?: string | undefined
}

export interface MovementMerge {
  /** The movement that tells the same and stays. */
  into: string
}

export interface MovementWithCandidates {
  object: 'movement'
  /** @example "mov_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  source: {
    type: 'statement' | 'connection'
    id: string
  }
  bank_account: string
  post_date: string
  direction: 'in' | 'out'
  /** In the smallest unit of its currency; negative when money went out. */
  amount: number
  currency: string
  description: string
  counterparty: {
    rut: string | null
    name: string | null
  }
  /** What it paid, or was paid for; null while nobody knows. */
  match: {
    /** From 0 to 100. */
    confidence: number
    reasons: {
      code: 'amount' | 'sum' | 'rut' | 'other_rut' | 'folio' | 'name' | 'part_of_name' | 'soon_after' | 'later' | 'said' | 'issued_for_it'
      message: string
    }[]
    /** `caller`: asked for. `review`: by itself. `confirmation`: the document was issued for it. */
    matched_by: 'caller' | 'review' | 'confirmation'
    matched_at: string
    targets: {
      /** A document of ours. */
      document_id: string | null
      /** A document of a supplier. */
      received_document_id: string | null
      /** A purchase that only the register tells of. */
      entry_id: string | null
      tipo: number
      folio: number | null
      date: string
      counterparty_rut: string | null
      counterparty_name: string | null
      /** In pesos, positive on notas de crédito too. */
      total: number
      /** Where it stands now: its `status`, or its `estado_contable` in the register (or `withdrawn_at_sii`). */
      status: string
      /** How much of it the movement pays, in pesos; negative for a nota de crédito that was taken off. */
      amount: number
    }[]
  } | null
  /** Set where another source of the same bank account tells it too, or may. */
  duplicate: {
    /** The movement that stays. */
    movement_id: string
    /** True: this one is left out of lists and expenses. False: it counts, and somebody should say by merge or unmerge. */
    certain: boolean
    reason: 'same_words' | 'same_day_and_amount' | 'counts_differ' | 'account_unknown' | 'other_day' | 'both_matched' | 'changed' | 'said'
    message: string
  } | null
  created_at: string
  /** When its bank took it back, its cartola was undone, or it was found to be a `duplicate`. */
  removed_at: string | null
  /** What it may be for, surest first, while it is not matched. Only movements in pesos have any. */
  candidates: {
    /** From 0 to 100. */
    confidence: number
    reasons: {
      code: 'amount' | 'sum' | 'rut' | 'other_rut' | 'folio' | 'name' | 'part_of_name' | 'soon_after' | 'later' | 'said' | 'issued_for_it'
      message: string
    }[]
    /** One document, or several of one party that add up. */
    targets: {
      /** A document of ours. */
      document_id: string | null
      /** A document of a supplier. */
      received_document_id: string | null
      /** A purchase that only the register tells of. */
      entry_id: string | null
      tipo: number
      folio: number | null
      date: string
      counterparty_rut: string | null
      counterparty_name: string | null
      /** In pesos, positive on notas de crédito too. */
      total: number
      /** Where it stands now: its `status`, or its `estado_contable` in the register (or `withdrawn_at_sii`). */
      status: string
    }[]
  }[]
}

/** The call to make next. A value in angle brackets names a field of this same answer. */
export interface NextStep {
  action: string
  method: string
  url: string
  headers: Record<string, string>
  /** A body that works as it is. */
  body: Record<string, unknown>
}

export interface Onboarding {
  object: 'onboarding'
  mode: 'test' | 'live'
  empresa: {
    id: string
    rut: string
  }
  lane: 'mercado' | 'sfg'
  status: 'mandato_pending' | 'certificate_pending' | 'credential_pending' | 'certifying' | 'waiting_sii' | 'action_required' | 'go_live_pending' | 'emitting' | 'suspended' | 'blocked'
  progress: number
  /** Key of the step that is open. */
  blocked_on: string | null
  steps: OnboardingStep[]
  /** By the usual time of what is left; null once it emits. */
  estimated_ready_at: string | null
  pending_action?: PendingAction
}

export interface OnboardingCertificationInputs {
  inputs: readonly {
    key: string
    value: string
  }[]
}

export interface OnboardingCertificationListQuery {
  step?: 'sii_postulacion' | 'set_de_pruebas' | 'simulacion' | 'intercambio' | 'muestras_impresas' | 'cumplimiento' | 'resolucion' | 'habilitacion' | undefined
  waits_for?: 'operator' | 'input' | 'customer' | 'service' | 'sii' | undefined
  /** @example "76192083-9" */
  rut?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface OnboardingCertificationSetFile {
  /** The file of the set de pruebas, as the SII gives it. */
  file: string | Uint8Array
  /** The day on which the SII gave it, by default today: it lives two months. */
  downloaded_on?: string | undefined
}

export interface OnboardingEvidenceExportQuery {
  /** The key of a step. */
  step?: string | undefined
  act?: 'mandato_signed' | 'mandato_revoked' | 'certificate_uploaded' | 'credential_stored' | 'step_attested' | 'step_approved' | 'step_declined' | 'muestras_revision' | 'go_live_requested' | 'go_live_approved' | 'go_live_declined' | 'operator_took' | 'operator_gave_back' | 'operator_restarted' | 'operator_done' | 'operator_refused' | 'sii_confirmed' | 'rut_taken_over' | 'link_minted' | 'link_revoked' | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface OnboardingEvidenceListQuery {
  /** The key of a step. */
  step?: string | undefined
  act?: 'mandato_signed' | 'mandato_revoked' | 'certificate_uploaded' | 'credential_stored' | 'step_attested' | 'step_approved' | 'step_declined' | 'muestras_revision' | 'go_live_requested' | 'go_live_approved' | 'go_live_declined' | 'operator_took' | 'operator_gave_back' | 'operator_restarted' | 'operator_done' | 'operator_refused' | 'sii_confirmed' | 'rut_taken_over' | 'link_minted' | 'link_revoked' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface OnboardingGoLive {
  /** What the titular decided. Without it they are asked, by letter and with a page. */
  decision?: 'approve' | 'decline' | undefined
  approved_by?: {
    /** @example "76192083-9" */
    rut: string
    name: string
    role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta'
  } | undefined
  reason?: string | undefined
}

export interface OnboardingLink {
  object: 'onboarding_link'
  /** The step that is done on the page, or `mandato_revocation`. */
  step: string
  /** Whoever has it acts for the empresa on the page, once. It is told this once. */
  url: string
  expires_at: string
}

export interface OnboardingLinkCreate {
  /** Key of the step that waits for a person: `blocked_on` of the onboarding. */
  step: string
  /**
   * How long the page can be opened.
   *
   * @default 72
   */
  expires_in_hours?: number | undefined
  /** For whom the page is. Nobody with another RUT signs, authorises or brings a certificate on it; without it whoever opens the page says who they are. */
  person?: {
    /** @example "76192083-9" */
    rut: string
    name: string
  } | undefined
}

export interface OnboardingRecheck {
  object: 'onboarding_recheck'
  step: string
  /** For the person, in Spanish. */
  message: string
  next_poll_at: string | null
}

export interface OnboardingStep {
  /** Today one of mandato, certificate, sii_postulacion, set_de_pruebas, simulacion, intercambio, muestras_impresas, cumplimiento, resolucion, habilitacion, folios, credential, clave_centralizado, usuario_autorizado, emisor_verificado, puesta_en_vivo, emitting. Show keys that you do not know as they come. */
  key: string
  label: string
  help: string
  actor: 'customer' | 'facturia' | 'sii'
  /** Who holds it up when it stands still. */
  stall_actor: 'customer' | 'facturia' | 'sii'
  /** Who does what is ours: a queued job, or a person. It may change at any time. */
  execution: 'automatic' | 'operator'
  status: 'pending' | 'in_progress' | 'action_required' | 'completed' | 'failed' | 'skipped'
  eta_business_days: number
  /** The next look at the SII. */
  next_poll_at: string | null
  blocked_reason?: {
    /** One of `sii_unreachable`, `sii_propagation`, `requirement_unmet`, `resolucion_claim`, `approval_declined`, `operator_refused`, `sii_review`, `sii_refused`, `preflight_failed`; more may come. */
    code: string
    /** For the person, in Spanish. */
    message: string
    /** What the person can do, in Spanish. */
    hint: string | null
    /** `key` of the requirement that is not met; `sentence`, the words of the SII. */
    details: Record<string, unknown>
    since: string
  }
  opened_at: string | null
  closed_at: string | null
  /** What whoever did it said about it, of a step that was attested or that the operator did. */
  note: string | null
}

export interface OnboardingStepApprove {
  decision: 'approve' | 'decline'
  approved_by: {
    /** @example "76192083-9" */
    rut: string
    name: string
    role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta'
  }
  /** Why not, of a refusal. */
  reason?: string | undefined
  /** SHA-256 of what the person was shown, as `GET …/onboarding/certification` gives it. Refused when it was prepared anew since. */
  shown?: string | undefined
}

export interface OnboardingStepAttest {
  performed_by: {
    /** @example "76192083-9" */
    rut: string
    name: string
    role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta'
  }
  done_at?: string | undefined
  /** What an auditor should know about it. */
  note?: string | undefined
}

export interface OnboardingStepAutomatic {
  /** The person of the operator who acts. The evidence of the empresa keeps the name. */
  by: string
  /** `version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`. */
  seen?: string | undefined
}

export interface OnboardingStepDone {
  /** The person of the operator who acts. The evidence of the empresa keeps the name. */
  by: string
  /** `version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`. */
  seen?: string | undefined
  /** What an auditor should know about it. */
  note?: string | undefined
}

export interface OnboardingStepLook {
  /** The person of the operator who acts. The evidence of the empresa keeps the name. */
  by: string
  /** `version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`. */
  seen?: string | undefined
}

export interface OnboardingStepRefuse {
  /** The person of the operator who acts. The evidence of the empresa keeps the name. */
  by: string
  /** `version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`. */
  seen?: string | undefined
  /** Why it could not be done, for the customer, in plain Spanish. */
  reason: string
  /** What else the customer should know: what the SII answered, what to bring. */
  details?: string | undefined
}

export interface OnboardingStepRestart {
  /** The person of the operator who acts. The evidence of the empresa keeps the name. */
  by: string
  /** `version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`. */
  seen?: string | undefined
}

export interface OnboardingStepTake {
  /** The person of the operator who acts. The evidence of the empresa keeps the name. */
  by: string
  /** `version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`. */
  seen?: string | undefined
  /** Who has it in hand until now: without it, what somebody took stays theirs. */
  instead_of?: string | undefined
}

export interface OnboardingSwitch {
  object: 'onboarding_switch'
  step: string
  execution: 'automatic' | 'operator'
  /** What it can be turned to today. */
  executions: ('automatic' | 'operator')[]
  /** Null while nobody turned it. */
  changed_at: string | null
}

export interface OnboardingSwitchTurn {
  execution: 'automatic' | 'operator'
}

export interface OnboardingWork {
  object: 'onboarding_work'
  mode: 'test' | 'live'
  account_id: string
  empresa: {
    id: string
    rut: string
    legal_name: string
  }
  step: string
  status: 'pending' | 'in_progress' | 'action_required' | 'completed' | 'failed' | 'skipped'
  /** What the empresa declares today. */
  doc_types: number[]
  since: string
  /** Whose authorisation it rests on, where it needs one. */
  approval: {
    act: 'postulacion' | 'muestras_revision' | 'cumplimiento' | 'habilitacion' | 'go_live'
    approved_by: {
      /** @example "76192083-9" */
      rut: string
      name: string
      role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta'
    }
    approved_at: string
  } | null
  taken_by: string | null
  taken_at: string | null
  /** Why the job handed it over, or that a person took it from the job; null for what people always do. */
  why: string | null
}

export interface OnboardingWorkListQuery {
  /** The key of a step. */
  step?: string | undefined
  /** What one person has in hand. */
  taken_by?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface Payable {
  object: 'payable'
  counterparty: {
    rut: string
    legal_name: string | null
  }
  /** Today in Santiago, by the clock of the empresa. */
  as_of: string
  /** How many documents are open. */
  documents: number
  first_due_date: string
  /** In pesos; the sum of the five below. */
  pending_amount: number
  /** Due today or later. */
  not_due: number
  /** Due 1 to 30 days ago. */
  overdue_1_30: number
  /** Due 31 to 60 days ago. */
  overdue_31_60: number
  /** Due 61 to 90 days ago. */
  overdue_61_90: number
  /** Due more than 90 days ago. */
  overdue_over_90: number
}

export interface PayableExportQuery {
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface PayableListQuery {
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface Payment {
  object: 'payment'
  /** @example "pay_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  /** The document of ours that it pays. */
  document_id: string | null
  /** The document of a supplier that it pays. */
  received_document_id: string | null
  /** In pesos. */
  amount: number
  paid_on: string
  method: 'cash' | 'cheque' | 'card' | 'transfer' | 'offset' | 'other' | null
  note: string | null
  created_at: string
}

export interface PendingAction {
  step: string
  title: string
  what: string
  where: string
  /** Where it is done at the SII, where it is done there. */
  action_url: string | null
  /** The call that mints a page of ours where the person does it. */
  link: {
    mint: {
      method: string
      url: string
      body: Record<string, unknown> | null
    }
  } | null
  instructions: string[]
  bring: string[]
  how_we_know: string
  performed_by: {
    role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta'
  }
  /** The call to make once the person is done; null where nothing is to be looked at. */
  verification: {
    recheck: {
      method: string
      url: string
      body: Record<string, unknown> | null
    }
  } | null
  /** Set where the step is ours and waits for a person to authorise it. */
  approval: {
    act: 'postulacion' | 'muestras_revision' | 'cumplimiento' | 'habilitacion' | 'go_live'
    role: 'representante_legal' | 'usuario_administrador' | 'titular_certificado' | 'titular_cuenta'
    approve: {
      method: string
      url: string
      body: Record<string, unknown> | null
    }
  } | null
}

export interface PublicLink {
  object: 'public_link'
  id: string
  document_id: string
  cedible: boolean
  created_at: string
  expires_at: string | null
  /** Null while it works. */
  revoked_at: string | null
}

export interface PublicLinkWithUrl {
  object: 'public_link'
  id: string
  document_id: string
  cedible: boolean
  created_at: string
  expires_at: string | null
  /** Null while it works. */
  revoked_at: string | null
  /** Whoever has it reads the document. It is told this once. */
  url: string
}

export interface PurchaseCharacterize {
  /** 1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir. */
  tipo_compra: 1 | 2 | 3 | 4 | 5 | 6 | 7
  /** Why the IVA gives no credit: 1 exempt use, 2 out of term, 3 refused expense, 4 free delivery, 9 other. With tipo_compra 6 alone; default: 9. */
  iva_not_recoverable_code?: 1 | 2 | 3 | 4 | 9 | undefined
}

export interface PurchaseCharacterizeMany {
  entries: readonly {
    entry_id: string
    /** 1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir. */
    tipo_compra: 1 | 2 | 3 | 4 | 5 | 6 | 7
    /** Why the IVA gives no credit: 1 exempt use, 2 out of term, 3 refused expense, 4 free delivery, 9 other. With tipo_compra 6 alone; default: 9. */
    iva_not_recoverable_code?: 1 | 2 | 3 | 4 | 9 | undefined
  }[]
}

export interface PurchaseEstadoContable {
  estado_contable: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR'
}

export interface PurchaseExportQuery {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** The number the SII gives the tipo. */
  tipo_doc?: number | undefined
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * Entries that the SII no longer shows.
   *
   * @default "hidden"
   */
  withdrawn?: 'hidden' | 'included' | 'only' | undefined
  estado_contable?: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | undefined
  /** 1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir. */
  tipo_compra?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface PurchaseListQuery {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** The number the SII gives the tipo. */
  tipo_doc?: number | undefined
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * Entries that the SII no longer shows.
   *
   * @default "hidden"
   */
  withdrawn?: 'hidden' | 'included' | 'only' | undefined
  estado_contable?: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | undefined
  /** 1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir. */
  tipo_compra?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface QuarantinedFile {
  object: 'quarantined_file'
  /** @example "rcp_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  status: 'quarantined' | 'released' | 'discarded'
  /** `mail`, or `test_helper` in the sandbox. */
  source: string
  /** Who the mail says it is from, which anybody can write. */
  sender: string | null
  file_name: string
  /** As the file says; nobody proved it. */
  emisor_rut: string | null
  reason: 'not_xml' | 'bad_schema' | 'bad_signature' | 'certificate_not_valid' | 'timbre_mismatch' | 'totals_mismatch' | 'other_receptor' | 'repeated_other_content' | 'too_large' | 'bomb' | 'no_document' | 'exchange_answer'
  message: string
  received_at: string
  /** Its size; null once its bytes are no longer kept. */
  bytes: number | null
  /** Null for answers of other taxpayers, which are kept. */
  bytes_kept_until: string | null
  /** When a person released or discarded it. */
  settled_at: string | null
  /** Ids of the received documents that a release left here. */
  documents: string[]
}

export interface RcvCharacterization {
  object: 'rcv_characterization'
  characterized: number
  refused: number
  /** One for each entry of the request, in its order. */
  results: {
    entry_id: string
    status: 'characterized' | 'refused'
    entry: RcvEntry | null
    error: {
      code: string
      message: string
      param: string | null
    } | null
  }[]
}

export interface RcvEntry {
  object: 'rcv_entry'
  id: string
  mode: 'test' | 'live'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  side: 'purchase' | 'sale'
  /** The number the SII gives the tipo. */
  tipo_doc: number
  /** Null on a monthly summary of boletas or vouchers. */
  folio: number | null
  /** @example "76192083-9" */
  counterparty_rut: string | null
  counterparty_name: string | null
  issue_date: string | null
  /** When the SII received it. */
  received_at: string | null
  acknowledged_at: string | null
  claimed_at: string | null
  /** As the SII writes it: positive on notas de crédito too. `sign` tells whether it adds. */
  net: number
  exempt: number
  /** IVA of a sale; of a purchase, the part that gives credit. */
  iva: number
  iva_not_recoverable: number
  /** Why the IVA gives no credit: 1 exempt use, 2 out of term, 3 refused expense, 4 free delivery, 9 other. */
  iva_not_recoverable_code: 1 | 2 | 3 | 4 | 9 | null
  iva_common_use: number
  /** Within `iva`. */
  iva_fixed_assets: number
  /** Within `net`. */
  net_fixed_assets: number
  /** Of a nota de crédito issued: IVA that comes too late to lower the debit (D.L. 825, art. 70). */
  iva_late: number
  /** Taxes beside IVA, by their code in a DTE. */
  other_taxes: {
    /** The code of the SII. */
    code: number
    /** Percentage. */
    rate: number | null
    amount: number
  }[]
  total: number
  /** -1 on notas de crédito: their amounts take away. */
  sign: 1 | -1
  /** How many documents it stands for: more than one on a monthly summary. */
  documents: number
  /** Null on sales. */
  estado_contable: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | null
  /** Null on sales. */
  tipo_compra: 1 | 2 | 3 | 4 | 5 | 6 | 7 | null
  /** 1 del giro, 2 activo fijo, 3 bienes raíces. */
  tipo_venta: 1 | 2 | 3 | null
  /** Who decided the tipo that counts. */
  characterized_by: 'sii' | 'caller' | 'suggestion'
  /** Decided here, and the SII was not told yet. */
  pending_at_sii: boolean
  /** Why the SII did not take the decision that is pending there, the last time it was told. It is told again ever less often; deciding anew tells it at once. */
  sii_refusal: {
    sentence: string
    refused_at: string
  } | null
  /** What the history of the supplier suggests. Never applied unasked, unless the automation settings say so. */
  suggested_tipo_compra: {
    /** 1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir. */
    tipo_compra: 1 | 2 | 3 | 4 | 5 | 6 | 7
    reason: string
    /** How many earlier entries of this supplier were characterized so. */
    agreeing: number
    /** Of how many that were looked at. */
    of: number
  } | null
  reference: {
    tipo_doc: number | null
    folios: string[]
  } | null
  /** Whatever else the export of the SII held, by the name of its column. */
  other_columns: Record<string, string>
  /** Our own document. */
  document_id: string | null
  received_document_id: string | null
  first_seen_at: string
  changed_at: string
  /** When a reading no longer found it. Null: it is there. */
  withdrawn_at_sii: string | null
}

export interface RcvList {
  object: 'list'
  data: RcvEntry[]
  has_more: boolean
  next_cursor: string | null
  sync: RcvSync
}

export interface RcvSeed {
  object: 'rcv_seed'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** Entries that were put there or replaced. */
  purchases: number
  sales: number
  removed: number
}

export interface RcvSummary {
  object: 'rcv_summary'
  mode: 'test' | 'live'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** By side, tipo and estado_contable; amounts as the SII writes them. */
  lines: {
    side: 'purchase' | 'sale'
    tipo_doc: number
    estado_contable: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | null
    sign: 1 | -1
    entries: number
    documents: number
    net: number
    exempt: number
    iva: number
    iva_not_recoverable: number
    iva_common_use: number
    total: number
    /** Taxes beside IVA, by code and rate. */
    other_taxes: {
      /** The code of the SII. */
      code: number
      /** Percentage. */
      rate: number | null
      amount: number
    }[]
  }[]
  /** IVA of the sales that is the empresa's to pay, notas de crédito taken away: code 538 of the F29, before overrides. What the buyer of a factura de compra withheld is the buyer's to pay. Negative where the notas exceed; the form then shows 0. */
  iva_debit: number
  /** IVA of purchases in REGISTRO that gives credit, likewise. */
  iva_credit: number
  /** Our own accepted documents against the register of sales, the first 100. Empty while the period was never read. */
  differences: {
    /** `missing_at_sii`: accepted, and the register does not show it. `missing_here`: in the register, and not issued through this service. `amounts`: in both, with other amounts. */
    kind: 'missing_at_sii' | 'missing_here' | 'amounts'
    tipo_doc: number
    /** Null for boletas, which the register holds by the month. */
    folio: number | null
    document_id: string | null
    entry_id: string | null
    ours: {
      net: number
      exempt: number
      iva: number
      total: number
    } | null
    sii: {
      net: number
      exempt: number
      iva: number
      total: number
    } | null
  }[]
  differences_total: number
  sync: RcvSync
}

export interface RcvSync {
  object: 'rcv_sync'
  mode: 'test' | 'live'
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** `syncing`: a reading is queued or runs. `failed`: the last one was given up; what is shown is the last good one. */
  status: 'never_read' | 'syncing' | 'synced' | 'failed'
  /** Null: never read, which is not the same as empty. */
  last_synced_at: string | null
  /** Entries the last reading found. */
  purchases: number
  sales: number
  /** Lines of the export that could not be read, the first 100. What they stand for is left as it was. */
  partial_errors: {
    side: 'purchase' | 'sale'
    estado_contable: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | null
    /** The line of the export of the SII; its header is line 1. */
    line: number | null
    /** The column, as the export names it. */
    column: string | null
    message: string
    /** The line as the SII wrote it, its first 500 characters. */
    text: string | null
    /** It may belong in the declaration and is not in the mirror: the F29 of the period is not filed meanwhile. */
    blocks_filing: boolean
  }[]
}

export interface Receivable {
  object: 'receivable'
  counterparty: {
    rut: string
    legal_name: string | null
  }
  /** Today in Santiago, by the clock of the empresa. */
  as_of: string
  /** How many documents are open. */
  documents: number
  first_due_date: string
  /** In pesos; the sum of the five below. */
  pending_amount: number
  /** Due today or later. */
  not_due: number
  /** Due 1 to 30 days ago. */
  overdue_1_30: number
  /** Due 31 to 60 days ago. */
  overdue_31_60: number
  /** Due 61 to 90 days ago. */
  overdue_61_90: number
  /** Due more than 90 days ago. */
  overdue_over_90: number
}

export interface ReceivableExportQuery {
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface ReceivableListQuery {
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ReceivedDocument {
  object: 'received_document'
  /** @example "rcd_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  /** `received`: its tipo takes no answer. `accepted_tacitly`: the eight days ended in silence. */
  status: 'pending' | 'accepted' | 'rejected' | 'accepted_tacitly' | 'received'
  tipo_dte: number
  folio: number
  emisor: {
    rut: string
    legal_name: string
    giro: string | null
  }
  issue_date: string
  /** As the supplier wrote. */
  totals: {
    net: number
    iva: number
    exempt: number
    total: number
  }
  payment_form: 'cash' | 'credit' | 'free' | null
  /** As it says; at once in cash, and thirty days after its date otherwise (Ley 19.983, art. 2). */
  due_date: string | null
  /** Whether payments settled it. False where nobody owes it, as a boleta. */
  paid: boolean
  /** When nothing was left to pay, as it became known here. */
  paid_at: string | null
  /** What is left to pay in pesos: its total less notas de crédito, payments and what was ceded. Nothing where it is rejected or annulled. */
  pending_amount: number
  items: {
    description: string
    quantity: number | null
    unit: string | null
    unit_price: number | null
    exempt: boolean
    amount: number
  }[]
  /** `verified`: an accredited CA vouches for its signer, who is the emisor, and its timbre and its amounts are its own. `unproven`: taken, and something of that could not be told. What contradicts itself is never taken. */
  authenticity: {
    status: 'verified' | 'unproven'
    /** What is missing; empty when `verified`. */
    reasons: ('certificate_self_signed' | 'issuer_unknown' | 'issuer_unproven' | 'signing_time_unproven' | 'certificate_expired_since' | 'signer_not_emisor' | 'signer_unnamed' | 'timbre_text_mismatch' | 'totals_mismatch' | 'line_amount_mismatch' | 'totals_unchecked' | 'other_content_set_aside' | 'signature_false' | 'certificate_not_valid' | 'timbre_of_another' | 'released_from_quarantine' | 'not_checked')[]
  }
  receipt: {
    /** Goods or services: `presumed` once the eight days end. Null where the tipo takes no acknowledgement. */
    status: 'pending' | 'acknowledged' | 'presumed' | 'claimed' | null
    acknowledged_at: string | null
  }
  claims: {
    /** `RCD` against the content, `RFP` and `RFT` for goods that are missing in part or all of them. */
    code: 'RCD' | 'RFP' | 'RFT'
    reason: string | null
    at: string
  }[]
  /** When it reached us. */
  received_at: string
  /** When the SII received it: the clock starts. */
  sii_received_at: string
  /** Eight days later; null where the tipo takes no answer. */
  deadline_at: string | null
  answered_at: string | null
  /** When a better proven document took the place of the one that stood here; null when none did. */
  replaced_at: string | null
  pdf_url: string
  xml_url: string
}

export interface ReceivedDocumentAcknowledgeReceipt {
  /** Where it was received. Left out: the address of the empresa. */
  place?: string | undefined
  /**
   * Who received it. Left out: whoever signs for the empresa.
   *
   * @example "76192083-9"
   */
  person_rut?: string | undefined
}

export interface ReceivedDocumentExportQuery {
  status?: 'pending' | 'accepted' | 'rejected' | 'accepted_tacitly' | 'received' | undefined
  /** @example "76192083-9" */
  emisor_rut?: string | undefined
  tipo_dte?: number | undefined
  folio?: number | undefined
  'issue_date[gte]'?: string | undefined
  'issue_date[lte]'?: string | undefined
  'received_at[gte]'?: string | undefined
  'received_at[lte]'?: string | undefined
  'deadline_at[gte]'?: string | undefined
  'deadline_at[lte]'?: string | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface ReceivedDocumentListQuery {
  status?: 'pending' | 'accepted' | 'rejected' | 'accepted_tacitly' | 'received' | undefined
  /** @example "76192083-9" */
  emisor_rut?: string | undefined
  tipo_dte?: number | undefined
  folio?: number | undefined
  'issue_date[gte]'?: string | undefined
  'issue_date[lte]'?: string | undefined
  'received_at[gte]'?: string | undefined
  'received_at[lte]'?: string | undefined
  'deadline_at[gte]'?: string | undefined
  'deadline_at[lte]'?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ReceivedDocumentPaymentCreate {
  /** In pesos. Left out: all that is pending. */
  amount?: number | undefined
  /** Not after today in Santiago, by the clock of the empresa. Left out: today. */
  paid_on?: string | undefined
  /** `offset`: set off against something that we owe, or are owed. */
  method?: 'cash' | 'cheque' | 'card' | 'transfer' | 'offset' | 'other' | undefined
  note?: string | undefined
}

export interface ReceivedDocumentPaymentListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ReceivedDocumentQuarantineListQuery {
  status?: 'quarantined' | 'released' | 'discarded' | undefined
  reason?: 'not_xml' | 'bad_schema' | 'bad_signature' | 'certificate_not_valid' | 'timbre_mismatch' | 'totals_mismatch' | 'other_receptor' | 'repeated_other_content' | 'too_large' | 'bomb' | 'no_document' | 'exchange_answer' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface ReceivedDocumentReject {
  /** `RCD` claims the content, `RFP` a partial and `RFT` a total lack of goods or services. */
  code: 'RCD' | 'RFP' | 'RFT'
  /** Told to the supplier in our answer. The SII takes none. */
  reason?: string | undefined
}

/** Something that an intruder could have made or changed, for the owner to judge. */
export interface RecoveredItem {
  object: 'empresa' | 'onboarding' | 'mandato' | 'certificate' | 'sfg_credential' | 'caf' | 'connection' | 'counterparty' | 'counterparty_contact' | 'branding' | 'automation_settings' | 'webhook_endpoint' | 'api_key' | 'agent_grant'
  /** Of a counterparty its RUT; of what an empresa has one of, such as a certificate, the id of the empresa. */
  id: string
  mode: 'test' | 'live'
  /** The name and last characters of a key, the name of an agent, the URL of an endpoint, the name of the empresa, after that of what it has several of. */
  name: string
  /** `changed`: it was made or changed then and stays as it is, for you to look at. `deleted`: it was deleted, revoked or deactivated then, and is to be made again if it was yours. */
  status: 'ended' | 'disabled' | 'kept' | 'changed' | 'deleted'
}

export interface Recovery {
  /** Of keys, grants, endpoints, certificates, credentials, banks, links and pages, those made or changed before an address of the account was first confirmed, or by a credential of that time. */
  ended: {
    sessions: number
    /** Links of letters that nobody had followed yet. */
    links: number
    api_keys: number
    agent_grants: number
    webhook_endpoints: number
    /** Those that were made before, and whose URL or secret was changed then. */
    webhook_endpoints_disabled: number
    /** Certificates put into custody then. They are taken out of it: upload yours again. */
    certificates: number
    /** SFG credentials stored then: store yours again. */
    sfg_credentials: number
    /** Bank connections made then. */
    connections: number
    /** Those that were made before, and whose bank was linked anew then: `needs_reconnect`. */
    connections_disabled: number
    public_links: number
    /** Pages where a person would have linked a bank. */
    bank_pages: number
    /** Pages where a person would have signed, uploaded or decided something of an onboarding. */
    onboarding_pages: number
    /** The newest 50 of each kind. */
    items: RecoveredItem[]
  }
  /** Made and last changed at another time, but for what says so: it goes on. */
  kept: {
    api_keys: number
    agent_grants: number
    webhook_endpoints: number
    /** Contacts of counterparties that were made, changed or deleted then: look who receives your documents. */
    contacts_changed: number
    /** Counterparties whose name, giro or address was recorded then: look at what your documents would say. */
    counterparties_changed: number
    /** Empresas that were made, changed or archived then. They stay: look at their data. */
    empresas_changed: number
    /** Mandatos that were recorded or revoked then. They stay: look who may act for your empresas. */
    mandatos_changed: number
    /** Empresas of which acts or decisions of the onboarding were recorded then: look whose they were. */
    onboardings_changed: number
    /** Empresas whose logo, footer or print format was changed then: look at what your documents say. */
    branding_changed: number
    /** Empresas of which it was changed then what the service does by itself. */
    automation_settings_changed: number
    /** Certificates that were deleted then. */
    certificates_changed: number
    /** SFG credentials that were deleted then. */
    sfg_credentials_changed: number
    /** CAFs that were uploaded, deactivated or annulled then. */
    cafs_changed: number
    /** Bank connections that were deleted then. */
    connections_changed: number
    /** Endpoints that were deleted then, or of which something else than the URL or the secret was changed. */
    webhook_endpoints_changed: number
    /** Keys that were revoked then. */
    api_keys_changed: number
    /** Grants that were revoked then. */
    agent_grants_changed: number
    /** The newest 50 of each kind. */
    items: RecoveredItem[]
  }
}

export interface Registered {
  /** Session token, a JWT valid for one hour. */
  token: string
  api_key?: {
    object: 'api_key'
    id: string
    /** `sk_test_…`, shown this once. */
    secret: string
  }
  empresa?: {
    object: 'empresa'
    id: string
    rut: string
    mode: 'test' | 'live'
  }
  /** The RUT is taken on another account; account and key were created all the same. */
  empresa_error?: {
    code: 'empresa_exists'
    message: string
  }
  next: NextStep
}

export interface ReplacedDocument {
  object: 'replaced_document'
  document: ReceivedDocument
  /** As it came, in base64. */
  xml: string
  replaced_at: string
}

export interface ResolucionVerify {
  /** Must be true: it asks the SII for real folios. */
  confirm?: boolean | undefined
}

export interface RestoredEmail {
  email: string
  /** Of keys, grants, endpoints, certificates, credentials, banks, links and pages, those made or changed (rolled, rotated, sent elsewhere, enabled) since the session began that asked for the change of address, or an earlier one, of the 72 hours before, from a network that the account was not used from. */
  ended: {
    sessions: number
    /** Links of letters that nobody had followed yet. */
    links: number
    api_keys: number
    agent_grants: number
    webhook_endpoints: number
    /** Those that were made before, and whose URL or secret was changed then. */
    webhook_endpoints_disabled: number
    /** Certificates put into custody then. They are taken out of it: upload yours again. */
    certificates: number
    /** SFG credentials stored then: store yours again. */
    sfg_credentials: number
    /** Bank connections made then. */
    connections: number
    /** Those that were made before, and whose bank was linked anew then: `needs_reconnect`. */
    connections_disabled: number
    public_links: number
    /** Pages where a person would have linked a bank. */
    bank_pages: number
    /** Pages where a person would have signed, uploaded or decided something of an onboarding. */
    onboarding_pages: number
    /** The newest 50 of each kind. */
    items: RecoveredItem[]
  }
  /** Made and last changed at another time, but for what says so: it goes on. */
  kept: {
    api_keys: number
    agent_grants: number
    webhook_endpoints: number
    /** Contacts of counterparties that were made, changed or deleted then: look who receives your documents. */
    contacts_changed: number
    /** Counterparties whose name, giro or address was recorded then: look at what your documents would say. */
    counterparties_changed: number
    /** Empresas that were made, changed or archived then. They stay: look at their data. */
    empresas_changed: number
    /** Mandatos that were recorded or revoked then. They stay: look who may act for your empresas. */
    mandatos_changed: number
    /** Empresas of which acts or decisions of the onboarding were recorded then: look whose they were. */
    onboardings_changed: number
    /** Empresas whose logo, footer or print format was changed then: look at what your documents say. */
    branding_changed: number
    /** Empresas of which it was changed then what the service does by itself. */
    automation_settings_changed: number
    /** Certificates that were deleted then. */
    certificates_changed: number
    /** SFG credentials that were deleted then. */
    sfg_credentials_changed: number
    /** CAFs that were uploaded, deactivated or annulled then. */
    cafs_changed: number
    /** Bank connections that were deleted then. */
    connections_changed: number
    /** Endpoints that were deleted then, or of which something else than the URL or the secret was changed. */
    webhook_endpoints_changed: number
    /** Keys that were revoked then. */
    api_keys_changed: number
    /** Grants that were revoked then. */
    agent_grants_changed: number
    /** The newest 50 of each kind. */
    items: RecoveredItem[]
  }
}

export interface SaleExportQuery {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** The number the SII gives the tipo. */
  tipo_doc?: number | undefined
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * Entries that the SII no longer shows.
   *
   * @default "hidden"
   */
  withdrawn?: 'hidden' | 'included' | 'only' | undefined
  /**
   * `csv` unless said otherwise.
   *
   * @default "csv"
   */
  format?: 'csv' | 'xlsx' | undefined
}

export interface SaleListQuery {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** The number the SII gives the tipo. */
  tipo_doc?: number | undefined
  /** @example "76192083-9" */
  counterparty_rut?: string | undefined
  /**
   * Entries that the SII no longer shows.
   *
   * @default "hidden"
   */
  withdrawn?: 'hidden' | 'included' | 'only' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface Session {
  object: 'session'
  id: string
  created_at: string
  expires_at: string
  account: {
    object: 'account'
    id: string
    name: string
    email: string
    email_verified: boolean
    plan: string
    created_at: string
  }
}

export interface SfgCredential {
  object: 'sfg_credential'
  /** The person whose certificate is kept at the SII. */
  rut: string
  stored_at: string
  /** To the hour. */
  last_used_at: string | null
  /** When the SII last refused the password. */
  last_refused_at: string | null
}

export interface SfgCredentialStore {
  /** @example "76192083-9" */
  rut: string
  /** Of the certificate that the SII keeps centrally (clave del certificado), not the clave tributaria. */
  password: string
}

export interface SiiCall {
  object: 'sii_call'
  id: string
  at: string
  service: string
  operation: string
  ambiente: string
  outcome: 'ok' | 'unreachable' | 'refused' | 'not_understood' | 'session_cap'
  ms: number
  estado: string | null
  detail: string | null
  /** What went over the wire, cut and without secrets. */
  trace: Record<string, unknown>
}

export interface SiiCallListQuery {
  outcome?: 'ok' | 'unreachable' | 'refused' | 'not_understood' | 'session_cap' | undefined
  service?: 'dte' | 'boleta_api' | 'boleta_upload' | 'claims' | 'login_certificate' | 'login_clave' | 'portal' | 'mipyme' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface SiiStatus {
  object: 'sii_status'
  measured_at: string
  environments: {
    ambiente: 'certificacion' | 'produccion'
    services: {
      /** One of the hosts of the SII, by what it is for. */
      service: 'dte' | 'boleta_api' | 'boleta_upload' | 'claims' | 'login_certificate' | 'login_clave' | 'portal' | 'mipyme'
      /** Of the last hour. `degraded`: one question in twenty got no answer; `down`: half of them; `unknown`: none was asked. */
      state: 'up' | 'degraded' | 'down' | 'unknown'
      calls: number
      failures: number
      p50_ms: number | null
      p95_ms: number | null
      /** In steps of five minutes; a step without a call is left out. */
      last_24_hours: {
        at: string
        calls: number
        failures: number
        mean_ms: number
      }[]
      /** In steps of six hours. */
      last_30_days: {
        at: string
        calls: number
        failures: number
        mean_ms: number
      }[]
    }[]
    /** From sent to settled, of the documents settled within the last 24 hours. */
    verdicts: {
      dte: {
        documents: number
        p50_seconds: number | null
        p95_seconds: number | null
      }
      boleta: {
        documents: number
        p50_seconds: number | null
        p95_seconds: number | null
      }
    }
  }[]
}

export interface Statement {
  object: 'statement'
  /** @example "stm_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  status: 'importing' | 'imported' | 'failed'
  filename: string | null
  bank_account: string
  currency: string
  first_date: string
  last_date: string
  /** Movements in the file. */
  rows: number
  /** Rows that hold none: totals, notes, opening balances, headers again. */
  skipped: number
  /** Movements that were new. */
  imported: number
  /** Movements that an earlier cartola or a bank connection of the same account had brought. */
  duplicates: number
  understood: StatementUnderstood
  failure: {
    code: string
    message: string
  } | null
  created_at: string
  imported_at: string | null
}

export interface StatementCreate {
  /** The cartola as the bank gave it, CSV, XLSX or XLS, in base64. */
  file: string | Uint8Array
  filename?: string | undefined
  /** The account as you know it. Left out: the number that the file tells. */
  bank_account?: string | undefined
  /** Which way a positive amount goes, where the file has one column of amounts. Left out: out on the statement of a card, in on that of an account, unless the balance says otherwise. */
  positive_is?: 'in' | 'out' | undefined
}

export interface StatementListQuery {
  status?: 'importing' | 'imported' | 'failed' | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface StatementPreview {
  object: 'statement_preview'
  mode: 'test' | 'live'
  /** Movements in the file. */
  rows: number
  /** Rows that hold none: totals, notes, opening balances, headers again. */
  skipped: number
  understood: StatementUnderstood
}

export interface StatementPreviewRequest {
  /** The cartola as the bank gave it, CSV, XLSX or XLS, in base64. */
  file: string | Uint8Array
  filename?: string | undefined
  /** The account as you know it. Left out: the number that the file tells. */
  bank_account?: string | undefined
  /** Which way a positive amount goes, where the file has one column of amounts. Left out: out on the statement of a card, in on that of an account, unless the balance says otherwise. */
  positive_is?: 'in' | 'out' | undefined
}

export interface StatementUnderstood {
  format: 'csv' | 'xlsx' | 'xls'
  /** Null in a spreadsheet, which says so itself. */
  encoding: string | null
  separator: string | null
  /** The tab that holds the movements. */
  sheet: string | null
  /** The row that names the columns. */
  header_row: number
  /** What each column was taken for, and its name in the file. */
  columns: Record<string, string>
  /** As found; several are joined by a comma. The day comes before the month. */
  date_format: string
  /** How a payment is told from an income: two columns, a column of words, or the sign of one column. On a card what is positive was spent. */
  sign_rule: 'charge_and_credit_columns' | 'kind_column' | 'negative_is_out' | 'positive_is_out'
  /** Whether the balance beside the movements follows from the amounts as they were read. */
  balance_check: 'agrees' | 'disagrees' | 'absent'
  bank_account: string
  /** The bank that the file names, where it names one that is known. */
  bank: string | null
  currency: string
  first_date: string
  last_date: string
  first_rows: {
    /** Its number in the file. */
    row: number
    post_date: string
    /** In the smallest unit of its currency; positive when money came in. */
    amount: number
    currency: string
    description: string
  }[]
  warnings: {
    /** A table below the movements, under a title of its own: none of its rows is a movement. */
    code: 'table_not_read'
    /** The row of its title. */
    row: number
    title: string
    message: string
  }[]
}

export interface Subscription {
  object: 'subscription'
  /** The id of the empresa: it has exactly one. */
  id: string
  mode: 'test' | 'live'
  /** `lapsed` from the moment `current_period_end` passes. `canceled`: ended for good, without grace. `none`: never subscribed. */
  status: 'none' | 'active' | 'lapsed' | 'canceled'
  /** Until when it is paid, or when it ended. */
  current_period_end: string | null
  /** Until when a lapsed subscription keeps emitting. */
  grace_until: string | null
  /** False in test mode and for accounts on plan `house`: they always pass. */
  required: boolean
  /** Whether the acts that need it answer `402 subscription_required` now. */
  blocked: boolean
  /** A page for a person: the price, and how to subscribe. Its address is a secret and ends after a month. */
  checkout_url: string
  /** Null while nothing was recorded. */
  updated_at: string | null
}

export interface SubscriptionRecord {
  status: 'active' | 'lapsed' | 'canceled'
  /** For `active` in the future, ten years at most; by default it stays as it was, and a new period lasts a month. For `lapsed` and `canceled` in the past: when it ended, by default now. */
  current_period_end?: string | undefined
}

export interface SuggestionConfirm {
  /** What was paid, in pesos and without IVA. Needed where `amounts` is null. */
  net?: number | undefined
  /** The line of the document. Left out: the provider named. */
  description?: string | undefined
  /** Left out: within the month of the payment (today, or its last day) while that month is not declared, else today. */
  issue_date?: string | undefined
  /** Who sold, where the provider as we know it is wrong or incomplete. */
  receptor?: {
    /** @example "76192083-9" */
    rut?: string | undefined
    legal_name?: string | undefined
    giro?: string | undefined
    address?: {
      street?: string | undefined
      comuna?: string | undefined
      city?: string | undefined
    } | undefined
  } | undefined
}

export interface SuggestionDismiss {
  reason?: string | undefined
  /**
   * `once`: the same amount to this provider is not suggested again. `provider`: nothing to it is, and what is open to it is dismissed too.
   *
   * @default "once"
   */
  scope?: 'once' | 'provider' | undefined
}

export interface SuggestionListQuery {
  status?: 'open' | 'confirmed' | 'dismissed' | 'withdrawn' | undefined
  type?: 'emit_46' | undefined
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface SummaryGetQuery {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
}

export interface TaxSuggestion {
  object: 'tax_suggestion'
  /** @example "sug_01h5k3vq8n5r6t7w8x9y0z1a2b" */
  id: string
  mode: 'test' | 'live'
  /** `emit_46`: issue a factura de compra over a payment abroad. */
  type: 'emit_46'
  status: 'open' | 'confirmed' | 'dismissed' | 'withdrawn'
  /**
   * The month of the payment.
   *
   * @example "2026-10"
   */
  period: string
  provider: {
    /** Stable: program against it. */
    key: string
    name: string
    /** ISO 3166-1 alpha-2. */
    country: string
    /** Its RUT as a foreign taxpayer, where it is publicly known. */
    rut: string | null
  }
  movement: {
    id: string
    post_date: string
    description: string
    /** What was paid, positive, in the smallest unit of its currency. */
    amount: number
    currency: string
  }
  /** What the tipo 46 would come to: the payment is the net, the IVA on top of it is withheld whole. Null while the payment is not known in pesos; `reasons` says so. */
  amounts: {
    net: number
    iva: number
    withheld: number
    total: number
  } | null
  reasons: {
    code: 'foreign_provider' | 'no_dte_in_register' | 'register_not_read' | 'charges_consumers' | 'pesos_unknown'
    message: string
  }[]
  /** The tipo 46 that confirming it issued, or that somebody had issued already. */
  document_id: string | null
  dismissal: {
    reason: string | null
    scope: 'once' | 'provider'
  } | null
  withdrawn_because: 'movement_removed' | 'movement_matched' | 'dte_in_register' | 'already_issued' | null
  created_at: string
  settled_at: string | null
}

export interface TaxSync {
  /**
   * Default: the previous month in Santiago.
   *
   * @example "2026-10"
   */
  period?: string | undefined
}

export interface TestClock {
  object: 'test_clock'
  /** RUT of the empresa whose clock it is; null for the account. */
  empresa: string | null
  /** What time it is on this clock. */
  now: string
  /** Whether it stands still until it is moved. */
  frozen: boolean
  /** `advancing` while timers that fell due are still firing. */
  status: 'ready' | 'advancing'
  /** Where it is going, while advancing. */
  target: string | null
}

export interface TestHelperClockGetQuery {
  /** @example "76192083-9" */
  empresa_rut?: string | undefined
}

export interface TestHelperClockSet {
  /**
   * Move the clock of this empresa alone, which from then on is its own until it is reset. Webhooks belong to the account: their retries go by its clock.
   *
   * @example "76192083-9"
   */
  empresa_rut?: string | undefined
  /** Go to this instant and stand still there. */
  frozen_time?: string | undefined
  /** ISO 8601 duration, such as P1M or PT36H. */
  advance?: string | undefined
  /** Return to real time. */
  reset?: true | undefined
}

export interface TestHelperDocumentEstado {
  /** `failed` only while it is queued. */
  status: 'accepted' | 'reparo' | 'rejected' | 'failed'
  /** A finding of the SII, such as `DTE-3-101`: it is explained as a real one. With `failed`: the code of the failure. */
  code?: string | undefined
  /** The glosa of the SII. With `failed`: the message of the failure. */
  message?: string | undefined
}

export interface TestHelperDocumentReceptorResponse {
  /** ACD accepts the content, ERM acknowledges goods or services; RCD claims against the content, RFP and RFT that goods lack in part or in all. */
  action: 'ACD' | 'ERM' | 'RCD' | 'RFP' | 'RFT'
}

export interface TestHelperF29Proposals {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** What the SII proposes. An empty array: nothing. */
  codes: readonly {
    code: number
    amount: number
  }[]
}

export interface TestHelperF29Validations {
  /**
   * A tax period: `YYYY-MM`, a month of America/Santiago.
   *
   * @example "2026-10"
   */
  period: string
  /** What the SII finds wrong with the next filing of the period. An empty array: nothing. */
  errors: readonly {
    code: string
    message: string
  }[]
}

export interface TestHelperOnboardingMoveStep {
  /** Key of a step of the rehearsal. */
  step: string
  status: 'in_progress' | 'action_required' | 'completed' | 'failed' | 'skipped'
  /** The code of what holds it up, of a step that is not closed. */
  blocked_reason?: 'sii_unreachable' | 'sii_propagation' | 'requirement_unmet' | 'resolucion_claim' | 'approval_declined' | 'operator_refused' | 'sii_review' | 'sii_refused' | 'preflight_failed' | undefined
}

export interface TestHelperOnboardingRehearse {
  /** Default: the lane of the empresa. */
  lane?: 'mercado' | 'sfg' | undefined
  /**
   * Where it stands. `emitting` ends the rehearsal. `suspended` cannot be asked for, nor can what the lane does not know.
   *
   * @default "mandato_pending"
   */
  status?: 'mandato_pending' | 'certificate_pending' | 'credential_pending' | 'certifying' | 'waiting_sii' | 'action_required' | 'go_live_pending' | 'emitting' | 'suspended' | 'blocked' | undefined
}

export interface TestHelperRcvSeed {
  /**
   * Default: the previous month in Santiago, as that of POST /tax/sync.
   *
   * @example "2026-10"
   */
  period?: string | undefined
  purchases?: readonly {
    /** The number the SII gives the tipo. */
    tipo_doc: number
    /** Needed, but for monthly summaries: tipos 39, 41 and 48. */
    folio?: number | undefined
    /**
     * Needed, but for monthly summaries.
     *
     * @example "76192083-9"
     */
    counterparty_rut?: string | undefined
    counterparty_name?: string | undefined
    /** Default: the first day of the period. */
    issue_date?: string | undefined
    /** Default: noon of the day it was issued. */
    received_at?: string | undefined
    acknowledged_at?: string | undefined
    claimed_at?: string | undefined
    /** Default: 0. */
    net?: number | undefined
    exempt?: number | undefined
    iva?: number | undefined
    /** Default: the sum of the other amounts. */
    total?: number | undefined
    other_taxes?: readonly {
      /** The code of the SII. */
      code: number
      /** Percentage. */
      rate: number | null
      amount: number
    }[] | undefined
    /** On a monthly summary. */
    documents?: number | undefined
    /** The number the SII gives the tipo. */
    reference_tipo_doc?: number | undefined
    reference_folios?: readonly string[] | undefined
    /** @default "REGISTRO" */
    estado_contable?: 'REGISTRO' | 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | undefined
    /**
     * 1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir.
     *
     * @default 1
     */
    tipo_compra?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | undefined
    iva_not_recoverable?: number | undefined
    /** Why the IVA gives no credit: 1 exempt use, 2 out of term, 3 refused expense, 4 free delivery, 9 other. */
    iva_not_recoverable_code?: 1 | 2 | 3 | 4 | 9 | undefined
    iva_common_use?: number | undefined
    iva_fixed_assets?: number | undefined
    net_fixed_assets?: number | undefined
  }[] | undefined
  sales?: readonly {
    /** The number the SII gives the tipo. */
    tipo_doc: number
    /** Needed, but for monthly summaries: tipos 39, 41 and 48. */
    folio?: number | undefined
    /**
     * Needed, but for monthly summaries.
     *
     * @example "76192083-9"
     */
    counterparty_rut?: string | undefined
    counterparty_name?: string | undefined
    /** Default: the first day of the period. */
    issue_date?: string | undefined
    /** Default: noon of the day it was issued. */
    received_at?: string | undefined
    acknowledged_at?: string | undefined
    claimed_at?: string | undefined
    /** Default: 0. */
    net?: number | undefined
    exempt?: number | undefined
    iva?: number | undefined
    /** Default: the sum of the other amounts. */
    total?: number | undefined
    other_taxes?: readonly {
      /** The code of the SII. */
      code: number
      /** Percentage. */
      rate: number | null
      amount: number
    }[] | undefined
    /** On a monthly summary. */
    documents?: number | undefined
    /** The number the SII gives the tipo. */
    reference_tipo_doc?: number | undefined
    reference_folios?: readonly string[] | undefined
    /** IVA of a nota de crédito that lowers no debit. Default: 0. */
    iva_late?: number | undefined
    /** @default 1 */
    tipo_venta?: 1 | 2 | 3 | undefined
  }[] | undefined
  /** Entries the register stops showing, also those of documents of test mode. */
  remove?: readonly {
    side: 'purchase' | 'sale'
    /** The number the SII gives the tipo. */
    tipo_doc: number
    folio?: number | undefined
    /** @example "76192083-9" */
    counterparty_rut?: string | undefined
  }[] | undefined
}

export interface TestHelperReceivedDocumentCreate {
  /** A file of a supplier in base64: an EnvioDTE or a DTE. */
  xml?: string | Uint8Array | undefined
  document?: {
    /** @default 33 */
    tipo_dte?: TipoDte | undefined
    /** Left out: the next one. */
    folio?: number | undefined
    /** Left out: a supplier of the sandbox. */
    emisor?: {
      /** @example "76192083-9" */
      rut: string
      legal_name?: string | undefined
      giro?: string | undefined
      address?: {
        street?: string | undefined
        comuna?: string | undefined
        city?: string | undefined
      } | undefined
    } | undefined
    /** Left out: one line. */
    items?: readonly {
      description: string
      detail?: string | undefined
      /** Up to 6 decimals. Left out: 1. */
      quantity?: number | undefined
      unit?: string | undefined
      /** Up to 4 decimals. Boletas carry gross prices, the rest net ones. Left out only in a guía and in a nota that corrects text. */
      unit_price?: number | undefined
      /** This line carries no IVA. */
      exempt?: boolean | undefined
      /** What the line is when it is not a plain sale. */
      billing?: 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative' | undefined
      /** `percent` or `amount`. */
      discount?: {
        percent?: number | undefined
        amount?: number | undefined
      } | undefined
      /** `percent` or `amount`. */
      surcharge?: {
        percent?: number | undefined
        amount?: number | undefined
      } | undefined
      code?: {
        type: string
        value: string
      } | undefined
      /** SII code of an additional or withheld tax. Left out in a tipo 46: 15, all the IVA is withheld. */
      additional_tax?: number | undefined
      retention_agent?: {
        slaughter_base?: number | undefined
        margin?: number | undefined
        consumer_price?: number | undefined
      } | undefined
    }[] | undefined
    issue_date?: string | undefined
    payment?: {
      form?: 'cash' | 'credit' | 'free' | undefined
      paid_on?: string | undefined
      due_date?: string | undefined
      method?: 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other' | undefined
      terms?: string | undefined
      instalments?: readonly {
        date: string
        amount: number
        note?: string | undefined
      }[] | undefined
    } | undefined
    references?: readonly {
      /** A document of ours; stands for `tipo_dte`, `folio` and `date`. */
      document_id?: string | undefined
      tipo_dte?: number | undefined
      /** Any other kind by its code, such as 801 or SET. */
      document_type?: string | undefined
      folio?: string | number | undefined
      date?: string | undefined
      /** 1 annuls, 2 corrects text, 3 corrects amounts. */
      code?: 1 | 2 | 3 | undefined
      reason?: string | undefined
      global?: boolean | undefined
      /** @example "76192083-9" */
      emisor_rut?: string | undefined
    }[] | undefined
    discounts?: readonly {
      percent?: number | undefined
      amount?: number | undefined
      applies_to?: 'taxed' | 'exempt' | 'non_billable' | undefined
      reason?: string | undefined
    }[] | undefined
    surcharges?: readonly {
      percent?: number | undefined
      amount?: number | undefined
      applies_to?: 'taxed' | 'exempt' | 'non_billable' | undefined
      reason?: string | undefined
    }[] | undefined
    dispatch?: {
      dispatch_type?: number | undefined
      /** Left out: 5 (internal) when the receptor is the empresa itself, 1 (a sale) when the lines have prices. */
      transfer_type?: number | undefined
      driver?: {
        /** @example "76192083-9" */
        rut: string
        name: string
      } | undefined
      /** @example "76192083-9" */
      carrier_rut?: string | undefined
      plate?: string | undefined
      trailer_plate?: string | undefined
      origin?: {
        street?: string | undefined
        comuna?: string | undefined
        city?: string | undefined
      } | undefined
      destination?: {
        street?: string | undefined
        comuna?: string | undefined
        city?: string | undefined
      } | undefined
      departure_at?: string | undefined
      estimated_delivery_at?: string | undefined
    } | undefined
  } | undefined
  /** With what the supplier of the sandbox signs. `of_emisor`, or left out: the document is `verified`. `of_other_person` and `self_signed`: it is `unproven`. `expired`: it is set aside. */
  certificate?: 'of_emisor' | 'of_other_person' | 'self_signed' | 'expired' | undefined
}

export interface TestHelperSeed {
  /**
   * The present one is the last.
   *
   * @default 12
   */
  months?: number | undefined
}

/** The kind of document: 33 Factura electrónica, 34 Factura no afecta o exenta electrónica, 39 Boleta electrónica, 41 Boleta no afecta o exenta electrónica, 46 Factura de compra electrónica, 52 Guía de despacho electrónica, 56 Nota de débito electrónica, 61 Nota de crédito electrónica. */
export type TipoDte = 33 | 34 | 39 | 41 | 46 | 52 | 56 | 61

export interface UsageGetQuery {
  /** A billing period: `YYYY-MM`, a month of America/Santiago. Default: the present one. */
  period?: string | undefined
  /** @example "76192083-9" */
  empresa_rut?: string | undefined
}

export interface UsageRecord {
  object: 'usage_record'
  id: string
  mode: 'test' | 'live'
  empresa: {
    id: string
    /** @example "76192083-9" */
    rut: string
  }
  /** `document_issued`: Documents transmitted to the SII. `document_emailed`: Documents mailed to their receptor. `document_ceded`: Documents ceded to a factoring company. `document_received`: Documents received from suppliers. `folios_requested`: Folios asked of the SII. */
  kind: 'document_issued' | 'document_emailed' | 'document_ceded' | 'document_received' | 'folios_requested'
  tipo_dte: number | null
  quantity: number
  /** What was used: the id of the document or of the job. */
  subject_id: string
  /** A billing period: `YYYY-MM`, a month of America/Santiago. */
  period: string
  created_at: string
}

export interface UsageRecordListQuery {
  /** A billing period: `YYYY-MM`, a month of America/Santiago. */
  period?: string | undefined
  /** @example "76192083-9" */
  empresa_rut?: string | undefined
  kind?: 'document_issued' | 'document_emailed' | 'document_ceded' | 'document_received' | 'folios_requested' | undefined
  tipo_dte?: 33 | 34 | 39 | 41 | 46 | 52 | 56 | 61 | undefined
  'created_at[gte]'?: string | undefined
  'created_at[lte]'?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface UsageSummary {
  object: 'usage_summary'
  mode: 'test' | 'live'
  /** A billing period: `YYYY-MM`, a month of America/Santiago. */
  period: string
  totals: {
    /** Documents transmitted to the SII. */
    document_issued: number
    /** Documents mailed to their receptor. */
    document_emailed: number
    /** Documents ceded to a factoring company. */
    document_ceded: number
    /** Documents received from suppliers. */
    document_received: number
    /** Folios asked of the SII. */
    folios_requested: number
  }
  /** What is of no tipo is in `totals` alone. */
  by_tipo: {
    tipo_dte: number
    /** Documents transmitted to the SII. */
    document_issued: number
    /** Documents mailed to their receptor. */
    document_emailed: number
    /** Documents ceded to a factoring company. */
    document_ceded: number
    /** Documents received from suppliers. */
    document_received: number
    /** Folios asked of the SII. */
    folios_requested: number
  }[]
  /** Who issued most comes first. At most 1,000: `empresas_total` says how many there are. */
  by_empresa: {
    empresa: {
      id: string
      /** @example "76192083-9" */
      rut: string
    }
    /** Documents transmitted to the SII. */
    document_issued: number
    /** Documents mailed to their receptor. */
    document_emailed: number
    /** Documents ceded to a factoring company. */
    document_ceded: number
    /** Documents received from suppliers. */
    document_received: number
    /** Folios asked of the SII. */
    folios_requested: number
  }[]
  /** Empresas that used anything in the period. */
  empresas_total: number
}

export interface VerifiedEmail {
  email: string
  email_verified: true
}

export interface WebhookDelivery {
  object: 'webhook_delivery'
  id: string
  mode: 'test' | 'live'
  webhook_endpoint_id: string
  event_id: string
  event_type: string
  /** `automatic` and `ping`: retried on a schedule. `replay`: asked for, one attempt. */
  trigger: 'automatic' | 'replay' | 'ping'
  status: 'pending' | 'succeeded' | 'failed'
  /** Requests made for this delivery so far. */
  attempts: number
  /** Of the last attempt; null when no answer came. */
  response_status: number | null
  /** The first KiB of the last answer, where it was text. */
  response_excerpt: string | null
  /** Of the last attempt; null when it succeeded. */
  error: 'http_error' | 'redirect_not_followed' | 'dns_lookup_failed' | 'address_not_allowed' | 'connection_refused' | 'connection_timeout' | 'connection_lost' | 'tls_failed' | 'response_timeout' | 'invalid_response' | 'endpoint_disabled' | 'endpoint_deleted' | 'too_many_attempts' | 'event_expired' | null
  duration_ms: number | null
  /** While pending; null once it is settled. */
  next_attempt_at: string | null
  created_at: string
  finished_at: string | null
}

export interface WebhookDeliveryWithAttempts {
  object: 'webhook_delivery'
  id: string
  mode: 'test' | 'live'
  webhook_endpoint_id: string
  event_id: string
  event_type: string
  /** `automatic` and `ping`: retried on a schedule. `replay`: asked for, one attempt. */
  trigger: 'automatic' | 'replay' | 'ping'
  status: 'pending' | 'succeeded' | 'failed'
  /** Requests made for this delivery so far. */
  attempts: number
  /** Of the last attempt; null when no answer came. */
  response_status: number | null
  /** The first KiB of the last answer, where it was text. */
  response_excerpt: string | null
  /** Of the last attempt; null when it succeeded. */
  error: 'http_error' | 'redirect_not_followed' | 'dns_lookup_failed' | 'address_not_allowed' | 'connection_refused' | 'connection_timeout' | 'connection_lost' | 'tls_failed' | 'response_timeout' | 'invalid_response' | 'endpoint_disabled' | 'endpoint_deleted' | 'too_many_attempts' | 'event_expired' | null
  duration_ms: number | null
  /** While pending; null once it is settled. */
  next_attempt_at: string | null
  created_at: string
  finished_at: string | null
  /** Every request that was made, oldest first. */
  attempt_log: {
    /** What `Svc-Delivery-Attempt` said. */
    attempt: number
    at: string
    response_status: number | null
    error: 'http_error' | 'redirect_not_followed' | 'dns_lookup_failed' | 'address_not_allowed' | 'connection_refused' | 'connection_timeout' | 'connection_lost' | 'tls_failed' | 'response_timeout' | 'invalid_response' | 'endpoint_disabled' | 'endpoint_deleted' | 'too_many_attempts' | 'event_expired' | null
    duration_ms: number
  }[]
}

export interface WebhookEndpoint {
  object: 'webhook_endpoint'
  id: string
  mode: 'test' | 'live'
  url: string
  description: string
  /** Event types, families such as `document.*`, or `*`. */
  enabled_events: string[]
  /** RUTs whose events it receives, or `*` for all. */
  empresas: string[]
  status: 'enabled' | 'disabled'
  /** `requested`: by PATCH. `failing`: no delivery succeeded for five days. `gone`: the receiver answered 410. `grant_ended`: an agent that gave it its URL or its secret has no access any more. `account_recovered`: somebody who was thrown out of the account had changed its URL or its secret, or enabled it. */
  disabled_reason: 'requested' | 'failing' | 'gone' | 'grant_ended' | 'account_recovered' | null
  created_at: string
}

export interface WebhookEndpointCreate {
  /** An absolute http or https address without credentials and fragment; https only in live mode. */
  url: string
  description?: string | undefined
  /** Default: `*`, which includes future types. */
  enabled_events?: readonly string[] | undefined
  /** Default: all that the credential reaches. */
  empresas?: readonly string[] | undefined
}

export interface WebhookEndpointDeliveryListQuery {
  status?: 'pending' | 'succeeded' | 'failed' | undefined
  event_id?: string | undefined
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface WebhookEndpointListQuery {
  /**
   * Page size.
   *
   * @default 20
   */
  limit?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface WebhookEndpointUpdate {
  /** An absolute http or https address without credentials and fragment; https only in live mode. */
  url?: string | undefined
  description?: string | undefined
  enabled_events?: readonly string[] | undefined
  empresas?: readonly string[] | undefined
  status?: 'enabled' | 'disabled' | undefined
}

export interface WebhookEndpointWithSecret {
  object: 'webhook_endpoint'
  id: string
  mode: 'test' | 'live'
  url: string
  description: string
  /** Event types, families such as `document.*`, or `*`. */
  enabled_events: string[]
  /** RUTs whose events it receives, or `*` for all. */
  empresas: string[]
  status: 'enabled' | 'disabled'
  /** `requested`: by PATCH. `failing`: no delivery succeeded for five days. `gone`: the receiver answered 410. `grant_ended`: an agent that gave it its URL or its secret has no access any more. `account_recovered`: somebody who was thrown out of the account had changed its URL or its secret, or enabled it. */
  disabled_reason: 'requested' | 'failing' | 'gone' | 'grant_ended' | 'account_recovered' | null
  created_at: string
  /** Signs every delivery. Shown this once and never readable again. */
  secret: string
}
