// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { AutomationSettings, AutomationSettingsUpdate } from '../types.ts'

export interface AutomationSettingsResource {
  /**
   * Read what the service does by itself for an empresa.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/automation_settings#automation_settings.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<AutomationSettings>
  /**
   * Change what the service does by itself for an empresa.
   *
   * Scope: `empresas:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/automation_settings#automation_settings.update
   */
  update(empresa_id: string, input?: AutomationSettingsUpdate, options?: CallOptions): Promise<AutomationSettings>
}

export const automationSettings: ResourceOf<AutomationSettingsResource> = /* @__PURE__ */ resource<AutomationSettingsResource>({
  get: 'GET /empresas/{empresa_id}/automation_settings ',
  update: 'PATCH /empresas/{empresa_id}/automation_settings b',
})
