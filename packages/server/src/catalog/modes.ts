import { TIPO, TIPO_NUMBERS } from '@timbre/dte/values'
/**
 * Everything that differs between the sandbox and the real thing. A verb reads a row of this
 * table (`MODES[mode].paywalled`); it never asks which mode it runs in.
 */
export const MODES = {
  test: {
    paywalled: false,
    onboarding_starts_at: 'emitting',
    ambiente: 'certificacion',
    ambiente_when_emitting: 'certificacion',
    default_doc_types: [...TIPO_NUMBERS],
    boletas_wait_for_habilitacion: false,
    tipos_need_certification: false,
    // An onboarding is rehearsed here: nothing real stands behind its steps, which the test helpers move; what they did stands.
    rehearses_onboarding: true,
    origen_required: false,
    rut_reserved: false,
    rut_needs_proof: false,
    reception_alias: false,
    // Files of real suppliers may be tried in the sandbox, whatever ambiente they are of.
    takes_every_timbre: true,
    deletable: true,
    // A certificate and an SFG credential may be rehearsed here: nothing depends on them.
    needs_custody: false,
    // So may a mandato: signing and revoking it move nothing.
    needs_mandato: false,
    test_helpers: true,
    has_test_clock: true,
    keys_reach_mcp: true,
    // Test keys lie about on the machines of developers; logins and addresses are for fewer eyes.
    keys_see_account_acts: false,
    needs_verified_email: false,
    // Documents are mailed to the confirmed address of the account alone; other letters are taken and go nowhere.
    mails_strangers: false,
    /** Defaults of a sandbox empresa that was never described: a first document needs a RUT and a name, no more. */
    emisor_placeholders: {
      giro: 'Giro de prueba',
      acteco: [620100],
      address: { street: 'Calle de Prueba 123', comuna: 'Santiago', city: 'Santiago' },
    },
    folios_on_demand: true,
    // Time to script an outcome, and what comes within it is signed and sent together.
    emits_after_ms: 500,
    // Number 0 is the SII's own for certification.
    resolucion_when_undeclared: { date: '2014-08-22', number: 0 },
    webhooks_need_https: false,
    files_f29: true,
    measures_sii: false,
    // The sandbox says why at once.
    sii_mails_results: false,
    // The sandbox settles notas in any order, and what they annul is annulled with them.
    notas_wait_for_original: false,
    sii_confirms_annulments: false,
    // A month of the test clock is lived to its end, whatever was published of it.
    invents_indicators: true,
  },
  live: {
    paywalled: true,
    onboarding_starts_at: 'mandato_pending',
    ambiente: 'certificacion',
    ambiente_when_emitting: 'produccion',
    // The SII's set básico, which every taxpayer certifies: declaring more would lengthen the certification unasked.
    default_doc_types: [TIPO.factura, TIPO.nota_de_debito, TIPO.nota_de_credito],
    boletas_wait_for_habilitacion: true,
    tipos_need_certification: true,
    rehearses_onboarding: false,
    origen_required: true,
    rut_reserved: true,
    // Anybody can type a RUT, and here it keeps its owner out: an account holds few that nothing has proven.
    rut_needs_proof: true,
    reception_alias: true,
    takes_every_timbre: false,
    deletable: false,
    needs_custody: true,
    needs_mandato: true,
    test_helpers: false,
    has_test_clock: false,
    keys_reach_mcp: false,
    keys_see_account_acts: true,
    needs_verified_email: true,
    mails_strangers: true,
    emisor_placeholders: null,
    folios_on_demand: false,
    emits_after_ms: 0,
    resolucion_when_undeclared: null,
    webhooks_need_https: true,
    // The SII publishes no contract to file by: a person of the operator does, and says what came of it.
    files_f29: false,
    measures_sii: true,
    // Over the wire of the DTE channel it does not say why it refused a document: only its e-mail does.
    sii_mails_results: true,
    // A nota to a document that the SII does not know yet is refused for good, its folio spent.
    notas_wait_for_original: true,
    // `ANC` on the original, which may come after the nota was accepted.
    sii_confirms_annulments: true,
    invents_indicators: false,
  },
} as const

export type Mode = keyof typeof MODES
export const MODE_NAMES = Object.keys(MODES) as Mode[]

export function isMode(value: unknown): value is Mode {
  return value === 'test' || value === 'live'
}
