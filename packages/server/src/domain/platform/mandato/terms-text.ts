/**
 * The texts of the mandato by version, newest last. A text that was published stays as it is, to the letter: people signed it,
 * and its digest is in their evidence. A change is a new row.
 */
export interface TermsText {
  /** The day from which it is signed. */
  readonly version: string
  readonly published_at: string
  readonly title: string
  readonly clauses: readonly { readonly title: string; readonly text: string }[]
}

export const TERMS_TEXTS: readonly TermsText[] = [
  {
    version: '2026-11-16',
    published_at: '2026-11-16T03:00:00.000Z',
    title: 'Mandato para actuar ante el SII con documentos tributarios electrónicos',
    clauses: [
      {
        title: 'Quiénes participan',
        text:
          'Firmo en nombre de la empresa cuyo nombre y RUT aparecen junto a mi firma. Declaro que soy su representante legal, o ' +
          'la propia persona contribuyente, y que puedo otorgar este mandato. La empresa es la mandante. El mandatario es quien ' +
          'opera el servicio Timbre, que en este texto se llama «el operador».',
      },
      {
        title: 'Qué autorizo',
        text:
          'Autorizo al operador a actuar en nombre de la empresa ante el Servicio de Impuestos Internos (SII) para lo que sigue, ' +
          'y solo para eso: (a) pedir folios de documentos tributarios electrónicos, recibirlos, administrarlos y anular los que ' +
          'no se usen; (b) firmar los documentos que la empresa emita a través del servicio, con el certificado digital que esté en ' +
          'custodia, y enviarlos al SII y a quienes deban recibirlos; (c) hacer la postulación y la certificación de la ' +
          'empresa como emisora electrónica, y los trámites que el SII pida para que empiece a emitir y siga emitiendo, incluido registrar ' +
          'los datos propios de una emisora electrónica, como su correo de intercambio; (d) usar el ' +
          'sistema de facturación gratuito del SII, si la empresa emite por él; (e) consultar el estado de sus documentos, sus ' +
          'registros de compras y ventas, sus autorizaciones y los demás datos que el SII muestre a la empresa y hagan falta para ' +
          'prestar el servicio.',
      },
      {
        title: 'Qué hace el operador solo cuando se le pide',
        text:
          'Cada uno de estos actos necesita una orden de la empresa para ese caso, o una instrucción general que ella misma dejó ' +
          'configurada y puede cambiar cuando quiera: aceptar o reclamar documentos recibidos y dar acuse de recibo de mercaderías o ' +
          'servicios (Ley 19.983), clasificar las compras en el registro, ceder una factura y presentar la declaración mensual ' +
          'de IVA (formulario 29) con las cifras que la empresa aprobó.',
      },
      {
        title: 'Qué no permite este mandato',
        text:
          'El operador no puede recibir ni mover dinero de la empresa, pagar por ella ni pedir devoluciones de impuestos; contratar ' +
          'ni endeudarla; cambiar sus datos ante el SII, como su domicilio, su giro o sus representantes; iniciar ni terminar su giro; ' +
          'representarla en fiscalizaciones o juicios; emitir documentos que la empresa no haya pedido; ni usar su certificado ' +
          'o sus claves para otra cosa. Tampoco puede delegar este mandato en terceros.',
      },
      {
        title: 'Responsabilidades',
        text:
          'La empresa responde de que sus documentos correspondan a operaciones verdaderas y de los datos que entrega, y sigue siendo la ' +
          'contribuyente ante el SII. El operador responde de cumplir con cuidado lo que aquí se le encarga. Este texto no le quita a ' +
          'la empresa, ni a quien firma, ningún derecho que la ley les dé.',
      },
      {
        title: 'Certificado digital y claves en custodia',
        text:
          'El certificado digital pertenece a su titular. Si no soy yo, lo entrego con su autorización. Su clave privada se guarda ' +
          'cifrada, se abre solo en memoria para los actos que este mandato permite y el servicio no la entrega a nadie; el archivo ' +
          'original y su contraseña no se guardan. Si la empresa usa el sistema gratuito, la contraseña del certificado que el SII ' +
          'conserva se guarda del mismo modo. La empresa puede pedir en cualquier momento que se borren, y se borran en el ' +
          'acto. Si algo pusiera en riesgo lo que está en custodia, el operador avisará a la empresa sin demora.',
      },
      {
        title: 'Cuánto dura',
        text:
          'Este mandato empieza cuando se firma y dura hasta que se revoque, hasta que la empresa deje el servicio o hasta que el operador ' +
          'renuncie a él avisando con al menos 30 días, para que la empresa alcance a organizarse. Es gratuito: lo que se ' +
          'paga es el servicio, según su propio contrato.',
      },
      {
        title: 'Cómo se revoca',
        text:
          'La empresa puede revocarlo cuando quiera, sin dar razones y sin costo: en la página que el operador ofrece para eso, a ' +
          'través de la plataforma que usa para facturar, o escribiendo al operador. Desde que el operador recibe la revocación deja de ' +
          'actuar ante el SII por la empresa: no pide folios, no firma, no envía y no consulta. Lo ya enviado sigue siendo válido, ' +
          'porque se hizo con el mandato vigente. El certificado queda guardado sin usarse hasta que la empresa lo borre o ' +
          'vuelva a firmar. Conviene, además, quitar en el sitio del SII los permisos que se hayan dado allí. Si más adelante ' +
          'se firma de nuevo, la empresa sigue desde el punto en que estaba.',
      },
      {
        title: 'Datos personales',
        text:
          'El operador trata los datos de quien firma (nombre, RUT, calidad en que actúa, fecha y hora, dirección IP y programa con que se ' +
          'conectó) y los que contienen los documentos, para cumplir este mandato, probar que existe y responder a las autoridades cuando ' +
          'la ley obliga. No los vende ni los usa para publicidad. Los conserva mientras haga falta para responder por los ' +
          'documentos emitidos: seis años desde el último (artículos 17 y 200 del Código Tributario). Quien firma puede pedir ' +
          'acceder a sus datos, rectificarlos, suprimirlos, oponerse a su uso, bloquearlos o llevárselos, según la Ley 19.628 y ' +
          'la Ley 21.719 que la modifica, desde que esté vigente; lo que la ley manda conservar se conserva hasta que se cumpla su plazo.',
      },
      {
        title: 'Firma y constancia',
        text:
          'Firmo este mandato de forma electrónica, lo que vale como si constara por escrito en papel (Ley 19.799; artículo 9 del ' +
          'Código Tributario). Queda registrado quién firmó, cuándo, desde dónde y qué versión de este texto tuvo a la vista, y la empresa ' +
          'puede descargar esa constancia. Si el texto cambia, el operador pedirá una nueva firma: nadie queda sujeto a una ' +
          'versión que no firmó.',
      },
    ],
  },
]
