import { type Fragment, part } from '../../../kernel/db.ts'

/** The statuses of the steps of a row of `empresa`, by their keys, as a column; null for one without an onboarding. */
export const stepsOfEmpresa = (): Fragment => part`
  (select json_object_agg(s.key, s.status) from onboarding_step s
   where s.account_id = empresa.account_id and s.empresa_id = empresa.id) as steps`
