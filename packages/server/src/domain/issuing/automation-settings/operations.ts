import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../../platform/empresa/schema.ts'
import { automates } from './agent-copy.ts'
import { readAutomationSettings, updateAutomationSettings } from './automation-settings.ts'
import { AutomationSettings, UpdateAutomationSettings } from './schema.ts'

export const automationSettingsOperations = [
  defineOperation({
    id: 'automation_settings.get',
    method: 'GET',
    path: '/empresas/{empresa_id}/automation_settings',
    summary: 'Read what the service does by itself for an empresa',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: AutomationSettings,
    run: readAutomationSettings,
  }),
  defineOperation({
    id: 'automation_settings.update',
    method: 'PATCH',
    path: '/empresas/{empresa_id}/automation_settings',
    summary: 'Change what the service does by itself for an empresa',
    reach: 'empresa',
    scope: 'empresas:write',
    params: EmpresaPath,
    body: UpdateAutomationSettings,
    returns: AutomationSettings,
    mcp: { irreversible: automates },
    audited: true,
    leaves: { object: 'automation_settings' },
    run: updateAutomationSettings,
  }),
]
