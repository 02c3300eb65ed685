import { type Irreversible, quoted } from '../../agent-tool.ts'

const addressed = (to: unknown) => [to].flat().map((address) => quoted(String(address)))

/** A letter cannot be called back. Without `to` it goes where the document or the contacts of its receptor say. */
export const mailsTo: Irreversible<{ readonly status: string }> = {
  when: { told: 'With `to`', holds: ({ to }) => to !== undefined },
  says: (_, { to }) =>
    `Se va a enviar el documento por correo a ${addressed(to).join(', ')}. Un correo enviado no se puede recuperar.`,
  shows: () => ({}),
}
