import { type Static, Type } from 'typebox'
import { Closed, Named, Nullable, Timestamp } from '../../../kernel/schema.ts'

const switches = {
  email_documents_on_acceptance: Type.Boolean({
    description: "Mail each document to the receptor's contacts as soon as the SII accepts it. Default: false.",
  }),
  exchange_documents_on_acceptance: Type.Boolean({
    description:
      "Send each document to the receptor's exchange mailbox, as the SII lists it, as soon as the SII accepts it. Default: true.",
  }),
  request_folios_when_low: Type.Boolean({
    description:
      'Ask the SII for more folios of a tipo before the last ones are used: for four weeks at the pace of the last ones, ' +
      'and not after a refusal that only a person can mend. Default: true.',
  }),
  sync_rcv_daily: Type.Boolean({
    description: 'Read the last three months of the RCV every day. Default: true.',
  }),
  apply_characterization_suggestions: Type.Boolean({
    description: 'Characterize purchase entries as suggested without waiting for a person. Default: false.',
  }),
  apply_movement_matches: Type.Boolean({
    description:
      'Match a movement to the document it surely paid without waiting for a person, those that are here already too. ' +
      'Default: false.',
  }),
}

export type SwitchName = keyof typeof switches
export const SWITCH_NAMES = Object.keys(switches) as SwitchName[]

export const AutomationSettings = Named(
  'AutomationSettings',
  Closed({
    object: Type.Literal('automation_settings'),
    id: Type.String({ description: 'The id of the empresa: it has exactly one.' }),
    ...switches,
    updated_at: Nullable(Timestamp, { description: 'Null while nobody changed a default.' }),
  }),
)
export type AutomationSettings = Static<typeof AutomationSettings>

export const UpdateAutomationSettings = Closed({
  email_documents_on_acceptance: Type.Optional(switches.email_documents_on_acceptance),
  exchange_documents_on_acceptance: Type.Optional(switches.exchange_documents_on_acceptance),
  request_folios_when_low: Type.Optional(switches.request_folios_when_low),
  sync_rcv_daily: Type.Optional(switches.sync_rcv_daily),
  apply_characterization_suggestions: Type.Optional(switches.apply_characterization_suggestions),
  apply_movement_matches: Type.Optional(switches.apply_movement_matches),
})
export type UpdateAutomationSettings = Static<typeof UpdateAutomationSettings>
