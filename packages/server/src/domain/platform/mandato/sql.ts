import { type Fragment, name, part } from '../../../kernel/db.ts'

/** Who signed the mandato that stands, as `{rut, name}` or null, for a row with `account_id` and `empresa_id`. */
export function signerOfMandato(child: string): Fragment {
  const c = name(child)
  return part`(select json_build_object('rut', m.signer_rut, 'name', m.signer_name) from mandato m
    where m.account_id = ${c}.account_id and m.empresa_id = ${c}.empresa_id and m.status = 'signed')`
}
