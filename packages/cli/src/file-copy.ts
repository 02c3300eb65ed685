import type { Command } from './command.ts'

/** What is said of files, in the language of the command. */
interface FileCopy {
  readonly missing: string
  readonly unreadable: (code: string) => string
  readonly folder: string
  readonly device: string
  readonly tooLarge: string
  readonly lookAtPath: string
  readonly stdin: string
  readonly cannotWrite: string
  readonly freeSpace: string
  /** By the code of the system. */
  readonly why: Readonly<Record<string, string>>
  readonly notForScreen: readonly [string, string]
}

const ENGLISH: FileCopy = {
  missing: 'does not exist',
  unreadable: (code) => `cannot be read (${code})`,
  folder: 'is a folder',
  device: 'is a device',
  tooLarge: 'has more than 64 MiB',
  lookAtPath: 'Look at the path.',
  stdin: 'What came in on stdin',
  cannotWrite: 'cannot be written',
  freeSpace: 'Free some space, or name another place with --output.',
  why: {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota of the disk is used up',
    EROFS: 'the disk is read-only',
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    ENOENT: 'the folder does not exist',
    ENOTDIR: 'a part of the path is not a folder',
    EISDIR: 'it is a folder',
  },
  notForScreen: ['This is no text for a screen.', 'Name a file with --output FILE, or send - into a pipe.'],
}

const SPANISH: FileCopy = {
  missing: 'no existe',
  unreadable: (code) => `no se puede leer (${code})`,
  folder: 'es una carpeta',
  device: 'es un dispositivo',
  tooLarge: 'pesa más de 64 MiB',
  lookAtPath: 'Revisa la ruta.',
  stdin: 'Lo que llegó por la entrada',
  cannotWrite: 'no se puede escribir',
  freeSpace: 'Libera espacio, o indica otro lugar con --output.',
  why: {
    ENOSPC: 'el disco está lleno',
    EDQUOT: 'se acabó tu cuota de disco',
    EROFS: 'el disco es de solo lectura',
    EACCES: 'no tienes permiso para escribir ahí',
    EPERM: 'no tienes permiso para escribir ahí',
    ENOENT: 'la carpeta no existe',
    ENOTDIR: 'una parte de la ruta no es una carpeta',
    EISDIR: 'es una carpeta',
  },
  notForScreen: [
    'Esto no es texto para la pantalla.',
    'Indica un archivo con --output ARCHIVO, o envía - a otro programa.',
  ],
}

export const fileCopy = (command: Pick<Command, 'language'>): FileCopy =>
  command.language === 'es' ? SPANISH : ENGLISH
