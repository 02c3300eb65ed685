/** Tipos for which folios are stamped; whoever names none may emit them all. */
export const STAMPED: readonly number[] = [33, 34, 39, 41, 43, 46, 52, 56, 61, 110, 111, 112]

export const BOLETAS: readonly number[] = [39, 41]

/** Tipos whose folios die six months after they were authorised, because they give a tax credit (CAF-3-517). */
export const EXPIRING: readonly number[] = [33, 43, 46, 56, 61]

/** `FolioType` of DTE_v10.xsd has ten digits. */
export const LAST_FOLIO = 9_999_999_999
